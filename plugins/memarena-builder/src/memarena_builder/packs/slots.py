"""The blanks of attributes: which each form has, where their values may come from, and what a picture can show."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memarena.catalog import did_you_mean
from memarena_builder.packs.places import Place
from memarena_builder.packs.schema import Attribute, Form, Slot
from memarena_builder.pictures.palette import COLOURS, COLOURS_HAN

FEWEST = 12
"""Values that a slot needs, so that no answer can be guessed."""
MOST_COUNTED = 40
"""Things that a picture can show to be counted."""
WIDEST, MOST_STRETCHES = 12, 60
"""Rows and columns of a grid, and stretches of a curve, that a picture has room for."""
LARGEST = 10**9
"""The largest number that can be said."""
LATEST = 3650
"""Days ahead of a date, at most."""
LEAST_LIMIT = 100
"""The lowest limit of a rule: cases below it have to fit in."""


class Wanted(NamedTuple):
    """What a form is made of."""

    slots: Mapping[str, tuple[str, ...]]
    """Its blanks, and the kinds of slots that each may have."""
    asked: tuple[str, ...] = ()
    """Blanks of its questions besides the subject."""
    gone: tuple[str, ...] = ()
    """Blanks of the statement that it holds no more; (): there is none."""
    who: tuple[str, ...] = ()
    """Blanks of what an entity is called by its value; (): it is not."""
    one: tuple[str, ...] = ()
    """Blanks of what a person is called by what they are to something; (): they are not."""
    decider: tuple[str, ...] = ()
    """Blanks of what a person is called by what they decide; (): they are not."""
    asked_all: tuple[str, ...] = ()
    """Blanks of its questions for several cases at once; (): there are none."""
    single: bool = False
    """A domain has at most one attribute of it."""


_PERSON, _POOL, _NUMBER, _VALUE = ("person",), ("pool",), ("number",), ("pool", "code", "number", "money")
FORMS: Mapping[Form, Wanted] = {
    "plain": Wanted({"V": ("pool", "code", "number", "money", "clock")}, gone=("S",), who=("V",)),
    "date": Wanted({"V": ("date",)}, gone=("S",)),
    "set": Wanted({"V": ("pool", "person")}, gone=("S", "V")),
    "relation": Wanted({"V": _PERSON}, gone=("S",), one=("S",)),
    "schedule": Wanted({"V": ("date",), "N": ("count",)}, asked=("K",)),
    "rule": Wanted({"L": _NUMBER, "A": _PERSON, "B": _PERSON}, asked=("C", "X"), decider=("S", "X", "C"), single=True),
    "exception": Wanted({"C": _POOL, "A": _PERSON}, asked=("C", "X"), single=True),
    "example": Wanted({"X": _NUMBER, "A": _PERSON}, asked=("C", "X"), single=True),
    "slip": Wanted({"X": _NUMBER, "A": _PERSON}, asked=("C", "X"), single=True),
    "lesson": Wanted({"W": _POOL, "V": _POOL}),
    "case": Wanted({"C": _POOL, "V": _VALUE}, asked=("C",), asked_all=("S", "L")),
    "rest": Wanted({"V": _VALUE}, asked=("C",)),
    "pattern": Wanted({"P": ("code",), "Q": ("code",)}, asked=("C",), single=True),
    "unit": Wanted({"N": _NUMBER}, asked=("X",), single=True),
}
"""By form."""

_FIELDS: Mapping[str, tuple[str, ...]] = {
    "pool": ("pool",), "code": ("pattern",), "number": ("low", "high", "step", "counted"),
    "money": ("low", "high", "step", "unit"), "date": ("low", "high"), "clock": (), "count": ("low", "high"),
    "person": (),
}  # fmt: skip
"""By kind of slot the keys that mean something."""
_PLAIN = Slot(kind="clock")


def check_slot(slot: Slot, place: Place) -> None:
    """Raise DataError where a slot can give no values, or says what means nothing for its kind."""
    used = _FIELDS[slot.kind]
    for name in slot.__struct_fields__:
        if name not in (*used, "kind") and getattr(slot, name) != getattr(_PLAIN, name):
            raise place.at(name).wrong(f"means nothing for the kind {slot.kind!r}, which has {_listed(used)}")
    for name in ("pool", "pattern", "unit"):
        if name in used and not getattr(slot, name).strip():
            raise place.wrong(f"the kind {slot.kind!r} needs {name!r}")
    if slot.kind == "code":
        _check_pattern(slot.pattern, place.at("pattern"))
    if "low" in used:
        _check_range(slot, place)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "no other keys"


def _check_pattern(pattern: str, place: Place) -> None:
    many = 18 ** pattern.count("A") * 9 ** pattern.count("9")
    if many < FEWEST:
        raise place.wrong(
            f"{pattern!r} makes {many} codes: `A` stands for a letter, `9` for a digit; {FEWEST} are needed"
        )
    odd = [mark for mark in pattern if mark not in "A9" and (mark in string.ascii_lowercase + "{}" or mark.isspace())]
    if odd:
        raise place.wrong(f"{pattern!r}: a code has no {odd[0]!r}")


def _check_range(slot: Slot, place: Place) -> None:
    least = 1 if slot.kind != "number" else 0
    if slot.low < least:
        raise place.at("low").wrong(f"is {slot.low}, but has to be {least} at least")
    if slot.high < slot.low:
        raise place.at("high").wrong(f"is {slot.high}, below `low`, which is {slot.low}")
    most = LATEST if slot.kind == "date" else LARGEST
    if slot.high > most:
        raise place.at("high").wrong(f"is {slot.high}, but has to be {most} at most")
    if slot.step < 1:
        raise place.at("step").wrong(f"is {slot.step}, but has to be 1 at least")
    many = (slot.high - slot.low) // slot.step + 1
    if slot.kind != "count" and many < FEWEST:
        raise place.wrong(f"there are {many} values from `low` to `high`: {FEWEST} are needed")


def check_shown(attribute: Attribute, pools: Mapping[str, Sequence[str]], place: Place) -> None:
    """Raise DataError where a picture cannot show the values of an attribute as it is to, or a rule has no room."""
    if attribute.form == "rule":
        _check_limit(attribute.slots["L"], place.at("slots", "L"))
    if attribute.form == "unit" and attribute.slots["N"].low <= 1:
        raise place.at("slots", "N", "low").wrong("has to be 2 at least: a pack holds several")
    if attribute.sums and attribute.slots["V"].kind not in ("number", "money"):
        raise place.at("sums").wrong(f"values of the kind {attribute.slots['V'].kind!r} cannot be added: leave it out")
    if attribute.shown == "text":
        return
    slot, here = attribute.slots["V"], place.at("shown")
    if attribute.shown == "count":
        if slot.kind not in ("number", "money") or slot.high > MOST_COUNTED:
            raise here.wrong(f"what is counted in a picture is a number of at most {MOST_COUNTED}: set `high`")
        return
    if slot.kind != "pool":
        raise here.wrong(f"{attribute.shown!r} needs values from a pool, not of the kind {slot.kind!r}")
    _check_options(attribute.shown, pools[slot.pool], slot.pool, here)


def _check_limit(limit: Slot, place: Place) -> None:
    if limit.low < LEAST_LIMIT or limit.high // 2 - limit.low < FEWEST:
        raise place.wrong(f"a limit needs a `low` of at least {LEAST_LIMIT}, and a `high` of more than twice that")


def _check_options(shown: str, values: Sequence[str], pool: str, place: Place) -> None:
    """What a picture shows among others has to look different."""
    if shown == "colour":
        for value in values:
            if value not in COLOURS and value not in COLOURS_HAN:
                known = did_you_mean(value, COLOURS if value.isascii() else COLOURS_HAN)
                raise place.wrong(f"{value!r} of the pool {pool!r} is no colour that can be drawn{known}")
    elif shown == "position":
        rows, columns = {each[:1] for each in values}, {each[1:] for each in values}
        whole = len(rows) * len(columns) == len(values) and "" not in columns
        if not whole or not all(row.isalpha() for row in rows) or not all(each.isdecimal() for each in columns):
            raise place.wrong(f"the pool {pool!r} has to be all cells of a grid, such as A1, A2, B1, B2")
        if max(len(rows), len(columns)) > WIDEST:
            raise place.wrong(f"the pool {pool!r} has more rows or columns than {WIDEST}, which a picture has room for")
    elif shown == "trend" and len(values) > MOST_STRETCHES:
        raise place.wrong(f"the pool {pool!r} has more than {MOST_STRETCHES} values, which a curve has room for")
