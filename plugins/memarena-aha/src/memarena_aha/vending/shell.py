"""The commands of a person who runs the machine: each is one or more calls of tools, and shows what came of them."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Console, RenderableType

from memarena_aha.vending import sheets
from memarena_aha.vending.commands import COMMANDS, Knowledge, stocking
from memarena_aha.vending.letters import dollars
from memarena_aha.vending.rules import DAY_END
from memarena_aha.vending.saying import said
from memarena_aha.vending.tools import TOOLS
from memarena_aha.vending.wording import (
    Unclear,
    as_told,
    command_of,
    counts,
    date,
    money,
    product,
    slot,
    supplier,
    whole,
)
from memarena_aha.vending.world import Outcome, World

__all__ = ["Shell"]


class Shell:
    """Does commands on a world and prints what comes of them; `more` are those that are the game's own, by name."""

    def __init__(self, world: World, console: Console, more: Mapping[str, Callable[[list[str]], None]]) -> None:
        self.world = world
        self.console = console
        self.known = Knowledge(world)
        own = {name.removeprefix("_do_"): getattr(self, name) for name in dir(self) if name.startswith("_do_")}
        self._do: Mapping[str, Callable[[list[str]], None]] = {**own, **more}

    def do(self, line: str) -> None:
        """Do what a line says; a line that cannot be read is explained and costs nothing."""
        try:
            words = shlex.split(line) if '"' in line else line.split()
            command = command_of(words[0], COMMANDS)
            self._do[command.name](words[1:])
        except Unclear as unclear:
            told = str(unclear)
            self.say(told if told.endswith((".", "?")) else f"{told}.", "yellow")
        except ValueError:
            self.say("There is a quotation mark without its other half.", "yellow")

    def say(self, text: str, style: str = "") -> None:
        """Print a text as it is."""
        self.console.print(text, style=style or None, markup=False, highlight=False)

    def call(self, tool: str, **args: Any) -> Outcome:
        """One call of a tool; a refusal is explained."""
        outcome = self.world.act(tool, args)
        if outcome.error == "no_time":
            left = DAY_END - self.world.state.minute
            self.say(f"That takes {TOOLS[tool].minutes} min, and {left} are left today: end closes the day.", "yellow")
        elif not outcome.ok:
            self.say(as_told(f"{outcome.message[:1].upper()}{outcome.message[1:]}."), "yellow")
        return outcome

    def show(self, tool: str, sheet: Callable[[Mapping[str, Any]], RenderableType], **args: Any) -> None:
        """Call a tool and show what it returned on a sheet."""
        outcome = self.call(tool, **args)
        if outcome.ok:
            self.console.print(sheet(outcome.data))

    def _tell(self, tool: str, **args: Any) -> None:
        outcome = self.call(tool, **args)
        if outcome.ok:
            self.say(said(tool, outcome.data), "green")

    def _do_help(self, words: list[str]) -> None:
        chosen = [command_of(word, COMMANDS) for word in words] or COMMANDS
        minutes = [TOOLS[command.tool].minutes if command.tool else 0 for command in chosen]
        rows = [(c.usage, c.about, f"{m} min" if m else "") for c, m in zip(chosen, minutes, strict=True)]
        self.console.print(sheets.table(("type", "to", ">takes"), rows))
        if not words:
            self.say("Every command may be shortened. Products have ids (P03), suppliers too (S1).", "dim")

    def _do_find(self, words: list[str]) -> None:
        if not words:
            raise Unclear("find what? E.g. find snack (or cold, hot, sweet, fresh, or a product)")
        outcome = self.call("search_suppliers", query=" ".join(words)[:200])
        if outcome.ok:
            found = outcome.data["suppliers"]
            self.known.suppliers |= {row["id"]: row["name"] for row in found}
            rows = [(row["id"], row["name"], row["address"]) for row in found]
            self.console.print(sheets.table(("id", "supplier", "address"), rows, "" if rows else "Nobody was found."))

    def _do_quote(self, words: list[str]) -> None:
        if not words:
            raise Unclear("quote from whom? E.g. quote S1 S2")
        for key in [supplier(word, self.known.suppliers) for word in words]:
            if not self.call("request_quote", supplier_id=key).ok:
                return
            name = self.known.suppliers.get(key, "")
            self.say(f"Asked {f'{name} ({key})' if name else key}: the prices come by mail tomorrow.")

    def _do_prices(self, words: list[str]) -> None:
        self.console.print(sheets.price_list(self.known.quotes, self.known.suppliers))

    def _do_bid(self, words: list[str]) -> None:
        if len(words) != 3:
            raise Unclear("bid whom what for which product? E.g. bid S1 P03 0.85")
        sku, cents = product(words[1], self.known.products), money(words[2])
        if self.call("make_offer", quote_id=self._quote(words[0]), sku=sku, unit_price=cents).ok:
            self.say(f"Offered {dollars(cents)} for {sku}; the answer comes tomorrow.")

    def _do_order(self, words: list[str]) -> None:
        if len(words) < 2:
            raise Unclear("order what from whom? E.g. order S1 P03=24 P11=12")
        quote, units = self._quote(words[0]), counts(words[1:], self.known.products)
        self._check_order(supplier(words[0], self.known.suppliers), units)
        outcome = self.call("place_order", quote_id=quote, units=units)
        if outcome.ok:
            charged, day = dollars(outcome.data["charged"]), date(outcome.data["promised_day"])
            self.say(
                f"{outcome.data['order_id']}: paid {charged}. Promised for day {day}, some time of that day.", "green"
            )

    def _check_order(self, key: str, units: Mapping[str, int]) -> None:
        """What the price list says already need not be asked, and costs no time. Raises Unclear."""
        quote = self.known.quotes[key]
        for sku, count in units.items():
            if sku not in quote["prices"]:
                raise Unclear(f"{key} does not sell {sku}; prices shows who does")
            if count < quote["minimum"]:
                raise Unclear(f"{key} sells at least {quote['minimum']} of a product, not {count} of {sku}")

    def _quote(self, word: str) -> str:
        key = supplier(word, self.known.suppliers)
        if key not in self.known.quotes:
            raise Unclear(f"you have read no prices of {key} yet: quote {key} asks for them, read shows new mail")
        return str(self.known.quotes[key]["quote"])

    def _do_orders(self, words: list[str]) -> None:
        self.show("list_orders", lambda data: sheets.orders(data["orders"]))

    def _do_mail(self, words: list[str]) -> None:
        self.show("list_emails", lambda data: sheets.mails(data["emails"]), unread_only=False)

    def _do_read(self, words: list[str]) -> None:
        numbers = [whole(word.casefold().removeprefix("m"), "number of a mail") for word in words]
        ids = [f"M{number:04}" for number in numbers] or [mail.id for mail in self.world.state.inbox if not mail.read]
        if not ids:
            self.say("No new mail.")
        for key in ids:
            outcome = self.call("read_email", id=key)
            if not outcome.ok:
                return
            self.known.learn(outcome.data["attachment"])
            self.say(f"From {outcome.data['from']}: {outcome.data['subject']}", "bold")
            self.say(f"{as_told(outcome.data['body'])}\n")

    def _do_write(self, words: list[str]) -> None:
        subject, colon, body = " ".join(words[1:]).partition(":")
        if not colon or not body.strip():
            raise Unclear("write to whom, what? E.g. write sales@x.example Late: where is my order O0001?")
        if self.call("send_email", to=words[0], subject=subject, body=body.strip()).ok:
            self.say("Sent.")

    def _do_storage(self, words: list[str]) -> None:
        self.show("get_storage", sheets.storage)

    def _do_machine(self, words: list[str]) -> None:
        self.show("get_machine", lambda data: sheets.machine(data, self._names()))

    def _names(self) -> Mapping[str, str]:
        """Names of products: also of those in the machine, which bear theirs."""
        return {sku: found.name for sku, found in self.world.hidden.products.items()}

    def _do_fill(self, words: list[str]) -> None:
        if len(words) % 3:
            raise Unclear("fill alone fills up everything; fill A1 P03 15 C1 P11 8 puts just that where you say")
        moves: dict[str, Any] = {}
        for place, sku, number in zip(words[::3], words[1::3], words[2::3], strict=True):
            moves[slot(place)] = {"sku": product(sku, self.known.products), "qty": whole(number, "number of units")}
        for sku in {move["sku"] for move in moves.values()}:
            if not self.world.state.storage.get(sku):
                raise Unclear(f"there is no {sku} in storage; storage shows what is")
        moves = moves or stocking(self.world)
        if not moves:
            self.say("Nothing in storage fits into the machine just now.", "yellow")
        elif self.call("stock_machine", slots=moves).ok:
            self.say(", ".join(f"{name} +{move['qty']} {move['sku']}" for name, move in moves.items()), "green")

    def _do_empty(self, words: list[str]) -> None:
        if not words:
            raise Unclear("empty which slot? E.g. empty A1")
        name = slot(words[0])
        units = self.world.state.slots[name].units
        if not units:
            self.say(f"{name} is empty already.")
        elif self.call("stock_machine", slots={name: -units}).ok:
            self.say(f"{units} units went back to storage.")

    def _do_price(self, words: list[str]) -> None:
        pairs = [part for word in words for part in word.split("=") if part]
        if not pairs or len(pairs) % 2:
            raise Unclear("price of what? E.g. price P03 2.40 P11 4.10")
        prices = {product(pairs[n], self.known.products): money(pairs[n + 1]) for n in range(0, len(pairs), 2)}
        if self.call("set_prices", prices=prices).ok:
            self.say(", ".join(f"{sku} now costs {dollars(cents)}" for sku, cents in prices.items()) + ".", "green")

    def _do_collect(self, words: list[str]) -> None:
        outcome = self.call("collect_cash")
        if outcome.ok:
            self.say(f"{dollars(outcome.data['collected'])} brought to the bank.", "green")

    def _do_fix(self, words: list[str]) -> None:
        if not words:
            raise Unclear("fix which slot? E.g. fix A1")
        self._tell("service_slot", slot=slot(words[0]))

    def _do_technician(self, words: list[str]) -> None:
        self._tell("call_technician")

    def _do_sales(self, words: list[str]) -> None:
        days = whole(words[0], "number of days") if words else 7
        self.show("sales_report", lambda data: sheets.sales(data["days"], self._names()), days=days)

    def _do_refund(self, words: list[str]) -> None:
        self._tell("issue_refund", complaint_id=_complaint(words), amount=money(words[1]) if len(words) > 1 else 0)

    def _do_reject(self, words: list[str]) -> None:
        self._tell("reject_refund", complaint_id=_complaint(words))

    def _do_verify(self, words: list[str]) -> None:
        if not words:
            raise Unclear("verify what? E.g. verify AC-12345678, or verify S1 AC-12345678")
        accounts = [word.upper() for word in words if "-" in word]
        names = [supplier(word, self.known.suppliers) for word in words if "-" not in word]
        self._tell("verify_payee", supplier_id="".join(names[:1]), account="".join(accounts[:1]))

    def _do_pay(self, words: list[str]) -> None:
        if len(words) not in (2, 3):
            raise Unclear("pay whom how much for what? E.g. pay AC-12345678 32.37 I0001")
        reference = words[2].upper() if len(words) > 2 else ""
        self._tell("send_payment", payee_account=words[0].upper(), amount=money(words[1]), reference=reference)

    def _do_account(self, words: list[str]) -> None:
        if len(words) != 2:
            raise Unclear("whose account is which? E.g. account S1 AC-12345678")
        self._tell("update_payee", supplier_id=supplier(words[0], self.known.suppliers), account=words[1].upper())

    def _do_invoices(self, words: list[str]) -> None:
        self.show("list_invoices", lambda data: sheets.invoices(data["invoices"]), status="all")

    def _do_ledger(self, words: list[str]) -> None:
        rows = whole(words[0], "number of rows") if words else 10
        self.show("get_ledger", lambda data: sheets.ledger(data["entries"]), n=rows)

    def _do_note(self, words: list[str]) -> None:
        if words:
            self._tell("write_note", text=" ".join(words))
        else:
            outcome = self.call("read_notes")
            self.say("\n".join(f"- {note}" for note in outcome.data.get("notes", ())) or "No notes.")


def _complaint(words: Sequence[str]) -> str:
    if not words:
        raise Unclear("which complaint? E.g. C1; the morning lists them")
    return f"C{whole(words[0].casefold().removeprefix('c'), 'complaint'):04}"
