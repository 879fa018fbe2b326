"""Days of the week, months and the weather. Day 0 is a Monday, the first of January."""

from __future__ import annotations

from memarena_aha.keyed import Streams

__all__ = ["MONTH_FACTORS", "WEATHER_FACTORS", "WEEKDAYS", "WEEKDAY_FACTORS", "draw_weather", "month", "weekday"]

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
WEEKDAY_FACTORS = (0.85, 0.90, 0.95, 1.00, 1.15, 1.30, 1.10)
MONTH_FACTORS = (0.82, 0.85, 0.94, 1.00, 1.06, 1.14, 1.20, 1.18, 1.05, 0.98, 0.90, 0.88)
WEATHER_FACTORS = {
    "clear": {"cold": 1.00, "hot": 1.00, "snack": 1.00, "sweet": 1.00, "fresh": 1.00},
    "cloud": {"cold": 0.95, "hot": 1.05, "snack": 1.00, "sweet": 1.00, "fresh": 0.98},
    "rain": {"cold": 0.80, "hot": 1.20, "snack": 0.90, "sweet": 0.95, "fresh": 0.85},
    "heat": {"cold": 1.60, "hot": 0.50, "snack": 0.90, "sweet": 0.60, "fresh": 1.05},
    "storm": {"cold": 0.45, "hot": 0.70, "snack": 0.55, "sweet": 0.55, "fresh": 0.40},
}
"""Demand by weather and category of product."""

_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MONTH_OF_DAY = tuple(number for number, days in enumerate(_MONTH_DAYS) for _ in range(days))
_PERSISTENCE = 0.35
_CHANCES = {
    "winter": (("clear", 0.25), ("cloud", 0.40), ("rain", 0.28), ("storm", 0.07)),
    "spring": (("clear", 0.38), ("cloud", 0.32), ("rain", 0.22), ("heat", 0.04), ("storm", 0.04)),
    "summer": (("clear", 0.45), ("cloud", 0.18), ("rain", 0.12), ("heat", 0.20), ("storm", 0.05)),
}
_SEASONS = ("winter",) * 2 + ("spring",) * 3 + ("summer",) * 3 + ("spring",) * 2 + ("winter",) * 2
_MILD = {"heat": "clear", "storm": "rain"}


def weekday(day: int) -> int:
    """0 is Monday."""
    return day % 7


def month(day: int) -> int:
    """0 is January."""
    return _MONTH_OF_DAY[day % 365]


def draw_weather(streams: Streams, days: int, shocks: bool) -> tuple[str, ...]:
    """The weather of each day: yesterday's with 35 %, else drawn by season; without shocks no heat and no storm."""
    chain: list[str] = []
    for day in range(days):
        if chain and streams.uniform("weather-stays", day) < _PERSISTENCE:
            chain.append(chain[-1])
        else:
            chain.append(_drawn(streams.uniform("weather", day), _CHANCES[_SEASONS[month(day)]]))
    return tuple(chain if shocks else (_MILD.get(kind, kind) for kind in chain))


def _drawn(point: float, chances: tuple[tuple[str, float], ...]) -> str:
    for kind, chance in chances:
        point -= chance
        if point < 0:
            return kind
    return chances[0][0]
