"""Makes a tree fit the types of `wma_raw`, and says what was odd on the way.

A container of the wrong type, and a text without which nothing can be scored, are refused. Any other value of a wrong
type is read as a text or a number where it says one, and left out where it does not. What is absent or null becomes
the default, or an empty text or list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from math import isfinite
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from memarena_arena.faults import Faults, kind_of, quoted
from memarena_arena.jsonpath import child
from memarena_arena.wma_raw import (
    RawBlock,
    RawCheckpoint,
    RawPoint,
    RawQuestion,
    RawSample,
    RawSession,
    RawTurn,
)

T = TypeVar("T", bound=Struct)

_NEEDED: Mapping[type[Struct], frozenset[str]] = {
    RawSample: frozenset({"sample_id"}),
    RawSession: frozenset({"_v2_session_id", "session_id"}),
    RawBlock: frozenset({"session_id"}),
    RawCheckpoint: frozenset({"checkpoint_id", "covered_sessions"}),
    RawTurn: frozenset({"content"}),
    RawPoint: frozenset({"memory_content"}),
    RawQuestion: frozenset({"question", "answer"}),
}
"""Fields whose texts nothing can stand for."""

_NUMBER_IS_TEXT = frozenset({"answer", "memory_content"})
"""Needed texts that may be written as a number: `2022` is an answer."""

_NULL_IS_A_FAULT = frozenset({"content", "question", "answer"})
"""Needed texts of which null says no more than a wrong type does."""


class _Slot(NamedTuple):
    """One field of a raw type."""

    name: str
    default: Any
    plain: frozenset[Any]
    """The types of value that it takes as they are."""
    item: Any
    """Of what it is a list; None where it is none."""
    needed: bool


@cache
def _slots(kind: type[Struct]) -> Mapping[str, _Slot]:
    needed = _NEEDED.get(kind, frozenset())
    slots = {}
    for field in fields(kind):
        options = list(_options(field.type))
        items = [get_args(option)[0] for option in options if get_origin(option) is tuple]
        plain = frozenset(option for option in options if get_origin(option) is None)
        default = field.default
        if default is NODEFAULT:
            default = () if items else ""
        slots[field.encode_name] = _Slot(
            name=field.name,
            default=default,
            plain=plain,
            item=items[0] if items else None,
            needed=field.encode_name in needed,
        )
    return slots


def _options(annotation: Any) -> Iterator[Any]:
    """The types that a field may have, without their constraints: a known word is any text here."""
    origin = get_origin(annotation)
    if origin is Literal:
        yield from {type(value) for value in get_args(annotation)}
    elif origin is Annotated:
        yield from _options(get_args(annotation)[0])
    elif origin in (Union, UnionType):
        for option in get_args(annotation):
            yield from _options(option)
    else:
        yield annotation


def repaired(tree: Mapping[str, Any], faults: Faults) -> RawSample:
    """The sample in `tree`, as far as it can be made out; `faults.refused` says whether it may be used."""
    return _Repair(faults).struct(tree, RawSample, "$")


class _Repair:
    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._unread: set[tuple[type[Struct], str]] = set()

    def struct(self, value: Any, kind: type[T], path: str) -> T:
        slots = _slots(kind)
        filled = {slot.name: slot.default for slot in slots.values()}
        if not isinstance(value, dict):
            self._faults.refuse("bad_container", f"an object is needed, not {kind_of(value)}", path)
            return kind(**filled)
        for key, item in value.items():
            slot = slots.get(key)
            if slot is not None:
                filled[slot.name] = self._field(item, key, slot, child(path, key))
            elif (kind, key) not in self._unread:
                self._unread.add((kind, key))
                self._faults.note("unread_field", "this field is not read", child(path, key))
        return kind(**filled)

    def _field(self, value: Any, key: str, slot: _Slot, path: str) -> Any:
        if type(value) in slot.plain:
            return value
        if value is None and key not in _NULL_IS_A_FAULT:
            return slot.default
        if slot.item is not None:
            return self._list(value, slot, path)
        if int in slot.plain:
            return None  # a field that nothing reads
        if slot.needed and not (key in _NUMBER_IS_TEXT and _is_number(value)):
            self._faults.refuse("bad_text", f"a text is needed, not {kind_of(value)}", path)
            return slot.default
        return self._scalar(value, slot, path)

    def _list(self, value: Any, slot: _Slot, path: str) -> tuple[Any, ...]:
        if not isinstance(value, list):
            self._faults.refuse("bad_container", f"a list is needed, not {kind_of(value)}", path)
            return ()
        if get_origin(slot.item) is tuple:
            inner = slot._replace(item=get_args(slot.item)[0])
            return tuple(self._list(item, inner, f"{path}[{index}]") for index, item in enumerate(value))
        if slot.item is str:
            return tuple(self._text(item, slot.needed, f"{path}[{index}]") for index, item in enumerate(value))
        return tuple(self.struct(item, slot.item, f"{path}[{index}]") for index, item in enumerate(value))

    def _text(self, value: Any, needed: bool, path: str) -> str:
        if isinstance(value, str):
            return value
        if needed or not _is_number(value):
            self._faults.refuse("bad_text", f"a text is needed, not {kind_of(value)}", path)
            return ""
        self._odd(value, f"is read as the text '{value}'", path)
        return str(value)

    def _scalar(self, value: Any, slot: _Slot, path: str) -> Any:
        if _is_number(value) and bool in slot.plain:
            self._odd(value, f"is read as {bool(value)}", path)
            return bool(value)
        if _is_number(value) and str in slot.plain:
            self._odd(value, f"is read as the text '{value}'", path)
            return str(value)
        number = _number(value) if float in slot.plain else None
        if number is not None:
            if not isinstance(value, int):
                self._odd(value, f"is read as the number {number:g}", path)
            return number
        self._odd(value, "is left out", path)
        return slot.default

    def _odd(self, value: Any, outcome: str, path: str) -> None:
        shown = quoted(value) if isinstance(value, str) or _is_number(value) else kind_of(value)
        self._faults.warn("odd_value", f"{shown} {outcome}", path)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(value: Any) -> float | None:
    """`value` as a finite number where it is one or spells one."""
    if isinstance(value, bool | list | dict):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None
