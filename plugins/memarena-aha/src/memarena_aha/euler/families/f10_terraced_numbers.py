"""F10: the sum of numbers with digits in order and a given count of distinct ones."""

from __future__ import annotations

from math import comb

from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Span


def solve_fast(base: int, length: int, distinct: int) -> int:
    """By the mean digit of each place: choices of digits and of terraces are independent."""
    flat = comb(length - 1, distinct - 1)
    rising = comb(length - 2, distinct - 2) if distinct > 1 else 0
    total = 0
    for place in range(length):
        total = total * base + flat + place * rising
    return comb(base, distinct + 1) * total


def solve_brute(base: int, length: int, distinct: int) -> int:
    """Every number of the length looked at."""
    total = 0
    for number in range(base ** (length - 1), base**length):
        left, after, seen, ordered = number, base, set(), True
        while left:
            left, digit = divmod(left, base)
            ordered = ordered and digit <= after
            after = digit
            seen.add(digit)
        if ordered and len(seen) == distinct:
            total += number
    return total


def valid(base: int, length: int, distinct: int) -> bool:
    return 1 <= distinct <= min(length, base - 1) and length >= 1


def held_out(base: int, length: int, distinct: int) -> bool:
    return length > base or length >= 18


def hand_steps(base: int, length: int, distinct: int) -> int:
    """Two for each place, and three binomials."""
    return 2 * length + 12


def explain(base: int, length: int, distinct: int) -> tuple[str, ...]:
    return (
        f"Such a number is a set of {distinct} digits from 1..{base - 1} (a 0 could not stand at the front) together"
        f" with a way to cut the {length} places into {distinct} terraces, one a digit. Both choices are independent.",
        f"Over all sets of digits, the r-th smallest digit adds up to r*C({base}, {distinct} + 1).",
        f"At place i (from the left, beginning with 0) the rank r of the terrace adds up, over all cuts, to"
        f" C({length}-1, {distinct}-1) + i*C({length}-2, {distinct}-2).",
        f"So the sum is C({base}, {distinct} + 1) times the sum over i of {base}^({length}-1-i) times the value of"
        " step 3; build it up from the left by multiplying with the base and adding.",
    )


FAMILY = Family(
    family_id="F10",
    title="Terraced numbers",
    area="digits",
    tier=3,
    idea="Choose the digit set and the cut into terraces independently: by linearity each place contributes the mean of"
    " its terrace's rank, a sum of two binomials, times C(b, j+1).",
    method=(("independent", "linearity"), ("binomial", "C(", "c("), ("terrace", "cut")),
    regime="few digits -> 18 digits and more",
    slots=(
        Slot("base", Span(10, 110), Span(111, 400), Span(3, 9)),
        Slot("length", Span(4, 9), Span(18, 23), Span(1, 5)),
        Slot("distinct", Span(2, 4), Span(5, 9), Span(1, 4)),
    ),
    teach_skins=(
        Skin(
            ("vine", "slope"),
            "A vine grows on a slope for each number that has exactly {length} digits in base {base} (the first is not"
            " 0), whose digits never become smaller from left to right, and that uses exactly {distinct} different"
            " digits. What is the sum of all these numbers, written as a decimal number?",
        ),
        Skin(
            ("organ", "pipe"),
            "An organ has one pipe for every number of {length} digits in base {base}, without leading zero. It sounds"
            " if the digits are in non-decreasing order and exactly {distinct} distinct digits occur. Add up the values"
            " of all numbers that sound (as ordinary decimal numbers).",
        ),
        Skin(
            ("stair", "castle"),
            "The stair of a castle is labelled with all the {length}-digit numbers to base {base} in which every digit"
            " is at least as large as the one to its left and precisely {distinct} different digits appear (no zero at"
            " the front). What do the labels add up to, in decimal?",
        ),
    ),
    test_skins=(
        Skin(
            ("reef", "coral"),
            "On a reef, one coral is marked with each number n that takes {length} digits in base {base}, has exactly"
            " {distinct} distinct digits, and whose digits from the first to the last never decrease; the first one is"
            " not zero. What is the sum of these n? Answer in decimal.",
        ),
        Skin(
            ("auction", "bid"),
            "At an auction a bid is allowed if, in base {base}, it is written with {length} digits that do not fall"
            " from left to right (the leading one above zero) and with {distinct} different digits, no more and no"
            " fewer. What is the total of all allowed ones, as a decimal number?",
        ),
        Skin(
            ("skater", "jump"),
            "A skater scores a jump with a {length}-digit number in base {base}. Counted are numbers with a non-zero"
            " first digit, with each digit equal to or greater than its left neighbour, and with the number of distinct"
            " digits equal to {distinct}. Find the decimal sum of all numbers that can be counted.",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=120,
    hand_steps=hand_steps,
    ports=("base",),
)
