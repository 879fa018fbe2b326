"""What a person types, read: short commands, products by id or name, money in dollars; and what a person is told."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memarena_aha.vending.letters import dollars

__all__ = [
    "Command",
    "Unclear",
    "as_told",
    "command_of",
    "counts",
    "date",
    "money",
    "product",
    "slot",
    "supplier",
    "whole",
]


class Unclear(Exception):
    """What was typed cannot be read; the message says how to say it."""


class Command(NamedTuple):
    """A command: its name, shorter names, how it is typed, what it does, and the tool whose minutes it takes."""

    name: str
    short: tuple[str, ...]
    usage: str
    about: str
    tool: str = ""


def command_of(word: str, commands: Sequence[Command]) -> Command:
    """The command that a word means: its name, a shorter one, or the beginning of just one name. Raises Unclear."""
    lowered = word.casefold()
    exact = [command for command in commands if lowered == command.name or lowered in command.short]
    begun = exact or [command for command in commands if command.name.startswith(lowered)]
    if len(begun) == 1:
        return begun[0]
    if begun:
        *others, last = [command.name for command in begun]
        raise Unclear(f"{word}: do you mean {', '.join(others)} or {last}?")
    raise Unclear(f"{word}: there is no such command. help lists them all.")


def money(word: str) -> int:
    """Cents: `2.40`, `$2.4` and `2` are dollars. Raises Unclear."""
    match = re.fullmatch(r"\$?(\d{1,6})(?:[.,](\d{1,2}))?", word)
    if match is None:
        raise Unclear(f"{word} is no price; type dollars, e.g. 2.40")
    return int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))


def whole(word: str, what: str) -> int:
    """A whole number. Raises Unclear."""
    if not re.fullmatch(r"\d{1,9}", word):
        raise Unclear(f"{word} is no {what}; type a whole number")
    return int(word)


def product(word: str, names: Mapping[str, str]) -> str:
    """The id of a product: `P03`, `p3`, or the beginning of a name that is known. Raises Unclear."""
    match = re.fullmatch(r"[pP]?(\d{1,2})", word)
    if match:
        return f"P{int(match[1]):02}"
    lowered = word.casefold()
    found = [sku for sku, name in names.items() if name.replace(" ", "").casefold().startswith(lowered)]
    if len(found) == 1:
        return found[0]
    if found:
        raise Unclear(f"{word}: do you mean {' or '.join(f'{names[sku]} ({sku})' for sku in found)}?")
    raise Unclear(f"{word} is no product that you know; products have ids such as P03")


def supplier(word: str, names: Mapping[str, str]) -> str:
    """The id of a supplier: `S2`, `2`, or the beginning of a name that is known. Raises Unclear."""
    match = re.fullmatch(r"[sS]?(\d{1,2})", word)
    if match:
        return f"S{int(match[1])}"
    found = [key for key, name in names.items() if name.casefold().startswith(word.casefold())]
    if len(found) == 1:
        return found[0]
    raise Unclear(f"{word} is no supplier that you know; find snack looks for some")


def slot(word: str) -> str:
    """A slot such as `A1`. Raises Unclear."""
    if not re.fullmatch(r"[a-dA-D][1-3]", word):
        raise Unclear(f"{word} is no slot; there are A1 to D3")
    return word.upper()


def counts(words: Sequence[str], names: Mapping[str, str]) -> dict[str, int]:
    """Products with numbers: `P03=24 P11=12`, or `P03 24 P11 12`. Raises Unclear."""
    parts = [part for word in words for part in re.split(r"[=:*]", word) if part]
    if not parts or len(parts) % 2:
        raise Unclear("name products with numbers, e.g. P03=24 P11=12")
    return {product(parts[n], names): whole(parts[n + 1], "number of units") for n in range(0, len(parts), 2)}


def date(day: int) -> int:
    """A day as a person counts: the world begins with day 0, a game with day 1."""
    return day + 1


def as_told(text: str) -> str:
    """A text of the world for a person: its days as a person counts them, its cents as dollars."""
    counted = re.sub(r"\b([Dd]ay) (\d+)\b", lambda found: f"{found[1]} {date(int(found[2]))}", text)
    return re.sub(r"\b(\d+) cents\b", lambda found: dollars(int(found[1])), counted)
