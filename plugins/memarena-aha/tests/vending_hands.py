"""Small worlds set up by hand, so that each rule can be seen alone."""

from __future__ import annotations

from typing import Any

from memarena_aha.vending import Scenario, World
from memarena_aha.vending.state import Lot, Order

ONE_UNIT_COST = 100


def calm_world(seed: int = 0, *, variant: str = "calm", horizon: int = 365) -> World:
    """A world without incidents, or with those of `variant`."""
    return World(Scenario(seed=seed, variant=variant, horizon=horizon))


def small_product(world: World) -> str:
    """The first small product."""
    return next(sku for sku, product in world.hidden.products.items() if product.size == "small")


def fill(world: World, slot: str, sku: str, units: int) -> None:
    """Put units into a slot, as if bought for $1 each, and sell them at the reference price."""
    world.state.slots[slot].sku = sku
    world.state.slots[slot].lots = [Lot(units=units, cost=ONE_UNIT_COST)]
    world.state.prices[sku] = world.hidden.products[sku].reference


def supplier_of(world: World, kind: str) -> str:
    """The id of the first supplier of a kind."""
    return next(s.id for s in world.hidden.suppliers.values() if s.kind == kind)


def quote_from(world: World, supplier: str) -> str:
    """Ask for a quote, wait for it, and return its id."""
    assert world.act("request_quote", {"supplier_id": supplier}).ok
    assert world.act("end_day").ok
    return list(world.state.quotes)[-1]


def order_from(world: World, supplier: str, units: int = 20) -> Order:
    """Order one product and return the order."""
    quote = world.state.quotes[quote_from(world, supplier)]
    sku = min(quote.prices)
    done = world.act("place_order", {"quote_id": quote.id, "units": {sku: units}})
    assert done.ok, done.message
    return world.state.orders[done.data["order_id"]]


def pass_days(world: World, days: int) -> None:
    """End the day so many times."""
    for _ in range(days):
        world.act("end_day")


def skip_to(world: World, day: int) -> None:
    """Go to a day at once; a unit in storage keeps the run from ending for want of orders."""
    world.state.day = day
    world.state.storage[small_product(world)] = [Lot(units=1, cost=ONE_UNIT_COST)]


def mails(world: World, kind: str) -> list[dict[str, Any]]:
    """The attachments of all mails of a kind."""
    return [mail.attachment for mail in world.state.inbox if mail.attachment.get("kind") == kind]
