"""What a question asks for, by the grammar: a query on facts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import cached_property
from typing import NamedTuple

from memarena_builder.packs.schema import Attribute
from memarena_builder.questions.query import (
    Apply,
    Claim,
    Count,
    Current,
    DaysBetween,
    Hop,
    Lesson,
    Members,
    Nth,
    Query,
    ShownIn,
    Sooner,
    Through,
    Total,
    Unchanged,
    ValueOn,
)
from memarena_builder.reader.patterns import Grammar
from memarena_builder.world.facts import Key
from memarena_builder.world.values import read_day


class _Family(NamedTuple):
    attribute: Attribute
    regex: re.Pattern[str]


def _whole(template: str, day: str, *, lazy: bool = True) -> re.Pattern[str]:
    """`template` as a pattern of a whole text, with a group for each blank; `lazy`: the first takes least."""
    any_text = ".+?" if lazy else ".+"
    special = {"D": day, "X": r"\d+", "K": r"\w+"}
    out = []
    for place, piece in enumerate(re.split(r"\{(\w+)\}", template)):
        out.append(rf"(?P<{piece}>{special.get(piece, any_text)})" if place % 2 else re.escape(piece))
    text = "".join(out)
    return re.compile(text[:1] + text[1:] if text.startswith("(") else f"(?i:{text[:1]}){text[1:]}")


class QuestionGrammar:
    """The question families of a language, turned around."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._asking = grammar.packs[0].asking
        attributes, day = grammar.attributes.values(), grammar.day
        self._asked = [_Family(each, _whole(text, day)) for each in attributes for text in each.asked]
        self._what = [_Family(each, _whole(each.what, day)) for each in attributes]
        self._one = [_Family(each, _whole(each.one, day)) for each in attributes if each.one]
        self._who = [_Family(each, _whole(each.who, day)) for each in attributes if each.who]
        exceptions = [each.name for each in attributes if each.form == "exception"]
        self._exception = exceptions[0] if exceptions else ""

    def read(self, text: str) -> Query | None:
        """The query that a question stands for; None where it is of no family."""
        return next(self._framed(text), None) or next(self._plain(text), None)

    @cached_property
    def _frames(self) -> list[tuple[str, re.Pattern[str]]]:
        asking = self._asking
        names = ("claim", "unchanged", "value_at", "order", "days", "count", "total", "which_picture")
        frames = [(name, frame) for name in names for frame in getattr(asking, name)]
        return [(name, _whole(frame, self._grammar.day, lazy=lazy)) for name, frame in frames for lazy in (True, False)]

    def _framed(self, text: str) -> Iterator[Query]:
        for name, regex in self._frames:
            match = regex.fullmatch(text)
            if match:
                yield from self._of_frame(name, match.groupdict())

    def _of_frame(self, name: str, groups: dict[str, str]) -> Iterator[Query]:
        asking, amount = self._asking, self._grammar.packs[0].writing.amount
        if name in ("order", "days", "total"):
            for one in self._keys(groups["what_a"]):
                for other in self._keys(groups["what_b"]):
                    if name == "total":
                        yield Total(keys=(one, other), amount=amount)
                    elif name == "order":
                        yield Sooner(one=one, other=other, names=(groups["what_a"], groups["what_b"]))
                    else:
                        yield DaysBetween(one=one, other=other, unit=asking.day_unit, amount=amount)
            return
        for key in self._keys(groups["what"]):
            if name == "claim":
                yield Claim(key=key, value=groups["V"], yes=asking.yes, no=asking.no)
            elif name == "unchanged":
                yield Unchanged(key=key, day=_day(groups["D"]), yes=asking.yes, no=asking.no)
            elif name == "value_at":
                yield ValueOn(key=key, day=_day(groups["D"]))
            else:
                yield Count(key=key, counts=asking.counts) if name == "count" else ShownIn(key=key)

    def _keys(self, phrase: str) -> Iterator[Key]:
        """The keys that a noun phrase can stand for."""
        for attribute, regex in self._what:
            match = regex.fullmatch(phrase)
            if match and self._grammar.is_of(match["S"], attribute.about):
                yield Key(match["S"], attribute.name)

    def _plain(self, text: str) -> Iterator[Query]:
        for attribute, regex in self._asked:
            match = regex.fullmatch(text)
            if match:
                yield from self._of_family(attribute, match.groupdict())

    def _of_family(self, attribute: Attribute, groups: dict[str, str]) -> Iterator[Query]:
        subject = groups["S"]
        for family, regex in self._one:
            match = regex.fullmatch(subject)
            if match and self._grammar.is_of(match["S"], family.about) and attribute.about == "person":
                yield Hop(relation=Key(match["S"], family.name), attribute=attribute.name)
                return
        for family, regex in self._who:
            match = regex.fullmatch(subject)
            if match and family.about == attribute.about:
                yield Through(known=family.name, value=match["V"], attribute=attribute.name)
                return
        if not self._grammar.is_of(subject, attribute.about):
            return
        key = Key(subject, attribute.name)
        if attribute.form == "set":
            yield Members(subject=subject, attribute=attribute.name, joint=self._asking.joint)
        elif attribute.form == "lesson":
            yield Lesson(key=key)
        elif attribute.form == "schedule":
            yield Nth(key=key, number=self._asking.ordinals.index(groups["K"]))
        elif attribute.form == "rule":
            amount, case = int(groups["X"]), groups["C"]
            yield Apply(
                subject=subject, rule=attribute.name, exception=self._exception, amount=amount, case=case
            )  # fmt: skip
        elif attribute.form != "exception":
            yield Current(key=key)


def _day(text: str) -> date:
    return read_day(text)
