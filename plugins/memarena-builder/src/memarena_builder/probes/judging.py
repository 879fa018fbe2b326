"""How far a judge can be trusted: requests whose labels are known by construction, and what it says to them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from memarena.protocols import Judge
from memarena.records import NOT_MENTIONED, JudgementRequest
from memarena_builder.probes.finished import Finished, Question
from memarena_builder.sound import Raw

BESIDE = 3
"""Turns of no importance beside each that counts."""


class Case(NamedTuple):
    """One request with the verdict that is right."""

    request: JudgementRequest
    right: str


Confusion = Mapping[str, Counter[tuple[str, str]]]
"""By task: how often a right verdict was given as which one."""


def cases(sample: Finished, rng: random.Random) -> Iterator[Case]:
    """All cases of a sample: memories are its turns word for word, answers its references and their rivals."""
    turns = {(turn.session, turn.place): f"{turn.role}: {turn.text}" for turn in sample.turns}
    idle = [text for (session, place), text in turns.items() if (session, place) not in _telling(sample)]
    yield from _points(sample, turns, idle, rng)
    for question in sample.questions:
        yield from _answers(question, sample)


def _telling(sample: Finished) -> frozenset[tuple[int, int]]:
    return frozenset((sample.places[row["session"]], place) for row in sample.events for place in row["turns"])


def _points(
    sample: Finished, turns: Mapping[tuple[int, int], str], idle: Sequence[str], rng: random.Random
) -> Iterator[Case]:
    told: dict[str, tuple[str, ...]] = {}
    rows: dict[int, list[Raw]] = {}
    for row in sample.events:
        if row["event"].get("fact") or row["event"]["kind"] == "distractor":
            rows.setdefault(sample.places[row["session"]], []).append(row)
    for place, points in sample.points():
        for point, row in zip(points, rows.get(place, ()), strict=True):
            own = tuple(turns[place, turn] for turn in row["turns"])
            others = [text for text in idle if _subject(row) not in text] or idle
            beside = tuple(rng.sample(others, min(BESIDE, len(others))))
            visual = bool((row["event"].get("fact") or {}).get("visual")) or row["event"].get("distraction") == "stale"
            yield from _memories(point, own, beside, told, visual=visual)
            told[point["memory_content"]] = () if visual else own


def _subject(row: Raw) -> str:
    """The name of what a row is about, by which turns that are not about it can be told."""
    event = row["event"]
    return str((event["fact"]["key"] if event.get("fact") else event["claim"])[0])


def _memories(
    point: Raw, own: tuple[str, ...], beside: tuple[str, ...], told: Mapping[str, tuple[str, ...]], *, visual: bool
) -> Iterator[Case]:
    content = (point["memory_content"],)
    there = "no" if visual else "yes"
    if point["memory_source"] == "interference":
        kept = "rejected" if visual else "memorized"
        yield Case(JudgementRequest(task="interference", points=content, items=(*own, *beside)), kept)
        yield Case(JudgementRequest(task="interference", points=content, items=beside), "rejected")
        return
    yield Case(JudgementRequest(task="recall", points=content, items=(*own, *beside)), there)
    yield Case(JudgementRequest(task="coverage", points=content, items=own), there)
    yield Case(JudgementRequest(task="coverage", points=content, items=beside), "no")
    olds = tuple(point["original_memories"])
    old = told.get(olds[0], ()) if olds else ()
    if not olds or not old:
        return
    request = {"task": "update", "points": content, "replaces": (olds,)}
    fresh = () if visual else own
    for items, right in (
        ((*fresh, *beside), "updated"), ((*old, *beside, *fresh), "both"),
        ((*old, *beside), "outdated"), (beside, "missed"),
    ):  # fmt: skip
        if fresh or right in ("outdated", "missed"):
            yield Case(JudgementRequest(**request, items=items), right)  # type: ignore[arg-type]


def _answers(question: Question, sample: Finished) -> Iterator[Case]:
    asked = {"task": "answer", "question": question.text, "reference": question.answer}

    def case(answer: str, right: str) -> Case:
        return Case(JudgementRequest(**asked, answer=answer), right)  # type: ignore[arg-type]

    yield case(question.answer, "Correct")
    if question.answer == NOT_MENTIONED:
        yield case("I do not know.", "Correct")
        wrong = next((other.answer for other in sample.questions if other.type == "FR"), "")
        yield case(wrong, "Hallucination")
        return
    yield case(f"It is {question.answer}.", "Correct") if question.type != "MC" else case("I don't know.", "Omission")
    yield case(NOT_MENTIONED, "Omission")
    if question.type not in ("MC", "KR", "TR"):
        for value in question.values[-1:]:
            yield case(value, "Hallucination")


def confusion(judge: Judge, asked: Iterable[Case]) -> Confusion:
    """What the judge says to each case, counted by task."""
    out: dict[str, Counter[tuple[str, str]]] = {}
    for case in asked:
        label = judge.label([case.request])[0]
        verdict = label.verdicts[0] if label is not None else None
        out.setdefault(case.request.task, Counter())[case.right, str(verdict)] += 1
    return out


def measured(judge: Judge, samples: Sequence[Finished], most: int = 0) -> dict[str, Any]:
    """The confusion tables of a judge over all samples, as `as_json` has them; `most`: cases of a task that are looked
    at, drawn evenly, where it is not 0."""
    by_task: dict[str, list[Case]] = {}
    for sample in samples:
        for case in cases(sample, random.Random(sample.sample_id)):
            by_task.setdefault(case.request.task, []).append(case)
    rng = random.Random(0)
    taken = (rng.sample(rows, most) if 0 < most < len(rows) else rows for rows in by_task.values())
    return as_json(confusion(judge, (case for rows in taken for case in rows)))


def agreement(table: Counter[tuple[str, str]]) -> float:
    """The share of the cases in which the verdict was right."""
    return sum(number for (right, said), number in table.items() if right == said) / max(sum(table.values()), 1)


def as_json(found: Confusion) -> dict[str, Any]:
    """The tables by task, with the agreement of each."""
    return {
        task: {
            "agreement": round(agreement(table), 4),
            "n": sum(table.values()),
            "table": {f"{right} > {said}": number for (right, said), number in sorted(table.items())},
        }
        for task, table in sorted(found.items())
    }
