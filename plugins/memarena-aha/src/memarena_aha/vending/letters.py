"""Mails to the agent: the text says what the attachment holds in fields, nothing more and nothing less."""

from __future__ import annotations

from typing import Any

from memarena_aha.vending.money import next_id
from memarena_aha.vending.products import Product
from memarena_aha.vending.state import Mail, State

__all__ = ["SITE", "deliver", "dollars", "goods"]

SITE = "accounts@harbourside-estates.example"
"""The address of the owner of the site."""


def deliver(state: State, sender: str, subject: str, body: str, attachment: dict[str, Any] | None = None) -> Mail:
    """Put a mail into the inbox, dated today."""
    mail = Mail(
        id=next_id("M", len(state.inbox)),
        day=state.day,
        sender=sender,
        subject=subject,
        body=body,
        attachment=attachment or {},
    )
    state.inbox.append(mail)
    return mail


def dollars(cents: int) -> str:
    """E.g. `$12.05`."""
    return f"{'-' if cents < 0 else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02}"


def goods(units: dict[str, int], products: dict[str, Product]) -> str:
    """E.g. `12 x Salt Twists (P03), 8 x Noodle Bowl (P11)`."""
    return ", ".join(f"{count} x {products[sku].name} ({sku})" for sku, count in units.items()) or "nothing"
