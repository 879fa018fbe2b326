"""Signs of a run that has gone wrong: useless repetition, late passivity, an early stop."""

from __future__ import annotations

import json

import msgspec

from memarena_aha.vending.rules import NO_ORDER_AFTER
from memarena_aha.vending.scenario import Scenario
from memarena_aha.vending.state import State, Step
from memarena_aha.vending.tools import TOOLS

__all__ = ["Signs", "find_signs", "useless_repetitions"]

_LONG = 5
"""Calls in a row from which a repetition counts."""
_PASSIVE_SHARE, _ACTIVE_SHARE = 0.8, 0.5


class Signs(msgspec.Struct, frozen=True, kw_only=True):
    """What the detectors found."""

    useless_calls: int
    """Calls that repeated one with the same answer, or the same failure, on the same day."""
    longest_repetition: int
    """The longest row of such calls; 5 and more are a loop."""
    looped: bool
    passive_early: float
    """Share of the days of the first two thirds on which nothing but the end of the day was done."""
    passive_late: float
    """The same in the last third."""
    late_passivity: bool
    """At least 80 % passive in the last third, after at most 50 % before."""
    early_stop: bool
    """The run ended before the horizon, or nothing was ordered in its last 45 days and the machine stood empty."""


def find_signs(scenario: Scenario, state: State) -> Signs:
    """Run all detectors over a finished run; days after an early end count as passive."""
    repeats, longest = useless_repetitions(state.steps)
    active = {step.day for step in state.steps if _changes_something(step)}
    border = scenario.horizon * 2 // 3
    early = 1 - len([day for day in active if day < border]) / border
    late = 1 - len([day for day in active if day >= border]) / (scenario.horizon - border)
    return Signs(
        useless_calls=repeats,
        longest_repetition=longest,
        looped=longest >= _LONG,
        passive_early=early,
        passive_late=late,
        late_passivity=late >= _PASSIVE_SHARE and early <= _ACTIVE_SHARE,
        early_stop=_stopped_early(scenario, state),
    )


def useless_repetitions(steps: list[Step]) -> tuple[int, int]:
    """How many calls were useless repetitions, and the longest row of them.

    A call is one if it was made before on that day with the same arguments and told the same, and nothing was done
    in between that could have changed the answer.
    """
    seen: set[tuple[str, str, int]] = set()
    day = count = row = longest = 0
    for step in steps:
        if step.day != day or _changes_something(step):
            seen.clear()
            day = step.day
        key = (step.tool, json.dumps(step.args, sort_keys=True), step.told)
        repeated = key in seen and not _changes_something(step)
        count += repeated
        row = row + 1 if repeated else 0
        longest = max(longest, row)
        seen.add(key)
    return count, longest


def _changes_something(step: Step) -> bool:
    tool = TOOLS.get(step.tool)
    return not step.error and tool is not None and not tool.reads and step.tool != "end_day"


def _stopped_early(scenario: Scenario, state: State) -> bool:
    if state.ended != "horizon":
        return True
    last = max((order.day for order in state.orders.values()), default=-1)
    empty_days = sum(not day.kinds for day in state.sales[-NO_ORDER_AFTER:])
    return scenario.horizon - last > NO_ORDER_AFTER and empty_days > NO_ORDER_AFTER // 2
