"""Experience of another trade, of about the length of a practice: the desk of a lending library.

It has the form of a vending run (a call, a reply, a morning's digest, a report) and teaches nothing about one.
"""

from __future__ import annotations

from functools import lru_cache

from memarena_aha.keyed import Streams
from memarena_aha.parts import Said

__all__ = ["library_log"]

_TITLES = ("The Salt Road", "Quiet Rivers", "A Map of Moss", "Nine Lanterns", "The Glass Orchard", "Winter Ferry")
_READERS = ("Ines", "Tomas", "Wilma", "Ravi", "Oda", "Bela", "Samir", "Greta")
_CALLS = ("lend_book", "return_book", "renew_book", "find_shelf", "write_card", "mend_spine")
_REPLIES = (
    "Done. The book is due again in three weeks.",
    "The card is up to date; nothing is overdue.",
    "It stands in the reading room, third shelf from the left.",
    "Another reader waits for it, so it cannot be renewed.",
    "The spine holds again after a night under the press.",
)
_CALLS_A_DAY = 6
_REPORT = (
    "The desk was open to the last evening. Readers who were told the date by word of mouth came back later than those "
    "who had it stamped. What this desk teaches: stamp the date, shelve before noon, and mend a spine while it is "
    "loose, not when it has come off."
)


@lru_cache(maxsize=16)
def library_log(days: int, parts: int) -> tuple[Said, ...]:
    """`parts` logs of so many days each."""
    return tuple(said for part in range(parts) for said in _log(Streams(f"library|{part}"), days))


def _log(draw: Streams, days: int) -> list[Said]:
    said: list[Said] = []
    for day in range(days):
        for call in range(_CALLS_A_DAY):
            name = _CALLS[draw.between(0, len(_CALLS) - 1, "call", day, call)]
            title = _TITLES[draw.between(0, len(_TITLES) - 1, "title", day, call)]
            reader = _READERS[draw.between(0, len(_READERS) - 1, "reader", day, call)]
            reply = _REPLIES[draw.between(0, len(_REPLIES) - 1, "reply", day, call)]
            said.append(Said(role="agent", text=f'[day {day}] {name} title="{title}" reader="{reader}"'))
            said.append(Said(role="environment", text=f"{title}, {reader}: {reply}"))
        lent = draw.between(10, 60, "lent", day)
        said.append(Said(role="agent", text=f"[day {day}] close_desk"))
        said.append(Said(role="environment", text=f"Morning of day {day + 1}. Lent {lent} books yesterday."))
    said.append(Said(role="teacher", text=_REPORT))
    return said
