"""From what a slot is drawn: a span of whole numbers, a list of options, or a row of spans."""

from __future__ import annotations

from typing import NamedTuple

from memarena_aha.keyed import Streams

__all__ = ["Among", "Params", "Row", "Span", "Value", "Values", "apart"]

Value = int | tuple[int, ...]
"""What a slot holds."""

Params = dict[str, Value]
"""The values of all slots, by name, in the order of the slots."""

PLACES = 53


class Span(NamedTuple):
    """All whole numbers from `low` to `high`, both included."""

    low: int
    high: int

    def pick(self, streams: Streams, stream: str, *index: object) -> int:
        """One of them, by key; spans wider than a draw is exact take two draws."""
        size = self.high - self.low + 1
        if size < 1 << (PLACES - 3):
            return streams.between(self.low, self.high, stream, *index)
        upper, lower = (int(streams.uniform(stream, *index, half) * (1 << PLACES)) for half in ("upper", "lower"))
        return self.low + (((upper << PLACES) + lower) * size >> 2 * PLACES)

    def holds(self, value: Value) -> bool:
        """True where `value` can be drawn."""
        return isinstance(value, int) and self.low <= value <= self.high


class Among(NamedTuple):
    """A few options: numbers, or rows of numbers."""

    options: tuple[Value, ...]

    def pick(self, streams: Streams, stream: str, *index: object) -> Value:
        """One of them, by key."""
        return self.options[streams.between(0, len(self.options) - 1, stream, *index)]

    def holds(self, value: Value) -> bool:
        """True where `value` can be drawn."""
        return value in self.options


class Row(NamedTuple):
    """A row of numbers, one from each span."""

    spans: tuple[Span, ...]

    def pick(self, streams: Streams, stream: str, *index: object) -> tuple[int, ...]:
        """A row, by key."""
        return tuple(span.pick(streams, stream, *index, place) for place, span in enumerate(self.spans))

    def holds(self, value: Value) -> bool:
        """True where `value` can be drawn."""
        return (
            isinstance(value, tuple)
            and len(value) == len(self.spans)
            and all(span.holds(number) for span, number in zip(self.spans, value, strict=True))
        )


Values = Span | Among | Row


def apart(one: Values, other: Values) -> bool:
    """True where no value can be drawn from both."""
    if isinstance(one, Among):
        return not any(other.holds(option) for option in one.options)
    if isinstance(other, Among):
        return apart(other, one)
    if isinstance(one, Span) and isinstance(other, Span):
        return one.high < other.low or other.high < one.low
    if isinstance(one, Row) and isinstance(other, Row) and len(one.spans) == len(other.spans):
        return any(apart(left, right) for left, right in zip(one.spans, other.spans, strict=True))
    return True
