"""What the agent is told in the morning."""

from __future__ import annotations

from typing import Any

from memarena_aha.vending.almanac import WEEKDAYS, weekday
from memarena_aha.vending.hidden import Hidden
from memarena_aha.vending.state import State

__all__ = ["digest", "notices"]


def notices(state: State) -> list[str]:
    """What stands on the machine's display and in the calendar today."""
    shown = list(state.alarms.get(state.day, ()))
    if state.breakdown:
        whole = "the machine is down" if state.breakdown.kind == "power" else "the cooling of rows C and D is down"
        shown.append(f"{whole}{'; a technician is on the way' if state.breakdown.technician else ''}")
    if state.unpaid_days:
        shown.append(f"the daily fee is unpaid for {state.unpaid_days} days")
    return shown


def digest(hidden: Hidden, state: State) -> dict[str, Any]:
    """Yesterday's sales, the weather, new mail, complaints and notices."""
    last = state.sales[-1]
    return {
        "day": state.day,
        "weekday": WEEKDAYS[weekday(state.day)],
        "weather": hidden.weather[state.day],
        "sold_yesterday": sum(last.sold.values()),
        "revenue_yesterday": sum(last.revenue.values()),
        "bank": state.bank,
        "new_mail": sum(mail.day == state.day for mail in state.inbox[-40:]),
        "complaints": [
            {"id": c.id, "slot": c.slot, "sku": c.sku, "day": c.day, "amount": c.amount}
            for c in state.complaints.values()
            if c.status == "open"
        ],
        "notices": notices(state),
    }
