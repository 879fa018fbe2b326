"""Shown items that follow each other within minutes, read as one dialogue: the reply may stand in the next item."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from memarena_arena.language.documents import Document, document
from memarena_arena.language.lines import said_at

PAUSE = timedelta(minutes=10)
"""Time between two items of one thread, at most."""


class Thread(NamedTuple):
    """Items read as one text."""

    text: Document
    items: tuple[int, ...]
    """The item of each line."""
    began: datetime
    """When its first turn was said; the beginning of all time where that is not told."""


def threads(items: Sequence[str]) -> list[Thread]:
    """The items, those that go on with another at its very end joined to it; in the order of their first item.

    Only records of turns with a time of day are joined, and only where each is later than the one before.
    """
    texts = [document(item) for item in items]
    spans = [_span(item) for item in items]
    timed = sorted((*span, place) for place, span in enumerate(spans) if span)
    runs: list[list[int]] = []
    ended: datetime | None = None
    for began, end, place in timed:
        if ended is not None and timedelta(0) < began - ended <= PAUSE:
            runs[-1].append(place)
        else:
            runs.append([place])
        ended = end
    whole = {place for run in runs for place in run}
    runs += [[place] for place in range(len(items)) if place not in whole]
    return [_thread(run, items, texts, spans[run[0]]) for run in sorted(runs, key=min)]


def _span(item: str) -> tuple[datetime, datetime] | None:
    """When the first and the last turn of an item were said."""
    times = [at for at in map(said_at, item.split("\n")) if at is not None]
    return (times[0], times[-1]) if times else None


def _thread(
    run: Sequence[int], items: Sequence[str], texts: Sequence[Document], span: tuple[datetime, datetime] | None
) -> Thread:
    whole = texts[run[0]] if len(run) == 1 else document("\n".join(items[place] for place in run))
    lines = tuple(place for place in run for _ in texts[place].lines)
    return Thread(whole, lines, span[0] if span else datetime.min)
