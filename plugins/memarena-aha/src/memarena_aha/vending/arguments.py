"""Arguments of tools: what is allowed, as a check and as JSON schema. Whatever an agent sends, nothing else passes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from memarena_aha.vending.refusal import Refused
from memarena_aha.vending.rules import SLOTS

__all__ = ["Argument", "check", "schema"]

MOST_UNITS = 10_000
MOST_ENTRIES = 60


class Argument(msgspec.Struct, frozen=True, kw_only=True):
    """One argument.

    `kind`: `int`, `text`, `flag`, `texts` (a list), `counts` (text -> int) or `moves` (slot -> {sku, qty}, or -qty).
    `low` and `high` bound an int, each count, or the length of each text.
    """

    kind: str
    about: str
    low: int = 0
    high: int = 100
    default: Any = msgspec.UNSET

    @property
    def required(self) -> bool:
        """Whether a call without it is refused."""
        return self.default is msgspec.UNSET


def check(arguments: Mapping[str, Argument], given: object) -> dict[str, Any]:
    """The arguments of a call, completed by defaults; raises `Refused` with `bad_args` for anything else."""
    if not isinstance(given, Mapping):
        raise Refused("bad_args", "the arguments are not an object")
    unknown = [name for name in given if name not in arguments]
    if unknown:
        raise Refused("bad_args", f"an argument that does not exist; there are: {', '.join(arguments) or 'none'}")
    checked: dict[str, Any] = {}
    for name, argument in arguments.items():
        if name in given:
            checked[name] = _checked(name, argument, given[name])
        elif argument.required:
            raise Refused("bad_args", f"{name} is missing")
        else:
            checked[name] = argument.default
    return checked


def schema(arguments: Mapping[str, Argument]) -> dict[str, Any]:
    """The JSON schema of the arguments of a tool."""
    return {
        "type": "object",
        "properties": {name: _SCHEMAS[a.kind](a) | {"description": a.about} for name, a in arguments.items()},
        "required": [name for name, argument in arguments.items() if argument.required],
        "additionalProperties": False,
    }


def _whole(a: Argument) -> dict[str, Any]:
    return {"type": "integer", "minimum": a.low, "maximum": a.high}


def _string(a: Argument) -> dict[str, Any]:
    return {"type": "string", "minLength": a.low, "maxLength": a.high}


_MOVE = {
    "type": "object",
    "properties": {"sku": {"type": "string"}, "qty": {"type": "integer", "minimum": 1, "maximum": MOST_UNITS}},
    "required": ["sku", "qty"],
    "additionalProperties": False,
}
_SCHEMAS: dict[str, Callable[[Argument], dict[str, Any]]] = {
    "int": _whole,
    "text": _string,
    "flag": lambda _: {"type": "boolean"},
    "texts": lambda a: {"type": "array", "items": _string(a), "maxItems": MOST_ENTRIES},
    "counts": lambda a: {"type": "object", "additionalProperties": _whole(a), "minProperties": 1},
    "moves": lambda _: {
        "type": "object",
        "propertyNames": {"enum": list(SLOTS)},
        "additionalProperties": {"anyOf": [_MOVE, {"type": "integer", "minimum": -MOST_UNITS, "maximum": -1}]},
        "minProperties": 1,
    },
}


def _checked(name: str, a: Argument, value: object) -> Any:
    if a.kind == "int":
        return _int(name, value, a.low, a.high)
    if a.kind == "text":
        return _text(name, value, a.low, a.high)
    if a.kind == "flag":
        if not isinstance(value, bool):
            raise Refused("bad_args", f"{name} is not true or false")
        return value
    if a.kind == "texts":
        if not isinstance(value, list | tuple) or len(value) > MOST_ENTRIES:
            raise Refused("bad_args", f"{name} is not a list of at most {MOST_ENTRIES} texts")
        return list(dict.fromkeys(_text(name, entry, a.low, a.high) for entry in value))
    if not isinstance(value, Mapping) or not 0 < len(value) <= MOST_ENTRIES:
        raise Refused("bad_args", f"{name} is not an object with 1 to {MOST_ENTRIES} entries")
    keys = [_text(name, key, 1, 40) for key in value]
    if a.kind == "counts":
        return {key: _int(f"{name}.{key}", value[key], a.low, a.high) for key in keys}
    return {key: _move(f"{name}.{key}", key, value[key]) for key in keys}


def _move(where: str, slot: str, value: object) -> tuple[str, int]:
    """What to put into a slot, as product and units; ("", units) takes units out."""
    if slot not in SLOTS:
        raise Refused("bad_args", f"{where}: there is no such slot; slots are {SLOTS[0]} to {SLOTS[-1]}")
    if isinstance(value, Mapping):
        if set(value) != {"sku", "qty"}:
            raise Refused("bad_args", f"{where} needs exactly sku and qty")
        return _text(f"{where}.sku", value["sku"], 1, 40), _int(f"{where}.qty", value["qty"], 1, MOST_UNITS)
    return "", -_int(where, value, -MOST_UNITS, -1)


def _int(name: str, value: object, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refused("bad_args", f"{name} is not a whole number")
    if not low <= value <= high:
        raise Refused("bad_args", f"{name} is outside {low} to {high}")
    return value


def _text(name: str, value: object, low: int, high: int) -> str:
    if not isinstance(value, str):
        raise Refused("bad_args", f"{name} is not a text")
    if not low <= len(value) <= high:
        raise Refused("bad_args", f"{name} must have {low} to {high} characters")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise Refused("bad_args", f"{name} holds broken characters") from None
    return value
