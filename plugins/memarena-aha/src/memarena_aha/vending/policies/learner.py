"""A shopkeeper whose habits may change from day to day, and who can take over a shop that is open already."""

from __future__ import annotations

from collections.abc import Sequence

from memarena_aha.vending.policies.habits import Habits
from memarena_aha.vending.policies.keeper import Keeper, Play
from memarena_aha.vending.products import CATEGORIES

__all__ = ["Learner"]


class Learner(Keeper):
    """A `Keeper` whose `habits` are set anew while it plays. It asks suppliers whose names it trusts first."""

    def __init__(self, habits: Habits, horizon: int, *, day: int = 0, trusted: Sequence[str] = ()) -> None:
        super().__init__(habits, horizon)
        self.day = day
        self._trusted = tuple(trusted)

    def _find_suppliers(self) -> Play:
        names: dict[str, str] = {}
        for word in CATEGORIES:
            found = yield "search_suppliers", {"query": word}
            names |= {row["id"]: row["name"] for row in found.data.get("suppliers", ())}
        self.books.suppliers = sorted(names, key=lambda supplier: names[supplier] not in self._trusted)

    def _arrange(self) -> Play:
        if not self.chosen:
            self._take_over()
        if not self.chosen:
            yield from super()._arrange()
            return
        more = self._missing()
        if more:
            yield from self._widen(more)

    def _take_over(self) -> None:
        """Go on with what the machine shows: a shop that was opened before this keeper knew of it."""
        for name, slot in self.machine.items():
            sku = slot["sku"]
            if sku and slot["price"] is not None:
                self.books.products.setdefault(sku, {"size": slot["size"]})
                self.places.setdefault(sku, []).append(name)
                self.prices[sku] = slot["price"]
        self.chosen = list(self.places)

    def _missing(self) -> list[str]:
        """Products that the habits want on offer beside those that are."""
        if len(self.chosen) >= self.habits.variety:
            return []
        half = self.habits.variety // 2
        wanted = {"small": self.habits.variety - half, "large": half}
        for sku in self.chosen:
            wanted[self.books.products[sku]["size"]] -= 1
        more = []
        for sku in self._choose():
            size = self.books.products[sku]["size"]
            if sku not in self.chosen and wanted[size] > 0:
                wanted[size] -= 1
                more.append(sku)
        return more

    def _widen(self, more: list[str]) -> Play:
        """Make room: share the slots out anew, and take out what now stands in another product's slot."""
        self.chosen += more
        self._allot()
        owner = {slot: sku for sku, slots in self.places.items() for slot in slots}
        wrong = {
            name: -slot["units"]
            for name, slot in self.machine.items()
            if slot["units"] and owner.get(name) != slot["sku"]
        }
        if wrong:
            moved = yield "stock_machine", {"slots": wrong}
            for name, units in wrong.items() if moved.ok else ():
                sku = self.machine[name]["sku"]
                self.stored[sku] = self.stored.get(sku, 0) - units
                self.in_machine[name] = 0
        self.prices |= {sku: self._first_price(sku) for sku in more}
        yield "set_prices", {"prices": self.prices}
