"""How a system carried out an update (paper, figure 4b)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memarena.records import GoldPoint, MemoryChange
from memarena_arena.scorers.facts import Holding, Support
from memarena_arena.scorers.kept import WRITES

FORMS: Mapping[str, str] = {
    "appended": "Updates written beside what they replace",
    "revised": "Updates written into an item that was there",
    "replaced": "Updates written anew, what they replace no longer active",
    "merged": "Updates merged with other items into one",
    "nothing": "Updates that their session did not write",
}


def form_of(
    point: GoldPoint, changes: Sequence[MemoryChange], support: Support, before: Holding | None, after: Holding
) -> str:
    """The form in which the session that tells `point` wrote it; `before` and `after`: what was known around it."""
    place = support.facts.place(point.content)
    ops = {
        change.op
        for change in changes
        if change.op in WRITES and place in (support.of_change(change.text) or frozenset())
    }
    if not ops:
        return "nothing"
    if "merge" in ops:
        return "merged"
    if "update" in ops:
        return "revised"
    olds = {support.facts.place(old) for old in point.replaces}
    held = olds & before.active if before else set()
    return "replaced" if held and held.isdisjoint(after.active) else "appended"
