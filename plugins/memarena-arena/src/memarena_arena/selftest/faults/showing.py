"""Faults of showing: what was retrieved is cut by a budget before the answerer sees it."""

from __future__ import annotations

from collections.abc import Mapping

from memarena.answering import ShowSettings
from memarena.records import Question
from memarena_arena.selftest.entries import Entry, Line
from memarena_arena.selftest.fault import Fault, Moment, by_name
from memarena_arena.selftest.faults.ranking import K

FEW = 3
"""Items that `cut-by-items` shows."""
TOKENS = 40
"""Tokens that `cut-by-tokens` and `first-shortened` show."""


def _evidence_last(listed: list[Entry], store: list[Entry], now: Moment, question: Question) -> list[Entry]:
    """What states evidence comes at the end of the first ten."""
    wanted = set(now.world.evidence(question))
    stated = [entry for entry in listed if not wanted.isdisjoint(entry.facts)]
    others = [entry for entry in listed if wanted.isdisjoint(entry.facts)]
    return [*others[: max(K - len(stated), 0)], *stated]


def _one_long_item(listed: list[Entry], store: list[Entry], now: Moment, question: Question) -> list[Entry]:
    """All in one item, the evidence at its end."""
    lines = tuple(line for entry in _evidence_last(listed, store, now, question) for line in entry.lines)
    return [Entry("all", lines, now.session)] if lines else []


def _bare_pictures(listed: list[Entry], store: list[Entry], now: Moment, question: Question) -> list[Entry]:
    """Pictures come without a caption."""
    return [
        entry
        if entry.picture is None
        else entry._replace(lines=(Line(f"image:\nimage_id: {entry.picture.image_id}"), *entry.lines[1:]))
        for entry in listed
    ]


FAULTS: Mapping[str, Fault] = by_name(
    Fault(
        "cut-by-items", "show", f"{FEW} items are shown, the evidence comes later.",
        rank=_evidence_last, show=ShowSettings(top_k=FEW),
    ),
    Fault(
        "cut-by-tokens", "show", f"{TOKENS} tokens are shown, the evidence comes later.",
        rank=_evidence_last, show=ShowSettings(budget_tokens=TOKENS),
    ),
    Fault(
        "first-shortened", "show", f"One long item is shortened to {TOKENS} tokens, the evidence is at its end.",
        rank=_one_long_item, show=ShowSettings(budget_tokens=TOKENS),
    ),
    Fault(
        "pictures-cut", "show", "Pictures without captions are not handed over.",
        rank=_bare_pictures, show=ShowSettings(max_pictures=0),
    ),
)  # fmt: skip
"""By name."""
