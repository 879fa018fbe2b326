"""What a domain has to do with the others of its language: names, halves of statements, scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from memarena.catalog import did_you_mean
from memarena_builder.packs.check import check_script
from memarena_builder.packs.facts import check_halves
from memarena_builder.packs.files import Domain
from memarena_builder.packs.places import Place, called
from memarena_builder.packs.schema import Attribute, Halves, Script

Owners = Mapping[tuple[str, str], tuple[str, ...]]
"""By kind of entity and name of an attribute: the files of a language that have it."""


def check_names(pairs: Sequence[tuple[Attribute, Place]], domain: str, language: str, owners: Owners) -> None:
    """Raise DataError where two attributes have one name, in whatever domains: a reader of all would take one for the
    other."""
    seen: set[str] = set()
    others = {name: file for (_, name), files in owners.items() for file in files if file != domain}
    for each, here in pairs:
        if each.name in seen:
            raise here.wrong("there is an attribute of this name already: rename one of them")
        if here.file == called(domain, language) and each.name in others:
            file = called(others[each.name], language)
            raise here.wrong(f"{file} has an attribute {each.name!r} too: rename yours")
        seen.add(each.name)


def with_halves(
    attributes: Sequence[Attribute],
    own: Domain,
    shared: Mapping[str, Halves],
    owners: Owners,
    places: tuple[Place, Place],
) -> tuple[Attribute, ...]:
    """The attributes, with how they are told in two turns. `places`: of the file of the domain, and of `shared`; raises
    DataError for halves of what there is not, or that do not fit."""
    mine, theirs = places
    names = [each.name for each in attributes]
    known = {name for _, name in owners} | {*names}
    for name in shared:
        if name not in known:
            raise theirs.at(name).wrong(f"no domain has an attribute {name!r}{did_you_mean(name, known)}")
    for name in own.halves:
        if name not in names:
            raise mine.at("halves", name).wrong(f"there is no attribute {name!r}{did_you_mean(name, names)}")
    made = []
    for each in attributes:
        found = own.halves.get(each.name) or shared.get(each.name)
        if found:
            check_halves(found, each, mine.at("halves", each.name) if each.name in own.halves else theirs.at(each.name))
        made.append(replace(each, halves=found))
    return tuple(made)


def scripts_of(
    attributes: Sequence[Attribute], own: Domain, shared: Sequence[Script], owners: Owners, places: tuple[Place, Place]
) -> tuple[Script, ...]:
    """A domain's own scripts, and those of the language all attributes of which are there, about one kind of entity.
    `places`: as of `with_halves`; raises DataError for a script of what no domain has, or that cannot happen."""
    mine, theirs = (place.at("script") for place in places)
    here = {(each.about, each.name) for each in attributes}
    kept: list[tuple[Script, Place]] = []
    for script in shared:
        keys = {(script.about, name) for scene in script.scenes for name in scene}
        for about, name in sorted(keys - here):
            if (about, name) not in owners:
                known = [other for of, other in owners if of == about]
                where = theirs.entry(script.name)
                raise where.wrong(f"no domain has {name!r} about {about!r}{did_you_mean(name, known)}")
        if keys <= here:
            kept.append((script, theirs.entry(script.name)))
    kept += [(script, mine.entry(script.name)) for script in own.script]
    names = [script.name for script, _ in kept]
    by_name = {each.name: each for each in attributes}
    for number, (script, at) in enumerate(kept):
        if script.name in names[:number]:
            raise at.wrong("a script of this name is there already: rename it")
        check_script(script, by_name, at)
    return tuple(script for script, _ in kept)
