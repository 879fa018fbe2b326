"""What three examples are worth: an agent that looks for an operation that has all their values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memarena_aha.euler.conventions.asking import ASKED_SKINS, TAUGHT_SKINS
from memarena_aha.euler.conventions.draws import fitting
from memarena_aha.euler.conventions.register import all_operations

__all__ = ["Induction", "Told", "told_in"]

_SLOT = re.compile(r"\\\{(\w+)\\\}")
_RESULT = r"\s+Its result is (?P<third_value>\d+)\."
_ABSTAIN: Mapping[str, Any] = {"tool": "abstain", "args": {}}


def _pattern(text: str, behind: str = "") -> re.Pattern[str]:
    """A wording as an expression: each slot is read once, and said again where it stands again."""
    seen: set[str] = set()

    def slot(found: re.Match[str]) -> str:
        name = found[1]
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        return f"(?P<{name}>{'[A-Z][a-z]+ [a-z]+' if name == 'name' else '[0-9]+'})"

    return re.compile(_SLOT.sub(slot, re.escape(text)) + behind)


_TOLD = tuple(_pattern(skin.text, _RESULT) for skin in TAUGHT_SKINS)
_ASKED = tuple(_pattern(skin.text) for skin in ASKED_SKINS)


class Told(NamedTuple):
    """What a text tells of an operation."""

    name: str
    examples: tuple[tuple[int, int], ...]


def told_in(text: str) -> list[Told]:
    """The examples of solved tasks in a text, as the wordings of the teaching tell them."""
    return [
        Told(
            found["name"],
            tuple((int(found[number]), int(found[f"{number}_value"])) for number in ("first", "second", "third")),
        )
        for pattern in _TOLD
        for found in pattern.finditer(text)
    ]


class Induction:
    """Answers where it has heard examples of the operation by its name and all that fit them agree; else not at all."""

    name = "induction"
    revision = 1

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        data = observation["data"]
        asked = next((found for pattern in _ASKED if (found := pattern.fullmatch(data["statement"]))), None)
        if asked is None:
            return _ABSTAIN
        told = told_in(f"{data['taught']}\n{observation.get('memory') or ''}")
        values = {value for one in told if one.name == asked["name"] for value in possible(one, int(asked["number"]))}
        return {"tool": "answer", "args": {"value": str(values.pop())}} if len(values) == 1 else _ABSTAIN


def possible(told: Told, number: int) -> set[int]:
    """The values that a number has under any operation that has the values told."""
    return {one.apply(number, **constants) for one in all_operations() for constants in fitting(one, told.examples)}
