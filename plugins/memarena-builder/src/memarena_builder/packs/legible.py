"""What stands in pictures has to be short, on one line, and in letters that can be drawn."""

from __future__ import annotations

from memarena_builder.packs.files import Domain
from memarena_builder.packs.places import Place

LONGEST_NAME, LONGEST_VALUE, LONGEST_LABEL = 40, 40, 30
"""Letters of the name of an entity, of a value, and of what a picture calls it: more have no room."""


def check_line(text: str, longest: int, place: Place) -> None:
    """Raise DataError for a text that is too long for a picture, or is no line."""
    if len(text) > longest:
        raise place.wrong(f"{text!r} has {len(text)} letters, and a picture room for {longest}: shorten it")
    if not text.isprintable():
        raise place.wrong(f"{text!r} has a line break, or another sign that nobody can see: take it out")


def check_letters(own: Domain, language: str, place: Place) -> None:
    """Raise DataError for a name, a label, a unit or a value of a domain with a letter that no face has."""
    for name in ("project_names", "device_names", "thing_names"):
        for number, text in enumerate(getattr(own, name)):
            _check_letters(text, language, place.at(name, number))
    for name, values in own.pools.items():
        for number, text in enumerate(values):
            _check_letters(text, language, place.at("pools", name, number))
    for each in own.attribute:
        here = place.at("attribute").entry(each.name)
        _check_letters(each.label, language, here.at("label"))
        for blank, slot in each.slots.items():
            _check_letters(slot.unit + slot.pattern, language, here.at("slots", blank))


def _check_letters(text: str, language: str, place: Place) -> None:
    from memarena_builder.pictures.fonts import typed

    if not typed(text, language):
        odd = next((letter for letter in text if not typed(letter, language)), text)
        raise place.wrong(f"{text!r}: no face of this package has {odd!r}, and pictures show it: use other letters")
