"""What may be asked, in the order in which it should be: by where its evidence stands."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import NamedTuple

from memarena_builder.questions.chosen import Chosen
from memarena_builder.questions.known import Draft, Known
from memarena_builder.questions.mix import pieces_of
from memarena_builder.questions.query import minimal


class Ranked(NamedTuple):
    """A question that may be asked."""

    off: float
    """How far its evidence is from the place that was drawn."""
    pieces: int
    """Of its evidence."""
    draft: Draft


def ranked(drafts: Iterable[Draft], known: Known, chosen: Chosen, rng: random.Random) -> list[Ranked]:
    """The drafts that were not asked yet and can be answered, that first whose evidence is nearest to a place that is
    drawn for its type."""
    places: dict[str, float] = {}
    found = []
    for draft in drafts:
        if chosen.has(draft):
            continue
        if draft.type not in places:
            places[draft.type] = chosen.place(draft.type, rng)
        evidence = minimal(draft.query, known.facts)
        if evidence:
            off = abs(known.position(evidence) - places[draft.type])
            found.append(Ranked(off, pieces_of(evidence), draft))
    return sorted(found, key=lambda each: each.off)
