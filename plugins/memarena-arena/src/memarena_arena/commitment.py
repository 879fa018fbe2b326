"""Does an answer commit itself, or does it list everything and leave the choice to the reader?"""

from __future__ import annotations

import re
from enum import Enum

from memarena_arena.language.lexicon import GUESSING
from memarena_arena.language.lines import sentences
from memarena_arena.language.statements import statement
from memarena_arena.language.words import SINGLE

LONGEST = 100
"""Words above which only the end of an answer is read."""
LONGEST_CHARACTERS = 3000
"""The same in characters."""
TAIL = 40
"""Words of its last sentence that are read then."""

_WORD = re.compile(rf"[{SINGLE}]|[^\W_{SINGLE}]+(?:['’][^\W_{SINGLE}]+)*")
_MARK = re.compile(r"\b(?:final answer|answer)\s*(?:is\s*)?[:：]\s*", re.I)
_ITEMS = re.compile(r"\s*(?:[,;\n•/]|\band\b|\bor\b|、|，|；)\s*")
_OR = re.compile(r"([^,;.!?]{1,60}?)\s*\bor\b\s*([^,;.!?]{1,60})", re.I)
_OPEN = GUESSING | {"either", "could", "may", "unsure", "unclear"}


class Hedge(Enum):
    """How an answer leaves the choice open."""

    NONE = "none"
    ALTERNATIVES = "alternatives"
    LISTS = "lists"


def committed(answer: str) -> tuple[str, bool]:
    """What of an answer counts, and whether the rest was left out.

    That is what stands behind a last `Answer:`; else all of it; of a long one, its last sentence only.
    """
    marks = list(_MARK.finditer(answer))
    final = answer[marks[-1].end() :].strip() if marks else ""
    text = final if _WORD.search(final) else answer
    if not _is_long(text):
        return text, _is_long(answer)
    last = next((each for each in reversed(sentences(text)) if _WORD.search(each)), text[-LONGEST_CHARACTERS:])
    words = list(_WORD.finditer(last))
    return (last[words[-TAIL].start() :] if len(words) > TAIL else last), True


def _is_long(text: str) -> bool:
    return len(text) > LONGEST_CHARACTERS or len(_WORD.findall(text)) > LONGEST


def hedge(answer: str, wanted: frozenset[str], asked: frozenset[str], parts: int) -> Hedge:
    """How `answer`, which has all `parts` of the reference (keys `wanted`), leaves the choice open.

    It lists where more than half of four or more short items have nothing of the reference or the question; it
    offers alternatives where one side of an `or` has the reference, the other has not, and it says that it guesses.
    """
    words = frozenset(word.lower() for word in _WORD.findall(answer))
    for found in _OR.finditer(answer):
        left, right = statement(found[1]).keys, statement(found[2]).keys
        one_sided = bool(left & wanted) != bool(right & wanted)
        if one_sided and left - asked and right - asked and not _OPEN.isdisjoint(words):
            return Hedge.ALTERNATIVES
    items = [piece for piece in _ITEMS.split(answer) if piece]
    if len(items) < max(4, 2 * parts + 2) or any(len(_WORD.findall(piece)) > 4 for piece in items[1:]):
        return Hedge.NONE
    strange = sum(statement(piece).keys.isdisjoint(wanted | asked) for piece in items)
    return Hedge.LISTS if strange > len(items) / 2 and strange > parts else Hedge.NONE
