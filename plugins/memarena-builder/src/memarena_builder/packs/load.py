"""Puts schema packs together from their TOML files; what is wrong in one is refused with its place."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec.structs import replace

from memarena.catalog import did_you_mean
from memarena_builder.packs.across import check_names, scripts_of, with_halves
from memarena_builder.packs.check import check_chat, check_domain, check_pack, check_pools
from memarena_builder.packs.check_words import (
    FRAMES,
    check_asking,
    check_register,
    check_wording,
    check_writing,
)
from memarena_builder.packs.facts import DEV_ASKED, DEV_HALVES, check_attribute, check_values
from memarena_builder.packs.files import Domain, Scripts, Shared
from memarena_builder.packs.legible import check_letters
from memarena_builder.packs.places import Place, called, domains_of, languages, outside
from memarena_builder.packs.places import read as _read
from memarena_builder.packs.register import Register, formal
from memarena_builder.packs.schema import Attribute, Halves, Pack, Script
from memarena_builder.packs.shapes import convert
from memarena_builder.packs.words import Asking, Wording, Writing

__all__ = [
    "FRAMES", "REGISTERS", "check_all", "domains_of", "in_register", "languages", "load", "owners", "part", "things",
    "writing",
]  # fmt: skip

REGISTERS = ("", "formal")
"""In which people talk: "" is that of the packs, of each other there is a file."""

DEV_STATED = 3
"""Statement families of an attribute that only the split `dev` uses; `test` has the others."""
PLAIN_CHAT = "lines"
"""The exchanges of all domains, in `chat.toml`."""

_SAME = ("domain", "working", "settings", "roles", "project_names", "device_names", "thing", "thing_names")
"""Keys of a domain that its pack has as they are."""


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
            asked_all=some(each.asked_all, DEV_ASKED),
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
    if split:
        return part(in_register(domain, language, "", register), split)
    pack = load(domain, language)
    if not register:
        return pack
    place = Place(called(register, language))
    words = convert(_read(register, language), Register, place)
    check_register(words, domains_of(language), place)
    pack = formal(pack, words, place)
    for each in pack.attributes:
        here = place.at("attribute").entry(each.name)
        check_attribute(each, here, pack.thing, pack.wording.kinds)
        check_values(pack, each, here)
    check_chat(pack.own_chat, place.at("chat"))
    _check_said(pack, place.at("wording"))
    return pack


def check_all(domain: str, language: str) -> Pack:
    """The pack of a domain, after every register of it was looked at; raises as `load`."""
    for register in REGISTERS:
        in_register(domain, language, "", register)
    return load(domain, language)


@cache
def load(domain: str, language: str = "en") -> Pack:
    """The pack of a domain: its own file with what all domains share. Raises DataError where a file is wrong."""
    place, shared = Place(called(domain, language)), Place(called("common", language))
    if language not in languages():
        raise place.wrong(f"there is no language {language!r}{did_you_mean(language, languages())}")
    own = convert(_read(domain, language), Domain, place)
    if own.domain != domain:
        raise place.at("domain").wrong(f"is {own.domain!r}, but the file is called {domain!r}: call both alike")
    check_domain(own, place)
    if domain in outside(language):
        check_letters(own, language, place)
    common = _without(convert(_read("common", language), Shared, shared).attribute, own, place)
    wording = _wording(own, language, place)
    pairs = [(each, shared.at("attribute").entry(each.name)) for each in common]
    pairs += [(each, place.at("attribute").entry(each.name)) for each in own.attribute]
    for attribute, here in pairs:
        check_attribute(attribute, here, own.thing, wording.kinds)
    check_names(pairs, domain, language, owners(language))
    attributes = tuple(attribute for attribute, _ in pairs)
    chat = _chat(language)
    pack = Pack(
        **{name: getattr(own, name) for name in _SAME},
        language=language,
        attributes=_with_halves(attributes, own, language, place),
        scripts=_scripts(attributes, own, language, place),
        pools=_pools(own, language, place),
        wording=wording,
        writing=_with_article(writing(language), own),
        asking=_asking(language),
        chat=chat[PLAIN_CHAT],
        own_chat=(*chat.get(domain, ()), *own.chat),
    )
    check_pack(pack, place, pairs)
    _check_said(pack, Place(called("wording", language)))
    return pack


@cache
def writing(language: str) -> Writing:
    """How a language writes; raises DataError where there is no such language."""
    return convert(_read("writing", language), Writing, Place(called("writing", language)))


@cache
def owners(language: str) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """By kind of entity and name: the files of a language that have such an attribute, whatever else is in them."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for file in ("common", *domains_of(language)):
        made = _read(file, language).get("attribute", ())
        for each in (each for each in made if isinstance(each, dict)):
            key = str(each.get("about")), str(each.get("name"))
            found[key] = (*found.get(key, ()), file)
    return found


