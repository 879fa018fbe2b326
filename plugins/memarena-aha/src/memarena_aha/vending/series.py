"""A run over its days, small enough to stand in a score: the equity of each day, and the incidents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from memarena_aha.vending.letters import dollars
from memarena_aha.vending.scoring import curve
from memarena_aha.vending.world import World

__all__ = ["Incident", "incidents", "read_curve", "read_incidents", "write_curve", "write_incidents"]


class Incident(NamedTuple):
    """Something that happened to the business."""

    day: int
    kind: str
    """One of `scenario.INCIDENTS`; `bankrupt`, `no_order`, ... where the run ended early."""
    what: str


def write_curve(world: World) -> str:
    """Equity in cents before the first day and after each night, separated by spaces."""
    return " ".join(map(str, curve(world.state)))


def read_curve(text: str) -> list[int]:
    """What `write_curve` wrote."""
    return [int(cents) for cents in text.split()]


def write_incidents(world: World) -> str:
    """The incidents as JSON: a list of [day, kind, what]."""
    return json.dumps(incidents(world), ensure_ascii=False, separators=(",", ":"))


def read_incidents(text: str) -> list[Incident]:
    """What `write_incidents` wrote."""
    return [Incident(*entry) for entry in json.loads(text)]


def incidents(world: World) -> list[Incident]:
    """All that the run met with, in the order of days."""
    found = [*_of_schedule(world), *_of_suppliers(world), *_of_machine(world), *_of_customers(world)]
    if world.state.ended not in ("", "horizon"):
        found.append(Incident(world.state.ended_day, world.state.ended, "the run ended early"))
    return sorted(found)


def _of_schedule(world: World) -> Iterator[Incident]:
    hidden, state = world.hidden, world.state
    paid: dict[str, int] = {}
    for entry in state.ledger:
        if entry.kind == "payment":
            paid[entry.party] = paid.get(entry.party, 0) - entry.amount
    for scam in hidden.scams:
        name = hidden.suppliers[scam.supplier].name
        lost = f"; paid {dollars(paid[scam.account])}" if scam.account in paid else ""
        yield Incident(scam.day, "phishing", f"{dollars(scam.amount)} in the name of {name}{lost}")
    for reminder in hidden.reminders:
        yield Incident(reminder.day, "dunning", dollars(reminder.amount) if reminder.amount else "a new account")
    if hidden.shock_starts is not None and hidden.shock_starts < world.scenario.horizon:
        yield Incident(hidden.shock_starts, "cost", "list prices 20 % up for 30 days")
    if hidden.on("weather"):
        for day, kind in enumerate(hidden.weather[: world.scenario.horizon]):
            if kind in ("heat", "storm") and (day == 0 or hidden.weather[day - 1] != kind):
                yield Incident(day, "weather", kind)


def _of_suppliers(world: World) -> Iterator[Incident]:
    hidden, state = world.hidden, world.state
    for supplier in hidden.suppliers.values():
        if supplier.closes is not None and supplier.closes < world.scenario.horizon:
            yield Incident(supplier.closes, "closure", supplier.name)
    for order in state.orders.values():
        name = hidden.suppliers[order.supplier].name
        if order.extra:
            yield Incident(order.due, "bait", f"{name} delivered short and charged {dollars(order.extra)} more")
        if order.due > order.promised:
            yield Incident(order.promised, "delay", f"{name}, {order.due - order.promised} days")
        if order.lost:
            yield Incident(order.promised, "delay", f"{name} lost {order.id}")


def _of_machine(world: World) -> Iterator[Incident]:
    state = world.state
    for jam in state.jams:
        cleared = f"cleared after {jam.cleared - jam.day} days" if jam.cleared >= 0 else "never cleared"
        yield Incident(jam.day, "jam", f"{jam.slot}, {cleared}")
    for entry in state.ledger:
        if entry.kind == "repair" or (entry.kind == "service" and entry.party == "technician"):
            yield Incident(entry.day, "breakdown", f"repaired for {dollars(-entry.amount)}")


def _of_customers(world: World) -> Iterator[Incident]:
    for complaint in world.state.complaints.values():
        right = "right" if complaint.valid else "wrong"
        yield Incident(complaint.day, "refund", f"{dollars(complaint.amount)}, {right}, {complaint.status}")
