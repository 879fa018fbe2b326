"""What a question about an agent's work asks for, by the words in which such questions are asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from msgspec.structs import replace

from memarena_builder.agentic import drafts
from memarena_builder.agentic.craft import words as craft
from memarena_builder.agentic.desk import world as desk
from memarena_builder.agentic.grid import words as grid
from memarena_builder.agentic.ordinals import ordinal
from memarena_builder.agentic.queries import Distinct, Earlier, Fits, HowMany, ShownOn
from memarena_builder.agentic.trajectory import Attribute
from memarena_builder.questions.query import Claim, Current, Hop, Query, ShownIn, Through, Unchanged, ValueOn
from memarena_builder.world.facts import Key
from memarena_builder.world.values import MONTHS, read_day

PLACES: Sequence[Sequence[Attribute]] = (grid.ATTRIBUTES, desk.ATTRIBUTES, craft.ATTRIBUTES)
"""The attributes of each place where agents are at work."""
_COUNTED = re.compile(r"the (?P<which>[\w-]+) (?P<what>errand|task)")
_NUMBERS = {ordinal(number): number for number in range(1, 100)}
_DAY = rf"(?:{'|'.join(MONTHS)}) \d{{1,2}}, \d{{4}}"
YES, NO = "Yes", "No, it is {V}"


class _Family(NamedTuple):
    attribute: Attribute
    regex: re.Pattern[str]


def read(text: str) -> Iterator[Query]:
    """The queries that a question can stand for; none where it is of no family."""
    for place in _grammars():
        yield from place.read(text)


@cache
def _grammars() -> tuple[_Grammar, ...]:
    return tuple(_Grammar(attributes) for attributes in PLACES)


def _whole(template: str) -> re.Pattern[str]:
    """A template as a pattern of a whole text, its first letter in either case, with a group for each blank."""
    out = []
    for place, piece in enumerate(re.split(r"\{(\w+)\}", template)):
        out.append(rf"(?P<{piece}>{_DAY if piece == 'D' else '.+?'})" if place % 2 else re.escape(piece))
    text = "".join(out)
    return re.compile(text if text.startswith("(") else f"(?i:{text[:1]}){text[1:]}")


def _matches(families: Sequence[_Family], text: str) -> Iterator[tuple[Attribute, re.Match[str]]]:
    """The attributes of which a text is one of the phrases, with what stands in its blanks."""
    for attribute, regex in families:
        match = regex.fullmatch(text)
        if match:
            yield attribute, match


def subject_of(name: str) -> str:
    """A subject by what it is called in questions: `task 3` for `the third task`."""
    counted = _COUNTED.fullmatch(name)
    if counted and counted["which"] in _NUMBERS:
        return f"{counted['what']} {_NUMBERS[counted['which']]}"
    return name


class _Grammar:
    """The questions of one place, turned around."""

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self._asked = [_Family(each, _whole(text)) for each in attributes for text in (*each.asked, *each.cases)]
        self._what = [_Family(each, _whole(each.what)) for each in attributes]
        self._one = [_Family(each, _whole(each.one)) for each in attributes if each.one]
        self._who = [_Family(each, _whole(each.who)) for each in attributes if each.who]
        self._says = [_Family(each, _whole(each.point.removesuffix("."))) for each in attributes]
        self._fits = [
            Fits(subject="", attribute=each.name, rule=rule.name)
            for rule in attributes
            if rule.applies
            for each in attributes
        ]
        self._many = [_Family(each, _whole(text)) for each in attributes for text in each.many]
        self._frames = [
            (name, _whole(frame))
            for name, frames in (
                ("claim", drafts.CLAIM), ("unchanged", drafts.UNCHANGED), ("value_on", drafts.VALUE_ON),
                ("earlier", drafts.EARLIER), ("distinct", drafts.DISTINCT), ("picture", drafts.PICTURE),
                ("picture_on", drafts.PICTURE_ON), ("fits", drafts.FITS),
            )
            for frame in frames
        ]  # fmt: skip

    def read(self, text: str) -> Iterator[Query]:
        """The queries that a question can stand for."""
        for name, regex in self._frames:
            match = regex.fullmatch(text)
            if match:
                yield from self._framed(name, match.groupdict())
        for family, match in _matches(self._many, text):
            yield HowMany(attribute=family.name, value=match["V"])
        for family, match in _matches(self._asked, text):
            yield self._plain(family, match["S"])

    def _framed(self, name: str, groups: dict[str, str]) -> Iterator[Query]:
        if name == "earlier":
            for one in self._keys(groups["one"]):
                for other in self._keys(groups["other"]):
                    yield Earlier(one=one, other=other, names=(groups["one"], groups["other"]))
        elif name == "claim":
            for family, match in _matches(self._says, groups["claim"]):
                key = Key(subject_of(match["S"]), family.name)
                yield Claim(key=key, value=match["V"], yes=YES, no=NO)
        elif name == "fits":
            yield from (replace(each, subject=groups["S"]) for each in self._fits)
        else:
            yield from (self._of_key(name, key, groups) for key in self._keys(groups["what"]))

    def _of_key(self, name: str, key: Key, groups: dict[str, str]) -> Query:
        if name == "unchanged":
            return Unchanged(key=key, day=read_day(groups["D"]), yes=YES, no=NO)
        if name == "value_on":
            return ValueOn(key=key, day=read_day(groups["D"]))
        if name == "picture_on":
            return ShownOn(key=key, day=read_day(groups["D"]))
        return Distinct(key=key) if name == "distinct" else ShownIn(key=key)

    def _keys(self, phrase: str) -> Iterator[Key]:
        for attribute, match in _matches(self._what, phrase):
            yield Key(subject_of(match["S"]), attribute.name)

    def _plain(self, attribute: Attribute, subject: str) -> Query:
        for family, match in _matches(self._one, subject):
            return Hop(relation=Key(subject_of(match["S"]), family.name), attribute=attribute.name)
        for family, match in _matches(self._who, subject):
            return Through(known=family.name, value=match["V"], attribute=attribute.name)
        return Current(key=Key(subject_of(subject), attribute.name))
