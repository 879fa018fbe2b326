"""What a call returned as a person likes to see it: tables, and the machine as it stands there (rich)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from memarena_aha.vending.letters import dollars

__all__ = ["bars", "machine", "mails", "morning", "orders", "price_list", "sales", "storage", "table"]

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


def morning(digest: Mapping[str, Any], days: int, headers: Sequence[str]) -> Panel:
    """The first look of the day."""
    sold = f"{digest['sold_yesterday']} sold for {dollars(digest['revenue_yesterday'])} yesterday"
    lines = [f"Bank {dollars(digest['bank'])}, {sold}."]
    lines += [f"New mail: {header}" for header in headers]
    lines += [
        f"{c['id']} {c['sku']} from {c['slot']} on day {c['day']}: a customer wants {dollars(c['amount'])} back."
        for c in digest["complaints"]
    ]
    lines += [f"! {notice}" for notice in digest["notices"]]
    title = f"Day {digest['day']} of {days}, {digest['weekday']}, {digest['weather']}"
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
        (_number(row["id"]), f"day {row['day']}", row["from"], row["subject"], "" if row["read"] else "new")
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
            f"day {row['promised_day']}",
            row["status"],
            "" if row["received"] in (row["units"], {}) else _units(row["received"]),
            dollars(row["charged_on_delivery"]) if row["charged_on_delivery"] else "",
        )
        for row in rows
    ]
    columns = ("order", "from", "ordered", ">paid", ">promised", "state", "received", ">charged later")
    return table(columns, listed, "" if rows else "No orders yet.")


def sales(days: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> RenderableType:
    """Units by day and product, with what was missing marked."""
    skus = list(dict.fromkeys(sku for day in days for sku in day["products"]))
    rows = []
    for sku in skus:
        cells = [day["products"].get(sku) for day in days]
        shown = ["" if c is None else f"{c['units']}{'*' if c['stock_out_hours'] else ''}" for c in cells]
        revenue = sum(c["revenue"] for c in cells if c is not None)
        rows.append((sku, names.get(sku, ""), *shown, dollars(revenue)))
    columns = ("id", "product", *(f">{day['day']}" for day in days), ">revenue")
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
    feet = [("", label, "", "", *(str(quotes[s][field]) for s in suppliers)) for label, field in _FEET]
    columns = ("id", "product", "size", "kind", *(f">{s} {names.get(s, '')}" for s in suppliers))
    return table(columns, [*rows, *feet], "" if rows else "No quotes yet: quote S1 asks for one.")


_FEET = (("least units", "minimum"), ("days to deliver", "lead_days"), ("valid to day", "valid_to"))


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
