"""Several rankings -> one."""

from __future__ import annotations

from collections.abc import Sequence


def reciprocal_rank_fusion(rankings: Sequence[Sequence[int]], k: int) -> list[tuple[int, float]]:
    """Pairs (document, score), best first; among equals the document with the lower number comes first.

    The score is the sum of 1 / (k + rank) over the rankings that hold the document, ranks from 1 (Cormack, Clarke and
    Buettcher, SIGIR 2009, with k = 60).
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, document in enumerate(ranking, 1):
            scores[document] = scores.get(document, 0.0) + 1 / (k + rank)
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
