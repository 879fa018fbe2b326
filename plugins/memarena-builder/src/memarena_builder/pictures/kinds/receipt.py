"""Receipts from a till."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from memarena_builder.pictures import ornaments, photo
from memarena_builder.pictures.marks import Area, height, place
from memarena_builder.pictures.rows import split
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Drawing, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, MARGIN, LINE = 400, 28, 25
MIDDLE, RIGHT = WIDTH // 2, WIDTH - MARGIN
PAPERS = ("#fdfdfb", "#f8f7f2", "#f3f4f5", "#fbf8f3")
NOTE = 500
"""Cents of the smallest note."""
PAID = ("fee", "rate", "tuition")
"""Attributes that are a sum somebody pays: they stand on a slip of their own, not under goods."""


class Basket(NamedTuple):
    """What was bought, in cents."""

    lines: tuple[tuple[str, int, int], ...]
    """Name, how many, price of one."""
    total: int
    tax: int
    """Of the total."""
    given: int | None
    """In cash; None where it was paid by card."""


def draw(spec: PictureSpec) -> Drawing:
    """A slip: the shop, goods with prices, sum, tax and payment, and for whom it was booked, with the facts; or what
    was paid for as a whole."""
    own, rest = split(spec)
    whole = any(spec.fields[number].name in PAID for number in own)
    sheet = Sheet(spec, WIDTH, 1600, "#ffffff")
    rng, said = sheet.rng, words(spec.language, sheet.rng, spec.day)
    paper = rng.choice(PAPERS)
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=paper)
    style = Style(rng.choice(("mono", "mono", "grotesk")), 18, rng.choice(("#222222", "#3a3a44")))
    small = style._replace(size=15)
    early = rest[: rng.randint(1, len(rest))] if rest else []
    head = ("slip_heads", "slip_lines") if whole else ("shops", "shop_lines")
    top = _fields(sheet, early, _shop(sheet, said, style, head), small)
    _rule(sheet, top + 2)
    parts = [_booked, _paid] if whole else [_booked, _goods] if rng.random() < 0.3 else [_goods, _booked]
    top += 14
    for part in parts:
        top = part(sheet, said, style, top)
    top = _fields(sheet, [number for number in rest if number not in early], top, small)
    top = _foot(sheet, said, small, top + 8, "slip_thanks" if whole else "receipt_greetings")
    if rng.random() < 0.25:
        ornaments.ring(sheet, rng.randint(60, WIDTH - 60), top - 90, 54)
    sheet.end(top)
    return sheet.done(photo.perhaps(rng, 0.75))


def _shop(sheet: Sheet, said: Words, style: Style, head: tuple[str, str]) -> int:
    """Who sold it or took the money; the row below."""
    small = style._replace(size=15)
    sheet.within(MIDDLE, 26, said.one(head[0]), style.bold()._replace(size=29), WIDTH - 2 * MARGIN, "m")
    top = 64
    for name in (head[1], "shop_streets"):
        sheet.within(MIDDLE, top, said.one(name), small, WIDTH - 2 * MARGIN, "m")
        top += 21
    return top + 6


def _fields(sheet: Sheet, places: list[int], top: int, style: Style) -> int:
    """Fields in small print, a line each; the row below."""
    for number in places:
        field = sheet.spec.fields[number]
        left = sheet.text(MARGIN, top, f"{field.label}:", style).right + 9
        place(sheet, number, Area(left, top, RIGHT - left), style)
        top += height(field, 22)
    return top + 4


def basket(rng: random.Random, names: Sequence[str], rate: int) -> Basket:
    """Some of each of the goods called `names`, at prices in steps of five cents with `rate` percent of tax in them,
    paid for by card or in cash."""
    lines = tuple((name, rng.choice((1, 1, 1, 2, 3)), rng.randint(12, 180) * 5) for name in names)
    total = sum(many * cents for _, many, cents in lines)
    given = -(-total // NOTE) * NOTE if rng.random() < 0.4 else None
    return Basket(lines, total, round(total * rate / (100 + rate)), given)


def _goods(sheet: Sheet, said: Words, style: Style, top: int) -> int:
    """What was bought, its sum, the tax in it and how it was paid; the row below."""
    rate = said.number("receipt_tax")
    bought = basket(sheet.rng, said.some("receipt_items", sheet.rng.randint(3, 6)), rate)
    small = style._replace(size=15)
    for name, many, cents in bought.lines:
        sheet.within(MARGIN, top, name, style, 220)
        if many > 1:
            top += 22
            sheet.text(MARGIN + 20, top, f"{many} x {_money(cents)}", small)
        sheet.text(RIGHT, top, _money(many * cents), style, "r")
        top += LINE
    _rule(sheet, top + 2)
    net, tax, total = said.all("receipt_sums")
    for label, cents in ((net, bought.total - bought.tax), (tax, bought.tax)):
        top += LINE - 11
        sheet.text(MARGIN, top, label.format(tax=rate), small)
        sheet.text(RIGHT, top, _money(cents), small, "r")
        top += 8
    large = style.bold()._replace(size=24)
    sheet.text(MARGIN, top + 18, total, large)
    sheet.text(RIGHT, top + 18, _money(bought.total), large, "r")
    top += 52
    card, cash = said.all("receipt_paid")
    paid = [(card, bought.total)]
    if bought.given is not None:
        paid = [(cash, bought.given), (said.one("receipt_change"), bought.given - bought.total)]
    for label, cents in paid:
        sheet.text(MARGIN, top, label, style)
        sheet.text(RIGHT, top, _money(cents), style, "r")
        top += LINE
    _rule(sheet, top + 4)
    return top + 16


def _paid(sheet: Sheet, said: Words, style: Style, top: int) -> int:
    """That and how a sum was paid; the row below."""
    sheet.text(MIDDLE, top + 6, said.one("slip_paid"), style.bold()._replace(size=22), "m")
    ornaments.signature(sheet, MIDDLE - 60, top + 66, 120)
    sheet.pen.line((MIDDLE - 100, top + 88, MIDDLE + 100, top + 88), fill="#666666")
    _rule(sheet, top + 108)
    return top + 122


def _booked(sheet: Sheet, said: Words, style: Style, top: int) -> int:
    """For whom it was bought, with the facts; the row below."""
    spec, own = sheet.spec, split(sheet.spec)[0]
    paid = [spec.fields[number].name for number in own if spec.fields[number].name in PAID]
    sheet.text(MARGIN, top, said.one("receipt_booked", (*paid, spec.about)[0]), style._replace(size=15))
    sheet.within(MARGIN, top + 20, spec.subject, style.bold()._replace(size=22), WIDTH - 2 * MARGIN)
    top += 56
    for number in own:
        field = spec.fields[number]
        label = sheet.fitted(field.label, style, 130)
        sheet.text(MARGIN, top, field.label, label)
        if field.shown == "text":
            room = WIDTH - 2 * MARGIN - sheet.length(field.label, label) - 12
            sheet.value(number, RIGHT, top, sheet.fitted(field.value, style.bold(), room), "r")
        else:
            place(sheet, number, Area(MARGIN + 140, top, WIDTH - 2 * MARGIN - 140), style)
        top += height(field, 26) + 6
    _rule(sheet, top + 2)
    return top + 14


def _foot(sheet: Sheet, said: Words, style: Style, top: int, wishes: str) -> int:
    """Bars and good wishes; the row below."""
    ornaments.barcode(sheet, MARGIN + 30, top, WIDTH - 2 * MARGIN - 60, 50)
    top += 64
    for name in (wishes, "receipt_hours"):
        sheet.within(MIDDLE, top, said.one(name), style, WIDTH - 2 * MARGIN, "m")
        top += 23
    return top + 22


def _money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def _rule(sheet: Sheet, y: int) -> None:
    step = sheet.rng.choice((6, 9))
    for x in range(MARGIN, RIGHT, step):
        sheet.pen.line((x, y, x + step // 2, y), fill="#666666")
