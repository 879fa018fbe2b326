"""Words as they are compared: folded, stemmed, with one word for those taken for the same."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from memarena_arena.language import han
from memarena_arena.language.lexicon import IRREGULAR, NUMBERS, OPPOSITES, SAME, STOP, WEAK_NUMBERS
from memarena_arena.porter import porter_stem

LONGEST = 40
"""Letters above which a word is no word: it is compared as it stands."""

SINGLE = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Ranges of the scripts that write no blanks (Thai, Kana, Han): one character is one word."""

_PAIR = re.compile(f"[{SINGLE}]{{2}}")
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'"})


def fold(text: str) -> str:
    """`text` with full-width and other compatibility forms made plain, Chinese numbers in digits and one kind of
    apostrophe."""
    if text.isascii():
        return text.replace("`", "'")
    return han.plain(unicodedata.normalize("NFKC", text).translate(_APOSTROPHES))


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The form in which a lower-case word is compared (Porter's stem, after irregular forms and same words)."""
    if len(word) > LONGEST or not word.isascii():
        return word
    word = word.removesuffix("'s").removesuffix("'")
    word = IRREGULAR.get(word, word)
    if word in SAME:
        return porter_stem(SAME[word])
    stemmed = porter_stem(word)
    return _same().get(stemmed, stemmed)


@cache
def _same() -> dict[str, str]:
    """By stem: the stem of the word that stands for it."""
    return {porter_stem(word): porter_stem(other) for word, other in SAME.items()}


def number_word(word: str) -> str | None:
    """The number that a lower-case word names, as digits; None for words that are mostly something else."""
    return None if word in WEAK_NUMBERS else NUMBERS.get(word)


def is_content(word: str) -> bool:
    """Whether a lower-case word carries content."""
    return word not in STOP and word.removesuffix("'s") not in STOP


def pairs(keys: frozenset[str]) -> frozenset[str]:
    """Those of `keys` that are two letters of a script without blanks."""
    return frozenset(key for key in keys if _PAIR.fullmatch(key))


def without_parts(keys: frozenset[str]) -> frozenset[str]:
    """`keys` without the letters of a script without blanks that stand in a pair among them: the pair says more."""
    parts = frozenset(letter for key in pairs(keys) for letter in key)
    return keys - parts if parts else keys


def alike(one: str, other: str) -> bool:
    """Whether one stem begins the other, e.g. `psycholog` and `psychologist`: at least five letters in common."""
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) >= 5 and longer.startswith(shorter) and len(longer) - len(shorter) <= 5


@lru_cache(maxsize=64)
def stems(words: frozenset[str]) -> frozenset[str]:
    """The forms in which lower-case words are compared."""
    return frozenset(map(stem, words))


@cache
def opposites() -> dict[str, frozenset[str]]:
    """By stem: the stems of the words that deny it."""
    out: dict[str, set[str]] = {}
    for one, other in OPPOSITES:
        out.setdefault(stem(one), set()).add(stem(other))
        out.setdefault(stem(other), set()).add(stem(one))
    return {key: frozenset(found - {key}) for key, found in out.items()}
