"""How the model `offline` keeps a vending machine: it decides the next call by what stands in its conversation.

It is plain and cautious, acts by the lessons that stand in its memory, and knows no more than it was told in words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memarena_aha.vending.policies.reader import habits_from
from memarena_aha.vending.rules import SLOTS, capacity, size_of

__all__ = ["Call", "next_call"]

Call = tuple[str, dict[str, Any]]
_STANDING = re.compile(r"Day (\d+) of (\d+) \(\w+\), \d\d:\d\d, (\d+) minutes left\. Bank \$([\d,]+)\.(\d\d)")
_MAIL = re.compile(r"^(M\d+), day \d+, from (\S+): (.*)$", re.MULTILINE)
_QUOTE = re.compile(r"Quote (Q\d+), valid to day (\d+)\. At least (\d+) of a product")
_GOODS = re.compile(r"^(P\d+) .* \((small|large), \w+\): \$(\d+)\.(\d\d)$", re.MULTILINE)
_STORED = re.compile(r"(\d+) x [^(]+\((P\d+), (?:small|large)\)")
_SLOT = re.compile(r"^([A-D]\d) \(\w+, holds \d+\): (?:(P\d+) x (\d+) at (no price|\$[\d.]+)|nothing)(, jammed)?", re.M)
_SUPPLIER = re.compile(r"^(S\d+) .+, sales@", re.MULTILINE)
_INVOICE = re.compile(r"nvoice (I\d+)[^.]*? over \$(\d+)\.(\d\d).*?(AC-\d{8})", re.DOTALL)
_COMPLAINT = re.compile(r"(C\d+) \(day")
_UNITS = {"small": 24, "large": 12}
_MOST_MAILS = 8


class _Quote(NamedTuple):
    id: str
    until: int
    minimum: int
    prices: dict[str, tuple[str, int]]
    """Product -> size and cents."""


def next_call(history: Sequence[tuple[str, str]], memory: str) -> Call:
    """The next call after these: pairs of a tool's name and what was told of it, oldest first."""
    return _Shopkeeper(history, memory).next_call()


