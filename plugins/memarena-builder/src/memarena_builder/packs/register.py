"""The formal register of a language: its own words where they are written down, all others by a rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from memarena.records import Record
from memarena_arena.language.words import SINGLE
from memarena_builder.packs.places import Place
from memarena_builder.packs.schema import Attribute, Halves, Pack
from memarena_builder.packs.shapes import convert

Fields = TypeVar("Fields", bound=Record)
_LEFT = re.compile(r"n't\b|'(?:ll|ve|re|d|m)\b|\b[a-z]+'s\b", re.IGNORECASE)
"""What is, or may be, a contraction that no rule expands; the name of a blank is none."""


class Register(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How somebody talks who is formal: `formal.toml`."""

    occasions: tuple[str, ...]
    """Whole sentences before a fact, whatever it is."""
    asides: tuple[str, ...]
    """Whole sentences behind a fact, whatever it is."""
    reasons: tuple[str, ...]
    """Why somebody writes, in every domain."""
    settings: Mapping[str, tuple[str, ...]]
    """By domain: what somebody says of their doings; those of its own file are taken over for one that is not here."""
    chat: tuple[tuple[str, ...], ...]
    """Exchanges that tell nothing."""
    away: tuple[str, ...] = ()
    """Exchanges with one of these, in lower case, are not taken over."""
    expand: Mapping[str, str] = {}
    """What is written otherwise in texts that are taken over."""
    wording: Mapping[str, Any] = {}
    """Fields of `Wording` that take the place of its own."""
    writing: Mapping[str, Any] = {}
    """The same for `Writing`."""


def formal(pack: Pack, register: Register, place: Place) -> Pack:
    """`pack` in the formal register: the same facts, questions and values in other words around them. `place`: of
    `register`, for the DataError where its words do not fit."""
    if pack.register:
        return pack
    taken = Taken(register)
    reasons = {pack.domain: register.reasons}
    return replace(
        pack,
        register="formal",
        settings=register.settings.get(pack.domain) or tuple(map(taken, pack.settings)),
        attributes=tuple(_attribute(each, register, taken) for each in pack.attributes),
        wording=_with(pack.wording, {**register.wording, "reasons": reasons}, place.at("wording")),
        writing=_with(pack.writing, register.writing, place.at("writing")),
        chat=taken.exchanges((*pack.own_chat, *pack.chat)),
        own_chat=register.chat,
    )


class Taken:
    """Takes texts over from the plain register."""

    def __init__(self, register: Register) -> None:
        self._away = register.away
        self._expand = register.expand
        longest = sorted(register.expand, key=len, reverse=True)
        self._found = re.compile("|".join(map(_piece, longest)), re.IGNORECASE)
        self._by_lower = {each.lower(): each for each in longest}

    def __call__(self, text: str) -> str:
        """`text` with nothing that is to be written otherwise."""
        return self._found.sub(self._instead, text) if self._expand else text

    def exchanges(self, every: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Those that can be taken over, as they are then."""
        kept = (each for each in every if not any(mark in text.lower() for text in each for mark in self._away))
        made = (tuple(map(self, each)) for each in kept)
        return tuple(each for each in made if not any(map(_LEFT.search, each)))

    def _instead(self, found: re.Match[str]) -> str:
        said = self._expand[self._by_lower[found[0].lower()]]
        return said[:1].upper() + said[1:] if found[0][:1].isupper() else said


def _piece(text: str) -> str:
    """`text` as a whole word, or as the end of one where it begins with a contraction."""
    before = "" if "'" in text[:2] else rf"(?<![^\W{SINGLE}])"
    return rf"{before}{re.escape(text)}" + (r"(?!\w)" if text.isascii() else "")


def _with(own: Fields, fields: Mapping[str, Any], place: Place) -> Fields:
    return convert(msgspec.to_builtins(own) | dict(fields), type(own), place)


def _attribute(attribute: Attribute, register: Register, taken: Taken) -> Attribute:
    halves = attribute.halves
    return replace(
        attribute,
        stated=tuple(map(taken, attribute.stated)),
        gone=taken(attribute.gone),
        halves=halves and Halves(value=tuple(map(taken, halves.value)), owner=tuple(map(taken, halves.owner))),
        occasions=register.occasions,
        asides=register.asides,
        acks=(),
        sent=(),
    )
