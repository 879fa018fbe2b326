"""Reads schema packs from their TOML files."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec.structs import replace

from memarena.errors import DataError
from memarena_builder.packs.register import Register, formal
from memarena_builder.packs.schema import Attribute, Halves, Pack, Script
from memarena_builder.packs.words import Asking, Wording, Writing
from memarena_builder.validators.problem import plain, says

DOMAINS = ("academic", "software", "health", "finance", "education", "startup", "personal")
"""All domains; a language has those for which there is a file."""

REGISTERS = ("", "formal")
"""In which people talk: "" is that of the packs, of each other there is a file."""

FRAMES = ("claim", "unchanged", "value_at", "order", "days", "count", "total", "earliest", "sum", "which_picture")
"""The fields of `Asking` that hold families of questions."""
FEWEST_FAMILIES = 8
"""Statement families that an attribute needs."""
FEWEST_VALUES = 12
"""Values that a pool needs, so that no answer can be guessed."""


DEV_ASKED, DEV_STATED, DEV_HALVES = 1, 3, 1
"""Question and statement families of an attribute, and halves of statements, that only the split `dev` uses; `test` has
the others."""


def part(pack: Pack, split: str) -> Pack:
    """The pack with the families of one split, `dev` or `test`: the two share none."""
    dev = split == "dev"

    def some(families: tuple[str, ...], first: int) -> tuple[str, ...]:
        return families[:first] if dev else families[first:]

    attributes = tuple(
        replace(
            each,
            stated=some(each.stated, DEV_STATED),
            asked=some(each.asked, DEV_ASKED),
            halves=each.halves
            and Halves(value=some(each.halves.value, DEV_HALVES), owner=some(each.halves.owner, DEV_HALVES)),
        )
        for each in pack.attributes
    )
    frames = {name: some(getattr(pack.asking, name), DEV_ASKED) for name in FRAMES}
    return replace(pack, attributes=attributes, asking=replace(pack.asking, **frames))


@cache
def in_register(domain: str, language: str, split: str = "", register: str = "") -> Pack:
    """The pack of a domain as one sample speaks it: the families of its split ("": all) in a register."""
    pack = load(domain, language)
    if register:
        pack = formal(pack, _convert(_read(register, language), Register, f"{language}/{register}.toml"))
        _check(pack)
    return part(pack, split) if split else pack


@cache
def languages() -> tuple[str, ...]:
    """The languages that have schema packs, in alphabetical order."""
    folders = (each for each in files("memarena_builder.packs").iterdir() if each.is_dir())
    return tuple(sorted(each.name for each in folders if (each / "common.toml").is_file()))


@cache
def domains_of(language: str) -> tuple[str, ...]:
    """The domains that a language has."""
    folder = files("memarena_builder.packs") / language
    return tuple(domain for domain in DOMAINS if (folder / f"{domain}.toml").is_file())


@cache
def load(domain: str, language: str = "en") -> Pack:
    """The pack of a domain: its own file with what all domains share. Raises DataError where a file is wrong."""
    own, common = _read(domain, language), _read("common", language)
    shared = _without(_take(common, "attribute", tuple[Attribute, ...]), own.pop("without", ()), f"{language}/{domain}")
    halves = _convert(_read("halves", language), dict[str, Halves], f"{language}/halves.toml")
    attributes = tuple(
        replace(each, halves=halves.get(each.name)) for each in shared + _take(own, "attribute", tuple[Attribute, ...])
    )
    chat = _read("chat", language)
    pools = {**_read("pools", language), **own.pop("pools", {})}
    pack: Pack = _convert(
        {
            **{key: value for key, value in own.items() if key != "attribute"},
            "language": language,
            "attributes": attributes,
            "scripts": _scripts(_take(_read("scripts", language), "script", tuple[Script, ...]), attributes),
            "pools": pools,
            "wording": _convert(_read("wording", language), Wording, f"{language}/wording.toml"),
            "writing": writing(language),
            "asking": _convert(_read("asking", language), Asking, f"{language}/asking.toml"),
            "chat": chat["lines"],
            "own_chat": chat.get(domain, ()),
        },
        Pack,
        f"{language}/{domain}.toml",
    )
    _check(pack)
    return pack


def _without(shared: tuple[Attribute, ...], left_out: Sequence[str], place: str) -> tuple[Attribute, ...]:
    """What all domains share, but what one has no use for."""
    if unknown := set(left_out) - {each.name for each in shared}:
        raise DataError(f"`without`: there is no shared attribute {min(unknown)!r}", file=f"{place}.toml")
    return tuple(each for each in shared if each.name not in left_out)


def _scripts(every: Sequence[Script], attributes: Sequence[Attribute]) -> tuple[Script, ...]:
    """The scripts all attributes of which are there, about the same kind of entity."""
    known = {(each.about, each.name) for each in attributes}
    return tuple(
        script for script in every if all((script.about, name) in known for scene in script.scenes for name in scene)
    )


@cache
def writing(language: str) -> Writing:
    """How a language writes; raises DataError where there is no such language."""
    made: Writing = _convert(_read("writing", language), Writing, f"{language}/writing.toml")
    return made


def _read(name: str, language: str) -> dict[str, Any]:
    place = files("memarena_builder.packs") / language / f"{name}.toml"
    if not place.is_file():
        raise DataError("there is no such schema pack", file=f"{language}/{name}.toml")
    try:
        return tomllib.loads(place.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise DataError(str(error), file=f"{language}/{name}.toml") from None


def _take(raw: dict[str, Any], key: str, kind: Any) -> Any:
    return _convert(raw.get(key, []), kind, key)


def _convert(raw: Any, kind: Any, file: str) -> Any:
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise DataError(str(error), file=file) from None


def _check(pack: Pack) -> None:
    """Raise DataError for what no schema can say."""
    file = f"{pack.language}/{pack.domain}.toml"
    twice = [name for name, count in Counter(each.name for each in pack.attributes).items() if count > 1]
    if twice:
        raise DataError(f"the attribute {twice[0]!r} is there twice", file=file)
    for each in pack.attributes:
        if len(set(each.stated)) < FEWEST_FAMILIES:
            raise DataError(f"{each.name}: needs {FEWEST_FAMILIES} statement families", file=file)
        if len(set(each.asked)) <= DEV_ASKED:
            raise DataError(f"{each.name}: needs {DEV_ASKED + 1} question families", file=file)
        for slot in each.slots.values():
            if slot.kind == "pool" and slot.pool not in pack.pools:
                raise DataError(f"{each.name}: there is no pool {slot.pool!r}", file=file)
        for family in (each.point, *each.stated):
            missing = [name for name in ("S", *each.slots) if f"{{{name}}}" not in family and name != "S"]
            if missing:
                raise DataError(f"{each.name}: {{{missing[0]}}} is missing in {family!r}", file=file)
        _check_halves(each, file)
        _check_around(pack, each, file)
    for name, values in pack.pools.items():
        if len(set(values)) < FEWEST_VALUES:
            raise DataError(f"the pool {name!r} needs {FEWEST_VALUES} different values", file=file)


def _check_halves(attribute: Attribute, file: str) -> None:
    """Neither half of a statement may have what the other is there for."""
    if attribute.halves is None:
        return
    for texts, needed in ((attribute.halves.value, {*attribute.slots}), (attribute.halves.owner, {"S"})):
        if len(set(texts)) <= DEV_HALVES:
            raise DataError(f"{attribute.name}: needs {DEV_HALVES + 1} of each half", file=file)
        for text in texts:
            if set(re.findall(r"\{(\w*)\}", text)) != needed:
                raise DataError(f"{attribute.name}: {text!r} must have {sorted(needed)} and no other", file=file)


def _check_around(pack: Pack, attribute: Attribute, file: str) -> None:
    """What is said around a fact must fit every value of it."""
    values = [value for slot in attribute.slots.values() for value in pack.pools.get(slot.pool, ())]
    for text in attribute.around:
        known = {"S", "kind"} if text in attribute.sent else {"S"}
        if unknown := set(re.findall(r"\{(\w*)\}", text)) - known:
            raise DataError(f"{attribute.name}: {{{min(unknown)}}} is not filled in {text!r}", file=file)
        if named := [value for value in values if says(plain(text), plain(value))]:
            raise DataError(f"{attribute.name}: {text!r} gives the value {named[0]!r} away", file=file)
