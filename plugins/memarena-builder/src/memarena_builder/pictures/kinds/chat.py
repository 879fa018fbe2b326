"""Screenshots of chats."""

from __future__ import annotations

from typing import NamedTuple

from memarena_builder.pictures.marks import Area, height, place
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Drawing, PictureSpec
from memarena_builder.pictures.words import words

WIDTH, BAR, FOOT, PAD = 440, 78, 66, 13


class _Theme(NamedTuple):
    bar: str
    ground: str
    mine: str
    theirs: str
    ink: str


THEMES = (
    _Theme("#075e54", "#ece5dd", "#dcf8c6", "#ffffff", "#1a1a1a"),
    _Theme("#5682a3", "#d9e4ee", "#e6f3da", "#ffffff", "#1a1a1a"),
    _Theme("#f7f7f8", "#ffffff", "#cfe5ff", "#ececee", "#151515"),
    _Theme("#202c33", "#111b21", "#005c4b", "#202c33", "#eef1f2"),
    _Theme("#4a3f8f", "#f4f2fb", "#ddd6fa", "#ffffff", "#221f33"),
)


class _Bubble(NamedTuple):
    text: str
    field: int
    """Whose value it holds; -1 for small talk."""
    mine: bool


def draw(spec: PictureSpec) -> Drawing:
    """A talk in which each label is asked for and its value given, small talk between."""
    from random import Random

    said = words(spec.language, Random(spec.seed))
    small = said.some("chat_small", 8)
    bubbles = [_Bubble(small.pop(), -1, True)]
    for number, field in enumerate(spec.fields):
        mine = number % 2 == 0
        bubbles.append(_Bubble(f"{field.label}?", -1, mine))
        bubbles.append(_Bubble(field.value, number, not mine))
        if number % 3 == 1 and small:
            bubbles.append(_Bubble(small.pop(), -1, mine))
    tall = [_height(spec, bubble) for bubble in bubbles]
    sheet = Sheet(spec, WIDTH, BAR + 16 + sum(tall) + FOOT)
    theme, face = sheet.rng.choice(THEMES), sheet.rng.choice(("sans", "grotesk"))
    _frame(sheet, theme, face, said.one("chat_status"), said.one("chat_input"))
    top = BAR + 16
    for bubble, each in zip(bubbles, tall, strict=True):
        _draw(sheet, bubble, top, each - 10, theme, Style(face, 20, theme.ink))
        top += each
    return sheet.done()


def _height(spec: PictureSpec, bubble: _Bubble) -> int:
    return (height(spec.fields[bubble.field], 24) if bubble.field >= 0 else 24) + 2 * PAD + 10


def _draw(sheet: Sheet, bubble: _Bubble, top: int, tall: int, theme: _Theme, style: Style) -> None:
    shown = sheet.spec.fields[bubble.field].shown if bubble.field >= 0 else "text"
    style = sheet.fitted(bubble.text, style, 280)
    wide = (sheet.length(bubble.text, style) if shown == "text" else 290) + 2 * PAD
    left = WIDTH - 14 - wide if bubble.mine else 14
    fill = theme.mine if bubble.mine else theme.theirs
    if shown in ("position", "trend", "tick"):
        fill, style = "#ffffff", style._replace(ink="#1a1a1a")
    sheet.pen.rounded_rectangle((left, top, left + wide, top + tall), 14, fill=fill)
    if bubble.field >= 0:
        place(sheet, bubble.field, Area(left + PAD, top + PAD, wide - 2 * PAD + 2), style)
    else:
        sheet.text(left + PAD, top + PAD, bubble.text, style)


def _frame(sheet: Sheet, theme: _Theme, face: str, status: str, prompt: str) -> None:
    pen = sheet.pen
    pen.rectangle((0, 0, WIDTH, sheet.height), fill=theme.ground)
    pen.rectangle((0, 0, WIDTH, BAR), fill=theme.bar)
    ink = "#111111" if theme.bar == "#f7f7f8" else "#ffffff"
    pen.line((30, 30, 18, 41, 30, 52), fill=ink, width=3)
    pen.ellipse((44, 18, 86, 60), fill="#b8bdc2")
    pen.ellipse((57, 25, 73, 41), fill="#f2f2f2")
    pen.pieslice((50, 42, 80, 72), 180, 360, fill="#f2f2f2")
    name = sheet.spec.subject
    sheet.text(100, 16, name, sheet.fitted(name, Style(face, 22, ink).bold(), WIDTH - 130))
    sheet.text(100, 45, status, Style(face, 15, "#8a8a8a" if ink == "#111111" else "#d5dde0"))
    y = sheet.height - FOOT + 12
    pen.rounded_rectangle((14, y, WIDTH - 70, y + 42), 20, fill="#ffffff", outline="#c9ccd0")
    sheet.text(34, y + 10, prompt, Style(face, 18, "#9a9a9a"))
    pen.ellipse((WIDTH - 58, y, WIDTH - 16, y + 42), fill=theme.bar if ink == "#ffffff" else "#3b82f6")
    pen.polygon((WIDTH - 44, y + 12, WIDTH - 26, y + 21, WIDTH - 44, y + 30), fill="#ffffff")
