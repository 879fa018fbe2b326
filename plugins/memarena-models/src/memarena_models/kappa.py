"""Cohen's kappa: agreement of two judges beyond what chance gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction


def cohen_kappa(pairs: Iterable[tuple[str, str]]) -> float | None:
    """Kappa of two judges' words on the same units (Cohen 1960): (observed - expected) / (1 - expected).

    1: they always agree; 0: as often as chance; None: no units, or both always say one and the same word, where
    chance alone gives full agreement.
    """
    counts = Counter(pairs)
    total = counts.total()
    if not total:
        return None
    first: Counter[str] = Counter()
    second: Counter[str] = Counter()
    for (one, other), number in counts.items():
        first[one] += number
        second[other] += number
    observed = Fraction(sum(number for (one, other), number in counts.items() if one == other), total)
    expected = Fraction(sum(number * second[word] for word, number in first.items()), total * total)
    return None if expected == 1 else float((observed - expected) / (1 - expected))
