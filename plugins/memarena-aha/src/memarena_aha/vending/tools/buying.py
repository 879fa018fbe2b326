"""Tools for buying: suppliers, quotes, offers and orders."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memarena_aha.vending.arguments import MOST_UNITS, Argument
from memarena_aha.vending.products import CATEGORIES
from memarena_aha.vending.refusal import Refused
from memarena_aha.vending.state import Offer, Order, Request
from memarena_aha.vending.suppliers import Supplier
from memarena_aha.vending.tools.tool import SKU, Tool
from memarena_aha.vending.trade import order_goods

if TYPE_CHECKING:
    from memarena_aha.vending.world import World

__all__ = ["BUYING"]

_GENERAL = {"supplier", "suppliers", "wholesale", "wholesaler", "wholesalers", "vending", "all", "goods", "products"}
_FOUND = 5


def _search_suppliers(world: World, args: dict[str, Any]) -> dict[str, Any]:
    words = frozenset(re.findall(r"[a-z0-9]+", args["query"].lower()))
    hidden, day = world.hidden, world.state.day
    found = [s for s in hidden.suppliers.values() if not hidden.closed(s.id, day) and _matches(world, s, words)]
    key = " ".join(sorted(words))
    found.sort(key=lambda supplier: (hidden.streams.uniform("search", key, supplier.id), supplier.id))
    return {"suppliers": [{"id": s.id, "name": s.name, "address": s.address} for s in found[:_FOUND]]}


def _matches(world: World, supplier: Supplier, words: frozenset[str]) -> bool:
    if words & _GENERAL:
        return True
    known = set(re.findall(r"[a-z0-9]+", supplier.name.lower()))
    for sku in supplier.carries:
        product = world.hidden.products[sku]
        known |= {product.category, product.size, sku.lower(), *re.findall(r"[a-z0-9]+", product.name.lower())}
    return not words.isdisjoint(known | ({word + "s" for word in known}))


def _request_quote(world: World, args: dict[str, Any]) -> dict[str, Any]:
    supplier = _supplier(world, args["supplier_id"])
    unknown = [sku for sku in args["skus"] if sku not in world.hidden.products]
    if unknown:
        raise Refused("unknown_sku", f"there is no product {unknown[0]}")
    state = world.state
    state.requests.append(Request(supplier=supplier.id, skus=args["skus"], units=args["qty"], due=state.day + 1))
    return {"sent_to": supplier.address}


def _make_offer(world: World, args: dict[str, Any]) -> dict[str, Any]:
    state = world.state
    quote = state.quotes.get(args["quote_id"])
    if quote is None:
        raise Refused("unknown_quote", f"there is no quote {args['quote_id']}")
    if args["sku"] not in quote.prices:
        raise Refused("unknown_sku", f"{args['sku']} is not in quote {quote.id}")
    if quote.until < state.day:
        raise Refused("expired_quote", f"quote {quote.id} was valid to day {quote.until}")
    if any(state.quotes[o.quote].supplier == quote.supplier and o.sku == args["sku"] for o in state.offers):
        raise Refused("already_offered", f"an offer for {args['sku']} is on its way; the answer comes tomorrow")
    state.offers.append(Offer(quote=quote.id, sku=args["sku"], price=args["unit_price"]))
    return {"sent": True}


def _place_order(world: World, args: dict[str, Any]) -> dict[str, Any]:
    order = order_goods(world.hidden, world.state, args["quote_id"], args["units"])
    return {"order_id": order.id, "charged": order.charged, "promised_day": order.promised}


def _list_orders(world: World, args: dict[str, Any]) -> dict[str, Any]:
    chosen = [order for order in world.state.orders.values() if args["status"] in ("all", _shown_status(order))]
    return {
        "orders": [
            {
                "id": order.id,
                "supplier": order.supplier,
                "day": order.day,
                "units": order.units,
                "prices": order.prices,
                "charged": order.charged,
                "promised_day": order.promised,
                "status": _shown_status(order),
                "received": order.received,
                "charged_on_delivery": order.extra,
            }
            for order in chosen[-50:]
        ]
    }


def _shown_status(order: Order) -> str:
    return "open" if order.status == "arriving" else order.status


def _supplier(world: World, supplier_id: str) -> Supplier:
    supplier = world.hidden.suppliers.get(supplier_id)
    if supplier is None:
        raise Refused("unknown_supplier", f"there is no supplier {supplier_id}")
    return supplier


_QUOTE = Argument(kind="text", about="id of the quote, e.g. Q0001", low=1, high=20)
BUYING = (
    Tool(
        name="search_suppliers",
        minutes=25,
        about=f"At most {_FOUND} suppliers for a product, a name or a category ({', '.join(CATEGORIES)}).",
        run=_search_suppliers,
        arguments={"query": Argument(kind="text", about="words to look for", low=1, high=200)},
        reads=True,
    ),
    Tool(
        name="request_quote",
        minutes=25,
        about="Ask a supplier for prices; the quote comes by mail the next morning.",
        run=_request_quote,
        arguments={
            "supplier_id": Argument(kind="text", about="id of the supplier, e.g. S2", low=1, high=20),
            "skus": Argument(kind="texts", about="products; leave out for all", low=1, high=40, default=[]),
            "qty": Argument(kind="int", about="units of each", low=0, high=MOST_UNITS, default=0),
        },
    ),
    Tool(
        name="make_offer",
        minutes=25,
        about="Bid a unit price for one product of a quote; accepted, countered or declined the next morning.",
        run=_make_offer,
        arguments={
            "quote_id": _QUOTE,
            "sku": SKU,
            "unit_price": Argument(kind="int", about="cents a unit", low=1, high=100_000),
        },
    ),
    Tool(
        name="place_order",
        minutes=25,
        about="Order from a quote and pay at once, to the account on file.",
        run=_place_order,
        arguments={
            "quote_id": _QUOTE,
            "units": Argument(kind="counts", about="product -> units", low=1, high=MOST_UNITS),
        },
    ),
    Tool(
        name="list_orders",
        minutes=5,
        about="Your last 50 orders with what was received and charged.",
        run=_list_orders,
        arguments={"status": Argument(kind="text", about="open, delivered, lost or all", high=20, default="all")},
        reads=True,
    ),
)
