"""Whole runs with the real Codex and the offline model, through the gateway."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness_play import needs_codex

from memarena.journal import Answered, CellEnded, SessionEnded
from memarena.store import RunStore

pytestmark = needs_codex
pytest.importorskip("memarena_models", reason="memarena-models is not installed")

KEY = "sk-planted-upstream-6262"


def memarena(folder: Path, *words: str, code: int = 0) -> str:
    """What a run says; its folder is `folder / "out"`."""
    command = [sys.executable, "-m", "memarena", "run", "-a", "codex", "--quiet", "-o", "codex.instructions=short"]
    done = subprocess.run(
        [*command, "--out", "out", *words],
        cwd=folder,
        env={**os.environ, "OPENAI_API_KEY": KEY},
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def entries(folder: Path, kind: type) -> Iterator[object]:
    store = RunStore.open(folder / "out")
    for spec in store.specs():
        for entry in store.entries(spec.cell_id):
            if isinstance(entry, kind):
                yield entry


def test_a_run_ends_with_answers_that_come_from_notes_of_earlier_processes(tmp_path: Path) -> None:
    memarena(tmp_path, "-d", "tiny", "--model", "offline")
    texts = [str(one.answer.text) for one in entries(tmp_path, Answered)]  # type: ignore[attr-defined]
    assert any("555-0202" in text for text in texts)
    assert all(one.told for one in entries(tmp_path, SessionEnded))  # type: ignore[attr-defined]
    for ended in entries(tmp_path, CellEnded):
        assert ended.usage["write"].calls >= 2  # type: ignore[attr-defined]
        assert ended.usage["answer"].tokens_in > 0  # type: ignore[attr-defined]
    whole = b"".join(file.read_bytes() for file in (tmp_path / "out").rglob("*") if file.is_file())
    assert KEY.encode() not in whole
    assert b"Bearer mem-" not in whole
    assert not (tmp_path / "out" / "work").exists() or not list((tmp_path / "out" / "work").iterdir())


def test_without_notes_in_the_capabilities_it_is_scored_on_answers_alone(tmp_path: Path) -> None:
    memarena(tmp_path, "-d", "tiny", "--sample", "tiny-home", "--model", "offline", "-o", "codex.notes=false")
    assert not any(one.snapshot.put for one in entries(tmp_path, SessionEnded))  # type: ignore[attr-defined]
    assert list(entries(tmp_path, Answered))


def test_a_budget_that_is_used_up_ends_the_cell_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "memarena.toml").write_text("[gateway.budgets.cell]\ntokens = 2000\n", encoding="utf-8")
    said = memarena(tmp_path, "-d", "tiny", "--sample", "tiny-home", "--model", "offline", code=1)
    errors = [str(one.error) for one in entries(tmp_path, CellEnded)]  # type: ignore[attr-defined]
    assert ["over budget" in error for error in errors] == [True], errors
    assert "over budget" in said


def test_it_runs_in_a_process_of_its_own_as_well(tmp_path: Path) -> None:
    memarena(tmp_path, "-d", "tiny", "--sample", "tiny-home", "--model", "offline", "--isolate", "process")
    texts = [str(one.answer.text) for one in entries(tmp_path, Answered)]  # type: ignore[attr-defined]
    assert any("555-0202" in text for text in texts)


def test_a_run_that_cannot_find_its_program_is_refused_before_it_begins(tmp_path: Path) -> None:
    said = memarena(tmp_path, "-d", "tiny", "--model", "offline", "-o", "codex.program=/nowhere/codex", code=2)
    assert "program missing: codex: there is no program at /nowhere/codex" in said
    assert len(said.strip().splitlines()) == 1


def test_the_record_of_the_gateway_holds_what_really_went_out(tmp_path: Path) -> None:
    import sqlite3
    import zlib

    memarena(tmp_path, "-d", "tiny", "--sample", "tiny-work", "--model", "offline")
    with sqlite3.connect(tmp_path / "out" / "exchanges.sqlite") as record:
        bodies = [json.loads(zlib.decompress(row[0])) for row in record.execute("SELECT body FROM requests")]
    pictures = [str(body).count("'input_image'") for body in bodies]
    assert max(pictures) == 1
    assert str(tmp_path) not in str(bodies)
