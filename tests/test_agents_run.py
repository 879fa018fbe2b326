"""Runs with agents that are real programs: what they answer later comes from the notes that they wrote earlier.

Codex always, where it is installed; OpenClaw takes minutes and runs where it is asked for: MEMARENA_HARNESS=1.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memarena.journal import Answered, CellEnded, CellStarted, SessionEnded
from memarena.records import NOT_MENTIONED
from memarena.store import RunStore

pytest.importorskip("memarena_harness", reason="memarena-harness is not installed")
pytest.importorskip("memarena_models", reason="memarena-models is not installed")

from memarena_harness.failures import HarnessFailure
from memarena_harness.programs import Codex, NpmProgram, OpenClaw

FORGETFUL = '''"""Agents whose notes are lost before they are asked."""
import shutil
from pathlib import Path

from memarena_harness.codex import Codex
from memarena_harness.openclaw import OpenClaw
from memarena_harness.openclaw_config import SEEDS


class Loses:
    def reset(self, context):
        self.workspace = Path(context.folder, "agent", "workspace")
        super().reset(context)

    def answer(self, questions):
        for place in self.workspace.iterdir():
            if place.name not in SEEDS:  # what a workspace of OpenClaw begins with is no memory
                shutil.rmtree(place) if place.is_dir() else place.unlink()
        return super().answer(questions)


class ForgetfulCodex(Loses, Codex):
    pass


class ForgetfulOpenClaw(Loses, OpenClaw):
    pass
'''
ENTRIES = """[memarena.adapters]
forgetful-codex = forgetful:ForgetfulCodex
forgetful-openclaw = forgetful:ForgetfulOpenClaw
"""


@functools.cache
def problem(program: type[NpmProgram]) -> str:
    """Why a program cannot be run here; "" where it can."""
    if program is OpenClaw and os.environ.get("MEMARENA_HARNESS") != "1":
        return "OpenClaw takes minutes: nox -s harness, or MEMARENA_HARNESS=1"
    try:
        program().find()
        program().jail()
    except HarnessFailure as failure:
        return str(failure)
    return ""


needs_codex = pytest.mark.skipif(bool(problem(Codex)), reason=problem(Codex))
needs_openclaw = pytest.mark.skipif(bool(problem(OpenClaw)), reason=problem(OpenClaw))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Where a package of somebody else is installed."""
    home = tmp_path / "site" / "forgetful-0.1.dist-info"
    home.mkdir(parents=True)
    (home.parent / "forgetful.py").write_text(FORGETFUL, encoding="utf-8")
    (home / "METADATA").write_text("Metadata-Version: 2.1\nName: forgetful\nVersion: 0.1\n", encoding="utf-8")
    (home / "entry_points.txt").write_text(ENTRIES, encoding="utf-8")
    return home.parent


def run(folder: Path, *words: str, site: Path | None = None) -> RunStore:
    """A run that ends well, with nothing of it still running; its folder."""
    done = subprocess.run(
        [sys.executable, "-m", "memarena", "run", *words, "--model", "offline", "--quiet", "--out", "out"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(site or "")},
        capture_output=True,
        encoding="utf-8",
        timeout=1800,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert running_in(folder) == []
    return RunStore.open(folder / "out")


def running_in(folder: Path) -> list[str]:
    """The command lines of processes that name a folder."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = place.read_bytes().decode("utf-8", "replace")
        except OSError:  # it has ended
            continue
        if str(folder) in words:
            found.append(words.replace("\0", " "))
    return found


def of(store: RunStore, label: str, kind: type) -> list[Any]:
    """All entries of one kind in the cells of a system."""
    specs = [spec for spec in store.specs() if spec.label == label]
    return [entry for spec in specs for entry in store.entries(spec.cell_id) if isinstance(entry, kind)]


def answers(store: RunStore, label: str) -> dict[str, str]:
    """What a system answered, by question; it answered each."""
    given = [one.answer for one in of(store, label, Answered)]
    assert [one.error for one in given if one.error] == []
    return {one.question_id: one.text for one in given}


def assert_remembers(store: RunStore, label: str, cells: int) -> None:
    """Every session was told and left notes; most questions are answered."""
    assert [ended.error for ended in of(store, label, CellEnded)] == [""] * cells
    assert all(ended.told for ended in of(store, label, SessionEnded))
    assert any(ended.snapshot.put for ended in of(store, label, SessionEnded))
    known = [text for text in answers(store, label).values() if text != NOT_MENTIONED]
    assert len(known) > 0.5 * len(answers(store, label))


def assert_forgets(store: RunStore, label: str) -> None:
    """With its notes its answers are gone."""
    assert set(answers(store, label).values()) == {NOT_MENTIONED}


@needs_codex
def test_codex_answers_from_what_it_wrote_and_knows_nothing_without_it(tmp_path: Path, site: Path) -> None:
    store = run(tmp_path, "-d", "tiny", "-a", "codex", "-a", "forgetful-codex", site=site)
    assert_remembers(store, "codex", cells=2)
    assert_forgets(store, "forgetful-codex")
    assert answers(store, "codex").keys() == answers(store, "forgetful-codex").keys()


@needs_codex
def test_codex_that_answers_from_its_context_is_a_baseline_with_a_label_of_its_own(tmp_path: Path) -> None:
    store = run(tmp_path, "-d", "tiny", "-a", "codex", "-a", "verbatim", "--harness-context", "--allow-unsandboxed")
    assert [(row["label"], row["options"]) for row in store.header["adapters"]] == [
        ("codex-context", {"allow_unsandboxed": True, "context": True}),
        ("verbatim", {}),
    ]
    started = of(store, "codex-context", CellStarted)
    assert {one.capabilities.versions["remembers_by"] for one in started} == {
        "its context goes on from session to session"
    }
    assert set(answers(store, "codex-context")) == {"C01:Q001", "C01:Q002", "C02:Q001", "C02:Q002"}
    assert {row.label for row in store.stats()} == {"codex-context", "verbatim"}


@needs_codex
def test_codex_runs_through_a_long_history_with_pictures(tmp_path: Path) -> None:
    store = run(tmp_path, "-d", "mini", "--limit", "2", "-a", "codex")
    assert_remembers(store, "codex", cells=2)
    assert all(ended.usage["write"].tokens_in > 0 for ended in of(store, "codex", CellEnded))


@needs_openclaw
def test_openclaw_answers_from_what_it_wrote_and_knows_nothing_without_it(tmp_path: Path, site: Path) -> None:
    store = run(tmp_path, "-d", "tiny", "-a", "openclaw", "-a", "forgetful-openclaw", site=site)
    assert_remembers(store, "openclaw", cells=2)
    assert_forgets(store, "forgetful-openclaw")


@needs_codex
@needs_openclaw
def test_both_agents_run_through_the_whole_built_in_data_side_by_side(tmp_path: Path) -> None:
    store = run(tmp_path, "-d", "mini", "-a", "codex", "-a", "openclaw")
    for label in ("codex", "openclaw"):
        assert_remembers(store, label, cells=6)
    assert answers(store, "codex").keys() == answers(store, "openclaw").keys()
