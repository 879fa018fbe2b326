"""The commands of a person at the terminal, and what that person has seen so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memarena_aha.vending.rules import capacity, size_of
from memarena_aha.vending.stock import stored
from memarena_aha.vending.wording import Command
from memarena_aha.vending.world import World

__all__ = ["COMMANDS", "Knowledge", "stocking"]

COMMANDS = (
    Command("help", ("h", "?"), "help [command]", "this list, or one command"),
    Command("find", ("f",), "find snack", "look for suppliers of a kind or a product", "search_suppliers"),
    Command("quote", ("q",), "quote S1 S2", "ask suppliers for their prices; they answer tomorrow", "request_quote"),
    Command("prices", ("p",), "prices", "compare all prices that you know"),
    Command("bid", ("offer",), "bid S1 P03 0.85", "ask for a lower price; the answer comes tomorrow", "make_offer"),
    Command("order", ("o", "buy"), "order S1 P03=24 P11=12", "order goods and pay at once", "place_order"),
    Command("orders", (), "orders", "your orders and what came of them", "list_orders"),
    Command("mail", ("m",), "mail", "list the newest mails", "list_emails"),
    Command("read", ("r",), "read 3", "read a mail; read alone takes all new ones", "read_email"),
    Command("write", ("w",), "write sales@x.example Subject: text", "write a mail", "send_email"),
    Command("storage", ("stock",), "storage", "what lies in storage", "get_storage"),
    Command("machine", ("vm",), "machine", "look at the machine", "get_machine"),
    Command("fill", (), "fill, or fill A1 P03 15", "fill the machine from storage, or what you say", "stock_machine"),
    Command("empty", (), "empty A1", "take everything out of a slot", "stock_machine"),
    Command("price", ("set",), "price P03 2.40", "set what customers pay", "set_prices"),
    Command("collect", ("c",), "collect", "bring the cash of the machine to the bank", "collect_cash"),
    Command("fix", (), "fix A1", "clear a jam", "service_slot"),
    Command("technician", ("tech",), "technician", "have the machine repaired", "call_technician"),
    Command("sales", ("s",), "sales 7", "what was sold on the last days", "sales_report"),
    Command("refund", (), "refund C1", "pay a customer back", "issue_refund"),
    Command("reject", (), "reject C1", "refuse a customer's demand", "reject_refund"),
    Command("verify", ("v",), "verify AC-12345678", "ask the registry whose account that is", "verify_payee"),
    Command("pay", (), "pay AC-12345678 32.37 I0001", "pay an invoice; money that is gone is gone", "send_payment"),
    Command("account", (), "account S1 AC-12345678", "change the account of a supplier on file", "update_payee"),
    Command("invoices", (), "invoices", "your invoices", "list_invoices"),
    Command("ledger", ("l",), "ledger 10", "the last movements of money", "get_ledger"),
    Command("note", ("n",), "note S3 is cheap", "write a note; note alone shows them", "write_note"),
    Command("status", ("st",), "status", "weather, bank, time", "get_status"),
    Command("wait", (), "wait 2", "let hours pass, or until goods come"),
    Command("end", ("e", "next"), "end", "close the day and see the next morning", "end_day"),
    Command("save", (), "save", "write the game to its file"),
    Command("quit", ("exit", "bye"), "quit", "save and leave; play again to go on"),
)


class Knowledge:
    """What the player has seen: names, and the newest quote of each supplier."""

    def __init__(self, world: World) -> None:
        self.suppliers: dict[str, str] = {}
        self.products: dict[str, str] = {}
        self.quotes: dict[str, dict[str, Any]] = {}
        for mail in world.state.inbox:
            if mail.read:
                self.learn(mail.attachment)

    def learn(self, facts: Mapping[str, Any]) -> None:
        """Take in what stands in a mail that was read."""
        if facts.get("kind") == "quote":
            prices = {sku: row["unit_price"] for sku, row in facts["products"].items()}
            self.quotes[facts["supplier"]] = {**facts, "prices": prices}
            self.products |= {sku: row["name"] for sku, row in facts["products"].items()}
        elif facts.get("kind") == "answer":
            for quote in self.quotes.values():
                if quote["quote"] == facts["quote"]:
                    quote["prices"][facts["sku"]] = facts["price"]


def stocking(world: World) -> dict[str, dict[str, Any]]:
    """One visit that fills up what is in the machine, and starts an empty slot for each product that has none."""
    state = world.state
    left = {sku: stored(state, sku) for sku in sorted(state.storage)}
    placed = {place.sku for place in state.slots.values() if place.sku}
    moves: dict[str, dict[str, Any]] = {}
    for name, place in state.slots.items():
        new = (
            sku for sku in left if sku not in placed and left[sku] and world.hidden.products[sku].size == size_of(name)
        )
        sku = place.sku or next(new, "")
        units = min(left.get(sku, 0), capacity(name) - place.units)
        if units > 0:
            moves[name] = {"sku": sku, "qty": units}
            left[sku] -= units
            placed.add(sku)
    return moves
