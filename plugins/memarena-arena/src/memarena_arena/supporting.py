"""Which of many texts support which of many points: the task `support` of the embedded judge.

Texts times points is a large product of which nearly nothing holds. So the points are first looked up by the keys of
a text: only those of which it may hold enough are read closely. The verdicts are those of `supports`, pair by pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memarena.judgements import NO_POINT
from memarena.records import JudgementRequest
from memarena_arena.language.lexicon import SETTLING
from memarena_arena.language.words import stems
from memarena_arena.readings import Reading, placed
from memarena_arena.support import Claim, Telling, claim, most_missing, supports, weight


def support_label(request: JudgementRequest) -> tuple[str, ...]:
    """A verdict an item: the places of the points that it supports.

    A point that only neighbouring turns support together is supported by each of them.
    """
    found: list[set[int]] = [set() for _ in request.items]
    pictured = _pictured(request)
    texts = _Points([_text_of(request, place) for place in range(len(request.points))])
    readings = placed(request.items)
    alone = [(run, reading) for run, reading in readings if not reading.together]
    for run, reading in alone:
        found[run[0]] |= texts.supported_by(reading)
    by_one = set().union(*found)
    for run, reading in readings[len(alone) :]:
        for point in texts.supported_by(reading) - by_one:
            for place in run:
                found[place].add(point)
    for place, image in enumerate(request.item_images):
        found[place] |= pictured.get(image, set())
    return tuple(" ".join(map(str, sorted(points))) or NO_POINT for points in found)


def _pictured(request: JudgementRequest) -> dict[str, set[int]]:
    """Picture id -> the points that the picture itself supports."""
    found: dict[str, set[int]] = {}
    for place, image in enumerate(request.point_images):
        if image:
            found.setdefault(image, set()).add(place)
    return found


def _text_of(request: JudgementRequest, place: int) -> str:
    """What a text must state to support a point: of a picture, its caption; "" where no text can."""
    if place < len(request.point_images) and request.point_images[place]:
        return request.point_captions[place] if place < len(request.point_captions) else ""
    return request.points[place]


class _Wanted(NamedTuple):
    claim: Claim
    needed: float
    """Weight of its keys that a text must hold, of those that count."""
    needed_together: float
    """The same in several turns that are read as one."""


class _Points:
    """Points, by their keys."""

    def __init__(self, points: Sequence[str]) -> None:
        self._wanted = [_wanted(claim(point)) for point in points]
        self._by_key: dict[str, list[tuple[int, float]]] = {}
        for place, wanted in enumerate(self._wanted):
            for key in _counting(wanted.claim):
                letters = tuple(key) if key in wanted.claim.pairs else (key,)
                for each in letters:
                    self._by_key.setdefault(each, []).append((place, weight((key,)) / len(letters)))

    def supported_by(self, reading: Reading) -> set[int]:
        """The places of the points that `reading` supports."""
        held = [0.0] * len(self._wanted)
        by_key = self._by_key
        for key in reading.text.keys & by_key.keys():
            for place, worth in by_key[key]:
                held[place] += worth
        return {
            place
            for place, wanted in enumerate(self._wanted)
            if held[place] >= (wanted.needed_together if reading.together else wanted.needed)
            and supports(Telling(wanted.claim), reading)
        }


def _wanted(needed: Claim) -> _Wanted:
    counting = weight(_counting(needed))
    rounding = 1e-9
    return _Wanted(
        needed,
        counting - most_missing(needed, together=False) - rounding,
        counting - most_missing(needed, together=True) - rounding,
    )


def _counting(needed: Claim) -> frozenset[str]:
    """The keys that a text may not leave out for nothing."""
    return needed.keys - stems(SETTLING) - needed.subject
