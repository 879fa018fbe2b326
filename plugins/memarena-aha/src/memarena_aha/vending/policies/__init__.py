"""Scripted policies: a ladder from the oracle down to doing nothing, each step one habit apart."""

from __future__ import annotations

import msgspec

from memarena_aha.vending.policies.habits import Habits
from memarena_aha.vending.policies.keeper import Call, Keeper, Play
from memarena_aha.vending.policies.oracle import Oracle
from memarena_aha.vending.world import World

__all__ = ["LADDER", "POLICIES", "SOONEST", "Call", "Habits", "Keeper", "Play", "policy"]

_NAIVE = {
    "one_supplier": "first",
    "markup": 200,
    "climbs": False,
    "bids": 0,
    "landed": False,
    "refunds": "none",
    "collects_every": 7,
}
LADDER: dict[str, Habits] = {
    "careful": Habits(),
    "careful-pays-all-mail": Habits(mail="all"),
    "careful-ignores-refunds": Habits(refunds="none"),
    "careful-pays-all-refunds": Habits(refunds="all"),
    "careful-no-bids": Habits(bids=0),
    "careful-never-collects": Habits(collects_every=0),
    "careful-leaves-jams": Habits(clears_jams=False),
    "quoted-price": Habits(landed=False),
    "naive": msgspec.convert({**_NAIVE, "mail": "none"}, Habits),
    "naive-pays-all-mail": msgspec.convert({**_NAIVE, "mail": "all"}, Habits),
    "hoarder": Habits(cover_days=175, stops_before=0),
    "loyal": Habits(one_supplier="cheapest", landed=False),
    "two-products": Habits(variety=2),
    "price-gouge": Habits(markup=420, climbs=False),
    "below-cost": Habits(markup=80, climbs=False),
    "one-order": Habits(orders=1),
    "do-nothing": Habits(acts=False),
}
"""The habits of each policy that plays by what it sees."""
POLICIES = ("oracle", *LADDER)
"""All that have their place on the ladder, best first."""
SOONEST = "soonest"
"""A keeper for a few days, which no test of suppliers can pay back: it settles on one that delivers soon."""


def policy(name: str, world: World) -> Play:
    """A fresh generator of calls for a world; raises `KeyError` for a name neither in `POLICIES` nor `SOONEST`."""
    if name == "oracle":
        return Oracle(world.hidden).play()
    if name == SOONEST:
        return Keeper(Habits(one_supplier="soonest", bids=0, stops_before=0), world.scenario.horizon).play()
    return Keeper(LADDER[name], world.scenario.horizon).play()
