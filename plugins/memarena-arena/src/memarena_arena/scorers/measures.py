"""The ranking scores of one list as numerators and denominators, by name of the metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from memarena.meter import estimate_tokens
from memarena.records import QuestionRecord, RetrievedItem
from memarena_arena.metrics.ranking import Comparison, Matched, ndcg
from memarena_arena.metrics.units import Ratio

KS = (1, 5, 10)
BUDGETS = (256, 1024, 4096)
"""Tokens within which Recall is also taken."""

_AT_K = tuple((k, f"recall@{k}", f"ndcg@{k}", f"hit@{k}") for k in KS)
_WITHIN = tuple(f"recall@{budget}t" for budget in BUDGETS)


def measures(readings: Sequence[Matched], record: QuestionRecord) -> list[Mapping[str, Ratio]]:
    """For each reading of the list: Recall, NDCG and Hit at each k, MRR, Precision@10, Recall within each budget.

    Precision divides by the places asked for, at most 10; an item counts within a budget where it fits in it whole.
    """
    places = min(10, max(record.top_k, 1))
    items = record.retrieval.items if any(any(matched.hits) for matched in readings) else ()
    fitting = _fitting(items)
    return [
        _hits(matched, places, fitting) if any(matched.hits) else _misses(matched.points, places)
        for matched in readings
    ]


def _hits(matched: Matched, places: int, fitting: Sequence[int]) -> Mapping[str, Ratio]:
    points = float(matched.points)
    gains = matched.relevance()
    covered = matched.covered()
    found: dict[str, Ratio] = {}
    for k, recall, gain, hit in _AT_K:
        found[recall] = Ratio(float(covered[min(k, len(covered) - 1)]), points)
        found[gain] = Ratio(ndcg(gains, matched.points, k, matched.variant), 1.0)
        found[hit] = Ratio(float(matched.hit(k)), 1.0)
    found["mrr"] = Ratio(matched.reciprocal_rank(), 1.0)
    found["precision@10"] = Ratio(float(matched.relevant(places)), float(places))
    for recall, fit in zip(_WITHIN, fitting, strict=True):
        found[recall] = Ratio(float(covered[fit]), points)
    return found


@lru_cache(maxsize=256)
def _misses(points: int, places: int) -> Mapping[str, Ratio]:
    """The measures of a list in which nothing matches."""
    nothing = Ratio(0.0, float(points))
    found: dict[str, Ratio] = {}
    for _, recall, gain, hit in _AT_K:
        found |= {recall: nothing, gain: Ratio(0.0, 1.0), hit: Ratio(0.0, 1.0)}
    return found | {"mrr": Ratio(0.0, 1.0), "precision@10": Ratio(0.0, float(places))} | dict.fromkeys(_WITHIN, nothing)


def _fitting(items: Sequence[RetrievedItem]) -> list[int]:
    """For each budget, how many of the first items fit in it whole."""
    fitting = [0] * len(BUDGETS)
    total = 0
    for place, item in enumerate(items, 1):
        total += _tokens(item.text)
        for number, budget in enumerate(BUDGETS):
            if total <= budget:
                fitting[number] = place
    return fitting


_tokens = lru_cache(maxsize=4096)(estimate_tokens)


def release_sources(record: QuestionRecord, comparison: Comparison) -> list[list[str]]:
    """Where items come from in the released code: the latest session whose snapshot holds the item, and the session
    of every picture of the sample whose id is a substring of the text; sessions that no evidence names are left out."""
    wanted = comparison.sessions
    if not wanted:
        return []
    pictures = [(image_id.lower(), session) for image_id, session in record.images.items() if session.lower() in wanted]
    sources = []
    for place, item in enumerate(comparison.items):
        text = item.target.text.lower
        found = [session for image_id, session in pictures if image_id in text]
        held = record.held_in[place] if place < len(record.held_in) else None
        sources.append([*found, held] if held else found)
    return sources
