"""What speaks against other words for a turn."""

from __future__ import annotations

import re
from collections.abc import Collection

from memarena_arena.language.lexicon import NO_NAMES
from memarena_builder.packs.overlap import content
from memarena_builder.probes.words import words
from memarena_builder.rewriting.slots import MARK, Masked
from memarena_builder.validators.problem import plain, says

LENGTH = 0.6, 2.0
"""Times as long as the turn was, in words."""
ALIKE = 0.7
"""Share of words in common, of all words of both, from which nothing was won."""
NO_GAIN = "nearly the same words"
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-Z][a-z]\w*")


def fault(turn: Masked, text: str, values: Collection[str], asked: frozenset[str]) -> str:
    """What is wrong with `text` in place of `turn`; "" for nothing.

    `values`: all values of the sample, none of which may be told; `asked`: words of the questions that the turn
    answers, which would lead a search there.
    """
    if not turn.has_all(text):
        return "a mark is missing, there twice, or new"
    bare, before = MARK.sub(" ", text), MARK.sub(" ", turn.text)
    return _told(bare, before, values) or _worded(bare, before, asked)


def _told(bare: str, before: str, values: Collection[str]) -> str:
    """Whether more is told than before."""
    if any(sign.isdigit() for sign in bare):
        return "a new number"
    known = set(words(before)) | NO_NAMES
    if any(name.lower() not in known for name in _NAME.findall(bare)):
        return "a new name"
    spoken, was = plain(bare), plain(before)
    told = any(says(spoken, plain(value)) and not says(was, plain(value)) for value in values)
    return "a value of another fact" if told else ""


def _worded(bare: str, before: str, asked: frozenset[str]) -> str:
    """Whether the words are too many, too few, too much the same, or those of a question."""
    if not asked.isdisjoint(content(bare) - content(before)):
        return "a word of the question"
    own, other = words(before), words(bare)
    if not LENGTH[0] * len(own) <= len(other) <= LENGTH[1] * len(own):
        return "too short or too long"
    return NO_GAIN if _alike(own, other) >= ALIKE else ""


def _alike(one: list[str], other: list[str]) -> float:
    both = set(one) | set(other)
    return len(set(one) & set(other)) / len(both) if both else 1.0