@cache
def things(language: str) -> tuple[str, ...]:
    """The kinds of entities that single domains of a language have."""
    found = (_read(domain, language).get("thing") for domain in domains_of(language))
    return tuple(dict.fromkeys(each for each in found if isinstance(each, str)))


def _without(shared: tuple[Attribute, ...], own: Domain, place: Place) -> tuple[Attribute, ...]:
    """What all domains share, but what one has no use for."""
    names = [each.name for each in shared]
    for number, name in enumerate(own.without):
        if name not in names:
            here = place.at("without", number)
            raise here.wrong(f"there is no shared attribute {name!r}{did_you_mean(name, names)}")
    kept = tuple(each for each in shared if each.name not in own.without)
    for detail in (each for each in kept if each.detail_of in own.without):
        raise place.at("without").wrong(f"{detail.name!r} is a detail of {detail.detail_of!r}: leave out both, or none")
    return kept


def _with_halves(attributes: tuple[Attribute, ...], own: Domain, language: str, place: Place) -> tuple[Attribute, ...]:
    shared = Place(called("halves", language))
    halves = convert(_read("halves", language), dict[str, Halves], shared)
    return with_halves(attributes, own, halves, owners(language), (place, shared))


def _scripts(attributes: tuple[Attribute, ...], own: Domain, language: str, place: Place) -> tuple[Script, ...]:
    shared = Place(called("scripts", language))
    every = convert(_read("scripts", language), Scripts, shared).script
    return scripts_of(attributes, own, every, owners(language), (place, shared))


def _pools(own: Domain, language: str, place: Place) -> dict[str, tuple[str, ...]]:
    shared = Place(called("pools", language))
    pools = convert(_read("pools", language), dict[str, tuple[str, ...]], shared)
    made = {**pools, **own.pools}
    places = {name: place.at("pools", name) if name in own.pools else shared.at(name) for name in made}
    check_pools(made, places, writing(language), shared)
    return made


def _wording(own: Domain, language: str, place: Place) -> Wording:
    """The words of a language, with those that a domain brings in its own file."""
    shared = convert(_read("wording", language), Wording, Place(called("wording", language)))
    reasons = own.reasons or shared.reasons.get(own.domain, ())
    if not reasons and shared.greetings:
        raise place.at("reasons").wrong("is missing: say why the user writes, each a whole sentence")
    topics = {own.thing: own.topics} if own.topics else {}
    return replace(
        shared,
        reasons={**shared.reasons, own.domain: reasons},
        topics={**shared.topics, **topics},
        ones={own.thing: own.thing, **shared.ones, **({own.thing: own.one} if own.one else {})},
    )


def _with_article(style: Writing, own: Domain) -> Writing:
    return replace(style, articles={**style.articles, own.thing: own.article}) if own.article else style


def _asking(language: str) -> Asking:
    place = Place(called("asking", language))
    made = convert(_read("asking", language), Asking, place)
    check_asking(made, place, DEV_ASKED + 1)
    return made


def _chat(language: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    place = Place(called("chat", language))
    made = convert(_read("chat", language), dict[str, tuple[tuple[str, ...], ...]], place)
    domains = domains_of(language)
    for name, lines in made.items():
        check_chat(lines, place.at(name), single=name == PLAIN_CHAT)
        if name != PLAIN_CHAT and name not in domains:
            raise place.at(name).wrong(f"there is no domain {name!r}{did_you_mean(name, (PLAIN_CHAT, *domains))}")
    if PLAIN_CHAT not in made:
        raise place.wrong(f"the key {PLAIN_CHAT!r} is missing")
    return made


def _check_said(pack: Pack, place: Place) -> None:
    """Raise DataError for what is wrong in words around facts; `place`: where they stand."""
    kinds, domains = (pack.thing, *things(pack.language)), (pack.domain, *domains_of(pack.language))
    check_wording(pack.wording, place, kinds, domains)
    check_writing(pack.writing, pack.pools, Place(called(pack.register or "writing", pack.language)))
