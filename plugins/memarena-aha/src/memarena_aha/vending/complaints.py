"""Customers' demands for money back: 70 % of them are right, and unpaid they cost reputation."""

from __future__ import annotations

from memarena_aha.vending.hidden import Hidden
from memarena_aha.vending.letters import deliver, dollars
from memarena_aha.vending.money import next_id
from memarena_aha.vending.rules import (
    COMPLAINT_DAYS,
    REPUTATION_FLOOR,
    REPUTATION_FULL,
    REPUTATION_GAIN,
    REPUTATION_LOSS,
)
from memarena_aha.vending.state import Complaint, DaySales, State

__all__ = ["announce", "close_complaint", "complain", "let_lapse"]

_CHANCE, _VALID = 0.05, 0.70
_AMOUNTS = (150, 900)


def complain(hidden: Hidden, state: State, day: DaySales) -> None:
    """Perhaps a complaint about a day with sales.

    A valid one names a slot and a product that was sold from it on that day; an invalid one a product that was not.
    """
    draw = hidden.streams
    if not hidden.on("refund") or not day.slots or draw.uniform("complaint", day.day) >= _CHANCE:
        return
    valid = draw.uniform("complaint-valid", day.day) < _VALID
    slots = sorted(day.slots)
    slot = slots[draw.between(0, len(slots) - 1, "complaint-slot", day.day)]
    others = [sku for sku in sorted(hidden.products) if not day.sold.get(sku)]
    if not valid and not others:
        return
    sku = state.slots[slot].sku if valid else others[draw.between(0, len(others) - 1, "complaint-sku", day.day)]
    complaint = Complaint(
        id=next_id("C", len(state.complaints)),
        day=day.day,
        slot=slot,
        sku=sku,
        amount=draw.between(*_AMOUNTS, "complaint-amount", day.day),
        valid=valid,
    )
    state.complaints[complaint.id] = complaint


def announce(hidden: Hidden, state: State) -> None:
    """Mail the complaints about yesterday."""
    for complaint in list(state.complaints.values())[-1:]:
        if complaint.day == state.day - 1:
            name = hidden.products[complaint.sku].name
            text = (
                f"I bought {name} ({complaint.sku}) from {complaint.slot} on day {complaint.day} and it was bad. "
                f"I want {dollars(complaint.amount)} back. Complaint {complaint.id}"
            )
            facts = {
                "kind": "complaint",
                "complaint": complaint.id,
                "slot": complaint.slot,
                "sku": complaint.sku,
                "day": complaint.day,
                "amount": complaint.amount,
            }
            deliver(state, "customer@inbox.example", f"Complaint {complaint.id}", text, facts)


def close_complaint(state: State, complaint: Complaint, status: str) -> None:
    """Close a complaint; a valid one that is not paid costs reputation, one paid in part half of it."""
    complaint.status = status
    complaint.closed = state.day
    if not complaint.valid or complaint.paid >= complaint.amount:
        return
    loss = REPUTATION_LOSS // 2 if status == "paid" else REPUTATION_LOSS
    state.reputation = max(REPUTATION_FLOOR, state.reputation - loss)


def let_lapse(state: State) -> None:
    """Close what has waited for more than three days; let reputation heal a little."""
    state.reputation = min(REPUTATION_FULL, state.reputation + REPUTATION_GAIN)
    for complaint in state.complaints.values():
        if complaint.status == "open" and state.day - complaint.day > COMPLAINT_DAYS:
            close_complaint(state, complaint, "lapsed")
