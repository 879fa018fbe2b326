"""What a call that changed something tells a person, in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from memarena_aha.vending.letters import dollars

__all__ = ["said"]


def said(tool: str, data: Mapping[str, Any]) -> str:
    """The sentence for what `tool` returned; raises KeyError for a tool whose result is shown as a table."""
    return _SENTENCES[tool](data)


def _verified(data: Mapping[str, Any]) -> str:
    if data["answer"] == "unknown":
        return "The registry does not know."
    if "holder" in data:
        return f"The registry: that account belongs to {data['holder']}."
    if "account" not in data:
        return "The registry: that account belongs to nobody."
    does = "is" if data["answer"] == "match" else "is not"
    return f"The registry: {data['account']} {does} the account of that supplier."


_SENTENCES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "service_slot": lambda data: f"{data['slot']} works again.",
    "call_technician": lambda data: f"The technician comes {data['comes']}.",
    "issue_refund": lambda data: f"{dollars(data['refunded'])} went back to the customer.",
    "reject_refund": lambda data: f"{data['rejected']} is rejected.",
    "verify_payee": _verified,
    "send_payment": lambda data: f"{dollars(data['paid'])} went to {data['to']}, for good.",
    "update_payee": lambda data: f"Orders at {data['supplier']} are paid to {data['account_on_file']} from now on.",
    "write_note": lambda data: "Noted.",
}
