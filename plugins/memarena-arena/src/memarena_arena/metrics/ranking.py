"""Recall@k, NDCG@k and their kin for one question (paper, eq. 10-14).

Items stand in the order of their ranks; scores are never looked at, so among ties the order that the system gave is
kept. Items and evidence are records (`RetrievedItem`, `Evidence`) or mappings: an item has `memory_id`, `backend_id`,
`image_path`, `text` and may have `rank` (from 1), `image_id`, `turn_ids`; a point has `id`, `content` and may have
`turn_ids`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from memarena.records import Evidence, RetrievedItem
from memarena_arena.metrics import softmatch
from memarena_arena.metrics.variants import Variant, checked

Sources = Mapping[str, Sequence[str]] | Sequence[Sequence[str]]
"""The sessions that each item comes from: by rank as text ("1", ...), or in a sequence by place."""


class Matched(NamedTuple):
    """Which points each item of a ranked list matches, as one variant reads it."""

    hits: Sequence[int]
    """By place: the matched points as bits, bit 0 for the first point."""
    points: int
    """How many points there are."""
    variant: Variant

    def relevance(self) -> list[int]:
        """1 for each item that brings a point not yet taken, else 0; `release` takes all it matches (eq. 11)."""
        taken = 0
        found = []
        for bits in self.hits:
            fresh = bits & ~taken
            found.append(1 if fresh else 0)
            taken |= fresh if self.variant == "release" else fresh & -fresh
        return found

    def covered(self) -> list[int]:
        """How many points the first 0, 1, 2, ... items match."""
        together = 0
        found = [0]
        for bits in self.hits:
            together |= bits
            found.append(together.bit_count())
        return found

    def recall(self, k: int) -> float:
        """Points that one of the first `k` items matches / points; 0 without points (eq. 10)."""
        return self.covered()[: max(k, 0) + 1][-1] / self.points if self.points else 0.0

    def hit(self, k: int) -> bool:
        """Whether one of the first `k` items matches a point."""
        return any(self.hits[:k])

    def relevant(self, k: int) -> int:
        """How many of the first `k` items match a point."""
        return sum([1 for bits in self.hits[:k] if bits])

    def reciprocal_rank(self) -> float:
        """1 / rank of the first item that matches a point; 0 where none does."""
        return next((1 / rank for rank, bits in enumerate(self.hits, 1) if bits), 0.0)


def relevance(items: Iterable[Any], evidence: Iterable[Any], sources: Sources, variant: str = "paper") -> list[int]:
    """1 for each item that brings a point not yet taken, else 0. Raises UsageError for an unknown variant.

    In `strict` an item that stood earlier in the list (same memory id, same text) brings nothing.
    """
    return match(items, evidence, sources, variant).relevance()


def scores(
    items: Iterable[Any],
    evidence: Iterable[Any],
    sources: Sources,
    ks: Sequence[int] = (1, 5, 10),
    variant: str = "paper",
) -> dict[int, dict[str, float | None]]:
    """`recall` and `ndcg` for each k of `ks`, 0 to 1.

    Without evidence they are 0 in `paper` and `release`, and None in `strict`, which leaves such a question out.
    Raises UsageError for an unknown variant.
    """
    return scores_of(match(items, evidence, sources, variant), ks)


def scores_of(matched: Matched, ks: Sequence[int] = (1, 5, 10)) -> dict[int, dict[str, float | None]]:
    """As `scores`, from what is already matched."""
    if matched.variant == "strict" and not matched.points:
        return {k: {"recall": None, "ndcg": None} for k in ks}
    gains = matched.relevance()
    return {k: {"recall": matched.recall(k), "ndcg": ndcg(gains, matched.points, k, matched.variant)} for k in ks}


def match(items: Iterable[Any], evidence: Iterable[Any], sources: Sources, variant: str = "paper") -> Matched:
    """Compare every item with every point as `variant` reads it; raises UsageError for an unknown variant."""
    reading = checked(variant)
    return Comparison(items, evidence).read(reading, sources)


def ndcg(gains: Sequence[int], points: int, k: int, variant: str = "paper") -> float:
    """Discounted gain of the first `k` relevances / that of min(points, k) relevant items; 0 without points.

    Both use the discount of the variant: log2(rank + 1), in `release` 1 for the first and log2(rank) after it
    (eq. 12-14; released code).
    """
    if not points or 1 not in gains[:k]:
        return 0.0
    discounts, ideal = _discounts(k, variant == "release")
    gain = sum([discount for relevant, discount in zip(gains, discounts, strict=False) if relevant])
    return gain / ideal[min(points, k)]


class Comparison:
    """The items and the evidence of one question, compared once for all three variants."""

    __slots__ = ("_flags", "items", "points")

    def __init__(self, items: Iterable[Any], evidence: Iterable[Any]) -> None:
        self.items = _in_order([_item(item, place) for place, item in enumerate(items, 1)])
        self.points = [_point(point) for point in evidence]
        compare, points = softmatch.compare, [point.point for point in self.points]
        self._flags = [[compare(item.target, point) for point in points] for item in self.items]

    @property
    def sessions(self) -> set[str]:
        """The sessions, in lower case, that ids of points name."""
        return {point.point.session for point in self.points if point.point.session}

    def read(self, variant: Variant, sources: Sources = ()) -> Matched:
        """What `variant` accepts; `sources` are complete for it, and `strict` looks at turns in their place."""
        accepted = softmatch.ACCEPTED[variant]
        hits = [sum([1 << number for number, flags in enumerate(row) if flags & accepted]) for row in self._flags]
        if variant == "strict":
            self._add_turns(hits)
            self._drop_repeats(hits)
        elif sources:
            self._add_sessions(hits, sources)
        return Matched(hits, len(self.points), variant)

    def _add_sessions(self, hits: list[int], sources: Sources) -> None:
        named = [(1 << number, point.point.session) for number, point in enumerate(self.points) if point.point.session]
        if not named:
            return
        for place, origins in enumerate(self._origins(sources)):
            found = [session.lower() for session in origins]
            for bit, session in named:
                if session in found:
                    hits[place] |= bit

    def _origins(self, sources: Sources) -> list[Sequence[str]]:
        """The sessions of each item, in the order of the items."""
        if isinstance(sources, Mapping):
            return [sources.get(str(item.rank), ()) for item in self.items]
        return [sources[item.rank - 1] if 0 < item.rank <= len(sources) else () for item in self.items]

    def _add_turns(self, hits: list[int]) -> None:
        known = [(1 << number, point.turns) for number, point in enumerate(self.points) if point.turns]
        for place, item in enumerate(self.items if known else ()):
            for bit, turns in known:
                if any(turn in turns for turn in item.turns):
                    hits[place] |= bit

    def _drop_repeats(self, hits: list[int]) -> None:
        """An item that stands in the list for the second time, in all that it is matched by, brings nothing again."""
        seen: set[object] = set()
        for place, item in enumerate(self.items):
            if item.memory_id:
                key = (item.target.fields, item.target.text.joined, frozenset(item.turns))
                if key in seen:
                    hits[place] = 0
                seen.add(key)


class _Item(NamedTuple):
    rank: int
    memory_id: str
    target: softmatch.Target
    turns: Collection[str]


class _Point(NamedTuple):
    point: softmatch.Point
    turns: Collection[str]


def _item(item: Any, place: int) -> _Item:
    if isinstance(item, RetrievedItem):
        target = softmatch.target(item.memory_id, item.backend_id, item.image_path, item.image_id, item.text)
        return _Item(place, item.memory_id, target, item.turn_ids)
    names = [item.get(name) or "" for name in ("memory_id", "backend_id", "image_path", "image_id", "text")]
    return _Item(int(item.get("rank", place)), names[0], softmatch.target(*names), item.get("turn_ids") or ())


def _point(point: Any) -> _Point:
    if isinstance(point, Evidence):
        return _Point(softmatch.point(point.evidence_id, point.content or ""), point.turn_ids)
    return _Point(softmatch.point(point.get("id") or "", point.get("content") or ""), point.get("turn_ids") or ())


def _in_order(items: list[_Item]) -> list[_Item]:
    return sorted(items, key=lambda item: item.rank)


@lru_cache(maxsize=64)
def _discounts(k: int, release: bool) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The discounts of the first `k` ranks, and the sums of the first 0, 1, ... of them."""
    if release:
        discounts = tuple(1 / math.log2(max(rank, 2)) for rank in range(1, k + 1))
    else:
        discounts = tuple(1 / math.log2(rank + 1) for rank in range(1, k + 1))
    return discounts, tuple(sum(discounts[:count]) for count in range(k + 1))
