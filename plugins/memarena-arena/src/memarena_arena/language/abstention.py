"""Does an answer say that nothing is known?"""

from __future__ import annotations

import re

from memarena_arena.language.lexicon import ABSTAINING, ABSTAINING_WHOLE, GUESSING
from memarena_arena.language.lines import sentences
from memarena_arena.language.words import fold

_PHRASE = re.compile("|".join(rf"\b{re.escape(each)}" if each.isascii() else re.escape(each) for each in ABSTAINING))
_WORD = re.compile(r"[a-z']+")


def abstains(text: str) -> bool:
    """Whether `text` declines to answer: its first sentence says so, and no guess follows."""
    folded = fold(text).lower().strip()
    if folded.strip(" .!\"'*`") in ABSTAINING_WHOLE:
        return True
    parts = sentences(folded)
    if not parts or not _PHRASE.search(parts[0]):
        return False
    words = _WORD.findall(folded)
    return GUESSING.isdisjoint(words)
