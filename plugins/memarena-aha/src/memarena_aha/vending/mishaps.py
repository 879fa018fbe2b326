"""What the night does to the machine: jams, breakdowns, spoiled goods and theft."""

from __future__ import annotations

from memarena_aha.vending.hidden import Hidden
from memarena_aha.vending.money import debit
from memarena_aha.vending.rules import BREAKDOWN_FEE, SPOIL_AFTER, THEFT_ABOVE, THEFT_PER_DAY, size_of
from memarena_aha.vending.state import Breakdown, Jam, State

__all__ = ["happen", "repair"]

_JAM_PER_DAY = 0.004
_BREAKDOWN_PER_DAY = 3 / 365
_LONGEST = 3


def happen(hidden: Hidden, state: State) -> None:
    """Draw the mishaps of the night; they show the next morning."""
    draw, night = hidden.streams, state.day
    if hidden.on("jam"):
        for name, slot in state.slots.items():
            if slot.units and not slot.jammed and draw.uniform("jam", night, name) < _JAM_PER_DAY:
                slot.jammed = True
                state.jams.append(Jam(slot=name, day=night + 1))
    if hidden.on("breakdown") and state.breakdown is None and draw.uniform("break", night) < _BREAKDOWN_PER_DAY:
        state.breakdown = Breakdown(
            kind="power" if draw.uniform("break-kind", night) < 0.5 else "cooling",
            day=night + 1,
            until=night + 1 + draw.between(1, _LONGEST, "break-days", night),
        )
    if state.machine_cash > THEFT_ABOVE and draw.uniform("theft", night) < THEFT_PER_DAY:
        stolen = state.machine_cash // 2
        state.machine_cash -= stolen
        state.stolen += stolen


def repair(state: State) -> None:
    """In the morning: spoil what has been warm for two days; end what is repaired, for $80 without a technician."""
    broken = state.breakdown
    if broken is None:
        return
    if broken.kind == "cooling" and state.day - broken.day >= SPOIL_AFTER:
        for name, slot in state.slots.items():
            if size_of(name) == "large":
                state.spoiled += slot.units
                slot.lots.clear()
    if state.day >= broken.until:
        state.breakdown = None
        if not broken.technician:
            debit(state, BREAKDOWN_FEE, "repair", "Harbourside Estates")
