"""What a question asks for, by the grammar: a query on facts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import cached_property
from itertools import product
from typing import NamedTuple

from memarena_builder.packs.load import FRAMES
from memarena_builder.packs.schema import Attribute
from memarena_builder.questions.decided import OfDecider, SortedAll
from memarena_builder.questions.query import (
    Claim,
    Count,
    Current,
    Hop,
    PictureOf,
    Query,
    ShownIn,
    Through,
    Unchanged,
    ValueOn,
)
from memarena_builder.questions.several import (
    Changed,
    DaysBetween,
    Earliest,
    Members,
    MembersOf,
    Nth,
    Second,
    Span,
    Total,
)
from memarena_builder.questions.taught import Apply, Lesson, Named, Packed, Rules
from memarena_builder.reader.patterns import Grammar
from memarena_builder.world.facts import Key
from memarena_builder.world.values import read_day

TAUGHT = frozenset({"rule", "exception", "example", "slip", "case", "rest", "pattern", "unit"})
"""Forms of attributes that are asked for by a case."""


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
        self._asked_all = [_Family(each, _whole(text, day)) for each in attributes for text in each.asked_all]
        self._what = [_Family(each, _whole(each.what, day)) for each in attributes]
        self._one = [_Family(each, _whole(each.one, day)) for each in attributes if each.one]
        self._who = [_Family(each, _whole(each.who, day)) for each in attributes if each.who]
        self._decider = [_Family(each, _whole(each.decider, day)) for each in attributes if each.decider]
        self._rules = Rules(attributes)

    def read(self, text: str) -> Query | None:
        """The query that a question stands for; None where it is of no family."""
        return next(self._framed(text), None) or next(self._plain(text), None)

    @cached_property
    def _frames(self) -> list[tuple[str, re.Pattern[str]]]:
        asking = self._asking
        frames = [(name, frame) for name in FRAMES for frame in getattr(asking, name)]
        return [(name, _whole(frame, self._grammar.day, lazy=lazy)) for name, frame in frames for lazy in (True, False)]

    def _framed(self, text: str) -> Iterator[Query]:
        for name, regex in self._frames:
            match = regex.fullmatch(text)
            if match:
                yield from self._of_frame(name, match.groupdict())

    def _of_frame(self, name: str, groups: dict[str, str]) -> Iterator[Query]:
        asking = self._asking
        if "what" not in groups:
            yield from self._of_several(name, groups)
            return
        if name == "which_picture":
            yield from self._pictures(groups["what"])
            return
        for key in self._keys(groups["what"]):
            if name == "claim":
                yield Claim(key=key, value=groups["V"], yes=asking.yes, no=asking.no)
            elif name == "unchanged":
                yield Unchanged(key=key, day=_day(groups["D"]), yes=asking.yes, no=asking.no)
            elif name == "value_at":
                yield ValueOn(key=key, day=_day(groups["D"]))
            else:
                yield Count(key=key, counts=asking.counts)

    def _pictures(self, phrase: str) -> Iterator[Query]:
        """What asks for the picture that shows what a noun phrase stands for."""
        for attribute, regex in self._what:
            match = regex.fullmatch(phrase) if attribute.about == "person" else None
            for relation, further in self._led(match["S"]) if match else ():
                yield PictureOf(relation=relation, further=further, attribute=attribute.name)
        yield from (ShownIn(key=key) for key in self._keys(phrase))

    def _of_several(self, name: str, groups: dict[str, str]) -> Iterator[Query]:
        amount, listed = self._grammar.packs[0].writing.amount, groups.get("list")
        names = tuple(listed.split(self._asking.apart)) if listed else (groups["what_a"], groups["what_b"])
        for keys in product(*map(self._keys, names)):
            if name in ("total", "sum"):
                yield Total(keys=keys, amount=amount)
            elif name == "days":
                yield DaysBetween(one=keys[0], other=keys[1], unit=self._asking.day_unit, amount=amount)
            elif name == "changed":
                yield Changed(keys=keys, names=names, day=_day(groups["D"]))
            elif name == "span":
                yield Span(keys=keys, unit=self._asking.day_unit, amount=amount)
            else:
                yield (Second if name == "second" else Earliest)(keys=keys, names=names)

    def _keys(self, phrase: str) -> Iterator[Key]:
        """The keys that a noun phrase can stand for."""
        for attribute, regex in self._what:
            match = regex.fullmatch(phrase)
            if match and self._grammar.is_of(match["S"], attribute.about):
                yield Key(match["S"], attribute.name)

    def _plain(self, text: str) -> Iterator[Query]:
        for attribute, regex in self._asked_all:
            match = regex.fullmatch(text)
            if match:
                cases = match["L"].split(self._asking.apart)
                rules = tuple(self._rules.sorted(attribute, match["S"], case) for case in cases)
                yield SortedAll(rules=rules, joint=self._asking.joint)
        for attribute, regex in self._asked:
            match = regex.fullmatch(text)
            if match:
                yield from self._of_family(attribute, match.groupdict())

    def _led(self, phrase: str, then: tuple[str, ...] = ()) -> Iterator[tuple[Key, tuple[str, ...]]]:
        """The relation by which a phrase calls a person, and those that lead on from there."""
        for family, regex in self._one:
            match = regex.fullmatch(phrase)
            if match and self._grammar.is_of(match["S"], family.about):
                further = self._led(match["S"], (family.name, *then)) if family.about == "person" else iter(())
                yield from list(further) or [(Key(match["S"], family.name), then)]
                return

    def _decided(self, phrase: str) -> Iterator[Apply]:
        """The case of a rule by whose decider a phrase calls a person."""
        for _, regex in self._decider:
            match = regex.fullmatch(phrase)
            if match:
                yield self._rules.apply(match["S"], int(match["X"]), match["C"])

    def _of_person(self, attribute: Attribute, phrase: str) -> Iterator[Query]:
        """What is asked of somebody who is called by what they are to others, or by what they decide."""
        for relation, further in self._led(phrase):
            if attribute.form == "set":
                yield MembersOf(
                    relation=relation, further=further, attribute=attribute.name, joint=self._asking.joint
                )  # fmt: skip
            else:
                yield Hop(relation=relation, further=further, attribute=attribute.name)
        for rule in self._decided(phrase):
            yield OfDecider(rule=rule, attribute=attribute.name)

    def _of_family(self, attribute: Attribute, groups: dict[str, str]) -> Iterator[Query]:
        subject = groups["S"]
        if attribute.about == "person":
            found = list(self._of_person(attribute, subject))
            if found:
                yield from found
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
        elif attribute.form in TAUGHT:
            yield from self._taught(attribute, key, groups)
        else:
            yield Current(key=key)

    def _taught(self, attribute: Attribute, key: Key, groups: dict[str, str]) -> Iterator[Query]:
        if attribute.form == "rule":
            yield self._rules.apply(key.subject, int(groups["X"]), groups["C"])
        elif attribute.form == "case":
            yield self._rules.sorted(attribute, key.subject, groups["C"])
        elif attribute.form == "pattern":
            yield Named(key=key, topic=groups["C"])
        elif attribute.form == "unit":
            yield Packed(key=key, amount=int(groups["X"]))


def _day(text: str) -> date:
    return read_day(text)
