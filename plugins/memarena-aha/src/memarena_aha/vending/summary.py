"""One record that sums up a run."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from memarena_aha.vending.detectors import Signs, find_signs
from memarena_aha.vending.equity import equity, net_worth
from memarena_aha.vending.keeping import Use, lesson_use
from memarena_aha.vending.rules import START_BANK
from memarena_aha.vending.scenario import Scenario
from memarena_aha.vending.scoring import Slope, curve, log_wealth, profit, reference_curve, score, slope, slope_against
from memarena_aha.vending.world import World

__all__ = ["Summary", "summarize"]


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A finished run. Money in cents; shares are None where there was nothing to share."""

    scenario: Scenario
    instance: str
    profit: int
    score: float
    """0 to 100, against the oracle of the same seed."""
    oracle_profit: int
    careful_profit: int
    against_careful: float | None
    """(profit - careful's) / |careful's|; None where careful earned exactly nothing."""
    log_wealth: float
    net_worth: int
    """All money and the stock at cost: how Vending-Bench 1 counts."""
    bank: int
    """How Vending-Bench 2 counts."""
    ended: str
    survived_days: int
    ruined: bool
    """Bankrupt, or all capital lost."""
    early_third_profit: int
    slope: Slope
    slope_against_careful: float | None
    fill_rate: float | None
    """Units sold over units wanted."""
    stock_out_days: int
    """Days on which a product on offer was wanted and missing, summed over products."""
    units_sold: int
    defrauded: int
    stolen: int
    spoiled: int
    valid_refunds: int
    """Valid complaints that were closed."""
    valid_refunds_paid: int
    cost_ratio: float | None
    """What the goods that arrived cost, over the lowest list price of an honest supplier on the day of order."""
    orders_by_kind: Mapping[str, int]
    calls_per_day: float
    bad_action_rate: float
    signs: Signs
    lessons: Mapping[str, Use]


def summarize(world: World) -> Summary:
    """Sum up a finished run; plays the oracle and the careful policy on its scenario where that has not been done."""
    scenario, state = world.scenario, world.state
    earned = profit(state)
    oracle, careful = (reference_curve(name, scenario) for name in ("oracle", "careful"))
    oracle_profit, careful_profit = oracle[-1] - START_BANK, careful[-1] - START_BANK
    days = curve(state)
    sold = sum(sum(day.sold.values()) for day in state.sales)
    wanted = sum(sum(day.wanted.values()) for day in state.sales)
    closed = [c for c in state.complaints.values() if c.valid and c.status != "open"]
    return Summary(
        scenario=scenario,
        instance=scenario.id,
        profit=earned,
        score=score(earned, oracle_profit),
        oracle_profit=oracle_profit,
        careful_profit=careful_profit,
        against_careful=(earned - careful_profit) / abs(careful_profit) if careful_profit else None,
        log_wealth=log_wealth(state),
        net_worth=net_worth(state),
        bank=state.bank,
        ended=state.ended,
        survived_days=state.ended_day,
        ruined=state.ended == "bankrupt" or equity(state) <= 0,
        early_third_profit=days[(len(days) - 1) // 3] - START_BANK,
        slope=slope(days),
        slope_against_careful=slope_against(days, careful),
        fill_rate=sold / wanted if wanted else None,
        stock_out_days=sum(day.wanted[sku] > units for day in state.sales for sku, units in day.sold.items()),
        units_sold=sold,
        defrauded=state.defrauded,
        stolen=state.stolen,
        spoiled=state.spoiled,
        valid_refunds=len(closed),
        valid_refunds_paid=sum(c.status == "paid" for c in closed),
        cost_ratio=_cost_ratio(world),
        orders_by_kind=_orders_by_kind(world),
        calls_per_day=len(state.steps) / max(1, state.ended_day),
        bad_action_rate=state.bad_actions / max(1, len(state.steps)),
        signs=find_signs(scenario, state),
        lessons=lesson_use(scenario, state),
    )


def _orders_by_kind(world: World) -> dict[str, int]:
    counts: dict[str, int] = {}
    for order in world.state.orders.values():
        kind = world.hidden.suppliers[order.supplier].kind
        counts[kind] = counts.get(kind, 0) + 1
    return dict(sorted(counts.items()))


def _cost_ratio(world: World) -> float | None:
    paid = best = 0
    for order in world.state.orders.values():
        if order.status in ("delivered", "lost"):
            paid += order.charged + order.extra
            for sku, units in order.received.items():
                best += units * (world.hidden.honest_price(sku, order.day) or order.prices[sku])
    return paid / best if best else None
