"""Screenshots of messengers."""

from __future__ import annotations

from typing import NamedTuple

from memarena_builder.pictures import prose
from memarena_builder.pictures.kinds import phone
from memarena_builder.pictures.marks import Area, height, place
from memarena_builder.pictures.rows import split
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Drawing, Field, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, BAR, FOOT, PAD, LINE = phone.WIDTH, phone.STATUS + 66, 64, 12, 25
WIDEST = 300
"""Pixels of the text of a bubble."""
LEAST = 800
"""Pixels of a screen, at least."""
SENDERS = ("#b0456f", "#2f7d6b", "#5b5fc7", "#b5651d")


class Theme(NamedTuple):
    """Colours of a messenger."""

    bar: str
    ground: str
    mine: str
    theirs: str
    ink: str
    soft: str
    """Of times."""
    head: str
    """Of what stands on the bar."""
    tick: str


THEMES = (
    Theme("#075e54", "#ece5dd", "#dcf8c6", "#ffffff", "#1a1a1a", "#7d8a7f", "#ffffff", "#3ca7dd"),
    Theme("#5682a3", "#d4e0ea", "#e6f3da", "#ffffff", "#1a1a1a", "#7a8a97", "#ffffff", "#4fae4e"),
    Theme("#f7f7f8", "#ffffff", "#cfe5ff", "#ececee", "#151515", "#85898f", "#111111", "#2f80ed"),
    Theme("#202c33", "#111b21", "#005c4b", "#202c33", "#eef1f2", "#94a3aa", "#eef1f2", "#53bdeb"),
    Theme("#4a3f8f", "#f4f2fb", "#ddd6fa", "#ffffff", "#221f33", "#8a84a6", "#ffffff", "#6a5acd"),
)


class Said(NamedTuple):
    """One message."""

    text: str
    """With `{V}` where the value of a field stands."""
    mine: bool
    field: int = -1
    """Whose value it holds; -1 for talk."""
    sender: str = ""
    """In a group."""


def draw(spec: PictureSpec) -> Drawing:
    """A talk with the subject, or in a group that has its name: values come up as people tell them."""
    sheet = Sheet(spec, WIDTH, 4000)
    said = words(spec.language, sheet.rng, spec.day)
    theme, face = sheet.rng.choice(THEMES), sheet.rng.choice(("sans", "grotesk"))
    style = Style(face, 19, theme.ink)
    talk = _talk(spec, said, sheet)
    bubbles = [_Bubble(sheet, each, style) for each in talk]
    tall = BAR + 56 + sum(each.tall for each in bubbles) + FOOT + 10
    sheet.end(max(LEAST, tall))
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=theme.ground)
    top = BAR + max(0, LEAST - tall) + 14
    _day(sheet, said.one("chat_today"), theme, top, face)
    minute = sheet.rng.randint(8 * 60, 20 * 60)
    top += 42
    for bubble in bubbles:
        minute += sheet.rng.choice((0, 0, 1, 1, 2, 5))
        bubble.draw(sheet, top, f"{minute // 60}:{minute % 60:02}", theme)
        top += bubble.tall
    _frame(sheet, theme, face, said, f"{minute // 60}:{minute % 60 + 1:02}" if minute % 60 < 59 else "21:00")
    return sheet.done()


def _talk(spec: PictureSpec, said: Words, sheet: Sheet) -> list[Said]:
    """Openings, a thread for each fact, others' lines between, closings."""
    own, rest = split(spec)
    people = said.all("chat_people", spec.about)
    threads = [said.row("chat_openings")]
    fields = [-1]
    for number in (*own, *rest):
        field = spec.fields[number]
        told = ("chat_threads", field.name) if number in own else ("chat_lines", field.label)
        threads.append(said.row(*told))
        fields.append(number)
    middle = list(zip(threads, fields, strict=True))[1:]
    sheet.rng.shuffle(middle)
    asked = next(place for place, (_, number) in enumerate(middle) if number in own)
    middle.insert(asked + 1, (said.row("chat_asides"), -1))
    out = []
    for lines, number in [(threads[0], -1), *middle, (said.row("chat_closings"), -1)]:
        swapped = number in rest and sheet.rng.random() < 0.4
        for line in lines:
            who, text = line[0], line[2:]
            label = spec.fields[number].label if number >= 0 else ""
            mine = (who == ">") != swapped
            sender = "" if mine or not people else sheet.rng.choice(people)
            held = number if "{V}" in text else -1
            out.append(Said(text.replace("{L}", label.lower()), mine, held, sender))
    return out


