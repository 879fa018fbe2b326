"""Tools for storage and machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memarena_aha.vending.arguments import Argument
from memarena_aha.vending.letters import dollars
from memarena_aha.vending.money import pay, receive
from memarena_aha.vending.refusal import Refused
from memarena_aha.vending.rules import (
    DAY_END,
    DAY_START,
    JAM_FEE,
    PRICE_RANGE,
    SLOTS,
    TECHNICIAN_FEE,
    capacity,
    size_of,
)
from memarena_aha.vending.stock import put, stored, take
from memarena_aha.vending.tools.tool import Tool

if TYPE_CHECKING:
    from memarena_aha.vending.world import World

__all__ = ["MACHINE"]


def _get_storage(world: World, args: dict[str, Any]) -> dict[str, Any]:
    products = world.hidden.products
    return {
        "storage": {
            sku: {"name": products[sku].name, "size": products[sku].size, "units": stored(world.state, sku)}
            for sku, lots in world.state.storage.items()
            if lots
        }
    }


def _get_machine(world: World, args: dict[str, Any]) -> dict[str, Any]:
    state = world.state
    return {
        "slots": {
            name: {
                "size": size_of(name),
                "capacity": capacity(name),
                "sku": slot.sku,
                "units": slot.units,
                "price": state.prices.get(slot.sku),
                "status": "jammed" if slot.jammed else "ok",
            }
            for name, slot in state.slots.items()
        },
        "uncollected_cash": state.machine_cash,
    }


def _stock_machine(world: World, args: dict[str, Any]) -> dict[str, Any]:
    moves: dict[str, tuple[str, int]] = args["slots"]
    _check_moves(world, moves)
    state = world.state
    for slot_name, (sku, units) in moves.items():
        slot = state.slots[slot_name]
        source = state.storage[sku] if sku else slot.lots
        target = slot.lots if sku else state.storage.setdefault(slot.sku, [])
        for lot in take(source, units):
            put(target, lot.units, lot.cost)
        slot.sku = sku or slot.sku
    return {"units": {name: state.slots[name].units for name in moves}}


def _check_moves(world: World, moves: dict[str, tuple[str, int]]) -> None:
    """All or nothing: a visit is refused as a whole; what it takes out cannot be put back in by the same visit."""
    state, needed = world.state, dict[str, int]()
    for slot_name, (sku, units) in moves.items():
        slot = state.slots[slot_name]
        if not sku:
            if units > slot.units:
                raise Refused("over_capacity", f"{slot_name} holds {slot.units}, not {units}")
            continue
        needed[sku] = needed.get(sku, 0) + units
        if needed[sku] > stored(state, sku):
            raise Refused("not_in_storage", f"storage holds {stored(state, sku)} of {sku}")
        if world.hidden.products[sku].size != size_of(slot_name):
            raise Refused("wrong_size", f"{sku} does not fit into {slot_name}, a {size_of(slot_name)} slot")
        if slot.units and slot.sku != sku:
            raise Refused("slot_holds_other", f"{slot_name} holds {slot.sku}; take it out first")
        if slot.units + units > capacity(slot_name):
            raise Refused("over_capacity", f"{slot_name} has room for {capacity(slot_name) - slot.units}")


def _set_prices(world: World, args: dict[str, Any]) -> dict[str, Any]:
    unknown = [sku for sku in args["prices"] if sku not in world.hidden.products]
    if unknown:
        raise Refused("unknown_sku", f"there is no product {unknown[0]}")
    world.state.prices.update(args["prices"])
    return {"prices": args["prices"]}


def _collect_cash(world: World, args: dict[str, Any]) -> dict[str, Any]:
    state = world.state
    amount, state.machine_cash = state.machine_cash, 0
    receive(state, amount, "cash", "machine")
    return {"collected": amount}


def _service_slot(world: World, args: dict[str, Any]) -> dict[str, Any]:
    state, slot = world.state, world.state.slots.get(args["slot"])
    if slot is None:
        raise Refused("bad_args", f"there is no such slot; slots are {SLOTS[0]} to {SLOTS[-1]}")
    if not slot.jammed:
        raise Refused("not_jammed", f"{args['slot']} is not jammed")
    if not pay(state, JAM_FEE, "service", "service", args["slot"]):
        raise Refused("insufficient_funds", f"clearing a jam costs {dollars(JAM_FEE)}")
    slot.jammed = False
    for jam in state.jams:
        if jam.slot == args["slot"] and jam.cleared < 0:
            jam.cleared = state.day
    return {"slot": args["slot"], "status": "ok"}


def _call_technician(world: World, args: dict[str, Any]) -> dict[str, Any]:
    state = world.state
    if state.breakdown is None:
        raise Refused("not_broken", "the machine works")
    if state.breakdown.technician:
        raise Refused("already_called", "a technician is on the way")
    if not pay(state, TECHNICIAN_FEE, "service", "technician"):
        raise Refused("insufficient_funds", f"the technician costs {dollars(TECHNICIAN_FEE)}")
    state.breakdown.technician = True
    state.breakdown.until = state.day + 1
    return {"comes": "tomorrow morning"}


def _sales_report(world: World, args: dict[str, Any]) -> dict[str, Any]:
    return {
        "days": [
            {
                "day": day.day,
                "products": {
                    sku: {
                        "units": units,
                        "revenue": day.revenue[sku],
                        "stock_out_hours": _out_hours(units, day.wanted[sku]),
                    }
                    for sku, units in day.sold.items()
                },
            }
            for day in world.state.sales[-args["days"] :]
        ]
    }


def _out_hours(sold: int, wanted: int) -> int:
    """The part of the day in which the product was missing, if customers came evenly."""
    return (DAY_END - DAY_START) // 60 * (wanted - sold) // wanted if wanted else 0


MACHINE = (
    Tool(name="get_storage", minutes=5, about="What lies in storage.", run=_get_storage, reads=True),
    Tool(
        name="get_machine",
        minutes=25,
        about="Slots, prices, jams and uncollected cash of the machine. Rows A, B: small; C, D: large.",
        run=_get_machine,
        reads=True,
    ),
    Tool(
        name="stock_machine",
        minutes=75,
        about="Move goods between storage and slots; one visit may touch all slots.",
        run=_stock_machine,
        arguments={
            "slots": Argument(
                kind="moves", about='slot -> {"sku": product, "qty": units}, or a negative number: take out'
            )
        },
    ),
    Tool(
        name="set_prices",
        minutes=25,
        about="Set prices; they hold at once for every slot of the product.",
        run=_set_prices,
        arguments={
            "prices": Argument(kind="counts", about="product -> cents", low=PRICE_RANGE[0], high=PRICE_RANGE[1])
        },
    ),
    Tool(name="collect_cash", minutes=75, about="Bring the cash of the machine to the bank.", run=_collect_cash),
    Tool(
        name="service_slot",
        minutes=75,
        about=f"Clear a jam, for {dollars(JAM_FEE)}.",
        run=_service_slot,
        arguments={"slot": Argument(kind="text", about="slot, e.g. A1", low=1, high=5)},
    ),
    Tool(
        name="call_technician",
        minutes=25,
        about=f"Have the machine repaired by the next morning, for {dollars(TECHNICIAN_FEE)}.",
        run=_call_technician,
    ),
    Tool(
        name="sales_report",
        minutes=25,
        about="Units, revenue in cents and hours without stock, by day and product.",
        run=_sales_report,
        arguments={"days": Argument(kind="int", about="the last days", low=1, high=28, default=7)},
        reads=True,
    ),
)
