"""Screenshots: dashboard, chat, spreadsheet, charts, booking, inventory bar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .canvas import GREY, INK, Canvas

STATES = {"passed": "#2f9e5f", "failed": "#d64545", "skipped": "#9aa1ad"}


def dashboard(build: str, date: str, jobs: Sequence[tuple[str, str, str]], total: str) -> Canvas:
    """A CI dashboard; `jobs` are (name, state, time)."""
    c = Canvas(560, 380, "#f3f5f9")
    c.box(0, 0, 560, 48, "#20304a")
    c.oval(28, 24, 10, 10, "#57b0c9")
    c.text(48, 25, "tidewater / main", 16, "white", bold=True)
    c.text(540, 25, date, 13, "#b9c6da", "rm")
    c.text(24, 74, f"Build {build}", 18, INK, bold=True)
    c.text(536, 74, f"Total time {total}", 14, GREY, "rm")
    for row, (name, state, time) in enumerate(jobs):
        y = 98 + row * 52
        c.box(24, y, 512, 44, "white", "#dde2ea", 1, 6)
        c.box(24, y, 6, 44, STATES[state], radius=2)
        c.oval(52, y + 22, 10, 10, STATES[state])
        if state == "passed":
            c.tick(52, y + 22, 8, "white", 1.8)
        elif state == "failed":
            c.cross(52, y + 22, 7, "white", 1.8)
        else:
            c.line([(48, y + 22), (56, y + 22)], "white", 1.8)
        c.text(76, y + 22, name, 15)
        c.text(420, y + 22, state, 14, STATES[state], "rm", bold=True)
        c.text(520, y + 22, time, 13, GREY, "rm")
    return c


def chat(channel: str, messages: Sequence[tuple[str, str, str, str]], thumbs: int) -> Canvas:
    """A chat channel; `messages` are (name, time, text, colour), the last one with `thumbs` thumbs up."""
    c = Canvas(540, 330, "white")
    c.box(0, 0, 120, 330, "#3a2f4d")
    for row, name in enumerate(("general", "tidewater", "lunch", "port-calls")):
        if name in channel:
            c.box(8, 40 + row * 32, 104, 26, "#5c4b78", radius=5)
        c.text(18, 53 + row * 32, f"# {name}", 13, "white")
    c.text(140, 26, channel, 17, bold=True)
    c.line([(120, 48), (540, 48)], "#e2e2e8", 1)
    for row, (name, time, text, colour) in enumerate(messages):
        y = 66 + row * 76
        c.box(140, y, 36, 36, colour, radius=7)
        c.text(158, y + 18, name[0], 18, "white", "mm", bold=True)
        c.text(188, y + 8, name, 14, bold=True)
        c.text(520, y + 8, time, 12, GREY, "rm")
        for line, part in enumerate(text.split("\n")):
            c.text(188, y + 28 + line * 18, part, 14)
    y = 66 + (len(messages) - 1) * 76 + 70
    c.box(188, y, 60, 24, "#eef3ff", "#a9bdf0", 1, 12)
    c.box(200, y + 10, 5, 9, "#e0a33a")
    c.box(206, y + 9, 11, 10, "#f0b84c", radius=3)
    c.box(206, y + 4, 5, 9, "#f0b84c", radius=2)
    c.text(234, y + 12, str(thumbs), 13, "#33509c", "mm")
    return c


def bars(
    title: str,
    values: Sequence[tuple[str, float, str]],
    unit: str,
    top: float,
    step: float,
    form: str = "{:g}",
    axis: str = "",
) -> Canvas:
    """A bar chart; `values` are (label, value, colour)."""
    c = Canvas(540, 360, "white")
    c.text(270, 28, title, 18, INK, "mm", bold=True)
    left, base, high = 70, 296, 226
    ticks = 0.0
    while ticks <= top + 1e-9:
        y = base - ticks / top * high
        c.line([(left, y), (510, y)], "#e4e7ec", 1)
        c.text(left - 8, y, f"{ticks:g}", 12, GREY, "rm")
        ticks += step
    room = 440 / len(values)
    for place, (label, value, colour) in enumerate(values):
        x = left + room * place + room * 0.22
        tall = value / top * high
        c.box(x, base - tall, room * 0.56, tall, colour)
        c.text(x + room * 0.28, base - tall - 12, form.format(value), 14, INK, "mm", bold=True)
        c.text(x + room * 0.28, base + 16, label, 13, INK, "mm")
    c.line([(left, base), (510, base)], INK, 1.4)
    c.text(left - 8, 54, unit, 12, GREY, "rm")
    c.text(290, 342, axis, 13, GREY, "mm")
    return c


ORDERS = (
    ("A-101", "Leiden", "Desk lamps", 420.0),
    ("A-102", "Utrecht", "Shelving", 1150.0),
    ("A-103", "Delft", "Atlases", 310.0),
    ("A-104", "Leiden", "Till rolls", 95.0),
    ("A-105", "Delft", "Globes", 640.0),
    ("A-106", "Utrecht", "Stools", 380.0),
    ("A-107", "Leiden", "Ladder", 215.0),
    ("A-108", "Delft", "Postcards", 130.0),
)
EDGES = (30, 102, 190, 296, 388, 470, 560)


def spreadsheet(
    shown: Mapping[str, str], formula: str = "", selected: str = "A1", limit: float | None = None, rate: float = 0
) -> Canvas:
    """The sheet Orders; `shown` overrides cells, `rate` fills VAT and gross, `limit` marks gross cells red."""
    c = Canvas(560, 372, "white")
    c.box(0, 0, 560, 34, "#1f7246")
    c.text(14, 17, "q3_orders.xlsx", 14, "white", bold=True)
    c.box(0, 34, 560, 30, "#f1f3f4")
    c.box(10, 39, 52, 20, "white", "#cfd3d8")
    c.text(36, 49, selected, 12, INK, "mm")
    c.box(72, 39, 476, 20, "white", "#cfd3d8")
    c.text(80, 49, formula, 12)
    heads = ("Order", "Branch", "Item", "Net", "VAT", "Gross")
    for row in range(10):
        y = 64 + row * 26
        c.box(0, y, 30, 26, "#f1f3f4", "#d5d9de")
        c.text(15, y + 13, "" if row == 0 else str(row), 11, GREY, "mm")
        for place, letter in enumerate("ABCDEF"):
            x, w = EDGES[place], EDGES[place + 1] - EDGES[place]
            text, ground = _cell(row, place, heads, shown.get(f"{letter}{row}", ""), limit, rate)
            c.box(x, y, w, 26, letter and ground, "#d5d9de")
            if row == 0:
                c.text(x + w / 2, y + 13, letter, 12, GREY, "mm")
            elif row == 1 or place < 3:
                c.text(x + 6, y + 13, text, 13, bold=row == 1)
            else:
                c.text(x + w - 6, y + 13, text, 13, INK, "rm")
            if f"{letter}{row}" == selected:
                c.box(x, y, w, 26, None, "#1f7246", 2)
    c.box(0, 324, 560, 48, "#f1f3f4")
    c.box(40, 324, 84, 24, "white", "#cfd3d8")
    c.text(82, 336, "Orders", 13, "#1f7246", "mm", bold=True)
    c.box(124, 324, 88, 24, "#f6b26b", "#cfd3d8")
    c.text(168, 336, "Settings", 13, INK, "mm")
    c.text(14, 361, "Autosave: off", 11, GREY)
    return c


def _cell(row: int, place: int, heads: Sequence[str], given: str, limit: float | None, rate: float) -> tuple[str, str]:
    if row == 0:
        return "", "#f1f3f4"
    if row == 1:
        return heads[place], "#e6f2ea"
    order = ORDERS[row - 2]
    net = order[3]
    gross = net * (1 + rate)
    ground = "#f4a6a0" if limit is not None and place == 5 and gross > limit else "white"
    if given or place < 3:
        return given or str(order[place]), ground
    if place == 3:
        return f"{net:,.2f}", ground
    return (f"{(net * rate if place == 4 else gross):,.2f}" if rate else ""), ground


def with_dialog(c: Canvas, title: str, lines: Sequence[str]) -> Canvas:
    """`c` with a warning box in front."""
    c.box(124, 126, 330, 138, "#c9ced6", radius=6)
    c.box(120, 120, 330, 138, "white", "#7d8594", 1.2, 6)
    c.box(120, 120, 330, 28, "#e8ebf0", "#7d8594", 1.2, 6)
    c.text(132, 134, title, 13, bold=True)
    c.shape([(150, 166), (172, 204), (128, 204)], "#f2b632")
    c.text(150, 192, "!", 20, "white", "mm", bold=True)
    for row, line in enumerate(lines):
        c.text(186, 172 + row * 20, line, 13)
    c.box(262, 222, 76, 24, "#f1f3f4", "#aab1bd", 1, 4)
    c.text(300, 234, "Help", 13, INK, "mm")
    c.box(352, 222, 76, 24, "#2f6fd6", radius=4)
    c.text(390, 234, "OK", 13, "white", "mm", bold=True)
    return c


def with_wizard(c: Canvas) -> Canvas:
    """`c` with a chart wizard at the lower right."""
    c.box(304, 196, 148, 140, "#c9ced6", radius=6)
    c.box(300, 190, 148, 140, "white", "#7d8594", 1.2, 6)
    c.box(300, 190, 148, 26, "#e8ebf0", "#7d8594", 1.2, 6)
    c.text(312, 203, "Chart wizard", 13, bold=True)
    for row, kind in enumerate(("Bar", "Line", "Pie")):
        y = 238 + row * 32
        c.oval(322, y, 8, 8, "white", "#7d8594", 1.2)
        if row == 0:
            c.oval(322, y, 4.5, 4.5, "#2f6fd6")
        c.text(340, y, kind, 14)
    return c


def booking(rows: Sequence[tuple[str, str]], code: str) -> Canvas:
    """A ferry booking on a screen."""
    c = Canvas(460, 330, "#e9f1f7")
    c.box(20, 18, 420, 294, "white", "#c5d3df", 1, 10)
    c.box(20, 18, 420, 58, "#1d5f8a", radius=10)
    c.box(20, 60, 420, 16, "#1d5f8a")
    c.text(40, 46, "Baltic Swift", 20, "white", bold=True)
    c.text(420, 46, "BOOKING CONFIRMED", 12, "#bfe0f2", "rm")
    c.shape([(350, 120), (424, 120), (408, 142), (366, 142)], "#1d5f8a")
    c.box(370, 102, 34, 18, "#d8e6ef", "#1d5f8a", 1)
    c.line([(348, 147), (360, 144), (372, 148), (386, 144), (400, 148), (414, 144), (426, 147)], "#57a6cf", 2)
    for row, (name, value) in enumerate(rows):
        y = 102 + row * 36
        c.text(40, y, name, 13, GREY)
        c.text(150, y, value, 16, INK, bold=True)
    c.line([(40, 274), (420, 274)], "#d5dfe7", 1)
    c.text(40, 293, f"Booking code {code}", 13, GREY)
    return c
