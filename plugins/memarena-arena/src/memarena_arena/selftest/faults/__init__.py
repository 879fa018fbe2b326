"""The planted faults, stage by stage, and their mixtures."""

from __future__ import annotations

from collections.abc import Mapping

from memarena_arena.selftest.fault import Fault
from memarena_arena.selftest.faults import maintaining, ranking, showing, using, writing

PLANTED: Mapping[str, Fault] = {
    **writing.FAULTS,
    **maintaining.FAULTS,
    **ranking.FAULTS,
    **showing.FAULTS,
    **using.FAULTS,
}
"""Every fault by its name, in the order of the stages."""

MIXTURES: tuple[tuple[str, ...], ...] = (
    ("dropped-turn", "empty-list"),
    ("dropped-turn", "abstains"),
    ("every-third", "decay"),
    ("value-lost", "stale-value"),
    ("deleted-next", "snippets"),
    ("archived-wrongly", "duplicates"),
    ("update-reverted", "made-up-value"),
    ("decay", "cut-by-tokens"),
    ("other-topic", "other-item"),
    ("one-item", "cut-by-items"),
    ("cut-by-tokens", "abstains"),
    ("dropped-turn", "decay", "other-topic", "cut-by-tokens", "made-up-value"),
)
"""Faults of several places in one memory."""

__all__ = ["MIXTURES", "PLANTED"]
