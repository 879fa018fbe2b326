"""Words, BM25 and naive Bayes, as small as a probe needs them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from memarena_arena.language.words import SINGLE

_LETTER = rf"[^\W{SINGLE}]"
_WORD = re.compile(rf"{_LETTER}+(?:-{_LETTER}+)*|[{SINGLE}]")
K1, B = 1.5, 0.75
"""The usual parameters of BM25."""


def words(text: str) -> list[str]:
    """The words of `text` in lower case; each letter of a script without blanks is one."""
    return _WORD.findall(text.lower())


class Bm25:
    """Okapi BM25 over texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._counts = [Counter(words(text)) for text in texts]
        self._lengths = [sum(count.values()) for count in self._counts]
        self._mean = sum(self._lengths) / max(len(texts), 1)
        self._holding = Counter(word for count in self._counts for word in count)

    def best(self, question: str, most: int) -> list[int]:
        """The places of the `most` best texts, best first; of equal ones the first."""
        total = len(self._counts)
        asked = [word for word in dict.fromkeys(words(question)) if self._holding[word]]
        weight = {
            word: math.log(1 + (total - self._holding[word] + 0.5) / (self._holding[word] + 0.5)) for word in asked
        }
        scores = []
        for place, (count, length) in enumerate(zip(self._counts, self._lengths, strict=True)):
            norm = K1 * (1 - B + B * length / self._mean)
            score = sum(weight[word] * count[word] * (K1 + 1) / (count[word] + norm) for word in asked)
            scores.append((-score, place))
        return [place for _, place in sorted(scores)[:most]]


class NaiveBayes:
    """Two classes of texts, told apart by their words alone."""

    def __init__(self, positive: Iterable[str], negative: Iterable[str]) -> None:
        self._counts = [Counter(word for text in side for word in set(words(text))) for side in (positive, negative)]
        self._sizes = [sum(count.values()) for count in self._counts]
        self._known = len(self._counts[0] | self._counts[1])

    def score(self, text: str) -> float:
        """The logarithm of the odds that `text` is positive."""
        rows = zip(self._counts, self._sizes, strict=True)
        logs = [
            sum(math.log((count[word] + 1) / (size + self._known + 1)) for word in sorted(set(words(text))))
            for count, size in rows
        ]
        return logs[0] - logs[1]


def auc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """The share of pairs in which the positive one scores higher; a tie counts half."""
    pairs = [(one > other) + 0.5 * (one == other) for one in positive for other in negative]
    return sum(pairs) / len(pairs) if pairs else 0.5
