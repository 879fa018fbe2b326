"""What happens, in words: a call as the agent made it, and what came of it, as a person would read both.

Only what the call returned is told; money that a tool counts in cents is told in dollars.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from memarena_aha.vending.letters import dollars
from memarena_aha.vending.world import Outcome

__all__ = ["tell_call", "tell_digest", "tell_outcome"]

_MONEY = frozenset(
    (
        "amount",
        "balance",
        "bank",
        "charged",
        "charged_on_delivery",
        "collected",
        "paid",
        "price",
        "refunded",
        "revenue",
        "uncollected_cash",
        "unit_price",
    )
)
_LONGEST_CALL = 1_000


def tell_call(tool: object, args: object) -> str:
    """E.g. `place_order quote_id="Q0003" units={"P03": 12}`; cut where it is absurdly long."""
    if not isinstance(tool, str):
        return "Said something that is no action."
    given = args if isinstance(args, Mapping) else {}
    words = [_printable(tool), *(f"{_printable(name)}={_json(value)}" for name, value in given.items())]
    return " ".join(words)[:_LONGEST_CALL]


def tell_outcome(tool: object, outcome: Outcome) -> str:
    """What the agent is told of a call."""
    if outcome.error:
        return f"Not done ({outcome.error}): {outcome.message}."
    teller = _TELLERS.get(tool) if isinstance(tool, str) else None
    return teller(outcome.data) if teller else _fields(outcome.data)


def tell_digest(digest: Mapping[str, Any]) -> str:
    """The morning in one paragraph; also of a run that has ended."""
    if "ended" in digest:
        return f"The run has ended: {digest['ended']}."
    parts = [
        f"Morning of day {digest['day']}, {digest['weekday']}, {digest['weather']}.",
        f"Sold {digest['sold_yesterday']} units for {dollars(digest['revenue_yesterday'])} yesterday.",
        f"Bank {dollars(digest['bank'])}.",
        f"New mail: {digest['new_mail']}.",
    ]
    claims = [
        f"{c['id']} (day {c['day']}, slot {c['slot']}, {c['sku']}, {dollars(c['amount'])})"
        for c in digest["complaints"]
    ]
    if claims:
        parts.append(f"Open complaints: {', '.join(claims)}.")
    if digest["notices"]:
        parts.append(f"Notices: {'; '.join(digest['notices'])}.")
    return " ".join(parts)


def _fields(data: Mapping[str, Any]) -> str:
    return "; ".join(f"{name.replace('_', ' ')}: {_value(name, value)}" for name, value in data.items()) + "."


def _value(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return dollars(value) if name in _MONEY else str(value)
    if isinstance(value, Mapping):
        inner = [f"{key} {_value('price' if name == 'prices' else '', entry)}" for key, entry in value.items()]
        return ", ".join(inner) or "nothing"
    if isinstance(value, list):
        return ", ".join(_value("", entry) for entry in value) or "none"
    return str(value)


def _rows(field: str, nothing: str) -> Callable[[Mapping[str, Any]], str]:
    """A line for each entry of a list."""

    def tell(data: Mapping[str, Any]) -> str:
        return "\n".join(_fields(row) for row in data[field]) or nothing

    return tell


def _mail(data: Mapping[str, Any]) -> str:
    return f"{data['id']}, day {data['day']}, from {data['from']}: {data['subject']}\n{data['body']}"


def _mails(data: Mapping[str, Any]) -> str:
    lines = [
        f"{mail['id']}, day {mail['day']}, from {mail['from']}: {mail['subject']}{'' if mail['read'] else ' (unread)'}"
        for mail in data["emails"]
    ]
    return "\n".join(lines) or "No mail."


def _machine(data: Mapping[str, Any]) -> str:
    lines = []
    for name, slot in data["slots"].items():
        price = "no price" if slot["price"] is None else dollars(slot["price"])
        goods = f"{slot['sku']} x {slot['units']} at {price}" if slot["sku"] else "nothing"
        state = "" if slot["status"] == "ok" else f", {slot['status']}"
        lines.append(f"{name} ({slot['size']}, holds {slot['capacity']}): {goods}{state}")
    return "\n".join([*lines, f"Uncollected cash: {dollars(data['uncollected_cash'])}."])


def _storage(data: Mapping[str, Any]) -> str:
    goods = [f"{row['units']} x {row['name']} ({sku}, {row['size']})" for sku, row in data["storage"].items()]
    return f"In storage: {', '.join(goods) or 'nothing'}."


def _sales(data: Mapping[str, Any]) -> str:
    lines = []
    for day in data["days"]:
        sold = [
            f"{sku} {row['units']} for {dollars(row['revenue'])}"
            + (f" (missing {row['stock_out_hours']} h)" if row["stock_out_hours"] else "")
            for sku, row in day["products"].items()
        ]
        lines.append(f"Day {day['day']}: {', '.join(sold) or 'nothing on sale'}.")
    return "\n".join(lines) or "No sales yet."


def _orders(data: Mapping[str, Any]) -> str:
    """A line an order; what was received is told where it is not what was ordered."""
    lines = []
    for row in data["orders"]:
        units = ", ".join(f"{count} {sku} at {dollars(row['prices'][sku])}" for sku, count in row["units"].items())
        line = f"{row['id']} from {row['supplier']}, day {row['day']}: {units}; {dollars(row['charged'])} paid"
        if row["charged_on_delivery"]:
            line += f", {dollars(row['charged_on_delivery'])} more on delivery"
        line += f"; promised for day {row['promised_day']}, {row['status']}"
        if row["received"] and row["received"] != row["units"]:
            line += f": only {', '.join(f'{count} {sku}' for sku, count in row['received'].items())}"
        lines.append(f"{line}.")
    return "\n".join(lines) or "No orders."


def _suppliers(data: Mapping[str, Any]) -> str:
    return "\n".join(f"{s['id']} {s['name']}, {s['address']}" for s in data["suppliers"]) or "Nobody was found."


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=True)
    except (TypeError, ValueError, RecursionError):
        return "(unreadable)"


def _printable(text: object) -> str:
    return str(text).encode("ascii", "backslashreplace").decode()[:40]


_TELLERS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "end_day": tell_digest,
    "quit": tell_digest,
    "get_ledger": _rows("entries", "No entries."),
    "list_emails": _mails,
    "read_email": _mail,
    "search_suppliers": _suppliers,
    "list_orders": _orders,
    "list_invoices": _rows("invoices", "No invoices."),
    "get_storage": _storage,
    "get_machine": _machine,
    "sales_report": _sales,
}
