"""Profit, the score against the oracle of the same seed, and how the profit of a run develops."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from memarena_aha.vending.equity import equity
from memarena_aha.vending.play import play_policy
from memarena_aha.vending.rules import START_BANK
from memarena_aha.vending.scenario import Scenario
from memarena_aha.vending.state import State

__all__ = ["Slope", "curve", "log_wealth", "profit", "reference_curve", "score", "slope", "slope_against"]


class Slope(msgspec.Struct, frozen=True, kw_only=True):
    """Profit a day, in cents, in the first and the last third of the calendar."""

    early: float
    late: float

    @property
    def change(self) -> float:
        """Late minus early."""
        return self.late - self.early


def profit(state: State) -> int:
    """Net profit in cents: equity less the $500 of the start."""
    return equity(state) - START_BANK


def curve(state: State) -> list[int]:
    """Equity in cents before the first day and after each night; it stands still once a run is bankrupt."""
    days = [START_BANK, *(day.equity for day in state.sales)]
    if state.ended == "bankrupt":
        days[state.ended_day :] = [days[state.ended_day]] * (len(days) - state.ended_day)
    return days


@lru_cache(maxsize=256)
def reference_curve(name: str, scenario: Scenario) -> tuple[int, ...]:
    """The curve of a scripted policy on a scenario; played once, then remembered."""
    return tuple(curve(play_policy(name, scenario).state))


def score(profit_cents: int, oracle_cents: int) -> float:
    """100 * clip((profit + $500) / (oracle's profit + $500), 0, 1): 0 when all capital is lost, 100 is the oracle."""
    best = oracle_cents + START_BANK
    return 100 * min(1.0, max(0.0, (profit_cents + START_BANK) / best)) if best > 0 else 0.0


def log_wealth(state: State) -> float:
    """The logarithm of equity over $500, which counts as at least 0.01."""
    return math.log(max(equity(state) / START_BANK, 0.01))


def slope(days: Sequence[int]) -> Slope:
    """Profit a day in fixed windows. Also a policy that never learns has a positive one: capital and season grow."""
    third = (len(days) - 1) // 3
    return Slope(early=(days[third] - days[0]) / third, late=(days[-1] - days[-1 - third]) / third)


def slope_against(days: Sequence[int], reference: Sequence[int]) -> float | None:
    """The change of the agent's share of the reference's profit, late minus early; 0: as the reference.

    None where the reference earned nothing in one of the two windows, so that there is no share.
    """
    own, other = slope(days), slope(reference)
    if other.early <= 0 or other.late <= 0:
        return None
    return own.late / other.late - own.early / other.early
