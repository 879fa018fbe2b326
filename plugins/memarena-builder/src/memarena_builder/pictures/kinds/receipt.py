"""Receipts from a till."""

from __future__ import annotations

from memarena_builder.pictures import ornaments, photo
from memarena_builder.pictures.marks import Area, height, place
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Drawing, PictureSpec
from memarena_builder.pictures.words import words

WIDTH, MARGIN = 400, 26
MONEY = ("euros", "dollars", "pounds")


def draw(spec: PictureSpec) -> Drawing:
    """A slip: who issued it, to whom, its lines, bars. Goods with prices only where no field is an amount."""
    line, rows = 34, [height(field, 32) + 6 for field in spec.fields]
    priced = not any(field.value.endswith(MONEY) for field in spec.fields)
    sheet = Sheet(spec, WIDTH, 268 + sum(rows) + (line * 4 if priced else 0) + 150)
    rng, own = sheet.rng, words(spec.language, sheet.rng)
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=rng.choice(("#fdfdfb", "#f8f7f2", "#f3f4f5", "#fbf8f3")))
    style = Style(rng.choice(("mono", "mono", "grotesk")), 19, rng.choice(("#222222", "#3a3a44")))
    middle = WIDTH // 2
    shop = own.one("shops")
    sheet.text(middle, 26, shop, sheet.fitted(shop, style.bold()._replace(size=29), WIDTH - 2 * MARGIN), "m")
    sheet.text(middle, 66, f"{own.one('till')} {rng.randint(1, 9)}", style._replace(size=15), "m")
    _rule(sheet, 98)
    sheet.text(MARGIN, 108, own.one("re"), style._replace(size=15))
    sheet.text(
        MARGIN, 128, spec.subject, sheet.fitted(spec.subject, style.bold()._replace(size=22), WIDTH - 2 * MARGIN)
    )
    _rule(sheet, 166)
    top = _goods(sheet, own.some("receipt_items", 3), own.one("total"), style, 178) if priced else 178
    for number, field in enumerate(spec.fields):
        label = sheet.fitted(field.label, style, 130)
        sheet.text(MARGIN, top, field.label, label)
        if field.shown == "text":
            room = WIDTH - 2 * MARGIN - sheet.length(field.label, label) - 12
            sheet.value(number, WIDTH - MARGIN, top, sheet.fitted(field.value, style.bold(), room), "r")
        else:
            place(sheet, number, Area(MARGIN + 140, top, WIDTH - 2 * MARGIN - 140), style)
        top += rows[number]
    _rule(sheet, top + 6)
    if priced:
        sheet.text(middle, top + 18, own.one("paid"), style._replace(size=16), "m")
    ornaments.barcode(sheet, MARGIN + 30, top + 56, WIDTH - 2 * MARGIN - 60, 54)
    greeting = own.one("receipt_greetings")
    sheet.text(middle, top + 120, greeting, sheet.fitted(greeting, style._replace(size=16), WIDTH - 2 * MARGIN), "m")
    if rng.random() < 0.25:
        ornaments.ring(sheet, rng.randint(60, WIDTH - 60), top + 90, 54)
    return sheet.done(photo.perhaps(rng, 0.75))


def _goods(sheet: Sheet, goods: list[str], total: str, style: Style, top: int) -> int:
    rng, whole = sheet.rng, 0
    for name in goods:
        cents = rng.randint(12, 180) * 5
        whole += cents
        sheet.text(MARGIN, top, name, style)
        sheet.text(WIDTH - MARGIN, top, f"{cents / 100:.2f}", style, "r")
        top += 28
    sheet.text(MARGIN, top + 4, total, style.bold())
    sheet.text(WIDTH - MARGIN, top + 4, f"{whole / 100:.2f}", style.bold(), "r")
    _rule(sheet, top + 38)
    return top + 50


def _rule(sheet: Sheet, y: int) -> None:
    step = sheet.rng.choice((6, 9))
    for x in range(MARGIN, WIDTH - MARGIN, step):
        sheet.pen.line((x, y, x + step // 2, y), fill="#666666")
