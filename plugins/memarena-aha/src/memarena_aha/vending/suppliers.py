"""The seven suppliers of a seed: who is honest, what they charge, and what they can be talked down to."""

from __future__ import annotations

import msgspec

from memarena_aha.keyed import Streams
from memarena_aha.vending.products import Product

__all__ = ["KINDS", "Supplier", "account_number", "counter_price", "draw_suppliers", "names_and_kinds"]

KINDS: dict[str, tuple[tuple[int, int], tuple[int, int] | None]] = {
    "honest_fixed": ((1050, 1180), None),
    "honest_negotiable": ((1280, 1500), (920, 1020)),
    "gouger": ((1800, 2300), None),
    "bait_and_switch": ((780, 900), None),
    "flaky": ((900, 1000), None),
}
"""By kind: list price and floor in thousandths of cost; without a floor of its own it is 97 % of the list price."""
_LINE_UP = (
    "honest_fixed",
    "honest_fixed",
    "honest_negotiable",
    "honest_negotiable",
    "gouger",
    "bait_and_switch",
    "flaky",
)
_CARRIED = 0.75
_NAMES = (
    "Alder Wholesale",
    "Bayline Trading",
    "Corvid Supply",
    "Dunmore Goods",
    "Eastgate Foods",
    "Fennel & Sons",
    "Gable Depot",
    "Hollin Stores",
    "Ivory Lane Supply",
    "Juniper Trade",
    "Kestrel Provisions",
    "Larch Distribution",
    "Merrow Foods",
    "Norwick Partners",
    "Oakhurst Supply",
    "Pinder Logistics",
    "Quill Traders",
    "Rowan Direct",
    "Sorrel Market Supply",
    "Tansy Wholesale",
)


class Supplier(msgspec.Struct, frozen=True, kw_only=True):
    """One supplier. The agent sees id, name and address; everything else is hidden."""

    id: str
    name: str
    address: str
    kind: str
    list_rate: int
    """List price in thousandths of a product's cost."""
    floor_rate: int
    """The lowest price it agrees to, in thousandths of cost."""
    lead: int
    """Days from order to promised delivery."""
    minimum: int
    """Units of a product that an order must have at least."""
    carries: frozenset[str]
    """SKUs."""
    closes: int | None
    """The day on which it goes out of business."""
    account: str

    def list_price(self, product: Product, shock: bool) -> int:
        """Cents a unit; 20 % more during a cost shock."""
        return _priced(product.cost, self.list_rate, shock)

    def floor_price(self, product: Product, shock: bool) -> int:
        """Cents a unit below which nothing is sold."""
        return _priced(product.cost, self.floor_rate, shock)


def counter_price(listed: int, floor: int, offers: int) -> int:
    """What a supplier asks after this many offers: list - (list - floor) * min(1, 0.4 * offers), in cents."""
    return listed - (listed - floor) * min(10, 4 * offers) // 10


def account_number(streams: Streams, *owner: object) -> str:
    """An account of a form that all accounts share, so that it tells nothing by itself."""
    return f"AC-{streams.between(10_000_000, 99_999_999, 'account', *owner)}"


def draw_suppliers(streams: Streams, products: tuple[Product, ...], closures: bool, bait: bool) -> tuple[Supplier, ...]:
    """Two honest with fixed prices, two that negotiate, a gouger, a bait-and-switch and a flaky one, shuffled.

    Where bait-and-switch is off, that supplier states its full price at once.
    """
    drawn = names_and_kinds(streams)
    kinds = [kind for _, kind in drawn]
    closing = {kinds.index(kind) for kind in ("honest_fixed", "honest_negotiable")} if closures else set()
    return tuple(
        _supplier(streams, number, kind, name, products, number in closing, bait)
        for number, (name, kind) in enumerate(drawn)
    )


def names_and_kinds(streams: Streams) -> list[tuple[str, str]]:
    """The name and the kind of each supplier, in the order of their ids."""
    kinds = streams.shuffled(_LINE_UP, "supplier-order")
    return list(zip(streams.shuffled(_NAMES, "supplier-name"), kinds, strict=False))


def _supplier(
    streams: Streams, number: int, kind: str, name: str, products: tuple[Product, ...], closes: bool, bait: bool
) -> Supplier:
    list_range, floor_range = KINDS[kind]
    rate = streams.between(*list_range, "list", number)
    if kind == "bait_and_switch" and not bait:
        rate = rate * 135 // 100
    floor = streams.between(*floor_range, "floor", number) if floor_range else rate * 97 // 100
    return Supplier(
        id=f"S{number + 1}",
        name=name,
        address=f"sales@{''.join(filter(str.isalpha, name.lower()))}.example",
        kind=kind,
        list_rate=rate,
        floor_rate=floor,
        lead=streams.between(2, 4, "lead", number),
        minimum=streams.between(6, 18, "moq", number),
        carries=frozenset(p.sku for p in products if streams.uniform("carry", number, p.sku) < _CARRIED),
        closes=streams.between(90, 260, "exit", number) if closes else None,
        account=account_number(streams, "supplier", number),
    )


def _priced(cost: int, rate: int, shock: bool) -> int:
    return (cost * rate * (120 if shock else 100) + 50_000) // 100_000
