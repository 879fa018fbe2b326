"""The score of a finished run with all its figures, flat."""

from __future__ import annotations

from memarena_aha.parts import EpisodeScore
from memarena_aha.vending.scoring import curve
from memarena_aha.vending.series import write_curve, write_incidents
from memarena_aha.vending.summary import Summary, summarize
from memarena_aha.vending.trajectory import tell_trajectory
from memarena_aha.vending.world import World

__all__ = ["score_of"]

_FLAT = (
    "profit",
    "oracle_profit",
    "careful_profit",
    "against_careful",
    "log_wealth",
    "net_worth",
    "bank",
    "survived_days",
    "ruined",
    "early_third_profit",
    "slope_against_careful",
    "fill_rate",
    "stock_out_days",
    "units_sold",
    "defrauded",
    "stolen",
    "spoiled",
    "valid_refunds",
    "valid_refunds_paid",
    "cost_ratio",
    "calls_per_day",
    "bad_action_rate",
)
"""Fields of the summary that stand in the score under their own name; money in cents."""


def score_of(world: World, stale: str = "") -> EpisodeScore:
    """The score of a finished run. `stale`: a supplier that bears a name which was honest in an earlier run.

    `raw` has the fields of `_FLAT`, of the signs (as 0 and 1) and of the slope, orders by kind of supplier, the damage
    of the stale name, `trajectory` (a paragraph), `curve` and `incidents` (see `series`).
    """
    summary, state = summarize(world), world.state
    days = curve(state)
    third = (len(days) - 1) // 3
    raw: dict[str, float | int | str | None] = {name: _plain(getattr(summary, name)) for name in _FLAT}
    raw |= {
        "late_third_profit": days[-1] - days[-1 - third],
        "slope_early": summary.slope.early,
        "slope_late": summary.slope.late,
        "slope_change": summary.slope.change,
        "calls": len(state.steps),
        "bad_actions": state.bad_actions,
        **_signs(summary),
        **{f"orders_{kind}": count for kind, count in summary.orders_by_kind.items()},
        **_stale(world, stale),
        "failure": state.failure,
        "trajectory": tell_trajectory(summary),
        "curve": write_curve(world),
        "incidents": write_incidents(world),
    }
    used = {lesson: (use.kept, use.chances) for lesson, use in summary.lessons.items()}
    return EpisodeScore(score=summary.score, ended=state.ended, raw=raw, used=used)  # type: ignore[arg-type]


def _signs(summary: Summary) -> dict[str, float | int | str | None]:
    signs = summary.signs
    return {name: _plain(getattr(signs, name)) for name in signs.__struct_fields__}


def _stale(world: World, supplier_id: str) -> dict[str, float | int | str | None]:
    """What trust in an old name cost: orders placed there, and cents paid above its honest rivals' list prices."""
    if not supplier_id:
        return {}
    orders = overpaid = 0
    for order in world.state.orders.values():
        if order.supplier != supplier_id:
            continue
        orders += 1
        for sku, units in order.units.items():
            honest = world.hidden.honest_price(sku, order.day)
            overpaid += units * max(0, order.prices[sku] - honest) if honest is not None else 0
    return {"stale_orders": orders, "stale_overpaid": overpaid}


def _plain(value: object) -> float | int | str | None:
    if isinstance(value, bool):
        return int(value)
    return value if isinstance(value, float | int | str) else None