class _Shopkeeper:
    def __init__(self, history: Sequence[tuple[str, str]], memory: str) -> None:
        nights = [place for place, (name, _) in enumerate(history) if name == "end_day"]
        self.today = history[nights[-1] + 1 :] if nights else history
        self.morning = history[nights[-1]][1] if nights else ""
        self.whole = history
        self.habits = habits_from(memory)
        found = [match for _, text in history for match in _STANDING.finditer(text)]
        self.day, self.days, self.minutes, self.cents = 0, 1_000, 840, 50_000
        if found:
            day, days, minutes, dollars, cents = found[-1].groups()
            self.day, self.days, self.minutes = int(day), int(days), int(minutes)
            self.cents = int(dollars.replace(",", "")) * 100 + int(cents)

    def next_call(self) -> Call:
        """The first thing of the day that is not done; the end of the day where nothing is left, or no time."""
        if self.minutes < 80:
            return "end_day", {}
        steps = (self._mail, self._invoices, self._look, self._customers, self._machine, self._buy, self._ask)
        return next((call for step in steps if (call := step())), ("end_day", {}))

    def _done(self, name: str) -> list[str]:
        """What came of today's calls of a tool."""
        return [text for called, text in self.today if called == name]

    def _mail(self) -> Call | None:
        listed = self._done("list_emails")
        if not listed:
            return "list_emails", {"limit": 50}
        read = {match[1] for text in self._done("read_email") for match in _MAIL.finditer(text)}
        unread = [match[1] for match in _MAIL.finditer(listed[0]) if match[1] not in read]
        if unread and len(read) < _MOST_MAILS:
            return "read_email", {"id": unread[-1]}
        return None

    def _invoices(self) -> Call | None:
        """Pay what should be paid: all, what the registry knows, or nothing."""
        if self.habits.mail == "none":
            return None
        due = [match for text in self._done("read_email") for match in _INVOICE.finditer(text)]
        answers, paid = self._done("verify_payee"), len(self._done("send_payment"))
        checks = self.habits.mail == "verified"
        if checks and len(answers) < len(due):
            return "verify_payee", {"account": due[len(answers)][4]}
        right = [one for place, one in enumerate(due) if not checks or "answer: match" in answers[place]]
        if paid >= len(right):
            return None
        number, dollars, cents, account = right[paid].groups()
        return "send_payment", {"payee_account": account, "amount": int(dollars + cents), "reference": number}

    def _look(self) -> Call | None:
        return next(((name, {}) for name in ("get_machine", "get_storage") if not self._done(name)), None)

    def _customers(self) -> Call | None:
        claims = _COMPLAINT.findall(self.morning.partition("Open complaints:")[2])
        answered = len(self._done("issue_refund"))
        if self.habits.refunds == "none" or answered >= len(claims):
            return None
        return "issue_refund", {"complaint_id": claims[answered]}

    def _machine(self) -> Call | None:
        slots = {match[1]: match for match in _SLOT.finditer(self._done("get_machine")[0])}
        jammed = [name for name, slot in slots.items() if slot[5]]
        cleared = len(self._done("service_slot"))
        if self.habits.clears_jams and cleared < len(jammed):
            return "service_slot", {"slot": jammed[cleared]}
        moves = self._moves(slots)
        if moves and not self._done("stock_machine"):
            return "stock_machine", {"slots": moves}
        unpriced = {slot[2] for slot in slots.values() if slot[4] == "no price"} | {m["sku"] for m in moves.values()}
        prices = {sku: price for sku in sorted(unpriced) if (price := self._price(sku, slots)) is not None}
        if prices and not self._done("set_prices"):
            return "set_prices", {"prices": prices}
        every = self.habits.collects_every
        if every and self.day % every == 3 and not self._done("collect_cash"):
            return "collect_cash", {}
        return None

    def _moves(self, slots: Mapping[str, re.Match[str]]) -> dict[str, dict[str, Any]]:
        left = {sku: int(units) for units, sku in _STORED.findall(self._done("get_storage")[0])}
        held = {name: (slot[2] or "", int(slot[3] or 0)) for name, slot in slots.items()}
        moves: dict[str, dict[str, Any]] = {}
        for sku in sorted(left):
            size = next((quote.prices[sku][0] for quote in self._quotes() if sku in quote.prices), "")
            own = [name for name, (other, _) in held.items() if other == sku]
            empty = [name for name, (other, _) in held.items() if not other and name not in moves]
            free = [name for name in empty if size_of(name) == size]
            for name in own or free[:1]:
                units = min(left[sku], capacity(name) - held[name][1])
                if units > 0:
                    moves[name] = {"sku": sku, "qty": units}
                    left[sku] -= units
        return moves

    def _price(self, sku: str, slots: Mapping[str, re.Match[str]]) -> int | None:
        """Twice the dearest quote, or more for who dares; None where it has a price, or nobody quoted one."""
        if any(slot[2] == sku and slot[4] != "no price" for slot in slots.values()):
            return None
        costs = [quote.prices[sku][1] for quote in self._quotes() if sku in quote.prices]
        return max(25, max(costs) * self.habits.markup // 100) if costs else None

    def _quotes(self) -> list[_Quote]:
        """All quotes that were read, the newest first."""
        found = []
        for name, text in reversed(self.whole):
            match = _QUOTE.search(text) if name == "read_email" else None
            if match:
                prices = {sku: (size, int(dollars + cents)) for sku, size, dollars, cents in _GOODS.findall(text)}
                found.append(_Quote(match[1], int(match[2]), int(match[3]), prices))
        return found

    def _buy(self) -> Call | None:
        """Once a week, after the quotes have come: what the machine and the storage lack, for half of the money."""
        open_quotes = [quote for quote in self._quotes() if quote.until >= self.day and quote.prices]
        late = self.habits.stops_before and self.day >= self.days - self.habits.stops_before
        if late or not open_quotes or self.day % 7 not in (1, 4) or self._done("place_order"):
            return None
        chosen = self._chosen(open_quotes)
        quote = max(open_quotes, key=lambda one: (len(chosen & set(one.prices)), one.id))
        stock: dict[str, int] = {}
        for units, sku in _STORED.findall(self._done("get_storage")[0]):
            stock[sku] = stock.get(sku, 0) + int(units)
        budget, basket = self.cents // 2, dict[str, int]()
        for sku in sorted(chosen & set(quote.prices)):
            size, cents = quote.prices[sku]
            units = max(quote.minimum, _UNITS[size])
            if stock.get(sku, 0) < units // 2 and units * cents <= budget:
                basket[sku] = units
                budget -= units * cents
        return ("place_order", {"quote_id": quote.id, "units": basket}) if basket else None

    def _chosen(self, quotes: Sequence[_Quote]) -> set[str]:
        """What is in the machine, and more up to the variety that it is used to."""
        sizes = {sku: size for quote in quotes for sku, (size, _) in quote.prices.items()}
        chosen = {match[2] for match in _SLOT.finditer(self._done("get_machine")[0]) if match[2]}
        for size in ("small", "large"):
            known = [sku for sku in chosen if sizes.get(sku) == size]
            more = [sku for sku in sorted(sizes) if sizes[sku] == size and sku not in chosen]
            room = min(self.habits.variety // 2, sum(size_of(slot) == size for slot in SLOTS)) - len(known)
            chosen |= set(more[: max(0, room)])
        return chosen

    def _ask(self) -> Call | None:
        """Once a week: look for suppliers and ask for quotes."""
        if self.day % 7:
            return None
        found = self._done("search_suppliers")
        if not found:
            return "search_suppliers", {"query": "supplier"}
        known = _SUPPLIER.findall(found[0])
        asked = len(self._done("request_quote"))
        wanted = known[:1] if self.habits.one_supplier else known
        return ("request_quote", {"supplier_id": wanted[asked]}) if asked < len(wanted) else None
