"""Tickets and permits with a stub."""

from __future__ import annotations

import random

from memarena_builder.pictures import ornaments, photo
from memarena_builder.pictures.marks import Area, place
from memarena_builder.pictures.palette import SCHEMES, Scheme
from memarena_builder.pictures.rows import cells, split, stacked
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Drawing, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, STUB, MARGIN, HEAD = 780, 190, 30, 84
LEAST = 330


def draw(spec: PictureSpec) -> Drawing:
    """A ticket: what it admits to, the same for all of a sample, the holder, cells of small print, the facts; a stub
    behind a row of holes."""
    own, rest = split(spec)
    sheet = Sheet(spec, WIDTH, 1400)
    rng, said = sheet.rng, words(spec.language, sheet.rng, spec.day)
    scheme, face = rng.choice(SCHEMES), rng.choice(("sans", "slab", "grotesk", "mono"))
    paper = rng.choice((scheme.light, "#fffdf6", "#f6f6f6"))
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=paper)
    right = rng.random() < 0.7
    left, edge = (MARGIN, WIDTH - STUB) if right else (STUB + MARGIN, STUB)
    wide = WIDTH - STUB - 2 * MARGIN
    event_of = words(spec.language, random.Random(spec.house), spec.day)
    title, event, where, note = event_of.row("ticket_rows", spec.about)
    sheet.pen.rectangle((0, 0, WIDTH - STUB, HEAD) if right else (STUB, 0, WIDTH, HEAD), fill=scheme.dark)
    sheet.within(left, 12, title, Style(face, 30, "#ffffff").bold(), wide - 190)
    sheet.within(left, 52, event, Style(face, 17, "#e8e8ee"), wide)
    sheet.within(left + wide, 22, where, Style(face, 16, "#ffffff"), 180, "r")
    small = Style(face, 14, "#666666")
    sheet.text(left, HEAD + 16, said.one("ticket_holder"), small)
    sheet.within(left, HEAD + 36, spec.subject, Style(face, 27), wide)
    top = HEAD + 86
    if rest:
        sheet.pen.line((left, top - 8, left + wide, top - 8), fill=scheme.accent)
        top = cells(sheet, rest, Area(left, top, wide), small, Style(face, 19), across=min(4, len(rest))) + 6
        sheet.pen.line((left, top - 8, left + wide, top - 8), fill=scheme.accent)
    top = max(
        LEAST, _facts(sheet, said, own, Area(left, top + 4, wide), small, Style(face, 34, scheme.dark).bold()) + 24
    )
    _stub(sheet, scheme, face, (edge + 26 if right else 26, title, event, note), top)
    sheet.end(top)
    for y in range(6, sheet.height, 16):
        sheet.pen.ellipse((edge - 3, y, edge + 3, y + 6), fill="#9b9b9b")
    return sheet.done(photo.perhaps(rng, 0.65))


def _facts(sheet: Sheet, said: Words, own: list[int], area: Area, label: Style, value: Style) -> int:
    """The facts: those that are drawn side by side, others one below the other; the row below."""
    drawn = [number for number in own if sheet.spec.fields[number].shown in ("tick", "position")]
    top = area.y
    for number in own:
        if number not in drawn:
            top = stacked(sheet, number, area._replace(y=top), label, value) + 8
    bottom = top
    for at, number in enumerate(drawn):
        field, x = sheet.spec.fields[number], area.x + at * area.width // len(drawn)
        wide = area.width // len(drawn) - 12
        sheet.within(x, top, field.label, label._replace(size=16), wide)
        y = top + 30
        if field.shown == "position":
            stage = (x + 20, y, x + min(226, wide), y + 20)
            sheet.pen.rounded_rectangle(stage, 6, fill="#d8d8d4")
            sheet.text(
                (stage[0] + stage[2]) // 2, y + 3, said.one("ticket_stage"), Style(label.face, 13, "#555555"), "m"
            )
            y += 30
        bottom = max(bottom, place(sheet, number, Area(x, y, wide), value._replace(size=20)).bottom)
    return bottom


def _stub(sheet: Sheet, scheme: Scheme, face: str, told: tuple[int, str, str, str], tall: int) -> None:
    """What is torn off: the title again, bars, a rule; `told`: left, title, what it admits to, the rule."""
    x, title, event, rule = told
    wide = STUB - 54
    sheet.within(x, 24, title, Style(face, 19, scheme.dark).bold(), wide)
    note = Style(face, 14, "#555555")
    top = 56
    for line in sheet.lines(event, note, wide):
        sheet.text(x, top, line, note)
        top += 19
    ornaments.barcode(sheet, x, top + 12, wide, 90)
    top += 122
    sheet.within(x, top, sheet.spec.subject, Style(face, 15), wide)
    for row, line in enumerate(sheet.lines(rule, note, wide)):
        sheet.text(x, tall - 56 + 19 * row, line, note)
