"""F08: carries when every number of a range is added to itself."""

from __future__ import annotations

from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Span


def solve_fast(base: int, digits: int, lead: int) -> int:
    """A chain of two states: with a carry coming in, and without."""
    low_digit, high_digit = base // 2, (base + 1) // 2
    numbers, carrying, total = 1, 0, 0
    for _ in range(digits):
        carrying, total = (
            (numbers - carrying) * (base - high_digit) + carrying * (base - low_digit),
            total * base,
        )
        numbers *= base
        total += carrying
    always, only_with_carry = max(0, lead - high_digit), max(0, lead - low_digit)
    return lead * total + always * numbers + (only_with_carry - always) * carrying


def solve_brute(base: int, digits: int, lead: int) -> int:
    """Each addition done digit by digit."""
    total = 0
    for number in range(lead * base**digits):
        left, carry = number, 0
        while left or carry:
            left, digit = divmod(left, base)
            carry = int(2 * digit + carry >= base)
            total += carry
    return total


def valid(base: int, digits: int, lead: int) -> bool:
    return base >= 2 and digits >= 1 and 1 <= lead < base


def held_out(base: int, digits: int, lead: int) -> bool:
    return base % 2 == 1


def hand_steps(base: int, digits: int, lead: int) -> int:
    """Four for each digit of the chain and six for the leading one."""
    return 4 * digits + 6


def explain(base: int, digits: int, lead: int) -> tuple[str, ...]:
    return (
        f"Go from the lowest digit upwards. A digit d passes a carry on if 2d >= {base} when none comes in"
        f" ({base - (base + 1) // 2} digits do), and if 2d + 1 >= {base} when one comes in ({base - base // 2} do).",
        "Let N be the count of numbers of k digits, C how many of them carry out of the top digit, T all their carries."
        " Start with N = 1, C = T = 0.",
        f"One more digit: C' = (N - C)*{base - (base + 1) // 2} + C*{base - base // 2}, T' = {base}*T + C', N' ="
        f" {base}*N. Do this {digits} times.",
        f"The numbers below {lead}*{base}^{digits} have a leading digit below {lead} in front: {lead}*T carries come"
        " from the lower digits; each leading digit d with 2d >= base adds N, and one with 2d + 1 = base adds C.",
    )


FAMILY = Family(
    family_id="F08",
    title="Doubling carries",
    area="digits",
    tier=1,
    idea="Follow the carry through the digits as a chain of two states (carry in or not) and count numbers, carries out"
    " of the top and carries in all.",
    method=(("two states", "carry in", "chain", "comes in"), ("carry", "carries")),
    regime="even base (half of the digits carry, whatever comes in) -> odd base",
    slots=(
        Slot("base", Span(102, 500), Span(501, 1999), Span(2, 12)),
        Slot("digits", Span(3, 6), Span(8, 13), Span(1, 3)),
        Slot("lead", Span(2, 101), Span(102, 400), Span(1, 11)),
    ),
    teach_skins=(
        Skin(
            ("abacus", "bead"),
            "On an abacus with base {base}, every number n with 0 <= n < {lead} * {base}^{digits} is added to itself,"
            " bead by bead. A carry out of any digit, also out of the top one, is counted each time. How many carries"
            " are there in all?",
        ),
        Skin(
            ("clerk", "ledger"),
            "A clerk doubles, as n + n in base {base}, each n from 0 to {lead} * {base}^{digits} - 1, and makes a mark"
            " in the ledger for each carry that a column hands on, the top one too. How many marks does he make?",
        ),
        Skin(
            ("pulley", "rope"),
            "Numbers hang on a rope in base {base}. The pulley forms n + n for n = 0, 1, 2, ... as long as n is less"
            " than {lead} * {base}^{digits}. What is the total number of carries that occur?",
        ),
    ),
    test_skins=(
        Skin(
            ("robot", "cable"),
            "A robot computes n + n with digits of base {base} for all n >= 0 below {lead} * {base}^{digits}. Whenever"
            " a carry leaves a digit, be it the highest, a pulse goes through a cable. How many pulses are sent?",
        ),
        Skin(
            ("school", "chalk"),
            "In a school that writes in base {base}, children double all numbers from zero up to, but not including,"
            " {lead} * {base}^{digits} by adding each to itself. Every carry costs one piece of chalk. How many are"
            " used?",
        ),
        Skin(
            ("turbine", "spark"),
            "A turbine adds n to n, column by column in base {base}. It does so once for each whole number n in the"
            " range 0 <= n < {lead} * {base}^{digits}, with a spark at each carry (the last column's included). How"
            " many sparks fly?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=100,
    hand_steps=hand_steps,
    ports=("lead",),
)
