"""Items as texts to read: each alone, and neighbouring turns of a record together.

A fact of a dialogue is often spread over a question and its answer. Items that keep turns as they were said, with
their speakers, are therefore read a second time together with their neighbours of the same day. Items that state
facts are read alone: which of them stand side by side means nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memarena_arena.language.documents import Document, document

NEIGHBOURS = 3
"""Items that are read together, at most."""
TURNS = 4
"""Turns that are read together, at most."""

_NONE: frozenset[str] = frozenset()


class Reading(NamedTuple):
    """A text to read."""

    text: Document
    together: bool = False
    """It is made of several items."""
    context: frozenset[str] = _NONE
    """Keys of all turns of the same day, where it is made of several."""


def readings(items: Sequence[str], *, together: bool = True) -> list[Reading]:
    """Each item alone, then, where `together`, each run of neighbouring turns."""
    return [reading for _, reading in placed(items, together=together)]


def placed(items: Sequence[str], *, together: bool = True) -> list[tuple[range, Reading]]:
    """The same readings, each with the places of the items that it is made of."""
    texts = [document(item) for item in items]
    out = [(range(place, place + 1), Reading(text)) for place, text in enumerate(texts)]
    for day in _days(texts) if together else ():
        context = _NONE.union(*(texts[place].keys for place in day))
        for run in _runs(day, texts):
            whole = document("\n".join(items[place] for place in run))
            out.append((run, Reading(whole, True, context)))
    return out


def _days(texts: Sequence[Document]) -> list[range]:
    """The items that stand side by side, keep turns, and are of one day; a turn without a time goes with the last."""
    out: list[range] = []
    first, last = 0, None
    for place, text in enumerate(texts):
        day = next(filter(None, text.days), None)
        if not text.attributed or (day and last and day != last):
            out.append(range(first, place))
            first, last = place + (not text.attributed), day if text.attributed else None
        last = day or last
    return [*out, range(first, len(texts))]


def _runs(day: range, texts: Sequence[Document]) -> list[range]:
    out = []
    for first in day:
        end, turns = first, 0
        while end < day.stop and end - first < NEIGHBOURS:
            turns += len(set(texts[end].turns)) or 1
            if turns > TURNS:
                break
            end += 1
        if end - first > 1:
            out.append(range(first, end))
    return out
