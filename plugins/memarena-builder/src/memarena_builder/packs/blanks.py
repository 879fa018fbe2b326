"""The blanks of templates: which a text has, and which it may have."""

from __future__ import annotations

import re
from collections.abc import Collection
from string import Formatter

from memarena.catalog import did_you_mean
from memarena_builder.packs.places import Place

_NAME = re.compile(r"\w+")


def blanks(text: str, place: Place) -> tuple[str, ...]:
    """The names of the blanks of a template in order; raises DataError where a brace is alone, or a blank is none."""
    try:
        pieces = [
            (name, how) for _, name, how, how_else in Formatter().parse(text) if name is not None and not how_else
        ]
        parted = [name for name, _ in pieces]
        whole = len(parted) == text.count("{") == text.count("}")
    except ValueError:
        parted, whole = [], False
    if not whole or not all(map(_NAME.fullmatch, parted)) or any(how for _, how in pieces):
        raise place.wrong(f"{text!r} has a brace that begins or ends no blank such as {{S}}")
    return tuple(parted)


def fits(text: str, place: Place, needed: Collection[str] = (), besides: Collection[str] = ()) -> None:
    """Raise DataError where a template lacks a blank that is `needed`, has one that is neither that nor one of
    `besides`, has one twice, or is empty."""
    found = blanks(text, place)
    known = ["{" + name + "}" for name in (*needed, *besides)]
    for name in found:
        if name not in needed and name not in besides:
            more = did_you_mean("{" + name + "}", known) if known else "; no blank is filled here"
            raise place.wrong(f"{text!r}: nothing fills {{{name}}}{more}")
        if found.count(name) > 1:
            raise place.wrong(f"{text!r} has {{{name}}} twice: say it once")
    for name in sorted(needed):
        if name not in found:
            raise place.wrong(f"{text!r} lacks {{{name}}}: every text here needs it")
    if not text.strip():
        raise place.wrong("is empty: write a text, or leave it out")


def all_fit(texts: Collection[str], place: Place, needed: Collection[str] = (), besides: Collection[str] = ()) -> None:
    """The same for each of a list."""
    for number, text in enumerate(texts):
        fits(text, place.at(number), needed, besides)
