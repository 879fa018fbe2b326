"""The verdicts that each judgement task knows, and how many a label has."""

from __future__ import annotations

from collections.abc import Mapping

from memarena.judgements import NO_POINT, fits
from memarena.records import JudgementRequest, Label

VERDICTS: Mapping[str, tuple[str, ...]] = {
    "recall": ("yes", "no"),
    "correctness": ("correct", "hallucination", "irrelevant"),
    "update": ("updated", "both", "outdated", "missed"),
    "interference": ("rejected", "memorized"),
    "answer": ("Correct", "Hallucination", "Omission"),
    "coverage": ("yes", "no"),
    "support": ("0", NO_POINT),
}
"""By task, the best first; for `support` those that fit any request with a point."""


def expected_count(request: JudgementRequest) -> int:
    """How many verdicts a label of `request` has: one for `answer`, one an item for `correctness` and `support`, else
    one a point."""
    if request.task == "answer":
        return 1
    return len(request.items if request.task in ("correctness", "support") else request.points)


def unknown_words(label: Label, request: JudgementRequest) -> tuple[str, ...]:
    """The verdicts of `label` that the task of `request` does not know, whatever their number."""
    count = expected_count(request)
    words = dict.fromkeys(word for word in label.verdicts if word is not None)
    return tuple(word for word in words if not fits(Label(verdicts=(word,) * count), request))


def label_of(request: JudgementRequest, place: int = 0) -> Label:
    """A label that gives the same verdict throughout: the one at `place` in VERDICTS."""
    verdicts = VERDICTS[request.task]
    return Label(verdicts=(verdicts[place % len(verdicts)],) * expected_count(request))
