"""Run folders for tests, written with the real store: a few samples, systems with known shares of right answers."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memarena import codec, scorefile
from memarena.cells import CellLabel, CellSpec
from memarena.journal import Answered, CellEnded, CellStarted, Retrieved, SessionEnded
from memarena.memory import SnapshotChange
from memarena.records import (
    Answer,
    Capabilities,
    Checkpoint,
    Evidence,
    GoldPoint,
    Label,
    MemoryItem,
    Metric,
    Question,
    Retrieval,
    Sample,
    Session,
    Shown,
    ShownItem,
    Stat,
    Turn,
)
from memarena.store import RunStore

METRICS = {
    "recall": Metric(title="Recall", stage="write", about="Weight of the gold points that the session wrote."),
    "corr": Metric(title="Corr", stage="write"),
    "items": Metric(title="Items kept", stage="write", better="neither", unit="items"),
    "update": Metric(title="Update", stage="maintain", pooled=True, empty=0.0),
    "recall@5": Metric(title="Recall@5", stage="retrieve"),
    "recall@10": Metric(title="Recall@10", stage="retrieve"),
    "empty_retrieval": Metric(title="Empty", stage="retrieve", better="low"),
    "qa_c": Metric(title="QA-C", stage="use"),
    "qa_h": Metric(title="QA-H", stage="use", better="low"),
    "qa_o": Metric(title="QA-O", stage="use", better="low"),
    "f1": Metric(title="F1", stage="use"),
}
TYPES = ("FR", "DU", "MB", "TR", "KR", "VFR")


@dataclass
class Plan:
    """What to write."""

    shares: Mapping[str, float] = field(default_factory=lambda: {"bm25": 0.7, "log": 0.4, "nothing": 0.1})
    """Share of right answers by system."""
    samples: int = 4
    sessions: int = 3
    questions: int = 6
    """By session."""
    repeats: int = 1
    seed: int = 1
    floors: Sequence[str] = ("nothing",)
    failed: Sequence[tuple[str, str]] = ()
    """Cells (label, sample id) that failed."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    text: Callable[[str], str] = str
    """Changes every text of the data and of the systems."""
    known_wrong: int = 0
    """The first questions of each sample whose gold is known to be wrong."""
    metrics: Mapping[str, Metric] = field(default_factory=lambda: METRICS)
    f1: float | None = 0.2
    """F1 of wrong answers; None: its measurement failed."""
    findings: Mapping[str, int] = field(default_factory=dict)
    """What was odd in the data, by code; two pictures are missing where nothing is said."""


def write_run(path: Path, plan: Plan | None = None) -> RunStore:
    """A finished and scored run in `path`, open for reading."""
    plan = plan or Plan()
    samples = [_sample(plan, f"sample-{number:02d}") for number in range(plan.samples)]
    store = RunStore.create(path, _header(plan, samples))
    for sample in samples:
        store.save_sample(sample)
    lines: list[bytes] = []
    for spec in sorted(store.specs(), key=lambda spec: (spec.label, spec.sample_id, spec.repeat)):
        if (spec.label, spec.sample_id) in plan.failed:
            _fail(store, spec)
        else:
            sample = next(one for one in samples if one.sample_id == spec.sample_id)
            lines += scorefile.lines(spec, _cell(store, spec, sample, plan))
    codec.write_whole(path / "scores.jsonl", b"".join(line + b"\n" for line in lines))
    codec.write_whole(path / "metrics.json", codec.encode(plan.metrics))
    store.set_status("done")
    store.close()
    return RunStore.open(path)


