"""Plans of small runs for tests, made by hand: two tiny samples, an answerer, a judge and a scorer."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from memarena import Answer, JudgementRequest, Label, Metric, Stat, hookimpl
from memarena.catalog import Entry
from memarena.instruments.boundary import Boundary
from memarena.instruments.timing import Timing
from memarena.mounting import PlannedAdapter
from memarena.planning import Plan
from memarena.protocols import LoadReport
from memarena.records import AskedQuestion, Capabilities, QuestionRecord, Shown
from memarena.runheader import fingerprint
from memarena.runner import run
from memarena.store import RunStore
from memarena.testing.tiny import tiny_samples


class Quiet:
    """Collects what a run says."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.phases: list[tuple[str, int]] = []
        self.steps: dict[str, int] = {}

    def phase(self, name: str, total: int) -> None:
        self.phases.append((name, total))

    def step(self, what: str, *, wait: bool = False) -> None:
        name = self.phases[-1][0]
        self.steps[name] = self.steps.get(name, 0) + (not wait)

    def note(self, text: str) -> None:
        self.notes.append(text)


class FirstItem:
    """Answers with the text of the first item; counts."""

    name, revision = "first-item", 1

    def __init__(self) -> None:
        self.asked: list[str] = []

    def answer(self, asked: AskedQuestion, shown: Shown) -> Answer:
        self.asked.append(asked.question_id)
        return Answer(question_id=asked.question_id, text=shown.items[0].text if shown.items else "")


class Contains:
    """Correct where the answer holds the reference."""

    name, revision = "contains", 1

    def label(self, requests: Sequence[JudgementRequest]) -> Sequence[Label | None]:
        return [Label(verdicts=("Correct" if one.reference in one.answer else "Omission",)) for one in requests]


class Right:
    """Share of questions that are answered correctly."""

    name, revision = "right", 3
    metrics: ClassVar[Mapping[str, Metric]] = {"right": Metric(title="Right", stage="use")}

    @hookimpl
    def judgement_requests(self, record: Any) -> Mapping[str, JudgementRequest]:
        if record.kind != "question" or not record.answer.text:
            return {}
        return {"answer": JudgementRequest(task="answer", reference=record.reference, answer=record.answer.text)}

    @hookimpl
    def score(self, record: Any, labels: Mapping[str, Label | None]) -> Sequence[Stat]:
        if not isinstance(record, QuestionRecord):
            return ()
        label = labels.get("answer")
        return (Stat.of(record, self, n=float(label is not None and label.verdicts == ("Correct",)), metric="right"),)


def adapter(label: str, cls: Any, **capabilities: Any) -> PlannedAdapter:
    entry = Entry(label, f"memarena.floors:{label}", "memarena", "1.0.0", "", "memarena.adapters")
    return PlannedAdapter(label, entry, {}, cls=cls, capabilities=Capabilities(**capabilities))


def plan(*adapters: PlannedAdapter, jobs: int = 2, **settings: Any) -> Plan:
    samples = tiny_samples()
    rows = [
        {
            "sample_id": sample.sample_id,
            "fingerprint": fingerprint(sample),
            "questions": sum(len(stop.questions) for stop in sample.checkpoints),
        }
        for sample in samples
    ]
    values = {"top_k": 10, "pictures": True, "captions": "given", "repeats": 1, "seed": 0, "evidence_mode": "memory"}
    values.update(settings)
    return Plan(
        header={
            "settings": values,
            "adapters": [{"label": one.label, "options": {}} for one in adapters],
            "data": {"samples": rows},
        },
        adapters={one.label: one for one in adapters},
        instruments=[Timing, Boundary],
        answerer=FirstItem(),
        judge=Contains(),
        judge_identity={"name": "contains"},
        scorers=[Right()],
        jobs=jobs,
        judge_jobs=jobs,
        samples=lambda: iter(samples),
        report=LoadReport(),
        totals={},
    )


def execute(made: Plan, folder: Path, quiet: Quiet) -> Any:
    store = RunStore.resume(folder, made.header) if folder.exists() else RunStore.create(folder, made.header)
    try:
        return run(made, store, quiet, threading.Event())
    finally:
        store.close()
