"""How a run ends."""

from __future__ import annotations

from memarena_aha.vending.rules import BANKRUPT_AFTER, NO_ORDER_AFTER
from memarena_aha.vending.scenario import Scenario
from memarena_aha.vending.state import State

__all__ = ["MODES", "ending"]

MODES = (
    "horizon",
    "bankrupt",
    "no_order",
    "quit",
    "malformed",
    "crash",
    "timeout",
    "refusal",
    "message_cap",
    "env_error",
)
"""All of them; after each but `env_error` the days that are left are played without the agent."""


def ending(scenario: Scenario, state: State) -> str:
    """How the run ends this morning; empty where it goes on."""
    if state.unpaid_days >= BANKRUPT_AFTER:
        return "bankrupt"
    if state.day >= scenario.horizon:
        return "horizon"
    last = max((order.day for order in state.orders.values()), default=0)
    if state.day - last >= NO_ORDER_AFTER and _nothing_left(state):
        return "no_order"
    return ""


def _nothing_left(state: State) -> bool:
    return not (
        any(state.storage.values())
        or any(slot.lots for slot in state.slots.values())
        or any(order.status in ("open", "arriving") for order in state.orders.values())
    )
