"""What no shape can say of one kind of facts: templates, blanks and values that do not go together."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from memarena.catalog import did_you_mean
from memarena_builder.packs.blanks import all_fit, fits
from memarena_builder.packs.legible import LONGEST_LABEL, check_line
from memarena_builder.packs.places import Place
from memarena_builder.packs.schema import Attribute, Halves, Pack, SelfKind
from memarena_builder.packs.slots import FORMS, check_shown, check_slot
from memarena_builder.validators.problem import plain, says

KINDS = ("person", "project", "device", SelfKind)
"""Kinds of entities that every domain has."""
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
"""What attributes and kinds of entities are called."""
FEWEST_FAMILIES = 8
"""Statement families that an attribute needs."""
DEV_ASKED, DEV_HALVES = 1, 1
"""Question families of an attribute, and halves of its statements, that only the split `dev` uses."""


def check_attribute(attribute: Attribute, place: Place, thing: str, pictures: Collection[str]) -> None:
    """Raise DataError for what is wrong with one attribute by itself. `thing`: the kind of entity that only its domain
    has; `pictures`: their kinds."""
    if not IDENTIFIER.fullmatch(attribute.name):
        raise place.at("name").wrong(f"{attribute.name!r} is no name: use letters, digits and _")
    kinds = (*KINDS, thing)
    if attribute.about not in kinds:
        known = did_you_mean(attribute.about, kinds)
        raise place.at("about").wrong(f"there is no kind of entity {attribute.about!r}{known}")
    if not 0 <= attribute.importance <= 1:
        raise place.at("importance").wrong(f"is {attribute.importance}, but has to be from 0 to 1")
    if not (attribute.volatility == 0 or 0.01 <= attribute.volatility <= 100):
        raise place.at("volatility").wrong(
            f"is {attribute.volatility}, but has to be 0 (never changes), or changes in a hundred days from 0.01 to 100"
        )
    _check_slots(attribute, place)
    _check_pictures(attribute, place, pictures)
    _check_texts(attribute, place)
    _check_families(attribute, place)


def _check_slots(attribute: Attribute, place: Place) -> None:
    wanted = FORMS[attribute.form]
    for name in wanted.slots:
        if name not in attribute.slots:
            raise place.at("slots").wrong(f"the form {attribute.form!r} needs the blank {name}")
    for name, slot in attribute.slots.items():
        here = place.at("slots", name)
        if name not in wanted.slots:
            known = " and ".join(wanted.slots)
            raise here.wrong(f"the form {attribute.form!r} has no such blank, but {known}")
        if slot.kind not in wanted.slots[name]:
            known = did_you_mean(slot.kind, wanted.slots[name])
            raise here.at("kind").wrong(f"{slot.kind!r} does not go with the form {attribute.form!r}{known}")
        check_slot(slot, here)


def _check_pictures(attribute: Attribute, place: Place, kinds: Collection[str]) -> None:
    if not attribute.carriers:
        raise place.at("carriers").wrong('is empty: say ["text"], ["picture"] or both')
    if len(set(attribute.carriers)) < len(attribute.carriers):
        raise place.at("carriers").wrong("has the same twice: say it once")
    if attribute.visual and attribute.form != "plain":
        raise place.at("carriers").wrong(f'no picture shows the form {attribute.form!r}: say ["text"]')
    if attribute.visual and not attribute.pictures:
        raise place.at("pictures").wrong('say which kinds of pictures carry it, as `carriers` has "picture"')
    if not attribute.visual and (attribute.pictures or attribute.sent or attribute.shown != "text"):
        field = next(name for name in ("pictures", "sent", "shown") if getattr(attribute, name) not in ((), "text"))
        raise place.at(field).wrong('nothing comes of it, as `carriers` has no "picture": leave it out, or add that')
    for number, kind in enumerate(attribute.pictures):
        if kind not in kinds:
            raise place.at("pictures", number).wrong(f"there is no kind of picture {kind!r}{did_you_mean(kind, kinds)}")


def _check_texts(attribute: Attribute, place: Place) -> None:
    """The blanks of every template."""
    own = () if attribute.about == SelfKind else ("S",)
    free = ("S",) if attribute.about == SelfKind else ()
    if not attribute.label.strip():
        raise place.at("label").wrong("is empty: say how a picture calls it")
    check_line(attribute.label, LONGEST_LABEL, place.at("label"))
    fits(attribute.point, place.at("point"), ("S", *attribute.slots))
    all_fit(attribute.stated, place.at("stated"), (*own, *attribute.slots), free)
    wanted = FORMS[attribute.form]
    all_fit(attribute.asked, place.at("asked"), ("S", *wanted.asked))
    fits(attribute.what, place.at("what"), ("S",))
    if attribute.asked_all and not wanted.asked_all:
        raise place.at("asked_all").wrong(f"the form {attribute.form!r} has no use for it: leave it out")
    all_fit(attribute.asked_all, place.at("asked_all"), wanted.asked_all)
    for name, text, needed in (("gone", attribute.gone, wanted.gone), ("who", attribute.who, wanted.who),
                               ("one", attribute.one, wanted.one), ("role", attribute.role, wanted.one),
                               ("decider", attribute.decider, wanted.decider)):  # fmt: skip
        if text and not needed:
            raise place.at(name).wrong(f"the form {attribute.form!r} has no use for it: leave it out")
        if text:
            fits(text, place.at(name), needed)
    for name in ("occasions", "asides", "acks"):
        all_fit(getattr(attribute, name), place.at(name), (), ("S",))
    all_fit(attribute.sent, place.at("sent"), ("kind", *own), free)


def _check_families(attribute: Attribute, place: Place) -> None:
    for name, least in (("stated", FEWEST_FAMILIES), ("asked", DEV_ASKED + 1)):
        texts: Sequence[str] = getattr(attribute, name)
        if len(set(texts)) < least:
            raise place.at(name).wrong(f"needs {least} different texts, but has {len(set(texts))}")


def check_halves(halves: Halves, attribute: Attribute, place: Place) -> None:
    """Raise DataError where a half of a statement has what the other is there for."""
    for name, texts, needed in (("value", halves.value, tuple(attribute.slots)), ("owner", halves.owner, ("S",))):
        if len(set(texts)) <= DEV_HALVES:
            raise place.at(name).wrong(f"needs {DEV_HALVES + 1} different texts, but has {len(set(texts))}")
        all_fit(texts, place.at(name), needed)


def check_values(pack: Pack, attribute: Attribute, place: Place) -> None:
    """Raise DataError where there are no values, or words around a fact do not fit every one of them."""
    values: list[str] = []
    for name, slot in attribute.slots.items():
        if slot.kind == "pool" and slot.pool not in pack.pools:
            here = place.at("slots", name, "pool")
            raise here.wrong(f"there is no pool {slot.pool!r}{did_you_mean(slot.pool, pack.pools)}")
        if slot.kind == "count" and slot.high >= len(pack.writing.counts):
            raise place.at("slots", name, "high").wrong(f"numbers in words end at {len(pack.writing.counts) - 1}")
        values += pack.pools.get(slot.pool, ())
    check_shown(attribute, pack.pools, place)
    for field in ("occasions", "asides", "acks", "sent"):
        for number, text in enumerate(getattr(attribute, field)):
            if named := [value for value in values if says(plain(text), plain(value))]:
                raise place.at(field, number).wrong(f"{text!r} gives the value {named[0]!r} away: say it otherwise")
