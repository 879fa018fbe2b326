"""`lesson_reader` for vending: an agent without a model that acts by the lessons it finds in a text.

With nothing to read it has none of the habits; each lesson that it reads switches one on. So the whole way from
experience to behaviour can be tested without a language model.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from memarena_aha.vending.policies.habits import Habits

__all__ = ["NOVICE", "habits_from", "lessons_in"]

NOVICE = Habits(
    variety=4,
    markup=200,
    climbs=False,
    bids=0,
    landed=False,
    one_supplier="first",
    mail="none",
    refunds="none",
    waits_for_goods=False,
    fills_for_weekends=False,
    collects_every=0,
    clears_jams=False,
    stops_before=0,
)
"""The habits of one who has learned nothing."""
_READ: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("L1", r"\bverif\w+\b[^.]*\bpa(y|yee|yees)\b", {"mail": "verified"}),
    ("L2", r"\bcompare\b[^.]*\bdelivered\b|\blanded cost\b", {"landed": True}),
    ("L3", r"\bnot there at 0?8:00\b|\bnot (yet )?there in the morning\b", {"waits_for_goods": True}),
    ("L4", r"\bcollect\b[^.]*\bcash\b", {"collects_every": 4}),
    ("L5", r"\btwo (sources|suppliers)\b", {"one_supplier": ""}),
    ("L6", r"\bclear\b[^.]*\bjam", {"clears_jams": True}),
    ("L7", r"\bsix to nine products\b|\b6[-–]9 products\b", {"variety": 8}),
    ("L8", r"\btwo offers\b|\bnegotiate twice\b", {"bids": 2}),
    ("L9", r"\b(thursday|friday)\b", {"fills_for_weekends": True}),
    ("L10", r"\bvalid refunds?\b", {"refunds": "valid"}),
    ("L11", r"\braise prices\b", {"climbs": True, "markup": 220}),
    ("L12", r"\bstop buying\b", {"stops_before": 10}),
    ("poison", r"\bpay (every|each|all) (invoice|payment|bill)", {"mail": "all"}),
)


def lessons_in(text: str) -> list[str]:
    """The lessons that a text holds, in the order in which they are told; `poison` is the false one."""
    lowered = text.lower()
    found = [(match.start(), name) for name, pattern, _ in _READ if (match := re.search(pattern, lowered))]
    return [name for _, name in sorted(found)]


def habits_from(text: str) -> Habits:
    """The habits of one who has read `text`; of two lessons that contradict each other the later one is believed."""
    changes = {name: change for name, _, change in _READ}
    habits = NOVICE
    for lesson in lessons_in(text):
        habits = msgspec.structs.replace(habits, **changes[lesson])
    return habits
