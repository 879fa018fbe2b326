"""Small pictures as inline SVG; colours are classes, so that the page decides them for light, dark and print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from markupsafe import Markup

    from memarena_report.scores import Number


@dataclass(frozen=True, slots=True)
class Series:
    """A line of a chart: its numbers by place on the x axis (None: no point)."""

    name: str
    colour: int
    numbers: Sequence[Number | None]
    quiet: bool = False
    """Drawn thin and dashed: a floor or an oracle."""


def interval_bar(number: Number, most: float = 1.0) -> Markup:
    """A track from 0 to `most` with the interval as a line and the value as a dot; nothing where it is undefined."""
    from markupsafe import Markup

    if number.value is None or most <= 0:
        return Markup("")
    width, middle = 54, 4
    x = _place(number.value, most, width)
    line = Markup("")
    if number.lo is not None and number.hi is not None:
        low, high = _place(number.lo, most, width), _place(number.hi, most, width)
        line = Markup('<line class="ci" x1="{}" x2="{}" y1="{}" y2="{}"/>').format(low, high, middle, middle)
    return Markup(
        '<svg class="bar" viewBox="-3 0 {} 8" width="60" height="8" aria-hidden="true" focusable="false">'
        '<line class="track" x1="0" x2="{}" y1="{}" y2="{}"/>{}<circle cx="{}" cy="{}" r="2.6"/></svg>'
    ).format(width + 6, width, middle, middle, line, x, middle)


def wide_bar(number: Number) -> Markup:
    """A share on a track from 0 to 1 that stretches to the width it is given: interval and value."""
    from markupsafe import Markup

    if number.value is None:
        return Markup("")
    span = Markup("")
    if number.lo is not None and number.hi is not None:
        box = Markup('<rect class="ci" x="{:.2f}" y="2" width="{:.2f}" height="8"/>')
        span = box.format(100 * number.lo, 100 * (number.hi - number.lo))
    return Markup(
        '<svg class="wide-bar" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" x="0" y="5" width="100" height="2"/>'
        '<rect class="fill" x="0" y="5" width="{:.2f}" height="2"/>{}'
        '<rect class="value" x="{:.2f}" y="1" width="0.5" height="10"/></svg>'
    ).format(100 * number.value, span, 100 * number.value - 0.25)


def _place(value: float, most: float, width: float) -> str:
    return f"{min(max(value / most, 0.0), 1.0) * width:.1f}"


_LEFT, _RIGHT, _TOP, _BOTTOM, _WIDTH, _HEIGHT = 40, 16, 12, 46, 1120, 340
_MOST_TICKS = 25


def line_chart(series: Sequence[Series], ticks: Sequence[str], title: str, x_title: str) -> Markup:
    """Shares over an ordered axis: one line a series, its 95 % interval as a band."""
    from markupsafe import Markup

    inner, height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    xs = [_LEFT + inner * (place + 0.5) / len(ticks) for place in range(len(ticks))]
    every = -(-len(ticks) // _MOST_TICKS)
    parts = [Markup("<title>{}</title>").format(title)]
    for percent in (0, 25, 50, 75, 100):
        y = _TOP + height * (1 - percent / 100)
        parts.append(
            Markup('<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>').format(_LEFT, _WIDTH - _RIGHT, y, y)
        )
        parts.append(_tick(_LEFT - 8, y + 4, str(percent), "end"))
    parts += [_tick(xs[place], _HEIGHT - _BOTTOM + 18, ticks[place]) for place in range(0, len(ticks), every)]
    parts.append(_tick(_LEFT + inner / 2, _HEIGHT - 8, x_title))
    parts += [_series(one, xs, ticks, height) for one in series]
    return Markup('<svg class="lines" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        _WIDTH, _HEIGHT, title, Markup("").join(parts)
    )


def _tick(x: float, y: float, text: str, anchor: str = "middle") -> Markup:
    from markupsafe import Markup

    return Markup('<text class="tick" text-anchor="{}" x="{:.1f}" y="{:.1f}">{}</text>').format(anchor, x, y, text)


def _series(series: Series, xs: Sequence[float], ticks: Sequence[str], height: float) -> Markup:
    """Lines are broken where a point is missing, never drawn across."""
    from markupsafe import Markup

    def y(share: float) -> float:
        return _TOP + height * (1 - min(max(share, 0.0), 1.0))

    parts = [Markup("")]
    for run in _runs(series.numbers):
        points = [(xs[place], number) for place, number in run]
        ends = [(x, one) for x, one in points if one.lo is not None and one.hi is not None]
        if len(ends) > 1 and not series.quiet:
            top = " ".join(f"{x:.1f},{y(one.hi or 0.0):.1f}" for x, one in ends)
            low = " ".join(f"{x:.1f},{y(one.lo or 0.0):.1f}" for x, one in reversed(ends))
            parts.append(Markup('<polygon class="band" points="{} {}"/>').format(top, low))
        line = " ".join(f"{x:.1f},{y(one.value or 0.0):.1f}" for x, one in points)
        parts.append(Markup('<polyline class="line" points="{}"/>').format(line))
        parts += [
            Markup('<circle cx="{:.1f}" cy="{:.1f}" r="3"><title>{}</title></circle>').format(
                xs[place], y(one.value or 0.0), f"{series.name}, {ticks[place]}: {described(one)}"
            )
            for place, one in run
        ]
    quiet = " quiet" if series.quiet else ""
    return Markup('<g class="series c{}{}" data-series="{}">{}</g>').format(
        series.colour, quiet, series.name, Markup("").join(parts)
    )


def _runs(numbers: Sequence[Number | None]) -> list[list[tuple[int, Number]]]:
    runs: list[list[tuple[int, Number]]] = [[]]
    for place, number in enumerate(numbers):
        if number is None or number.value is None:
            runs.append([])
        else:
            runs[-1].append((place, number))
    return [run for run in runs if run]


def described(number: Number) -> str:
    """A share in words: value, interval, n, invalid."""
    if number.value is None:
        return f"– ({number.note})"
    between = f" ({100 * number.lo:.1f} to {100 * (number.hi or 0.0):.1f})" if number.lo is not None else ""
    invalid = f", {number.invalid:,} invalid" if number.invalid else ""
    return f"{100 * number.value:.1f} %{between}, n = {number.n:,}{invalid}"


class Piece(NamedTuple):
    """A part of a stacked bar."""

    kind: str
    """Its class, which has its colour."""
    value: float
    tip: str


def stacked_bar(pieces: Sequence[Piece], most: float) -> Markup:
    """Parts side by side, to the scale of `most`."""
    from markupsafe import Markup

    if most <= 0:
        return Markup("")
    parts, start = [Markup("")], 0.0
    for piece in pieces:
        width = 100 * piece.value / most
        if width > 0:
            part = Markup('<rect class="part {}" x="{:.2f}" y="0" width="{:.2f}" height="10"><title>{}</title></rect>')
            parts.append(part.format(piece.kind, start, width, piece.tip))
        start += width
    frame = '<svg class="stack" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">{}</svg>'
    return Markup(frame).format(Markup("").join(parts))


def signed_bar(number: Number, most: float) -> Markup:
    """A track from -`most` to `most` with a mark at 0: the interval as a line, the value as a dot."""
    from markupsafe import Markup

    if number.value is None or most <= 0:
        return Markup("")
    width, middle = 108, 4

    def place(value: float) -> str:
        return _place(value + most, 2 * most, width)

    line = Markup("")
    if number.lo is not None and number.hi is not None:
        line = Markup('<line class="ci" x1="{}" x2="{}" y1="4" y2="4"/>').format(place(number.lo), place(number.hi))
    return Markup(
        '<svg class="bar" viewBox="-3 0 {} 8" width="{}" height="8" aria-hidden="true" focusable="false">'
        '<line class="track" x1="0" x2="{}" y1="{}" y2="{}"/><line class="zero" x1="{}" x2="{}" y1="0" y2="8"/>{}'
        '<circle cx="{}" cy="{}" r="2.6"/></svg>'
    ).format(width + 6, width + 6, width, middle, middle, place(0.0), place(0.0), line, place(number.value), middle)
