"""Which sales a run lost, and why: the hidden demand against what could be sold."""

from __future__ import annotations

from memarena_aha.vending.demand import demand, expected, variety_factor
from memarena_aha.vending.rules import size_of
from memarena_aha.vending.state import Slot
from memarena_aha.vending.world import World

__all__ = ["CAUSES", "Losses"]

CAUSES = ("sold out", "jam", "breakdown", "too few or too many products", "bad name")


class Losses:
    """Units lost by cause, over the nights that were watched."""

    def __init__(self) -> None:
        self.units = dict.fromkeys(CAUSES, 0)
        self._causes: dict[str, str] = {}
        self._day = 0

    def before_night(self, world: World) -> None:
        """Note what will keep each product that is on offer from being sold, should more of it be wanted."""
        state = world.state
        self._day = state.day
        places: dict[str, list[tuple[str, Slot]]] = {}
        for name, slot in state.slots.items():
            if slot.sku in state.prices:
                places.setdefault(slot.sku, []).append((name, slot))
        broken = state.breakdown.kind if state.breakdown else ""
        self._causes = {sku: _cause(slots, broken) for sku, slots in places.items()}
        if broken == "power":
            stocked = [sku for sku, slots in places.items() if any(slot.units for _, slot in slots)]
            self.units["breakdown"] += sum(_wanted(world, sku, len(stocked)) for sku in stocked)

    def after_night(self, world: World) -> None:
        """Count what was wanted and not sold, and what was not wanted for want of choice or of a good name."""
        day = world.state.sales[self._day]
        for sku, wanted in day.wanted.items():
            self.units[self._causes[sku]] += wanted - day.sold[sku]
        wanted = sum(day.wanted.values())
        variety = variety_factor(day.kinds, world.hidden.best_variety)
        self.units["too few or too many products"] += round(wanted / variety) - wanted
        self.units["bad name"] += round(wanted * 1000 / world.state.reputation) - wanted


def _cause(slots: list[tuple[str, Slot]], broken: str) -> str:
    if broken == "power" or (broken and size_of(slots[0][0]) == "large"):
        return "breakdown"
    return "jam" if any(slot.jammed and slot.units for _, slot in slots) else "sold out"


def _wanted(world: World, sku: str, kinds: int) -> int:
    """What would have been wanted, had the machine worked."""
    hidden, state = world.hidden, world.state
    variety = variety_factor(kinds, hidden.best_variety)
    weather = hidden.weather[state.day]
    mean = expected(hidden.products[sku], state.prices[sku], state.day, weather, variety, state.reputation)
    return demand(mean, hidden.streams.uniform("dem", state.day, sku))
