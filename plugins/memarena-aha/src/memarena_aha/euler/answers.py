"""How an answer is written, and when it counts: whole numbers, exact, offered once."""

from __future__ import annotations

import re

__all__ = ["MOST_OFFERED", "offered", "read_answer", "read_nodes", "whole_number"]

MOST_OFFERED = 3
"""Different numbers that a reply may offer; one that offers more is wrong, whatever the last one is."""
MOST_CHARACTERS = 2000
"""Of a number; no answer comes near."""
_ANSWER = re.compile(r"^[ \t*`]*ANSWER:(.*)$", re.MULTILINE)
_NODE = re.compile(r"^[ \t*`]*NODE[ \t]+(\d{1,3})[ \t]*:(.*)$", re.MULTILINE)
_PLAIN = re.compile(r"[+-]?[0-9]+")
_GROUPED = re.compile(r"[+-]?[0-9]{1,3}(?:([,_'\u2009\u202f\u00a0 ])[0-9]{3})(?:\1[0-9]{3})*")


def whole_number(text: str) -> int | None:
    """The number that a text is: digits, a sign, groups of three. None where it is anything else."""
    bare = text.strip(" \t\r*`")
    if len(bare) > MOST_CHARACTERS:
        return None
    if _PLAIN.fullmatch(bare):
        return int(bare)
    if _GROUPED.fullmatch(bare):
        return int(re.sub(r"[^0-9+-]", "", bare))
    return None


def offered(reply: str) -> list[int | None]:
    """What each line `ANSWER: ...` offers, in order; None for one that is no whole number."""
    return [whole_number(found) for found in _ANSWER.findall(reply)]


def read_answer(reply: str) -> tuple[bool, int | None]:
    """Whether a reply answers at all, and the number that counts: that of its last `ANSWER:` line.

    None where that line holds no whole number, or where more than three different numbers are offered.
    """
    values = offered(reply)
    if not values:
        return False, None
    return True, None if len(set(values)) > MOST_OFFERED else values[-1]


def read_nodes(reply: str) -> dict[int, int | None]:
    """The values that lines `NODE k: ...` give, by k; the last line of each counts."""
    return {int(number): whole_number(value) for number, value in _NODE.findall(reply)}
