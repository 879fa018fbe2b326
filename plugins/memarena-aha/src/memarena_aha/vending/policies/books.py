"""What a shopkeeper knows: read from mails and reports, as any agent could."""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum
from statistics import median_low
from typing import Any

__all__ = ["Books"]

_FIRST_RATES = {"small": 2.5, "large": 1.3}


class Books:
    """Quotes by supplier, products, what suppliers really delivered, and sales."""

    def __init__(self) -> None:
        self.suppliers: list[str] = []
        """Ids, in the order found."""
        self.quotes: dict[str, dict[str, Any]] = {}
        """Supplier -> attachment of its last quote, with the prices as bargained."""
        self.products: dict[str, dict[str, Any]] = {}
        self.bids: dict[tuple[str, str], int] = {}
        """(quote, product) -> offers made."""
        self.deaf: set[str] = set()
        """Suppliers whom an offer did not move."""
        self.rates: dict[str, float] = {}
        self._paid: dict[str, float] = {}

    def take_quote(self, facts: Mapping[str, Any]) -> None:
        """Note a quote."""
        self.quotes[facts["supplier"]] = {**facts, "prices": {}}
        for sku, row in facts["products"].items():
            self.products[sku] = row
            self.quotes[facts["supplier"]]["prices"][sku] = row["unit_price"]

    def take_answer(self, facts: Mapping[str, Any]) -> None:
        """Note the answer to an offer; who hardly moves at the first is not asked again."""
        for supplier, quote in self.quotes.items():
            if quote["quote"] == facts["quote"]:
                before = quote["prices"][facts["sku"]]
                quote["prices"][facts["sku"]] = facts["price"]
                if facts["answer"] == "declined" or facts["price"] * 100 > before * 96:
                    self.deaf.add(supplier)

    def close(self, supplier: str) -> None:
        """Forget a supplier that is out of business."""
        self.suppliers = [known for known in self.suppliers if known != supplier]
        self.quotes.pop(supplier, None)

    def typical_price(self, sku: str) -> int:
        """The median quote for a product, in cents."""
        prices: list[int] = [quote["prices"][sku] for quote in self.quotes.values() if sku in quote["prices"]]
        return median_low(prices)

    def cheapest_supplier(self) -> str:
        """That whose quotes are lowest against the median; ties by id."""
        return min(self.quotes, key=lambda supplier: (self._against_median(supplier), supplier))

    def soonest_supplier(self) -> str:
        """That with the fewest days of lead among those that are neither too cheap to be honest nor too dear."""
        ranked = sorted(self.quotes, key=lambda supplier: (self._against_median(supplier), supplier))
        middling = ranked[2:-2] or ranked
        return min(middling, key=lambda supplier: (self.quotes[supplier]["lead_days"], middling.index(supplier)))

    def _against_median(self, supplier: str) -> float:
        """What its prices are to typical ones, on average."""
        prices = self.quotes[supplier]["prices"]
        return fsum(price / self.typical_price(sku) for sku, price in prices.items()) / len(prices)

    def take_orders(self, orders: list[dict[str, Any]]) -> None:
        """Learn from finished orders what a cent of quoted goods costs at each supplier."""
        worth, paid = dict[str, float](), dict[str, float]()
        for order in orders:
            if order["status"] == "open":
                continue
            supplier = order["supplier"]
            received = sum(units * order["prices"][sku] for sku, units in order["received"].items())
            worth[supplier] = worth.get(supplier, 2_000) + received
            paid[supplier] = paid.get(supplier, 2_000) + order["charged"] + order["charged_on_delivery"]
        for supplier, cents in paid.items():
            self._paid[supplier] = cents / worth[supplier]

    def surcharge(self, supplier: str) -> float:
        """What a cent of goods quoted by this supplier has really cost; 1 while nothing is known."""
        return self._paid.get(supplier, 1.0)

    def tried(self, supplier: str) -> bool:
        """Whether an order there has been finished."""
        return supplier in self._paid

    def take_sales(self, days: list[dict[str, Any]]) -> None:
        """Estimate the daily demand of each product, with the hours without stock made up for."""
        totals, counts = dict[str, float](), dict[str, int]()
        for day in days:
            for sku, row in day["products"].items():
                if row["stock_out_hours"] < 14:
                    totals[sku] = totals.get(sku, 0.0) + row["units"] * 14 / (14 - row["stock_out_hours"])
                    counts[sku] = counts.get(sku, 0) + 1
        for sku, total in totals.items():
            first = _FIRST_RATES[self.products[sku]["size"]]
            self.rates[sku] = (total + 3 * first) / (counts[sku] + 3)

    def rate(self, sku: str) -> float:
        """Units a day that a product is thought to sell."""
        return self.rates.get(sku, _FIRST_RATES[self.products[sku]["size"]])
