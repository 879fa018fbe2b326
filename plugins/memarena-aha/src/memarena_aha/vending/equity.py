"""What the business is worth."""

from __future__ import annotations

from memarena_aha.vending.rules import LIQUIDATION_PERCENT
from memarena_aha.vending.state import State
from memarena_aha.vending.stock import inventory_cost

__all__ = ["equity", "net_worth"]


def equity(state: State) -> int:
    """Cents: all money and half of what the stock cost, less unpaid fees, open invoices and open valid refunds."""
    owed = state.unpaid_fees + sum(invoice.amount for invoice in state.invoices.values() if not invoice.paid)
    claims = sum(c.amount for c in state.complaints.values() if c.valid and c.status == "open")
    return _money(state) + inventory_cost(state) * LIQUIDATION_PERCENT // 100 - owed - claims


def net_worth(state: State) -> int:
    """Cents as Vending-Bench 1 counts: all money and the stock at what it cost."""
    return _money(state) + inventory_cost(state)


def _money(state: State) -> int:
    return state.bank + state.machine_cash + sum(sale.amount for sale in state.card_pending)
