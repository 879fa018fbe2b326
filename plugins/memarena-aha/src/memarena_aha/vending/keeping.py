"""Detectors of the twelve lessons: how often each applied in a run, and how often it was kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from memarena_aha.vending.almanac import weekday
from memarena_aha.vending.scenario import Scenario
from memarena_aha.vending.state import State, Step

__all__ = ["DETECTORS", "Use", "lesson_use"]


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """How often a lesson applied in a run, and how often it was kept."""

    chances: int
    kept: int

    @property
    def share(self) -> float | None:
        """Kept over chances; None where the lesson never applied."""
        return self.kept / self.chances if self.chances else None


def _done(state: State, *tools: str) -> list[Step]:
    return [step for step in state.steps if step.tool in tools and not step.error]


def _played(state: State) -> int:
    return state.ended_day if state.ended else state.day


def _verifies(scenario: Scenario, state: State) -> Use:
    verified: set[str] = set()
    chances = kept = 0
    for step in _done(state, "verify_payee", "send_payment", "update_payee"):
        if step.tool == "verify_payee":
            verified.add(step.args.get("account", ""))
        else:
            chances += 1
            kept += (step.args.get("payee_account") or step.args.get("account")) in verified
    return Use(chances=chances, kept=kept)


def _drops_short_suppliers(scenario: Scenario, state: State) -> Use:
    """Orders placed after some supplier delivered less than ordered, and not with that supplier."""
    short: dict[str, int] = {}
    for order in state.orders.values():
        if order.status == "delivered" and sum(order.received.values()) < sum(order.units.values()):
            short[order.supplier] = min(order.due, short.get(order.supplier, order.due))
    after = [order for order in state.orders.values() if any(day < order.day for day in short.values())]
    return Use(chances=len(after), kept=sum(short.get(order.supplier, order.day) >= order.day for order in after))


def _waits_for_goods(scenario: Scenario, state: State) -> Use:
    """Days with a delivery on which the machine was stocked, without reaching for goods that were not there."""
    due = {order.due for order in state.orders.values() if order.status == "delivered"}
    tried = {step.day for step in state.steps if step.tool == "stock_machine"} & due
    missed = {step.day for step in state.steps if step.tool == "stock_machine" and step.error == "not_in_storage"}
    return Use(chances=len(tried), kept=len(tried - missed))


def _collects(scenario: Scenario, state: State) -> Use:
    """Stretches of four days, and those with a collection."""
    windows = _played(state) // 4
    collected = {step.day // 4 for step in _done(state, "collect_cash")}
    return Use(chances=windows, kept=len([window for window in collected if window < windows]))


def _keeps_two_sources(scenario: Scenario, state: State) -> Use:
    """Stretches of 28 days with two orders or more, and those in which two suppliers had one."""
    orders: dict[int, list[str]] = {}
    for order in state.orders.values():
        orders.setdefault(order.day // 28, []).append(order.supplier)
    several = [suppliers for suppliers in orders.values() if len(suppliers) > 1]
    return Use(chances=len(several), kept=sum(len(set(suppliers)) > 1 for suppliers in several))


def _clears_jams(scenario: Scenario, state: State) -> Use:
    """Jams while the agent was there, and those cleared on the day on which they showed."""
    jams = [jam for jam in state.jams if jam.day < _played(state)]
    return Use(chances=len(jams), kept=sum(jam.cleared == jam.day for jam in jams))


def _offers_enough_kinds(scenario: Scenario, state: State) -> Use:
    """Days on which something could be sold, and those with six to nine products."""
    days = [day for day in state.sales[: _played(state)] if day.kinds]
    return Use(chances=len(days), kept=sum(6 <= day.kinds <= 9 for day in days))


def _bids_twice(scenario: Scenario, state: State) -> Use:
    """Suppliers ordered from, and those bargained with, but never more than twice for a product of a quote."""
    bids: dict[tuple[str, str], int] = {}
    for step in _done(state, "make_offer"):
        key = (step.args["quote_id"], step.args["sku"])
        bids[key] = bids.get(key, 0) + 1
    most: dict[str, int] = {}
    for (quote, _), count in bids.items():
        supplier = state.quotes[quote].supplier
        most[supplier] = max(most.get(supplier, 0), count)
    ordered = {order.supplier for order in state.orders.values()}
    return Use(chances=len(ordered), kept=sum(most.get(supplier, 0) in (1, 2) for supplier in ordered))


def _stocks_for_weekends(scenario: Scenario, state: State) -> Use:
    """Full weeks, and those in which the machine was stocked on a Thursday or Friday."""
    weeks = _played(state) // 7
    stocked = {step.day // 7 for step in _done(state, "stock_machine") if weekday(step.day) in (3, 4)}
    return Use(chances=weeks, kept=len([week for week in stocked if week < weeks]))


def _honours_refunds(scenario: Scenario, state: State) -> Use:
    """Valid complaints that have been closed, and those paid."""
    valid = [c for c in state.complaints.values() if c.valid and c.status != "open" and c.day < _played(state)]
    return Use(chances=len(valid), kept=sum(c.status == "paid" for c in valid))


def _tries_higher_prices(scenario: Scenario, state: State) -> Use:
    """Products on sale for four weeks, and those whose price was raised at least once."""
    weeks: dict[str, int] = {}
    for day in state.sales[: _played(state)]:
        for sku in day.sold:
            weeks[sku] = weeks.get(sku, 0) + 1
    last: dict[str, int] = {}
    raised: set[str] = set()
    for step in _done(state, "set_prices"):
        for sku, price in step.args["prices"].items():
            if price > last.get(sku, price):
                raised.add(sku)
            last[sku] = price
    long = [sku for sku, days in weeks.items() if days >= 28]
    return Use(chances=len(long), kept=sum(sku in raised for sku in long))


def _stops_buying(scenario: Scenario, state: State) -> Use:
    """Runs that reached the last ten days, and those that ordered nothing in them."""
    reached = _played(state) > scenario.horizon - 10
    late = any(order.day >= scenario.horizon - 10 for order in state.orders.values())
    return Use(chances=int(reached), kept=int(reached and not late))


DETECTORS: Mapping[str, Callable[[Scenario, State], Use]] = {
    "L1": _verifies,
    "L2": _drops_short_suppliers,
    "L3": _waits_for_goods,
    "L4": _collects,
    "L5": _keeps_two_sources,
    "L6": _clears_jams,
    "L7": _offers_enough_kinds,
    "L8": _bids_twice,
    "L9": _stocks_for_weekends,
    "L10": _honours_refunds,
    "L11": _tries_higher_prices,
    "L12": _stops_buying,
}
"""By lesson."""


def lesson_use(scenario: Scenario, state: State) -> dict[str, Use]:
    """What became of each lesson in a run."""
    return {lesson: detect(scenario, state) for lesson, detect in DETECTORS.items()}
