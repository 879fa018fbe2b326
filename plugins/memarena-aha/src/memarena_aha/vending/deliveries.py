"""Goods on their way: which arrive today, at what minute, and what is really in the boxes."""

from __future__ import annotations

from memarena_aha.vending.hidden import Hidden
from memarena_aha.vending.letters import deliver, dollars, goods
from memarena_aha.vending.money import debit
from memarena_aha.vending.rules import BAIT_EXTRA, BAIT_EXTRA_PERCENT
from memarena_aha.vending.state import Order, State
from memarena_aha.vending.stock import put

__all__ = ["arrive", "dispatch"]

_FROM, _TO = 8 * 60, 18 * 60
_GIVEN_UP_AFTER = 14
"""Days after the promised one at which an order that never came counts as lost."""


def dispatch(hidden: Hidden, state: State) -> None:
    """In the morning: give what is due today its minute; write off what will never come."""
    for order in state.orders.values():
        if order.status != "open":
            continue
        if hidden.closed(order.supplier, state.day) or state.day >= order.promised + _GIVEN_UP_AFTER:
            order.status = "lost"
        elif order.due <= state.day and not order.lost and not order.fraud:
            order.status = "arriving"
            order.arrives = hidden.streams.between(_FROM, _TO, "arrival", order.day, order.supplier)


def arrive(hidden: Hidden, state: State) -> None:
    """Put into storage what has arrived by now."""
    for order in state.orders.values():
        if order.status == "arriving" and order.arrives <= state.minute:
            _receive(hidden, state, order)


def _receive(hidden: Hidden, state: State, order: Order) -> None:
    supplier = hidden.suppliers[order.supplier]
    order.status = "delivered"
    order.received = dict(order.units)
    if supplier.kind == "bait_and_switch" and hidden.on("bait"):
        percent = hidden.streams.between(50, 75, "short", order.day, supplier.id)
        order.received = {sku: units * percent // 100 for sku, units in order.units.items()}
        extra = order.charged * BAIT_EXTRA_PERCENT // 100 + BAIT_EXTRA
        order.extra = debit(state, extra, "surcharge", supplier.name)
    for sku, units in order.received.items():
        put(state.storage.setdefault(sku, []), units, order.prices[sku])
    note = f"Delivered for {order.id}: {goods(order.received, hidden.products)}."
    if order.extra:
        note += f" Final invoice: {dollars(order.extra)} for handling."
    facts = {
        "kind": "delivery",
        "order": order.id,
        "supplier": supplier.id,
        "received": order.received,
        "extra": order.extra,
    }
    deliver(state, supplier.address, f"Delivery note {order.id}", note, facts)
