"""The night, in its fixed order. Its steps are numbered as in the rules."""

from __future__ import annotations

from memarena_aha.vending.complaints import announce, complain, let_lapse
from memarena_aha.vending.deliveries import arrive, dispatch
from memarena_aha.vending.equity import equity
from memarena_aha.vending.hidden import Hidden
from memarena_aha.vending.mishaps import happen, repair
from memarena_aha.vending.money import pay, receive
from memarena_aha.vending.post import morning_mail
from memarena_aha.vending.rules import BANKRUPT_AFTER, DAY_END, DAY_START, FEE, LATE_FEE_AFTER, LATE_FEE_PERCENT
from memarena_aha.vending.sales import sell
from memarena_aha.vending.state import State

__all__ = ["pass_night"]


def pass_night(hidden: Hidden, state: State) -> None:
    """From the end of a day to the morning of the next."""
    state.minute = DAY_END
    arrive(hidden, state)
    day = sell(hidden, state)  # 1, 2
    happen(hidden, state)  # 3
    complain(hidden, state, day)  # 4
    state.day += 1  # 6: the answers of 5 are dated by the morning on which they are read
    state.minute = DAY_START
    let_lapse(state)
    morning_mail(hidden, state)  # 5
    announce(hidden, state)
    settled, state.card_pending = state.card_pending, []
    for sale in settled:  # 7
        receive(state, sale.amount, "card", "machine", f"day {sale.day}")
    dispatch(hidden, state)  # 8
    repair(state)
    _pay_fee(state)  # 9
    _raise_late_invoices(state)
    day.equity = equity(state)


def _pay_fee(state: State) -> None:
    if state.unpaid_days >= BANKRUPT_AFTER:
        return  # the contract has ended
    if pay(state, FEE, "fee", "Harbourside Estates"):
        state.unpaid_days = 0
    else:
        state.unpaid_days += 1
        state.unpaid_fees += FEE


def _raise_late_invoices(state: State) -> None:
    for invoice in state.invoices.values():
        if not invoice.paid and not invoice.raised and state.day - invoice.reminded >= LATE_FEE_AFTER:
            invoice.raised = True
            invoice.amount += invoice.amount * LATE_FEE_PERCENT // 100