def _header(plan: Plan, samples: Sequence[Sample]) -> dict[str, Any]:
    settings = {
        "answerer": "extractive",
        "judge": "lexical",
        "top_k": 10,
        "pictures": True,
        "captions": "given",
        "budget_tokens": None,
        "oracle": None,
        "seed": 0,
        "repeats": plan.repeats,
        **plan.settings,
    }
    part = {"distribution": "memarena-arena", "version": "1.0.0", "revision": 1, "options": {}}
    return {
        "memarena": "1.0.0",
        "hook_api": [1, 0],
        "suite": "arena",
        "settings": settings,
        "adapters": [
            {
                "label": label,
                "name": "oracle:retrieve" if label == "gold-evidence" else label,
                "distribution": "memarena" if label in plan.floors else f"memarena-{label}",
                "version": "1.0.0",
                "options": {},
            }
            for label in plan.shares
        ],
        "plugins": {
            "answerer": {"name": settings["answerer"], **part},
            "judge": {"name": settings["judge"], **part},
            "scorers": [{"name": "answers", **part}],
            "instruments": ["timing"],
        },
        "data": {
            "selector": "example",
            "options": {},
            "fingerprint": "0" * 64,
            "samples": [
                {
                    "sample_id": sample.sample_id,
                    "fingerprint": "f" * 64,
                    "questions": sum(len(checkpoint.questions) for checkpoint in sample.checkpoints),
                }
                for sample in samples
            ],
            "report": {
                "counts": plan.findings or {"missing_picture": 2},
                "licence": "CC BY 4.0",
                "findings": [
                    {"code": "missing_picture", "level": "warning", "message": plan.text("S02_img_1 is missing")}
                ],
            },
        },
    }


def _sample(plan: Plan, sample_id: str) -> Sample:
    sessions, checkpoints = [], []
    for place in range(plan.sessions):
        name = f"S{place:02d}"
        facts = [plan.text(f"Ana bought {number + 2} red bicycles in town {place}{number}") for number in range(3)]
        points = tuple(
            GoldPoint(memory_id=f"mp_{name}_{number}", content=fact, session_id=name)
            for number, fact in enumerate(facts)
        )
        turns = tuple(
            Turn(turn_id=f"{name}:T{number}", session_id=name, index=number, text=fact)
            for number, fact in enumerate(facts)
        )
        sessions.append(Session(session_id=name, turns=turns, points=points))
        questions = tuple(
            _question(plan, f"C{place}:Q{number:03d}", number, points[number % 3], place)
            for number in range(plan.questions)
        )
        checkpoints.append(
            Checkpoint(checkpoint_id=f"C{place}", covered=(name,), after_session=name, questions=questions)
        )
    return Sample(
        sample_id=sample_id, domain="lifelong/project", sessions=tuple(sessions), checkpoints=tuple(checkpoints)
    )


def _question(plan: Plan, question_id: str, number: int, point: GoldPoint, place: int) -> Question:
    return Question(
        question_id=question_id,
        text=plan.text(f"How many bicycles did Ana buy in town {place}{number % 3}?"),
        reference=plan.text(f"{number % 3 + 2}"),
        type=TYPES[number % len(TYPES)],
        evidence=(
            Evidence(
                evidence_id=point.memory_id,
                content=point.content,
                session_id=point.session_id,
                turn_ids=(f"{point.session_id}:T{number % 3}",),
                kind="new",
            ),
        ),
        known_wrong=plan.text("the key says 2") if place == 0 and number < plan.known_wrong else "",
    )


def _fail(store: RunStore, spec: CellSpec) -> None:
    journal, attempt = store.begin(spec)
    journal.write(CellStarted(cell_id=spec.cell_id, label=spec.label, sample_id=spec.sample_id, attempt=attempt))
    journal.write(CellEnded(status="failed", error=f"{spec.label}.retrieve: the index is gone"))
    journal.close()


