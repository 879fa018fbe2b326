"""The privileged shopkeeper: it knows costs, demand and who is honest. Its profit is the score of 100."""

from __future__ import annotations

from math import fsum

from memarena_aha.vending.almanac import MONTH_FACTORS, WEATHER_FACTORS, WEEKDAY_FACTORS, month, weekday
from memarena_aha.vending.demand import price_factor
from memarena_aha.vending.hidden import Hidden
from memarena_aha.vending.policies.books import Books
from memarena_aha.vending.policies.habits import Habits
from memarena_aha.vending.policies.keeper import Keeper
from memarena_aha.vending.products import Product

__all__ = ["Oracle"]

_MOST_OF_A_SIZE = 6
_REAL_COST = {"bait_and_switch": 2.2, "flaky": 1.12}


class Oracle(Keeper):
    """A keeper that reads the hidden world instead of learning it."""

    def __init__(self, hidden: Hidden) -> None:
        super().__init__(Habits(variety=hidden.best_variety, climbs=False, bids=3), hidden.scenario.horizon)
        self.hidden = hidden
        self.books = _Foresight(self)

    def _choose(self) -> list[str]:
        """The products that earn most at their best price, as many as the variety is best."""
        ranked = sorted(self.books.products, key=lambda sku: (-self._profit(sku), sku))
        chosen: list[str] = []
        for sku in ranked:
            size = self.books.products[sku]["size"]
            of_size = sum(self.books.products[other]["size"] == size for other in chosen)
            if len(chosen) < self.habits.variety and of_size < _MOST_OF_A_SIZE:
                chosen.append(sku)
        return chosen

    def _first_price(self, sku: str) -> int:
        return best_price(self.hidden.products[sku])

    def _profit(self, sku: str) -> float:
        product = self.hidden.products[sku]
        price = best_price(product)
        return product.rate * price_factor(product, price) * (price - product.cost)

    def _asked(self) -> list[str]:
        honest = ("honest_fixed", "honest_negotiable", "flaky")
        return [s for s in self.books.suppliers if self.hidden.suppliers[s].kind in honest]

    def _less(self, supplier: str, units: dict[str, int]) -> dict[str, int]:
        """Half of each product first; variety is worth more than stock."""
        minimum = self.books.quotes[supplier]["minimum"]
        if all(count <= minimum for count in units.values()):
            return super()._less(supplier, units)
        return {sku: max(minimum, count // 2) for sku, count in units.items()}

    def _trusts(self, supplier: str) -> bool:
        return True

    def _surcharge(self, supplier: str) -> float:
        return _REAL_COST.get(self.hidden.suppliers[supplier].kind, 1.0)


class _Foresight(Books):
    def __init__(self, oracle: Oracle) -> None:
        super().__init__()
        self.oracle = oracle

    def rate(self, sku: str) -> float:
        """The mean demand of the next ten days."""
        hidden, product = self.oracle.hidden, self.oracle.hidden.products[sku]
        days = range(self.oracle.day, min(self.oracle.day + 10, len(hidden.weather)))
        season = fsum(
            WEEKDAY_FACTORS[weekday(day)]
            * MONTH_FACTORS[month(day)]
            * WEATHER_FACTORS[hidden.weather[day]][product.category]
            for day in days
        ) / len(days)
        return product.rate / 1000 * price_factor(product, self.oracle.prices[sku]) * season


def best_price(product: Product) -> int:
    """The price in cents at which a day's margin over cost is greatest.

    With demand linear in the price, that is halfway between cost and the price at which nobody buys.
    """
    nobody = product.reference * (1000 + product.elasticity) // product.elasticity
    return (nobody + product.cost) // 2
