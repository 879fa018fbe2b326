"""The options of a plugin as its `Options` wants them; an error names the option, what was given, and what can be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec

from memarena.catalog import did_you_mean
from memarena.errors import AdapterContractError, UsageError

__all__ = ["read_options"]

T = TypeVar("T", bound=msgspec.Struct)


def read_options(kind: type[T], options: Mapping[str, Any], *, who: str, label: str = "") -> T:
    """`options` as a `kind`: texts become the types of its fields.

    `who` names the plugin in errors; `label` what the options are set by, where that is known: `-o label.option=...`.
    Raises UsageError for an option that is unknown, missing, of a wrong type or no allowed value; AdapterContractError
    where `kind` is no msgspec.Struct, or has a field that cannot be read.
    """
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        raise AdapterContractError(f"{who}: Options is to be a msgspec.Struct")
    types = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
    for name in options:
        if name not in types:
            raise UsageError(f"{who} has no option {name!r}{did_you_mean(name, types)}")
    values = {name: _as_text(value, types[name]) for name, value in options.items()}
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at `$.")
        option, place = re.fullmatch(r"([^\[.`]*)(.*?)`?", path).groups()  # type: ignore[union-attr]
        if option not in values:
            raise UsageError(f"{who}: {problem}") from None
        where = f"{label}.{option}" if label else f"{who}: option {option!r}"
        raise UsageError(f"{where}: {_told(problem, _at(values[option], place), types[option])}") from None
    except TypeError as error:
        raise AdapterContractError(f"{who}: Options has a type that options cannot have: {error}") from None


def _told(problem: str, given: Any, kind: Any) -> str:
    """What is wrong with a value; where only some values can be given, which they are."""
    allowed = list(dict.fromkeys(_allowed(kind)))
    if problem.startswith("Expected `array`"):
        return f'{given!r} is no list; a list is written ["{given}"]'
    if allowed and problem.startswith(("Invalid enum value", "Expected")):
        return f"{given!r} is not one of {', '.join(map(str, allowed))}"
    return f"{problem} ({given!r})"


def _at(value: Any, place: str) -> Any:
    """What stands at a place such as `[1]` of a value; the value itself where that cannot be said."""
    index = re.fullmatch(r"\[(\d+)\]", place)
    return value[int(index[1])] if index is not None and isinstance(value, list | tuple) else value


def _allowed(kind: Any) -> Iterator[Any]:
    """The values of all `Literal` in a type, in order."""
    if get_origin(kind) is Literal:
        yield from get_args(kind)
    else:
        for inner in get_args(kind):
            yield from _allowed(inner)


def _as_text(value: Any, kind: Any) -> Any:
    """`-o mine.user=42` is read as a number; where the option is a text, it is the text `42` again."""
    kinds = {type(one) if get_origin(kind) is Literal else one for one in get_args(kind) or (kind,)}
    if isinstance(value, int) and str in kinds and not {int, float, bool} & kinds:
        return str(value).lower() if isinstance(value, bool) else str(value)
    return value
