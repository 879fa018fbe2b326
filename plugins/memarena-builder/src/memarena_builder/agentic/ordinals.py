"""Numbers as words, so that no search for digits finds what they count."""

from __future__ import annotations

ONES = (
    "", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
)  # fmt: skip
TENS = {20: "twent", 30: "thirt", 40: "fort", 50: "fift", 60: "sixt", 70: "sevent", 80: "eight", 90: "ninet"}

MOST_ORDINAL = 99


def ordinal(number: int) -> str:
    """`third`, `twenty-first`; for 1 to 99."""
    if number < len(ONES):
        return ONES[number]
    tens, ones = number // 10 * 10, number % 10
    return f"{TENS[tens]}y-{ONES[ones]}" if ones else f"{TENS[tens]}ieth"
