"""What a call returned as a person likes to see it: tables, and the machine as it stands there (rich)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from memarena_aha.vending.letters import dollars
from memarena_aha.vending.wording import as_told, date

__all__ = [
    "bars",
    "invoices",
    "ledger",
    "machine",
    "mails",
    "morning",
    "orders",
    "price_list",
    "sales",
    "status",
    "storage",
    "table",
    "today",
]

_BARS = "▁▂▃▄▅▆▇█"


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> RenderableType:
    """A plain table; columns whose name begins with `>` stand to the right. Without rows, the title alone."""
    if not rows:
        return Text(title)
    made = Table(title=title or None, title_justify="left", header_style="bold", box=None, pad_edge=False)
    for column in columns:
        made.add_column(column.removeprefix(">"), justify="right" if column.startswith(">") else "left")
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    return made


def today(day: int, days: int, weekday: str, weather: str) -> str:
    """Which day it is, of how many."""
    return f"Day {date(day)} of {days}, {weekday}, {weather}"


def status(found: Mapping[str, Any], days: int) -> str:
    """Where the business stands."""
    hours, minutes = divmod(found["minutes_left"], 60)
    lines = [
        f"{today(found['day'], days, found['weekday'], found['weather'])}; {hours} h {minutes:02} min are left today."
    ]
    lines.append(f"Bank {dollars(found['bank'])}; mails to read: {found['unread_mail']}.")
    return "\n".join([*lines, *(f"! {as_told(notice)}" for notice in found["notices"])])


def morning(digest: Mapping[str, Any], days: int, headers: Sequence[str]) -> Panel:
    """The first look of the day."""
    sold = f"{digest['sold_yesterday']} sold for {dollars(digest['revenue_yesterday'])} yesterday"
    lines = [f"Bank {dollars(digest['bank'])}, {sold}."]
    lines += [f"New mail: {header}" for header in headers]
    lines += [
        f"{c['id']} {c['sku']} from {c['slot']} on day {date(c['day'])}: a customer wants {dollars(c['amount'])} back."
        for c in digest["complaints"]
    ]
    lines += [f"! {as_told(notice)}" for notice in digest["notices"]]
    title = today(digest["day"], days, digest["weekday"], digest["weather"])
    return Panel(Text("\n".join(lines)), title=title, title_align="left", border_style="cyan", expand=False)


def machine(data: Mapping[str, Any], names: Mapping[str, str]) -> Table:
    """The front of the machine: four rows, three slots each."""
    made = Table(show_header=False, show_lines=True)
    for row in "ABCD":
        cells = []
        for column in "123":
            slot = data["slots"][f"{row}{column}"]
            text = Text(f"{row}{column} ", style="bold")
            if not slot["sku"]:
                text.append(f"empty, {slot['size']}", style="dim")
            else:
                price = "no price!" if slot["price"] is None else dollars(slot["price"])
                style = "yellow" if not slot["units"] or slot["price"] is None else ""
                text.append(f"{names.get(slot['sku'], slot['sku'])} ({slot['sku']})\n", style="")
                text.append(f"{slot['units']} of {slot['capacity']}, {price}", style=style)
            if slot["status"] != "ok":
                text.append(f"\n{slot['status'].upper()}", style="bold red")
            cells.append(text)
        made.add_row(*cells)
    made.caption = f"Cash in the machine: {dollars(data['uncollected_cash'])}"
    made.caption_justify = "left"
    return made


def storage(data: Mapping[str, Any]) -> RenderableType:
    """What lies in storage."""
    rows = [(sku, row["name"], row["size"], str(row["units"])) for sku, row in data["storage"].items()]
    return table(("id", "product", "size", ">units"), rows, "" if rows else "Storage is empty.")


def mails(rows: Sequence[Mapping[str, Any]]) -> RenderableType:
    """Headers, newest first."""
    listed = [
        (_number(row["id"]), f"day {date(row['day'])}", row["from"], row["subject"], "" if row["read"] else "new")
        for row in rows
    ]
    return table((">no.", ">date", "from", "subject", ""), listed, "" if rows else "No mail.")


def orders(rows: Sequence[Mapping[str, Any]]) -> RenderableType:
    """Orders with what became of them."""
    listed = [
        (
            row["id"],
            row["supplier"],
            _units(row["units"]),
            dollars(row["charged"]),
            f"day {date(row['promised_day'])}",
            row["status"],
            "" if row["received"] in (row["units"], {}) else _units(row["received"]),
            dollars(row["charged_on_delivery"]) if row["charged_on_delivery"] else "",
        )
        for row in rows
    ]
    columns = ("order", "from", "ordered", ">paid", ">promised", "state", "received", ">charged later")
    return table(columns, listed, "" if rows else "No orders yet.")


def invoices(rows: Sequence[Mapping[str, Any]]) -> RenderableType:
    """The invoices in the player's books."""
    listed = [
        (
            row["id"],
            row["party"],
            row["account"],
            dollars(row["amount"]),
            f"day {date(row['day'])}",
            "paid" if row["paid"] else "open",
        )
        for row in rows
    ]
    return table(("invoice", "from", "account", ">amount", ">of", "state"), listed, "" if rows else "No invoices.")


