"""The scripted shopkeeper: it sees what an agent sees, and its habits decide how well it does.

A policy is a generator: it yields calls `(tool, arguments)` and is sent their outcomes.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, TypeAlias

from memarena_aha.vending.policies.books import Books
from memarena_aha.vending.policies.habits import Habits
from memarena_aha.vending.products import CATEGORIES
from memarena_aha.vending.rules import PRICE_RANGE, SLOTS, capacity, size_of
from memarena_aha.vending.world import Outcome

__all__ = ["Call", "Keeper", "Play"]

Call: TypeAlias = tuple[str, dict[str, Any]]
Play: TypeAlias = Generator[Call, Outcome, None]
_QUOTE_EVERY, _CLIMB_EVERY, _STEP = 7, 14, 6


class Keeper:
    """Runs the shop by `habits`."""

    def __init__(self, habits: Habits, horizon: int) -> None:
        self.habits = habits
        self.books = Books()
        self.horizon = horizon
        self.day = 0
        self.chosen: list[str] = []
        self.places: dict[str, list[str]] = {}
        """Product -> its slots."""
        self.prices: dict[str, int] = {}
        self.in_machine: dict[str, int] = {}
        """Slot -> units."""
        self.machine: dict[str, dict[str, Any]] = {}
        """Slot -> what it showed this morning."""
        self.stored: dict[str, int] = {}
        self.rounds = 0
        self._steps: dict[str, int] = {}
        self._earned: dict[str, float] = {}
        self._promised: dict[int, dict[str, int]] = {}
        """Day -> what was promised for it."""

    def play(self, digest: Mapping[str, Any] = {}) -> Play:
        """Day after day, until nobody asks for more; `digest` is that of the first morning, where there was one."""
        if self.habits.acts:
            yield from self._find_suppliers()
        while True:
            if self.habits.acts:
                yield from self._work(digest)
            outcome = yield "end_day", {}
            digest = outcome.data
            self.day += 1

    def _work(self, digest: Mapping[str, Any]) -> Play:
        yield from self._read_mail()
        yield from self._look(digest)
        yield from self._answer_complaints(digest)
        yield from self._arrange()
        yield from self._fill()
        if self.habits.collects_every and self.day % self.habits.collects_every == 3:
            yield "collect_cash", {}
        if self.chosen and self.day % 7 == 6:
            report = yield "sales_report", {"days": _CLIMB_EVERY}
            self.books.take_sales(report.data.get("days", []))
            yield from self._climb(report.data.get("days", []))
        if self.chosen and self.day < self.horizon - self.habits.stops_before:
            yield from self._buy()
        if self.day % _QUOTE_EVERY == 0:
            for supplier in self._asked():
                yield "request_quote", {"supplier_id": supplier}

    def _find_suppliers(self) -> Play:
        for word in CATEGORIES:
            found = yield "search_suppliers", {"query": word}
            for row in found.data["suppliers"]:
                if row["id"] not in self.books.suppliers:
                    self.books.suppliers.append(row["id"])

    def _asked(self) -> list[str]:
        """The suppliers to deal with."""
        return self.books.suppliers[:1] if self.habits.one_supplier == "first" else self.books.suppliers

    def _read_mail(self) -> Play:
        listed = yield "list_emails", {"limit": 50}
        for header in reversed(listed.data["emails"]):
            mail = yield "read_email", {"id": header["id"]}
            facts = mail.data.get("attachment", {})
            kind = facts.get("kind")
            if kind == "quote":
                self.books.take_quote(facts)
            elif kind == "answer":
                self.books.take_answer(facts)
            elif kind == "closure":
                self.books.close(facts["supplier"])
            elif kind in ("invoice", "account_change"):
                yield from self._payment_mail(facts)

    def _payment_mail(self, facts: dict[str, Any]) -> Play:
        habit = self.habits.mail
        if habit == "none":
            return
        payment = {"payee_account": facts["account"], "amount": facts["amount"], "reference": facts.get("invoice", "")}
        if habit == "all" and facts["amount"]:
            yield "send_payment", payment
        answer = yield "verify_payee", {"supplier_id": facts["supplier"], "account": facts["account"]}
        if answer.data.get("answer") != "match":
            return
        if facts["kind"] == "account_change":
            yield "update_payee", {"supplier_id": facts["supplier"], "account": facts["account"]}
        elif habit == "verified":
            yield "send_payment", payment

    def _look(self, digest: Mapping[str, Any]) -> Play:
        machine = yield "get_machine", {}
        storage = yield "get_storage", {}
        self.machine = slots = machine.data.get("slots", {})
        self.in_machine = {name: slot["units"] for name, slot in slots.items()}
        self.stored = {sku: row["units"] for sku, row in storage.data.get("storage", {}).items()}
        for name, slot in slots.items():
            if slot["status"] == "jammed" and self.habits.clears_jams:
                yield "service_slot", {"slot": name}
        if any("down" in notice and "technician" not in notice for notice in digest.get("notices", ())):
            yield "call_technician", {}

    def _answer_complaints(self, digest: Mapping[str, Any]) -> Play:
        if self.habits.refunds == "none":
            return
        for complaint in digest.get("complaints", ()):
            report = yield "sales_report", {"days": max(1, self.day - complaint["day"])}
            days = {row["day"]: row["products"] for row in report.data.get("days", ())}
            sold = days.get(complaint["day"], {}).get(complaint["sku"], {}).get("units", 0)
            pays = sold or self.habits.refunds == "all"
            yield "issue_refund" if pays else "reject_refund", {"complaint_id": complaint["id"]}

    def _arrange(self) -> Play:
        """Decide what is sold where, once there are prices."""
        if not self.chosen and self.books.quotes:
            yield from self._open_shop()

    def _open_shop(self) -> Play:
        if self.habits.one_supplier in ("cheapest", "soonest"):
            soonest = self.habits.one_supplier == "soonest"
            best = self.books.soonest_supplier() if soonest else self.books.cheapest_supplier()
            self.books.suppliers = [best]
            self.books.quotes = {best: self.books.quotes[best]}
        self.chosen = self._choose()
        self._allot()
        self.prices = {sku: self._first_price(sku) for sku in self.chosen}
        yield "set_prices", {"prices": self.prices}

    def _allot(self) -> None:
        """Share the slots of each size out among the products of that size."""
        self.places = {}
        for size in ("small", "large"):
            skus = [sku for sku in self.chosen if self.books.products[sku]["size"] == size]
            for number, slot in enumerate(slot for slot in SLOTS if skus and size_of(slot) == size):
                self.places.setdefault(skus[number % len(skus)], []).append(slot)

    def _choose(self) -> list[str]:
        """As many small as large products, the dearest first: they leave most per unit."""
        offered = {sku for quote in self.books.quotes.values() for sku in quote["prices"]}
        ranked = sorted(offered, key=lambda sku: (-self.books.typical_price(sku), sku))
        half = self.habits.variety // 2
        small = [sku for sku in ranked if self.books.products[sku]["size"] == "small"][: self.habits.variety - half]
        return small + [sku for sku in ranked if self.books.products[sku]["size"] == "large"][:half]

    def _first_price(self, sku: str) -> int:
        return _in_range(self.books.typical_price(sku) * self.habits.markup // 100)

    def _fill(self) -> Play:
        if not self.habits.fills_for_weekends and self.day % 7 in (3, 4):
            return
        believed = {} if self.habits.waits_for_goods else self._promised.get(self.day, {})
        moves: dict[str, Any] = {}
        for sku in self.chosen:
            left = self.stored.get(sku, 0) + believed.get(sku, 0)
            for slot in self.places[sku]:
                units = min(left, capacity(slot) - self.in_machine.get(slot, 0))
                if units > 0:
                    moves[slot] = {"sku": sku, "qty": units}
                    left -= units
                    self.in_machine[slot] = self.in_machine.get(slot, 0) + units
            self.stored[sku] = left
        if moves:
            yield "stock_machine", {"slots": moves}

    def _climb(self, days: list[dict[str, Any]]) -> Play:
        """Every two weeks: go on where the last step earned more, turn where it earned less."""
        if not self.habits.climbs or self.day % _CLIMB_EVERY != 13 or len(days) < _CLIMB_EVERY:
            return
        for sku in self.chosen:
            cost = min((q["prices"][sku] for q in self.books.quotes.values() if sku in q["prices"]), default=0)
            rows = [day["products"][sku] for day in days if sku in day["products"]]
            earned = sum(row["revenue"] - cost * row["units"] for row in rows) / max(1, len(rows))
            step = self._steps.get(sku, _STEP)
            if sku in self._earned and earned < self._earned[sku]:
                step = -step
            self._steps[sku], self._earned[sku] = step, earned
            self.prices[sku] = _in_range(self.prices[sku] * (100 + step) // 100)
        yield "set_prices", {"prices": self.prices}

    def _buy(self) -> Play:
        yield from self._bid()
        listed = yield "list_orders", {"status": "all"}
        orders = listed.data.get("orders", [])
        if self.habits.landed:
            self.books.take_orders(orders)
        if self.rounds >= self.habits.orders:
            return
        baskets = self._baskets(orders)
        self.rounds += bool(baskets)
        for supplier, units in baskets.items():
            yield from self._order(supplier, units)

    def _order(self, supplier: str, units: dict[str, int]) -> Play:
        """Order; with too little money, less."""
        while units:
            done = yield "place_order", {"quote_id": self.books.quotes[supplier]["quote"], "units": units}
            if done.ok:
                self._promised.setdefault(done.data["promised_day"], {}).update(units)
            if done.error == "supplier_closed":
                self.books.close(supplier)
            if done.error == "account_closed":
                yield "update_payee", {"supplier_id": supplier, "account": self.books.quotes[supplier]["account"]}
                continue
            if done.error != "insufficient_funds":
                return
            units = self._less(supplier, units)

    def _less(self, supplier: str, units: dict[str, int]) -> dict[str, int]:
        """A smaller basket: without the product that costs most."""
        prices = self.books.quotes[supplier]["prices"]
        dearest = max(units, key=lambda sku: (prices[sku] * units[sku], sku))
        return {sku: count for sku, count in units.items() if sku != dearest}

    def _bid(self) -> Play:
        """Ask for three quarters of the price: no supplier finds that insulting, and most move."""
        if not self.habits.bids:
            return
        for supplier, quote in self.books.quotes.items():
            if supplier in self.books.deaf or quote["valid_to"] < self.day:
                continue
            for sku in self.chosen:
                made = self.books.bids.get((quote["quote"], sku), 0)
                if sku in quote["prices"] and made < self.habits.bids:
                    asked = quote["products"][sku]["unit_price"] * 3 // 4
                    sent = yield "make_offer", {"quote_id": quote["quote"], "sku": sku, "unit_price": max(1, asked)}
                    if sent.error == "no_time":
                        return
                    self.books.bids[quote["quote"], sku] = made + 1

    def _baskets(self, orders: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
        coming: dict[str, int] = {}
        for order in orders:
            if order["status"] == "open" and self.day <= order["promised_day"] + 7:
                for sku, count in order["units"].items():
                    coming[sku] = coming.get(sku, 0) + count
        baskets: dict[str, dict[str, int]] = {}
        for sku in self.chosen:
            source = self._source(sku)
            if source is None:
                continue
            quote = self.books.quotes[source]
            have = self._units(sku) + coming.get(sku, 0)
            rate = self.books.rate(sku)
            if have > rate * (quote["lead_days"] + self.habits.reserve_days):
                continue
            days = quote["lead_days"] + self.habits.cover_days
            if self.habits.stops_before:
                days = min(days, self.horizon - self.day)
            wanted = quote["minimum"] if not self._trusts(source) else round(rate * days) - have
            baskets.setdefault(source, {})[sku] = max(quote["minimum"], wanted)
        return baskets

    def _units(self, sku: str) -> int:
        return self.stored.get(sku, 0) + sum(self.in_machine.get(slot, 0) for slot in self.places[sku])

    def _trusts(self, supplier: str) -> bool:
        return not self.habits.landed or self.books.tried(supplier)

    def _source(self, sku: str) -> str | None:
        """The supplier at which a unit is cheapest, by what is known of its deliveries."""
        open_quotes = [
            (quote["prices"][sku] * self._surcharge(supplier), supplier)
            for supplier, quote in self.books.quotes.items()
            if sku in quote["prices"] and quote["valid_to"] >= self.day
        ]
        return min(open_quotes)[1] if open_quotes else None

    def _surcharge(self, supplier: str) -> float:
        return self.books.surcharge(supplier) if self.habits.landed else 1.0


def _in_range(price: int) -> int:
    return max(PRICE_RANGE[0], min(PRICE_RANGE[1], price))