def _cell(store: RunStore, spec: CellSpec, sample: Sample, plan: Plan) -> list[Stat]:
    dice = random.Random(f"{plan.seed} {spec.cell_id}")
    journal, attempt = store.begin(spec)
    remarks = ("nothing held it",) if spec.label == "unheld" else ()
    capabilities = Capabilities(verbatim=True, state=spec.label != "unseen", remarks=remarks)
    journal.write(
        CellStarted(
            cell_id=spec.cell_id,
            label=spec.label,
            sample_id=spec.sample_id,
            repeat=spec.repeat,
            attempt=attempt,
            capabilities=capabilities,
        )
    )
    stats: list[Stat] = []
    labels: list[CellLabel] = []
    kept: list[MemoryItem] = []
    for index, session in enumerate(sample.sessions):
        new = (
            []
            if spec.label == "nothing"
            else [MemoryItem(memory_id=turn.turn_id, text=turn.text) for turn in session.turns]
        )
        kept += new
        journal.write(
            SessionEnded(
                session_id=session.session_id,
                index=index,
                turns=len(session.turns),
                changes=tuple(item.added() for item in new),
                snapshot=SnapshotChange(put=tuple(new)),
                seconds={"write": 0.01},
            )
        )
        facets = {"session": index, "domain": sample.domain}
        stats += [
            _stat(spec, session.session_id, "recall", float(bool(new)), facets),
            _stat(spec, session.session_id, "items", float(len(kept)), facets),
            _stat(spec, session.session_id, "update", float(bool(new)), facets),
        ]
        for question in sample.checkpoints[index].questions:
            stats += _ask(journal, spec, question, index, kept, plan, dice, labels)
    journal.write(
        CellEnded(status="done", seconds={"ingest_turn": 0.2, "end_session": 0.1, "retrieve": 0.05 * len(kept)})
    )
    journal.close()
    store.save_labels(spec.cell_id, labels)
    return stats


def _ask(
    journal: Any,
    spec: CellSpec,
    question: Question,
    index: int,
    kept: Sequence[MemoryItem],
    plan: Plan,
    dice: random.Random,
    labels: list[CellLabel],
) -> list[Stat]:
    right = dice.random() < plan.shares[spec.label]
    label = "Correct" if right else dice.choice(("Hallucination", "Omission"))
    found = Retrieval.of(
        question.text, list(reversed(kept))[:10], [1 / (rank + 1) for rank in range(min(10, len(kept)))]
    )
    journal.write(
        Retrieved(
            checkpoint_id=question.question_id.partition(":")[0],
            question_id=question.question_id,
            session_index=index,
            retrieval=found,
            sources=((),) * len(found.items),
            held_in=(None,) * len(found.items),
            store_size=len(kept),
        )
    )
    shown = Shown(
        items=tuple(
            ShownItem(rank=rank, memory_id=i.memory_id, text=i.text) for rank, i in enumerate(found.items[:8], 1)
        )
    )
    text = question.reference if right else plan.text("I think it was nine")
    journal.write(
        Answered(
            question_id=question.question_id, answer=Answer(question_id=question.question_id, text=text), shown=shown
        )
    )
    labels.append(
        CellLabel(
            unit=question.question_id,
            request="answer",
            label=Label(verdicts=(label,), reason=plan.text("values differ")),
        )
    )
    facets = {"type": question.type, "session": index, "known_wrong": bool(question.known_wrong), "answerable": True}
    return [
        *(
            _stat(spec, question.question_id, metric, float(label == wanted), facets)
            for metric, wanted in (("qa_c", "Correct"), ("qa_h", "Hallucination"), ("qa_o", "Omission"))
        ),
        _stat(spec, question.question_id, "f1", 1.0 if right else plan.f1, facets),
        _stat(spec, question.question_id, "recall@5", float(bool(kept)) * 0.5, facets),
        _stat(spec, question.question_id, "recall@10", float(bool(kept)), facets),
        _stat(spec, question.question_id, "empty_retrieval", float(not kept), facets),
    ]


def _stat(spec: CellSpec, unit: str, metric: str, n: float | None, facets: Mapping[str, Any]) -> Stat:
    d = None if n is None else 1.0
    return Stat(sample_id=spec.sample_id, unit=unit, scorer="test", revision=1, metric=metric, n=n, d=d, facets=facets)
