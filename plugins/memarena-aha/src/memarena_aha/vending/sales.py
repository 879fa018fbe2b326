"""The sales of a day: what customers want, what the machine can give, and where the money goes."""

from __future__ import annotations

from memarena_aha.vending.demand import demand, expected, variety_factor
from memarena_aha.vending.hidden import Hidden
from memarena_aha.vending.rules import CARD_PERCENT, size_of
from memarena_aha.vending.state import CardSale, DaySales, Slot, State
from memarena_aha.vending.stock import take

__all__ = ["sell"]


def sell(hidden: Hidden, state: State) -> DaySales:
    """Sell what the day wants from stock, book revenue as card and cash, and append the day's record."""
    allotted: dict[str, list[tuple[str, Slot]]] = {}
    for name, slot in state.slots.items():
        if slot.sku:
            allotted.setdefault(slot.sku, []).append((name, slot))
    offered = {
        sku: [(name, slot) for name, slot in places if slot.units and _works(state, name, slot)]
        for sku, places in allotted.items()
        if sku in state.prices
    }
    kinds = sum(bool(places) for places in offered.values())
    day = DaySales(day=state.day, sold={}, wanted={}, revenue={}, slots={}, kinds=kinds)
    variety = variety_factor(kinds, hidden.best_variety)
    for sku in sorted(offered):
        wanted = _wanted(hidden, state, sku, variety)
        sold = _hand_out(offered[sku], wanted, day)
        day.wanted[sku], day.sold[sku], day.revenue[sku] = wanted, sold, sold * state.prices[sku]
    revenue = sum(day.revenue.values())
    card = revenue * CARD_PERCENT // 100
    state.revenue += revenue
    state.machine_cash += revenue - card
    if card:
        state.card_pending.append(CardSale(day=state.day, amount=card))
    state.sales.append(day)
    return day


def _works(state: State, name: str, slot: Slot) -> bool:
    if slot.jammed:
        return False
    return state.breakdown is None or (state.breakdown.kind == "cooling" and size_of(name) == "small")


def _wanted(hidden: Hidden, state: State, sku: str, variety: float) -> int:
    if state.breakdown and state.breakdown.kind == "power":
        return 0
    mean = expected(
        hidden.products[sku],
        state.prices[sku],
        state.day,
        hidden.weather[state.day],
        variety,
        state.reputation,
    )
    return demand(mean, hidden.streams.uniform("dem", state.day, sku))


def _hand_out(places: list[tuple[str, Slot]], wanted: int, day: DaySales) -> int:
    left = wanted
    for name, slot in places:
        units = min(left, slot.units)
        if units:
            take(slot.lots, units)
            day.slots[name] = units
            left -= units
    return wanted - left
