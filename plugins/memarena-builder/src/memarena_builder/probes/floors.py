"""Reference systems that bound the scale, with one answerer: each has to be worth more than the next.

All read by `sim-reader`; what differs is what they are shown. Nothing is drawn, so the same data give the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from memarena.protocols import Judge
from memarena.records import NOT_MENTIONED, AskedQuestion, JudgementRequest, Shown, ShownItem
from memarena_builder.probes.finished import Finished, Question
from memarena_builder.probes.words import Bm25
from memarena_builder.reader.answerer import SimReader

REJECTED = 0.2
"""Share of what is to be refused that a store of everything rejects, at most."""
ENOUGH = 100
"""Questions below which the order says nothing."""
TOP = 10
"""Turns that a search hands over."""
ORDER = (
    "gold evidence", "reader without pictures", "store everything + BM25", "most frequent answer", "nothing",
)  # fmt: skip
"""The best first."""


class Floor(NamedTuple):
    """What one reference system is worth."""

    name: str
    right: int
    n: int

    @property
    def share(self) -> float:
        """Of all questions, those that the judge calls right."""
        return self.right / max(self.n, 1)

    @property
    def enough(self) -> bool:
        """Whether there are enough questions to compare it with anything."""
        return self.n >= ENOUGH


def floors(samples: Sequence[Finished], judge: Judge) -> list[Floor]:
    """The reference systems in the order of `ORDER`, over all questions of the samples whose words the reader knows."""
    samples = [sample for sample in samples if sample.is_in_known_words]
    answers = {
        "gold evidence": _reading(samples, _gold),
        "reader without pictures": _reading(samples, _all_turns),
        "store everything + BM25": _reading(samples, _searched),
        "most frequent answer": _frequent(samples),
        "nothing": [NOT_MENTIONED for sample in samples for _ in sample.questions],
    }
    asked = [question for sample in samples for question in sample.questions]
    return [Floor(name, sum(map(_judged(judge), asked, answers[name])), len(asked)) for name in ORDER]


def in_order(found: Sequence[Floor]) -> bool:
    """Whether each is worth more than the next, or there are too few questions to tell."""
    return not found[0].enough or all(one.right > other.right for one, other in pairwise(found))


def rejected(samples: Sequence[Finished], judge: Judge) -> Floor:
    """How much of what is to be refused a store that keeps every turn rejects: it should be next to nothing."""
    right = total = 0
    for sample in samples:
        turns: dict[int, list[str]] = defaultdict(list)
        for session, _, text in _turns(sample):
            turns[session].append(text)
        for place, points in sample.points():
            for point in (each for each in points if each["memory_source"] == "interference"):
                request = JudgementRequest(
                    task="interference", points=(point["memory_content"],), items=tuple(turns[place])
                )  # fmt: skip
                label = judge.label([request])[0]
                right += label is not None and label.verdicts[0] == "rejected"
                total += 1
    return Floor("store everything rejects", right, total)


def _judged(judge: Judge) -> Callable[[Question, str], bool]:
    def right(question: Question, answer: str) -> bool:
        if answer == question.answer:
            return True
        request = JudgementRequest(
            task="answer", question=question.text, reference=question.answer, answer=answer
        )  # fmt: skip
        label = judge.label([request])[0]
        return label is not None and label.verdicts[0] == "Correct"

    return right


Showing = Callable[[Finished], Callable[[Question], Sequence[tuple[str, str]]]]
"""Sample -> question -> name and text of what is shown for it."""


def _reading(samples: Sequence[Finished], showing: Showing) -> list[str]:
    reader = SimReader()
    out = []
    for sample in samples:
        show = showing(sample)
        for question in sample.questions:
            items = tuple(
                ShownItem(rank=rank, memory_id=name, text=text) for rank, (name, text) in enumerate(show(question), 1)
            )
            asked = AskedQuestion(question_id="Q", text=question.text)
            out.append(reader.answer(asked, Shown(items=items)).text)
    return out


def _turns(sample: Finished) -> Iterator[tuple[int, str, str]]:
    """Session, name and text of each turn, as a memory of everything keeps it."""
    raw = (turn for session in sample.raw["sessions"] for turn in session["dialogue"])
    for turn, each in zip(sample.turns, raw, strict=True):
        name = f"{turn.session:04}:{turn.place:04}"
        yield turn.session, name, f"[{each['timestamp']}] {turn.role}: {turn.text}"


def _all_turns(sample: Finished) -> Callable[[Question], Sequence[tuple[str, str]]]:
    turns = list(_turns(sample))
    return lambda question: [(name, text) for session, name, text in turns if session <= question.session]


def _searched(sample: Finished) -> Callable[[Question], Sequence[tuple[str, str]]]:
    turns = list(_turns(sample))
    by_session: dict[int, tuple[Bm25, list[tuple[str, str]]]] = {}

    def show(question: Question) -> Sequence[tuple[str, str]]:
        if question.session not in by_session:
            told = [(name, text) for session, name, text in turns if session <= question.session]
            by_session[question.session] = (Bm25([text for _, text in told]), told)
        index, told = by_session[question.session]
        return [told[place] for place in index.best(question.text, TOP)]

    return show


def _gold(sample: Finished) -> Callable[[Question], Sequence[tuple[str, str]]]:
    points = {point["memory_id"]: point for _, rows in sample.points() for point in rows}
    asked = [raw for stop in sample.raw["qa_checkpoints"] for raw in stop["questions"]]
    evidence = {id(question): raw["evidence"] for question, raw in zip(sample.questions, asked, strict=True)}

    def show(question: Question) -> Sequence[tuple[str, str]]:
        found = []
        for number, each in enumerate(evidence[id(question)]):
            point = points.get(each.get("memory_id", ""))
            text = f"[{point['timestamp']}] {point['memory_content']}" if point else f"image_id: {each.get('image_id')}"
            found.append((f"{number:04}", text))
        return found

    return show


def _frequent(samples: Sequence[Finished]) -> list[str]:
    """The most frequent answer to the questions of the same family in the other samples; of equal ones the first."""
    asked = [(sample.sample_id, question) for sample in samples for question in sample.questions]
    whole: dict[str, Counter[str]] = defaultdict(Counter)
    own: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for name, question in asked:
        whole[question.template][question.answer] += 1
        own[name, question.template][question.answer] += 1
    out = []
    for name, question in asked:
        others = whole[question.template] - own[name, question.template]
        out.append(min(others, key=lambda answer: (-others[answer], answer), default=NOT_MENTIONED))
    return out
