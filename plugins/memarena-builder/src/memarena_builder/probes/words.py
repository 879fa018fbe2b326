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
        counts = [Counter(words(text)) for text in texts]
        lengths = [sum(count.values()) for count in counts]
        mean = sum(lengths) / max(len(texts), 1)
        self._norms = [K1 * (1 - B + B * length / mean) for length in lengths]
        self._holding: dict[str, list[tuple[int, int]]] = {}
        for place, count in enumerate(counts):
            for word, number in count.items():
                self._holding.setdefault(word, []).append((place, number))

    def best(self, question: str, most: int) -> list[int]:
        """The places of the `most` best texts, best first; of equal ones the first."""
        total = len(self._norms)
        scores = [0.0] * total
        for word in dict.fromkeys(words(question)):
            holding = self._holding.get(word, ())
            weight = math.log(1 + (total - len(holding) + 0.5) / (len(holding) + 0.5))
            for place, number in holding:
                scores[place] += weight * number * (K1 + 1) / (number + self._norms[place])
        return sorted(range(total), key=lambda place: (-scores[place], place))[:most]


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
