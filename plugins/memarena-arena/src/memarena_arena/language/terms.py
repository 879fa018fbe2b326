"""A sentence as its words and values, clause by clause."""

from __future__ import annotations

import re
from typing import NamedTuple

from memarena_arena.language import values
from memarena_arena.language.dates import MONTHS, WEEKDAYS, Period
from memarena_arena.language.relative import extract_anchored
from memarena_arena.language.words import SINGLE, is_content, number_word, stem

WORD = re.compile(rf"[{SINGLE}]|[^\W\d_{SINGLE}]+(?:'[^\W\d_{SINGLE}]+)*")
"""A word of letters, or one character of a script without blanks."""

_KIND = re.compile(rf"{values.ID}([a-z]{{3,}})_\d+$")
"""An id that names the kind of thing it stands for, as `mug_2` does."""
_SINGLE = re.compile(f"[{SINGLE}]")
_BREAK = re.compile(
    r"[,;:()\[\].!?。，；：！？、—–]|\s-\s|\b(?:but|because|although|though|while|whereas|however|so|which|who|that)\b",
    re.I,
)
_NO_NAMES = frozenset({*MONTHS, *WEEKDAYS, "i", "i'm", "i've", "i'll", "i'd", "ok", "user", "assistant"})


class Term(NamedTuple):
    """A word or a value where it stands."""

    start: int
    word: str
    """Lower case, as written; the key, for a value."""
    key: str
    """The form in which it is compared; "" for a word without content."""
    clause: int
    """Number of its clause in the sentence."""
    name: bool
    """A word with a capital, not the first of the sentence."""


def terms(text: str) -> tuple[list[Term], list[Period]]:
    """The words and values of a folded sentence from left to right, and its dates.

    Of a script without blanks each letter is a word, and any two with content side by side are one besides.
    """
    dated, rest = extract_anchored(text)
    found, rest = values.extract(rest)
    breaks = [each.start() for each in _BREAK.finditer(rest)]
    out = [Term(each.start, each.key, each.key, 0, False) for each in found]
    out += [
        Term(each.start + 1, each.key, stem(kind[1]), 0, False) for each in found if (kind := _KIND.match(each.key))
    ]
    first = True
    before: Term | None = None
    for match in WORD.finditer(rest):
        written = match[0]
        word = written.lower()
        name = not first and len(word) > 1 and written[0].isupper() and word not in _NO_NAMES
        first = False
        digits = number_word(word)
        key = values.NUMBER + digits if digits else stem(word) if is_content(word) else ""
        term = Term(match.start(), word, key, 0, name and bool(key))
        out.append(term)
        if len(key) == 1 and _SINGLE.match(key):
            if before and before.start + 1 == term.start:
                out.append(Term(before.start, before.word + word, before.key + key, 0, False))
            before = term
        else:
            before = None
    return _placed(sorted(out), breaks), [each.period for each in dated]


def _placed(found: list[Term], breaks: list[int]) -> list[Term]:
    out, clause = [], 0
    for term in found:
        while clause < len(breaks) and breaks[clause] <= term.start:
            clause += 1
        out.append(term._replace(clause=clause))
    return out
