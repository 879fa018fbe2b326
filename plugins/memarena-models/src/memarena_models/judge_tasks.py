"""The tasks of a judge as requests to a model: what is numbered, what is read beside it, which words may be said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

import msgspec

from memarena.judgements import NO_POINT, VERDICTS
from memarena.records import JudgementRequest, Record

Entry = dict[str, Any]

PROMPTS: Mapping[str, str] = {
    **{task: task for task in ("recall", "correctness", "update", "interference", "coverage", "support")},
    "answer": "verdict",
}
"""The prompt of each task."""

NOTHING_KEPT: Mapping[str, str] = {
    "recall": "no",
    "coverage": "no",
    "update": "missed",
    "interference": "rejected",
}
"""The verdict on every point where there is no item to read, so that no model is asked."""


class Reading(Record, frozen=True, kw_only=True):
    """A request, taken apart."""

    numbered: str
    """Name of the entries that get a verdict each: `points` or `items`."""
    entries: tuple[Entry, ...]
    beside: str = ""
    """Name of the long list that is read beside them and may be cut; "" where there is none."""
    context: tuple[Entry, ...] = ()
    fixed: Mapping[str, tuple[Entry, ...]] = {}
    """What is always shown in full."""


def reading(request: JudgementRequest) -> Reading:
    """`request` of any task but `answer`."""
    if request.task == "correctness":
        return Reading(
            numbered="items",
            entries=_numbered(request.items),
            beside="dialogue",
            context=_numbered(request.dialogue),
            fixed={"points": _numbered(request.points)},
        )
    if request.task == "support":
        return Reading(
            numbered="items",
            entries=_numbered(request.items, image=request.item_images),
            beside="points",
            context=_points(request),
        )
    question = {"question": ({"text": request.question},)} if request.task == "coverage" else {}
    return Reading(
        numbered="points",
        entries=_points(request),
        beside="items",
        context=_numbered(request.items, image=request.item_images),
        fixed=question,
    )


def as_verdict(word: Any) -> str:
    """A verdict of a reply as labels have it: the numbers of points become their places."""
    if isinstance(word, list):
        return " ".join(str(number - 1) for number in sorted(set(word))) or NO_POINT
    return str(word)


def _points(request: JudgementRequest) -> tuple[Entry, ...]:
    replaces = [list(olds) for olds in request.replaces]
    return _numbered(request.points, replaces=replaces, image=request.point_images, caption=request.point_captions)


def _numbered(texts: Sequence[str], **more: Sequence[Any]) -> tuple[Entry, ...]:
    """An entry a text, numbered from 1; the parallel lists of `more` add what they have for it."""
    entries: list[Entry] = []
    for place, text in enumerate(texts):
        extra = {name: values[place] for name, values in more.items() if place < len(values) and values[place]}
        entries.append({"number": place + 1, "text": text, **extra})
    return tuple(entries)


@cache
def verdicts_of(task: str) -> type[Any]:
    """The type of a reply that gives a numbered list of verdicts."""
    entry = msgspec.defstruct("Verdict", [("number", int), ("verdict", _word_of(task)), ("reason", str, "")])
    return msgspec.defstruct("Verdicts", [("verdicts", list[entry])])  # type: ignore[valid-type]


@cache
def verdict_of(task: str) -> type[Any]:
    """The type of a reply that gives a single verdict."""
    return msgspec.defstruct("Verdict", [("verdict", _word_of(task)), ("reason", str, "")])


def _word_of(task: str) -> Any:
    if task == "support":
        return list[int]
    return Literal[tuple(sorted(VERDICTS[task]))]
