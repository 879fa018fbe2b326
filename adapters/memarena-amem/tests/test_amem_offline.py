"""amem with the model `offline`: its rule, and a whole run through the gateway."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from amem_play import attributes, hear, started

from memarena.store import RunStore
from memarena.testing.model_server import ModelServer


def test_names_and_values_are_the_first_keywords(offline_server: ModelServer, tmp_path: Path) -> None:
    adapter = started(offline_server, tmp_path)
    hear(adapter, "my locker in the hall has the code 4711 says Zanetti")
    (seen,) = attributes(adapter).values()
    assert set(seen["keywords"][:2]) == {"4711", "Zanetti"}
    assert "number" in seen["tags"]


def test_notes_that_share_two_keywords_are_linked_and_keep_their_content(
    offline_server: ModelServer, tmp_path: Path
) -> None:
    adapter = started(offline_server, tmp_path)
    hear(adapter, "Zanetti has the locker code 4711.", "Quillon keeps bees.", "Zanetti wants the locker code changed.")
    seen = attributes(adapter)
    assert seen["note:3"]["links"] == ["note:1"]
    assert "zanetti" in seen["note:1"]["tags"]
    assert seen["note:2"]["links"] == []
    assert "4711" in adapter.snapshot_memories()[0].text


def test_a_run_through_the_gateway_counts_every_call(run_cli: Any, tmp_path: Path) -> None:
    pytest.importorskip("memarena_models", reason="memarena-models is not installed")
    words = ["run", "-d", "tiny", "-a", "amem", "--model", "offline", "--out", "r", "--quiet"]
    done = run_cli(*words, timeout=600)
    assert done.returncode == 0, done.stderr
    used = RunStore.open(tmp_path / "cli" / "r").usage()["amem~tiny-work"]
    # Two rounds: an analysis each, one evolution, an embedding each; two questions.
    assert used["write"].calls >= 5
    assert used["retrieve"].calls == 2
