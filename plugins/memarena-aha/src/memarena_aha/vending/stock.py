"""Goods in storage and in slots: first in, first out, each unit with what it cost."""

from __future__ import annotations

from memarena_aha.vending.state import Lot, State

__all__ = ["inventory_cost", "put", "stored", "take"]


def put(lots: list[Lot], units: int, cost: int) -> None:
    """Add units behind the others; a lot of the same cost grows."""
    if units and lots and lots[-1].cost == cost:
        lots[-1].units += units
    elif units:
        lots.append(Lot(units=units, cost=cost))


def take(lots: list[Lot], units: int) -> list[Lot]:
    """Remove the oldest `units` units, which must be there, and return them."""
    taken: list[Lot] = []
    while units:
        first = lots[0]
        part = min(units, first.units)
        put(taken, part, first.cost)
        units -= part
        first.units -= part
        if not first.units:
            lots.pop(0)
    return taken


def stored(state: State, sku: str) -> int:
    """Units of a product in storage."""
    return sum(lot.units for lot in state.storage.get(sku, ()))


def inventory_cost(state: State) -> int:
    """Cents that everything in storage and machine cost."""
    places = [*state.storage.values(), *(slot.lots for slot in state.slots.values())]
    return sum(lot.units * lot.cost for lots in places for lot in lots)
