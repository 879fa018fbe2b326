"""Runs planted memories through the loop, the judge and a scorer, and says what was planted and what was diagnosed."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from memarena import scoring
from memarena.answering import ShowSettings, answer
from memarena.catalog import did_you_mean
from memarena.cell import ArenaSuite, CellSettings
from memarena.cells import CellSpec
from memarena.errors import MemarenaError, UsageError
from memarena.journal import Retrieved
from memarena.protocols import Judge
from memarena.records import Sample
from memarena.rig import Rig
from memarena.store import RunStore
from memarena_arena.lexical import LexicalJudge
from memarena_arena.scorers.diagnosis import DiagnosisScorer
from memarena_arena.selftest.entries import Style
from memarena_arena.selftest.fault import MADE_UP, Fault
from memarena_arena.selftest.faults import MIXTURES, PLANTED
from memarena_arena.selftest.memory import PlantedAnswerer, PlantedMemory
from memarena_arena.selftest.truth import Truth, truths
from memarena_arena.selftest.world import World

HEALTHY: Mapping[str, Style] = {
    "healthy": "plain",
    "healthy-dated": "dated",
    "healthy-listed": "listed",
    "healthy-notes": "notes",
}
"""The memories without a fault, by name."""
UNKNOWN = "unknown"
"""The stage of a loss whose judgement failed, or which the scorer does not follow."""
_STYLES: tuple[Style, ...] = ("plain", "dated", "listed")


class Planting(NamedTuple):
    """A memory to try: its name, its faults, and how its items are worded (None: in turn)."""

    name: str
    faults: tuple[Fault, ...] = ()
    style: Style | None = None


class Outcome(NamedTuple):
    """One question put to one planted memory."""

    memory: str
    sample_id: str
    question_id: str
    planted: Truth
    stage: str
    """As diagnosed; "" where nothing was lost."""
    reason: str


def plantings() -> list[Planting]:
    """The healthy memories, each fault alone, and the mixtures."""
    healthy = [Planting(name, (), style) for name, style in HEALTHY.items()]
    alone = [Planting(name, (fault,)) for name, fault in PLANTED.items()]
    mixed = [Planting(" + ".join(names), tuple(PLANTED[name] for name in names)) for names in MIXTURES]
    return [*healthy, *alone, *mixed]


def choose(names: Sequence[str]) -> list[Planting]:
    """The plantings with these names, all where none is named; raises UsageError for an unknown name."""
    known = {planting.name: planting for planting in plantings()}
    for name in names:
        if name not in known:
            raise UsageError(f"--memory {name}: no such memory is planted{did_you_mean(name, known)}")
    return [known[name] for name in names] if names else list(known.values())


def run(
    samples: Iterable[Sample],
    memories: Sequence[Planting] | None = None,
    *,
    seed: int = 0,
    judge: Judge | None = None,
    scorer: Any = None,
    tick: Callable[[int, int], None] = lambda done, total: None,
) -> list[Outcome]:
    """Every question of `samples` put to every one of `memories` (all that are known, where None).

    `scorer` is one whose rows of a question say `lost_at` and `reason` in their facets; DiagnosisScorer where None.
    The judge is LexicalJudge where None. Raises MemarenaError where a memory fails.
    """
    tried = plantings() if memories is None else list(memories)
    known = list(samples)
    with tempfile.TemporaryDirectory(prefix="memarena-selftest-") as folder:
        store = RunStore.create(Path(folder) / "run", _header(tried, known, seed))
        try:
            return list(
                _outcomes(store, tried, known, seed, judge or LexicalJudge(), scorer or DiagnosisScorer(), tick)
            )
        finally:
            store.close()


def _outcomes(
    store: RunStore,
    tried: Sequence[Planting],
    samples: Sequence[Sample],
    seed: int,
    judge: Judge,
    scorer: Any,
    tick: Callable[[int, int], None],
) -> Iterator[Outcome]:
    planted: dict[tuple[str, str], Mapping[str, Truth]] = {}
    for number, sample in enumerate(samples):
        store.save_sample(sample)
        world = World(sample)
        for place, planting in enumerate(tried):
            style = planting.style or _STYLES[(place + number + seed) % len(_STYLES)]
            memory = PlantedMemory(world, planting.faults, seed=seed, style=style)
            planted[_label(place), sample.sample_id] = _play(store, _label(place), memory)
            tick(number * len(tried) + place + 1, len(samples) * len(tried))
    scoring.score_run(store, [scorer], judge, {"judge": judge.name}, jobs=1)
    diagnosed = read(store)
    for place, planting in enumerate(tried):
        for sample in samples:
            for question_id, truth in planted[_label(place), sample.sample_id].items():
                stage, reason = diagnosed.get((_label(place), sample.sample_id, question_id), (UNKNOWN, ""))
                yield Outcome(planting.name, sample.sample_id, question_id, truth, stage, reason)


def _play(store: RunStore, label: str, memory: PlantedMemory) -> Mapping[str, Truth]:
    """Let a memory hear its sample and be asked, and answer from what is shown of its lists."""
    sample = memory.world.sample
    spec = CellSpec(label=label, sample_id=sample.sample_id)
    ArenaSuite().run_cell(spec, Rig(label, memory, cell_id=spec.cell_id), store)
    cell = store.cell(spec)
    if cell.status != "done":
        raise MemarenaError(f"selftest: a planted memory failed on {sample.sample_id}: {cell.error}")
    cell_settings = CellSettings.of(store.header["settings"])
    budgets = next((fault.show for fault in memory.faults if fault.show), ShowSettings.of(store.header["settings"]))
    answerer = PlantedAnswerer(memory)
    journal = store.answers(spec.cell_id)
    shown = {}
    try:
        for entry in store.entries(spec.cell_id):
            if isinstance(entry, Retrieved):
                question = memory.world.questions[entry.question_id]
                given = answer(answerer, question, entry.retrieval.items, spec.cell_id, cell_settings, budgets)
                if given.answer.error:
                    raise MemarenaError(f"selftest: the planted answerer failed: {given.answer.error}")
                shown[entry.question_id] = given.shown
                journal.write(given)
    finally:
        journal.close()
    return truths(memory, answerer, shown)


def read(store: RunStore) -> dict[tuple[str, str, str], tuple[str, str]]:
    """Label, sample and question -> the stage and the reason that the rows of a run give."""
    found: dict[tuple[str, str, str], tuple[str, str]] = {}
    for row in store.stats():
        stat = row.stat
        place = (row.label, stat.sample_id, stat.unit)
        stage, reason = str(stat.facets.get("lost_at", "")), str(stat.facets.get("reason", ""))
        if stat.metric == "made_up":
            stage = MADE_UP if stat.n else ""
        if stat.n is None and stat.metric in ("lost_write", "made_up"):
            stage = UNKNOWN
        if stage or place not in found:
            found[place] = (stage, reason)
    return found


def _label(place: int) -> str:
    return f"m{place:03}"


def _header(tried: Sequence[Planting], samples: Sequence[Sample], seed: int) -> dict[str, Any]:
    return {
        "settings": {"top_k": 10, "pictures": True, "captions": "given", "seed": seed, "repeats": 1},
        "adapters": [{"label": _label(place)} for place in range(len(tried))],
        "data": {"samples": [{"sample_id": sample.sample_id} for sample in samples]},
    }
