"""The rows of the scorers, averaged, against `aggregate.summarise` of the same labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memarena.records import (
    Answer,
    Capabilities,
    Evidence,
    GoldPoint,
    Label,
    MemoryChange,
    MemoryItem,
    Metric,
    Question,
    QuestionRecord,
    Retrieval,
    RetrievedItem,
    Session,
    SessionRecord,
    Stat,
)
from memarena_arena.metrics import aggregate
from memarena_arena.metrics.variants import VARIANTS, Variant
from memarena_arena.scorers.answers import AnswerScorer
from memarena_arena.scorers.memory import MemoryScorer
from memarena_arena.scorers.retrieval import RetrievalScorer

NAMES = ("recall", "recall_unweighted", "corr", "hallu", "irrel", "update", "int_rej", "qa_c", "qa_h", "qa_o", "rc")
METRICS: dict[str, Metric] = {**MemoryScorer.metrics, **AnswerScorer.metrics, **RetrievalScorer.metrics}
DELTA = st.lists(st.sampled_from([None, "correct", "hallucination", "irrelevant"]), max_size=3)
KEPT = (MemoryItem(memory_id="m", text="something"),)


@st.composite
def sessions(draw: st.DrawFn) -> dict[str, Any]:
    updates = draw(st.lists(st.sampled_from([None, "updated", "both", "outdated", "missed"]), max_size=3))
    weights = draw(st.lists(st.sampled_from([None, 0.0, 0.25, 1.0]), max_size=3)) + [None] * len(updates)
    failed = draw(st.booleans())
    return {
        "points": [{"importance": weight, "covered": None if failed else draw(st.booleans())} for weight in weights],
        "delta": draw(DELTA),
        "updates": updates,
        "interference": draw(st.lists(st.sampled_from([None, "rejected", "memorized"]), max_size=2)),
    }


@st.composite
def questions(draw: st.DrawFn) -> dict[str, Any]:
    evidence = draw(st.integers(0, 3))
    return {
        "type": "FR",
        "label": draw(st.sampled_from([None, "Correct", "Hallucination", "Omission"])),
        "evidence": evidence,
        "covered_evidence": draw(st.none() | st.integers(0, evidence)),
    }


def memory_rows(sample_id: str, place: int, session: dict[str, Any]) -> Iterable[Stat]:
    new = len(session["points"]) - len(session["updates"])
    kinds = ["new"] * new + ["update"] * len(session["updates"])
    points = [
        GoldPoint(memory_id="p", content="c", session_id="S", kind=kind, importance=point["importance"])  # type: ignore[arg-type]
        for kind, point in zip(kinds, session["points"], strict=True)
    ]
    points += [
        GoldPoint(memory_id="i", content="c", session_id="S", kind="interference") for _ in session["interference"]
    ]
    record = SessionRecord(
        label="x",
        sample_id=sample_id,
        regime="external",
        domain="",
        index=place,
        session=Session(session_id=f"S{place}", points=tuple(points)),
        changes=tuple(MemoryChange(op="add", memory_id="m", text="t") for _ in session["delta"]),
        snapshot=KEPT,
        capabilities=Capabilities(),
    )
    covered = [point["covered"] for point in session["points"]]
    verdicts = tuple(None if each is None else "yes" if each else "no" for each in covered)
    labels = {
        "recall": Label(verdicts=verdicts),
        "correctness": Label(verdicts=tuple(session["delta"])),
        "update": Label(verdicts=tuple(session["updates"])),
        "interference": Label(verdicts=tuple(session["interference"])),
    }
    return MemoryScorer().score(record=record, labels=labels)


def question_rows(sample_id: str, place: int, question: dict[str, Any]) -> Iterable[Stat]:
    record = QuestionRecord(
        label="x",
        sample_id=sample_id,
        regime="external",
        domain="",
        checkpoint_id="QA",
        session_index=0,
        question=Question(
            question_id=f"Q{place}",
            text="?",
            reference="r",
            type="FR",
            evidence=tuple(Evidence(evidence_id="", content="c") for _ in range(question["evidence"])),
        ),
        retrieval=Retrieval(query="?", items=(RetrievedItem(memory_id="m", text="t"),)),
        answer=Answer(question_id=f"Q{place}", text="a"),
        capabilities=Capabilities(),
    )
    covered, points = question["covered_evidence"], question["evidence"]
    verdicts = None if covered is None else Label(verdicts=("yes",) * covered + ("no",) * (points - covered))
    answer = None if question["label"] is None else Label(verdicts=(question["label"],))
    yield from RetrievalScorer().score(record=record, labels={"coverage": verdicts})
    yield from AnswerScorer().score(record=record, labels={"answer": answer})


def averaged(rows: Iterable[Stat], metric: str, variant: Variant) -> float | None:
    groups: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in rows:
        if row.metric == metric and row.variant in ("", variant) and row.n is not None and row.d:
            groups["" if variant == "release" else row.sample_id].append((row.n, row.d))
    values = [
        sum(n for n, _ in units) / sum(d for _, d in units)
        if METRICS[metric].pooled
        else sum(n / d for n, d in units) / len(units)
        for units in groups.values()
    ]
    if values:
        return sum(values) / len(values)
    return METRICS[metric].empty if variant == "release" else None


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.lists(sessions(), max_size=3), st.lists(questions(), max_size=3)), max_size=3))
def test_rows_average_to_what_summarise_says(samples: list[Any]) -> None:
    given_samples = [
        {"sample_id": f"s{number}", "sessions": heard, "questions": asked}
        for number, (heard, asked) in enumerate(samples)
    ]
    rows: list[Stat] = []
    for sample in given_samples:
        for place, session in enumerate(sample["sessions"]):
            rows += memory_rows(sample["sample_id"], place, session)
        for place, question in enumerate(sample["questions"]):
            rows += question_rows(sample["sample_id"], place, question)
    for variant in VARIANTS:
        expected = aggregate.summarise(given_samples, variant)
        for metric in NAMES:
            found = averaged(rows, metric, variant)
            assert found == pytest.approx(expected[metric], abs=1e-12), (variant, metric)
