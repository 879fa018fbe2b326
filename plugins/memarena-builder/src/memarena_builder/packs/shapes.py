"""What a file holds as records; what does not fit is named by its path, in words for people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import NoneType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from memarena.catalog import did_you_mean
from memarena_builder.packs.places import Place

Kind = TypeVar("Kind")
_KINDS: Mapping[str, str] = {
    "str": "a text", "int": "a whole number", "float": "a number", "bool": "true or false", "array": "a list",
    "object": "a table", "datetime": "a time", "date": "a date", "time": "a time of day",
}  # fmt: skip
"""What msgspec calls what a value is."""


def convert(raw: Any, kind: type[Kind], place: Place) -> Kind:
    """`raw` as `kind`; raises DataError with the path of what does not fit."""
    try:
        return msgspec.convert(raw, kind)
    except (msgspec.ValidationError, OverflowError) as error:
        where, problem = _fault(raw, kind, place, str(error))
        raise where.wrong(problem) from None


def _fault(raw: Any, kind: Any, place: Place, message: str) -> tuple[Place, str]:
    """The innermost place where `raw` is no `kind`, and why."""
    kind = _without_none(kind)
    for child, of, below in _children(raw, kind, place):
        try:
            msgspec.convert(child, of)
        except (msgspec.ValidationError, OverflowError) as error:
            return _fault(child, of, below, str(error))
    return place, _in_words(raw, kind, message.partition(" - at `")[0])


def _without_none(kind: Any) -> Any:
    left = [each for each in get_args(kind) if each is not NoneType]
    return left[0] if NoneType in get_args(kind) and len(left) == 1 else kind


def _children(raw: Any, kind: Any, place: Place) -> Iterator[tuple[Any, Any, Place]]:
    """What stands in `raw` that has a kind of its own."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(raw, dict):
        hints = get_type_hints(kind)
        for name in (each for each in raw if each in hints):
            yield raw[name], hints[name], place.at(name)
    elif get_origin(kind) is tuple:
        if not isinstance(raw, list):
            return
        items = get_args(kind)
        kinds: Sequence[Any] = [items[0]] * len(raw) if items[-1] is Ellipsis else items
        for number, (child, of) in enumerate(zip(raw, kinds, strict=False)):
            name = child.get("name") if isinstance(child, dict) else None
            yield child, of, place.entry(name) if isinstance(name, str) and name else place.at(number)
    elif isinstance(raw, dict) and len(get_args(kind)) == 2:
        for name, child in raw.items():
            yield child, get_args(kind)[1], place.at(str(name))


def _in_words(raw: Any, kind: Any, message: str) -> str:
    """What msgspec says of `raw`, as a person would."""
    if found := re.fullmatch(r"Object contains unknown field `(.*)`", message, re.DOTALL):
        return f"there is no key {found[1]!r}{did_you_mean(found[1], kind.__struct_fields__)}"
    if found := re.fullmatch(r"Object missing required field `(.*)`", message):
        return f"the key {found[1]!r} is missing"
    if get_origin(kind) is Literal and isinstance(raw, str):
        return f"there is no {raw!r}{did_you_mean(raw, get_args(kind))}"
    if found := re.fullmatch(r"Expected `(\w+)`(?: of length (\d+))?, got `?(\w+)`?", message):
        wanted, length, given = found.groups()
        if length:
            return f"has to be a list of {length}, not of {given}"
        return f"has to be {_KINDS.get(wanted, wanted)}, not {_KINDS.get(given, given)}"
    return message[:1].lower() + message[1:]
