"""What must hold of any memory, whatever it is: gold in place of a stage loses no more there than the system itself."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest

from memarena import scoring
from memarena.answering import ShowSettings, answer
from memarena.cell import ArenaSuite, CellSettings
from memarena.cells import CellSpec
from memarena.datasets import open_data
from memarena.journal import Retrieved
from memarena.oracles import GOLD_EVIDENCE
from memarena.rig import Rig
from memarena.store import RunStore
from memarena_arena.extractive import ExtractiveAnswerer
from memarena_arena.lexical import LexicalJudge
from memarena_arena.scorers.diagnosis import LOST, DiagnosisScorer
from memarena_arena.scorers.stages import UNSEEN, USE, WRITE
from memarena_arena.selftest import PlantedMemory, World

FLOORS = ("nothing", "verbatim", "last-session")
INSTALLED = {"bm25": "memarena_rag", "longcontext": "memarena_longcontext"}
KEEPING = ("verbatim", "bm25")
"""Systems that keep whatever they hear."""

Shares = Mapping[str, float]
"""Stage -> share of the questions that it lost; `correct` -> share of right answers."""


@pytest.fixture(scope="module")
def shares(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Shares]:
    """What became of the questions of a small run, by row; with all oracles."""
    out = tmp_path_factory.mktemp("oracles") / "run"
    chosen = [*FLOORS, *(name for name, package in INSTALLED.items() if find_spec(package))]
    words = ["run", "-d", "mini", "--limit", "2", "--out", str(out)]
    words += [word for name in chosen for word in ("-a", name)]
    words += [word for stage in ("write", "maintain", "retrieve") for word in ("--oracle", stage)]
    done = subprocess.run([sys.executable, "-m", "memarena", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return _shares(RunStore.open(out))


def _shares(store: RunStore) -> Mapping[str, Shares]:
    stages = {metric: stage for stage, metric in LOST.items()} | {"correct_by_age": "correct"}
    sums: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(lambda: [0.0, 0.0]))
    for row in store.stats():
        stat = row.stat
        if stat.metric in stages and stat.n is not None:
            sums[row.label][stages[stat.metric]][0] += stat.n
            sums[row.label][stages[stat.metric]][1] += stat.d or 0.0
    return {label: {stage: n / d for stage, (n, d) in found.items()} for label, found in sums.items()}


def _plain(shares: Mapping[str, Shares]) -> list[str]:
    return [label for label in shares if "+" not in label and label != GOLD_EVIDENCE]


def _before_use(found: Shares) -> float:
    return sum(share for stage, share in found.items() if stage not in (USE, "correct"))


def test_gold_evidence_answers_at_least_as_well_as_any_system(shares: Mapping[str, Shares]) -> None:
    for label in _plain(shares):
        assert shares[GOLD_EVIDENCE]["correct"] >= shares[label]["correct"], label


def test_gold_evidence_loses_nothing_before_the_answer(shares: Mapping[str, Shares]) -> None:
    assert shares[GOLD_EVIDENCE][UNSEEN] == 0
    assert _before_use(shares[GOLD_EVIDENCE]) == 0


def test_nothing_loses_everything_at_never_written(shares: Mapping[str, Shares]) -> None:
    assert shares["nothing"][WRITE] == 1
    assert shares["nothing"]["correct"] == 0


@pytest.mark.parametrize("stage", ["write", "maintain"])
def test_gold_that_is_fed_is_written_and_kept_by_a_system_that_keeps_all(
    shares: Mapping[str, Shares], stage: str
) -> None:
    for label in filter(shares.__contains__, KEEPING):
        fed = shares[f"{label}+{stage}"]
        assert fed["write"] == fed["maintain"] == 0, label
        assert fed["write"] <= shares[label]["write"]


def test_gold_that_is_fed_is_answered_at_least_as_well(shares: Mapping[str, Shares]) -> None:
    for label in _plain(shares):
        assert shares[f"{label}+maintain"]["correct"] >= shares[label]["correct"], label


def test_a_perfect_memory_loses_nothing_before_the_answer(tmp_path: Path) -> None:
    samples = list(open_data("mini"))
    header = {
        "settings": {"top_k": 10, "repeats": 1},
        "adapters": [{"label": "perfect"}],
        "data": {"samples": [{"sample_id": sample.sample_id} for sample in samples]},
    }
    store = RunStore.create(tmp_path / "run", header)
    for sample in samples:
        store.save_sample(sample)
        spec = CellSpec(label="perfect", sample_id=sample.sample_id)
        memory = PlantedMemory(World(sample))
        ArenaSuite().run_cell(spec, Rig("perfect", memory, cell_id=spec.cell_id), store)
        journal = store.answers(spec.cell_id)
        for entry in store.entries(spec.cell_id):
            if isinstance(entry, Retrieved):
                question, items = memory.world.questions[entry.question_id], entry.retrieval.items
                given = answer(ExtractiveAnswerer(), question, items, spec.cell_id, CellSettings(), ShowSettings())
                journal.write(given)
        journal.close()
    scoring.score_run(store, [DiagnosisScorer()], LexicalJudge(), {"judge": "lexical"}, jobs=1)
    store.close()
    found = _shares(RunStore.open(tmp_path / "run"))["perfect"]
    assert _before_use(found) == 0
    assert 0 < found[USE] < 1
