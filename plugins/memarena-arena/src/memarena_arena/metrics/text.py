"""F1, BLEU-1 and exact match of an answer against its reference (paper, appendix B, eq. 8).

`tokens` chooses what a token is:

* `paper`: the published normaliser, to the letter;
* `multilingual`: NFKC first, all Unicode punctuation parts words, and in scripts that write no blanks each
  character is a token; on English text it agrees with `paper`;
* `strict`: `multilingual`, and a text of articles alone keeps them, so that the answer `A` is not empty.
"""

from __future__ import annotations

import math
import re
import string
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, get_args

from memarena.errors import UsageError
from memarena_arena.porter import porter_stem

Tokens = Literal["paper", "multilingual", "strict"]

_MODES: tuple[str, ...] = get_args(Tokens)

_DROPPED = frozenset(("a", "an", "the", "and"))
_DROPPED_WORD = re.compile(r"\b(?:an?|the|and)\b")
_DECIMAL_POINT = re.compile(r"(?<=\d)\.(?=\d)")
_PARTED = str.maketrans({"\0": "."} | {mark: " " for mark in string.punctuation if mark != "_"})
"""Blanks for punctuation; a point between digits comes as NUL, which no printable text has."""
_TOKEN = re.compile(r"(?:[^\s!-/:-@\[-^`{-~]|(?<=\d)\.(?=\d))+")
_ABSTAINS = re.compile(
    r"\W*(?:not (?:mentioned|known|specified|stated|provided|available|found)\b"
    r"|(?:there is )?no (?:information|mention|memory|record|evidence)\b"
    r"|unknown\W*$|(?:i (?:do not|don.?t) know|i (?:can ?not|can.?t) (?:tell|answer|determine))\b)"
)
_SPACELESS = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uf900-\ufaff\U00020000-\U0003134f"
)
"""Thai and Lao, Burmese, Khmer, Kana, Han."""
_MARKS = (
    r"\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u1056-\u1059\u105e-\u1060"
    r"\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u109a-\u109d\u17b4-\u17d3\u17dd\u3099\u309a"
)
"""Vowel and tone signs, which stay with the character before them."""
_SPACELESS_CLUSTER = re.compile(f"[{_SPACELESS}][{_MARKS}]*")


def f1(prediction: str, reference: str, *, tokens: Tokens = "paper") -> float:
    """Harmonic mean of precision and recall over the multisets of Porter-stemmed tokens, 0 to 1.

    0 where nothing is shared, also where both sides are empty. Source: paper, eq. 8.
    """
    left, right = words(prediction, tokens), words(reference, tokens)
    shared = _shared([stem(word) for word in left], [stem(word) for word in right])
    if not shared:
        return 0.0
    precision, recall = shared / len(left), shared / len(right)
    return 2 * precision * recall / (precision + recall)


def bleu1(prediction: str, reference: str, *, tokens: Tokens = "paper") -> float:
    """Clipped precision of the unstemmed tokens times the brevity penalty, 0 to 1.

    0 where nothing is shared or one side is empty. Source: paper, appendix B; unigram BLEU with one reference.
    """
    left, right = words(prediction, tokens), words(reference, tokens)
    shared = _shared(left, right)
    if not shared:
        return 0.0
    brevity = 1.0 if len(left) > len(right) else math.exp(1 - len(right) / len(left))
    return brevity * shared / len(left)


def exact(prediction: str, reference: str, *, tokens: Tokens = "strict") -> float:
    """1.0 where both are the same tokens in the same order, else 0.0; an empty side equals nothing."""
    left = words(prediction, tokens)
    return float(bool(left) and left == words(reference, tokens))


def abstains(answer: str) -> bool:
    """Whether `answer` is empty or begins by saying that nothing is known."""
    return not answer.strip() or _ABSTAINS.match(answer.lower()) is not None


stem = lru_cache(maxsize=1 << 17)(porter_stem)
"""Porter's stem of a lower-case token, as NLTK's `PorterStemmer()` finds it in its default mode."""


def _shared(left: Sequence[str], right: Sequence[str]) -> int:
    """Size of the intersection of two multisets."""
    kinds, others = set(left), set(right)
    common = kinds & others
    if len(kinds) == len(left) or len(others) == len(right):
        return len(common)
    return sum([min(left.count(word), right.count(word)) for word in common])


@lru_cache(maxsize=4096)
def words(text: str, tokens: Tokens = "paper") -> tuple[str, ...]:
    """The tokens of `text`. Raises UsageError where `tokens` is none of the three."""
    if tokens not in _MODES:
        raise UsageError(f"tokens {tokens!r} is not known; choose one of {', '.join(_MODES)}")
    if tokens != "paper":
        found = words(text if text.isascii() else _fold(text))
        return found if found or tokens == "multilingual" else tuple(_TOKEN.findall(_fold(text).lower()))
    return tuple(_tokenise(text.lower()))


def _tokenise(lowered: str) -> list[str]:
    if lowered.isascii() and lowered.isprintable():
        kept = _DECIMAL_POINT.sub("\0", lowered) if "." in lowered else lowered
        return [word for word in kept.translate(_PARTED).split() if word not in _DROPPED]
    # Beside other characters an article can end inside a token, as in ’a.
    return _TOKEN.findall(_DROPPED_WORD.sub(" ", lowered))


def _fold(text: str) -> str:
    """`text` in NFKC, with blanks for Unicode punctuation and around each character of a script without blanks."""
    folded = unicodedata.normalize("NFKC", text)
    parted = _SPACELESS_CLUSTER.sub(r" \g<0> ", folded)
    return "".join(
        " " if not character.isascii() and unicodedata.category(character)[0] == "P" else character
        for character in parted
    )
