"""What a scripted shopkeeper does and leaves: each habit can be switched, the rest stays the same."""

from __future__ import annotations

import msgspec

__all__ = ["Habits"]


class Habits(msgspec.Struct, frozen=True, kw_only=True):
    """The habits of `Keeper`; the defaults are those of the careful one."""

    variety: int = 8
    """Products on offer."""
    markup: int = 220
    """First price, in percent of the median quote, or of the own supplier's where there is but one."""
    climbs: bool = True
    """Moves prices every two weeks in the direction that earns more."""
    bids: int = 2
    """Offers for a product of a quote."""
    landed: bool = True
    """Counts what arrived and what was charged; otherwise the quote is believed."""
    one_supplier: str = ""
    """`first`: the first found that is still there; `cheapest`: that with the lowest quotes at the start, for good;
    `soonest`: that of middling quotes which delivers first, for good."""
    mail: str = "verified"
    """Payment mails: `verified` ones are paid, `all`, or `none`."""
    refunds: str = "valid"
    """Complaints: `valid` ones are paid, `all`, or `none`."""
    waits_for_goods: bool = True
    """Fills from what storage shows; otherwise also from what was promised for today, as if it were there."""
    fills_for_weekends: bool = True
    """Otherwise the machine is not filled on Thursdays and Fridays."""
    collects_every: int = 4
    """Days between collections; 0: never."""
    clears_jams: bool = True
    reserve_days: int = 10
    """Days of sales beyond the lead time at which a product is ordered again."""
    cover_days: int = 28
    """Days of sales to have beyond the lead time after an order."""
    stops_before: int = 10
    """Days before the end from which nothing is ordered; 0: the end is not thought of."""
    orders: int = 10_000
    """Rounds of ordering, then none."""
    acts: bool = True
    """Otherwise each day is only ended."""