def ledger(rows: Sequence[Mapping[str, Any]]) -> RenderableType:
    """Movements of money, the oldest first."""
    listed = [
        (str(date(row["day"])), row["kind"], row["party"], dollars(row["amount"]), dollars(row["balance"]))
        for row in rows
    ]
    return table((">day", "what", "who", ">amount", ">bank"), listed, "" if rows else "No movements yet.")


def sales(days: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> RenderableType:
    """Units by day and product, with what was missing marked."""
    skus = list(dict.fromkeys(sku for day in days for sku in day["products"]))
    rows = []
    for sku in skus:
        cells = [day["products"].get(sku) for day in days]
        shown = ["" if c is None else f"{c['units']}{'*' if c['stock_out_hours'] else ''}" for c in cells]
        revenue = sum(c["revenue"] for c in cells if c is not None)
        rows.append((sku, names.get(sku, ""), *shown, dollars(revenue)))
    columns = ("id", "product", *(f">{date(day['day'])}" for day in days), ">revenue")
    title = "Units by day; * means that customers wanted more than there was." if rows else "Nothing was on sale."
    return table(columns, rows, title)


def price_list(quotes: Mapping[str, Mapping[str, Any]], names: Mapping[str, str]) -> RenderableType:
    """Prices of all suppliers side by side, by product; the lowest is marked."""
    suppliers = sorted(quotes)
    products: dict[str, Mapping[str, Any]] = {}
    for quote in quotes.values():
        products |= quote["products"]
    rows = []
    for sku in sorted(products):
        prices = [quotes[supplier]["prices"].get(sku) for supplier in suppliers]
        known = [price for price in prices if price is not None]
        shown = ["" if p is None else f"{'<' if p == min(known) else ''}{dollars(p)}" for p in prices]
        rows.append((sku, products[sku]["name"], products[sku]["size"], products[sku]["category"], *shown))
    feet = [("", label, "", "", *(str(told(quotes[s][field])) for s in suppliers)) for label, field, told in _FEET]
    if not rows:
        return Text("No quotes yet: quote S1 asks for one.")
    listed = table(("id", "product", "size", "kind", *(f">{s}" for s in suppliers)), [*rows, *feet])
    return Group(listed, Text(", ".join(f"{s} {names[s]}" for s in suppliers if s in names), style="dim"))


_FEET: Sequence[tuple[str, str, Callable[[int], int]]] = (
    ("least units", "minimum", int),
    ("days to deliver", "lead_days", int),
    ("valid to day", "valid_to", date),
)


def bars(values: Sequence[int], width: int = 60) -> str:
    """A row of bars, as high as the values; the newest of each stretch stands for it where there are too many."""
    if len(values) > width:
        values = [values[(place + 1) * len(values) // width - 1] for place in range(width)]
    low, high = min(values), max(values)
    step = max(1, high - low)
    return "".join(_BARS[(value - low) * (len(_BARS) - 1) // step] for value in values)


def _number(mail: str) -> str:
    return mail.removeprefix("M").lstrip("0")


def _units(units: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {sku}" for sku, count in units.items()) or "nothing"