class _Bubble:
    """A message with its place for the time."""

    def __init__(self, sheet: Sheet, said: Said, style: Style) -> None:
        self.said, self.style = said, style
        own: Field | None = sheet.spec.fields[said.field] if said.field >= 0 else None
        self.shown = own if own and own.shown != "text" else None
        self.lines = prose.laid(sheet, said.text, own.value if own and not self.shown else "", style, WIDEST)
        wide = max(prose.breadth(self.lines), sheet.length(said.sender, self._name()) if said.sender else 0)
        last = sum(piece.wide for piece in self.lines[-1])
        stamp = 66 if said.mine else 46
        self.beside = last + stamp <= WIDEST + 20
        self.wide = max(wide, last + stamp if self.beside else 0, 90)
        self.high = len(self.lines) * LINE + (0 if self.beside else 16) + (20 if said.sender else 0)
        if self.shown:
            self.wide, self.high = WIDEST, height(self.shown, LINE) + 22
        self.tall = self.high + 2 * PAD - 4 + sheet.rng.choice((5, 5, 12))

    def _name(self) -> Style:
        return self.style._replace(size=15).bold()

    def draw(self, sheet: Sheet, top: int, time: str, theme: Theme) -> None:
        """Draw it with its upper edge at `top`."""
        said, pen = self.said, sheet.pen
        wide, bottom = self.wide + 2 * PAD, top + self.high + 2 * PAD - 6
        left = WIDTH - 16 - wide if said.mine else 16
        fill = theme.mine if said.mine else theme.theirs
        style, soft = self.style, Style(self.style.face, 13, theme.soft)
        if self.shown:
            fill, style = "#ffffff", style._replace(ink="#1a1a1a")
        edge = left + wide if said.mine else left
        pen.polygon(
            (edge, top, edge + (9 if said.mine else -9), top, edge + (-12 if said.mine else 12), top + 14), fill=fill
        )
        pen.rounded_rectangle((left, top, left + wide, bottom), 13, fill=fill)
        y = top + PAD - 3
        if said.sender:
            ink = SENDERS[len(said.sender) % len(SENDERS)]
            sheet.text(left + PAD, y - 2, said.sender, self._name()._replace(ink=ink))
            y += 20
        if self.shown:
            place(sheet, said.field, Area(left + PAD, y, WIDEST), style)
        else:
            prose.write(sheet, self.lines, said.field, left + PAD, y, style, LINE)
        right = left + wide - 11
        if said.mine:
            for shift in (0, 6):
                x = right - 18 + shift
                pen.line((x, bottom - 12, x + 4, bottom - 8, x + 11, bottom - 17), fill=theme.tick, width=2)
            right -= 23
        sheet.text(right, bottom - 19, time, soft, "r")


def _day(sheet: Sheet, day: str, theme: Theme, top: int, face: str) -> None:
    style = Style(face, 14, theme.soft)
    half = sheet.length(day, style) // 2 + 14
    middle = WIDTH // 2
    sheet.pen.rounded_rectangle((middle - half, top, middle + half, top + 26), 12, fill=theme.theirs)
    sheet.text(middle, top + 5, day, style, "m")


def _frame(sheet: Sheet, theme: Theme, face: str, said: Words, clock: str) -> None:
    """The bar with whom one talks to, and the line to write in."""
    pen, name = sheet.pen, sheet.spec.subject
    pen.rectangle((0, 0, WIDTH, BAR), fill=theme.bar)
    phone.status(sheet, face, theme.head, clock)
    y = phone.STATUS + 8
    pen.line((26, y + 14, 15, y + 25, 26, y + 36), fill=theme.head, width=3)
    pen.ellipse((40, y, 88, y + 48), fill=sheet.rng.choice(SENDERS))
    sheet.text(64, y + 11, name.removeprefix("Mr. ").removeprefix("Mrs. ")[:1], Style(face, 24, "#ffffff").bold(), "m")
    sheet.within(102, y + 1, name, Style(face, 21, theme.head).bold(), WIDTH - 200)
    state = said.one("chat_status", sheet.spec.about)
    sheet.within(102, y + 28, state, Style(face, 14, "#8a8a8a" if theme.head == "#111111" else "#d5dde0"), WIDTH - 200)
    phone.camera(pen, WIDTH - 84, y + 14, theme.head)
    for dot in range(3):
        pen.ellipse((WIDTH - 24, y + 14 + 8 * dot, WIDTH - 20, y + 18 + 8 * dot), fill=theme.head)
    y = sheet.height - FOOT + 10
    dark = theme.ground == "#111b21"
    pen.rectangle((0, y - 10, WIDTH, sheet.height), fill=theme.ground)
    pen.rounded_rectangle(
        (12, y, WIDTH - 66, y + 44), 22, fill="#202c33" if dark else "#ffffff", outline="#c9ccd0" if not dark else None
    )
    phone.smile(pen, 22, y + 11, theme.soft)
    sheet.text(56, y + 11, said.one("chat_input"), Style(face, 18, theme.soft))
    phone.clip(pen, WIDTH - 100, y + 10, theme.soft)
    pen.ellipse((WIDTH - 58, y, WIDTH - 14, y + 44), fill=theme.bar if theme.head != "#111111" else "#3b82f6")
    phone.microphone(pen, WIDTH - 36, y + 10, "#ffffff")
