"""graph with the model `offline`: its rule, and a whole run through the gateway."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from graph_play import hear, kept, started

from memarena.testing.model_server import ModelServer
from memarena_graph.offline_rules import Parts, split, supersedes


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("Mug_1 is dirty.", Parts("Mug_1", "is", "dirty", single=True)),
        ("Mug_1 is in the sink.", Parts("Mug_1", "is at", "in the sink", single=True)),
        ("Quillon keeps nine bees.", Parts("Quillon", "keeps", "nine bees", single=False)),
        ("And hosting may cost 1,900 euros.", Parts("hosting", "cost", "1,900 euros", single=False)),
        ("The rota: Wen is on call.", Parts("Wen", "is at", "on call", single=True)),
        ("A switch called old-fares keeps the prices.", Parts("old-fares", "keeps", "the prices", single=False)),
        ("They are late.", Parts("user", "are", "late", single=False)),
        ("Thursdays, half past five.", Parts("user", "said", "Thursdays, half past five", single=False)),
    ],
)
def test_a_sentence_is_split_at_its_verb(sentence: str, parts: Parts) -> None:
    assert split(sentence, "user") == parts


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("We release on May 12.", "The release is planned for April 28."),
        ("The timeout of the terminal is nine.5 now", "The timeout of the terminal is five"),
        ("The switch old-fares is gone.", "A switch called old-fares keeps the prices."),
        ("user (2 May 2025): Hosting costs 2,350 euros a month.", "Hosting may cost 1,900 euros a month."),
    ],
)
def test_a_fact_with_other_values_of_the_same_or_a_word_of_change_supersedes(new: str, old: str) -> None:
    assert supersedes(new, old)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The release is planned for April 28.", "The release is planned for April 28."),
        ("If the release moved to May 12, I would sleep.", "The release is planned for April 28."),
        ("The pilot starts on April 29.", "Kofi goes on leave from April 22."),
        ("Action: pick up Mug_1 now", "Action: find Mug_1"),
        ("Ben keeps bees.", "Ana has a cat."),
    ],
)
def test_the_same_a_condition_an_action_or_another_matter_does_not_supersede(new: str, old: str) -> None:
    assert not supersedes(new, old)


@pytest.mark.usefixtures("bolt")
def test_the_rule_takes_what_the_user_says_and_closes_what_it_changes(
    offline_server: ModelServer, tmp_path: Path
) -> None:
    adapter = started(offline_server, tmp_path)
    hear(adapter, "You stand in front of Mug_1. It is dirty. Rumour has it that Mug_2 is gold.", "I see Mug_1.")
    hear(adapter, "Mug_1 is clean.", "Good.", session_id="S02")
    assert kept(adapter, "archived") == ["user (1 January 2026): Mug_1 is dirty."]
    assert kept(adapter)[-1] == "user (2 January 2026): Mug_1 is clean."
    assert not any("Mug_2" in text or "I see" in text for text in kept(adapter))


@pytest.mark.usefixtures("bolt")
def test_a_run_through_the_gateway_counts_every_call(run_cli: Any, tmp_path: Path) -> None:
    pytest.importorskip("memarena_models", reason="memarena-models is not installed")
    from memarena.store import RunStore

    words = ["run", "-d", "tiny", "-a", "graph", "--model", "offline", "--out", "r", "--quiet"]
    done = run_cli(*words, timeout=600)
    assert done.returncode == 0, done.stderr
    used = RunStore.open(tmp_path / "cli" / "r").usage()["graph~tiny-work"]
    # Two rounds: a completion each, and an embedding request each for what it brought; two questions.
    assert used["write"].calls == 4
    assert used["retrieve"].calls == 2
