"""The small language of `--fail-if`, which is read and never run.

    [surely] SIDE < SIDE [on FACET=VALUE ...]        also <=, >, >=

A SIDE is a number (`0.4`, `40%`) or `[LABEL.]METRIC`, and may be moved: `bm25.qa_c - 0.02`. A metric without a label
stands for each system under test, one check each.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memarena.catalog import did_you_mean
from memarena.errors import UsageError
from memarena_report.frame import Facet, Frame

_SHAPE = re.compile(r"(surely\s+)?(?P<left>[^<>]+?)\s*(?P<op>[<>]=?)\s*(?P<right>[^<>]+?)(?:\s+on\s+(?P<on>[^<>]+))?")
_SIDE = re.compile(r"(?P<term>\S+)(?:\s+(?P<sign>[+-])\s+(?P<by>\S+))?")
_NUMBER = re.compile(r"(-?\d+(?:\.\d+)?|-?\.\d+)(%?)")
EXAMPLES = "e.g. qa_c < 0.4, mem0.qa_c < bm25.qa_c - 0.02, update_success < 50% on regime=lifelong"


@dataclass(frozen=True, slots=True)
class Side:
    """A number, or the score of a system moved by a number."""

    number: float
    """The number; of a score: what is added to it."""
    metric: str = ""
    """"" where the side is a number alone."""
    label: str = ""
    """"" where it stands for each system under test."""

    def __str__(self) -> str:
        name = f"{self.label}.{self.metric}" if self.label else self.metric
        if not name:
            return f"{self.number:g}"
        return name + (f" {'-' if self.number < 0 else '+'} {abs(self.number):g}" if self.number else "")


@dataclass(frozen=True, slots=True)
class Expression:
    """One comparison that fails a run where it holds."""

    left: Side
    op: str
    right: Side
    where: tuple[tuple[str, Facet], ...] = ()
    """Facets that the units must have."""
    surely: bool = False
    """It counts only where the 95 % interval says so."""

    def __str__(self) -> str:
        on = f" on {' '.join(f'{name}={_word(value)}' for name, value in self.where)}" if self.where else ""
        return f"{'surely ' * self.surely}{self.left} {self.op} {self.right}{on}"


def read(texts: Sequence[str], metrics: Collection[str], systems: Mapping[str, str], frame: Frame) -> list[Expression]:
    """All the `--fail-if` of a command, one expression a system that each is about.

    `systems`: label -> role (`""`: under test). Raises UsageError for what cannot be read, and for a metric, a system
    or a facet that is not there.
    """
    return [one for text in texts for one in _each(_parsed(text, metrics, systems, frame), systems, text)]


def _parsed(text: str, metrics: Collection[str], systems: Mapping[str, str], frame: Frame) -> Expression:
    found = _SHAPE.fullmatch(text.strip())
    if found is None:
        raise _refusal(text, f"write SIDE < SIDE, {EXAMPLES}")
    left, right = (_side(found[side], text, metrics, systems) for side in ("left", "right"))
    if not (left.metric or right.metric):
        raise _refusal(text, "it compares two numbers; name a score")
    where = tuple(_facet(part, text, frame) for part in (found["on"] or "").split())
    return Expression(left, found["op"], right, where, surely=found[1] is not None)


def _side(part: str, text: str, metrics: Collection[str], systems: Mapping[str, str]) -> Side:
    found = _SIDE.fullmatch(part)
    if found is None:
        raise _refusal(text, f"{part!r} is neither a number nor [LABEL.]METRIC, {EXAMPLES}")
    number = _number(found["term"])
    if number is not None and not found["by"]:
        return Side(number)
    by = _number(found["by"]) if found["by"] else 0.0
    if number is not None or by is None:
        raise _refusal(text, f"{part!r}: only a score can be moved, and only by a number")
    metric, label = _score(found["term"], text, metrics, systems)
    return Side(-by if found["sign"] == "-" else by, metric, label)


def _number(text: str) -> float | None:
    found = _NUMBER.fullmatch(text)
    return None if found is None else float(found[1]) / (100 if found[2] else 1)


def _score(term: str, text: str, metrics: Collection[str], systems: Mapping[str, str]) -> tuple[str, str]:
    """The metric and the label of `term`; labels and metrics may hold dots, so every place is tried."""
    if term in metrics:
        return term, ""
    dots = [place for place, letter in enumerate(term) if letter == "."]
    pairs = [(term[place + 1 :], term[:place]) for place in dots]
    for metric, label in pairs:
        if metric in metrics and label in systems:
            return metric, label
    for metric, label in pairs:
        if metric in metrics:
            raise _refusal(text, f"no such system here: {label!r}{did_you_mean(label, systems)}")
    label, dot, metric = term.partition(".")
    raise _refusal(
        text, f"no such score here: {(metric if dot else term)!r}{did_you_mean(metric if dot else term, metrics)}"
    )


def _facet(part: str, text: str, frame: Frame) -> tuple[str, Facet]:
    name, equals, word = part.partition("=")
    known = {name for facets in frame.facet_sets for name in facets}
    if not equals or name not in known:
        raise _refusal(text, f"{part!r} is no FACET=VALUE of this run{did_you_mean(name, known)}")
    values = {_word(value): value for value in frame.facet(name)[1]}
    if word not in values:
        raise _refusal(text, f"no {name} is {word!r} here{did_you_mean(word, values)}")
    return name, values[word]


def _word(value: Facet) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _each(one: Expression, systems: Mapping[str, str], text: str) -> Iterator[Expression]:
    """`one` for each system that it is about: for itself where every score has its label."""
    sides = (one.left, one.right)
    if all(side.label or not side.metric for side in sides):
        yield one
        return
    named = {side.label for side in sides}
    labels = [label for label, role in systems.items() if not role and label not in named]
    if not labels:
        raise _refusal(
            text, f"it names no system, and none here is under test: write LABEL.METRIC, of {', '.join(systems)}"
        )
    for label in labels:
        left, right = (replace(side, label=side.label or label) if side.metric else side for side in sides)
        yield replace(one, left=left, right=right)


def _refusal(text: str, why: str) -> UsageError:
    return UsageError(f"--fail-if {text!r}: {why}")
