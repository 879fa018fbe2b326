"""F07: numbers with a digit sum in one class and no equal neighbours."""

from __future__ import annotations

from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Among, Params, Span


def count_below(bound: int, base: int, rest: int, cycle: int) -> int:
    """How many positive numbers below `bound` are restless."""
    digits = []
    while bound:
        bound, digit = divmod(bound, base)
        digits.append(digit)
    tables = completions(len(digits), base, cycle)
    total = 0
    for length in range(1, len(digits)):
        for digit in range(1, base):
            total += tables[length - 1][digit][(rest - digit) % cycle]
    before, sum_so_far = -1, 0
    for place in range(len(digits) - 1, -1, -1):
        for digit in range(1 if before < 0 else 0, digits[place]):
            if digit != before:
                total += tables[place][digit][(rest - sum_so_far - digit) % cycle]
        if digits[place] == before:
            break
        before, sum_so_far = digits[place], sum_so_far + digits[place]
    return total


def completions(length: int, base: int, cycle: int) -> list[list[list[int]]]:
    """`[k][d][r]`: ways to put k digits behind a digit d, with digit sum r modulo the cycle."""
    table = [[int(rest == 0) for rest in range(cycle)] for _ in range(base)]
    tables = [table]
    for _ in range(length):
        sums = [sum(table[digit][(rest - digit) % cycle] for digit in range(base)) for rest in range(cycle)]
        table = [[sums[rest] - table[digit][(rest - digit) % cycle] for rest in range(cycle)] for digit in range(base)]
        tables.append(table)
    return tables


def solve_fast(low: int, high: int, base: int, rest: int, cycle: int) -> int:
    """A digit DP, for both ends."""
    return count_below(high + 1, base, rest, cycle) - count_below(low, base, rest, cycle)


def solve_brute(low: int, high: int, base: int, rest: int, cycle: int) -> int:
    """Every number's digits looked at."""
    count = 0
    for number in range(low, high + 1):
        left, before, total, restless = number, None, 0, True
        while left:
            left, digit = divmod(left, base)
            restless = restless and digit != before
            before, total = digit, total + digit
        if restless and total % cycle == rest:
            count += 1
    return count


def repair(low: int, high: int, base: int, rest: int, cycle: int) -> Params:
    return {"low": low, "high": high, "base": base, "rest": rest % cycle, "cycle": cycle}


def valid(low: int, high: int, base: int, rest: int, cycle: int) -> bool:
    return 1 <= low <= high and base >= 2 and 0 <= rest < cycle


def held_out(low: int, high: int, base: int, rest: int, cycle: int) -> bool:
    return base != 10


def explain(low: int, high: int, base: int, rest: int, cycle: int) -> tuple[str, ...]:
    return (
        f"Count up to a bound and subtract: f({high + 1}) - f({low}), with f(B) the count of good numbers below B.",
        f"Digit DP in base {base}: let w(k, d, r) be the ways to write k more digits behind digit d, no two neighbours"
        f" equal, whose digit sum is r modulo {cycle}. w(0, d, 0) = 1.",
        "w(k+1, d, r) is the sum over digits e other than d of w(k, e, r - e): take the sum over all e once, and"
        " subtract the term of e = d.",
        f"Shorter numbers: all first digits 1..{base - 1} with w. Numbers of the length of B: follow the digits of B,"
        " and at each place try every smaller digit that differs from the one before it; stop where B itself has equal"
        " neighbours.",
        f"Always ask for the digit sum that is still missing to {rest} modulo {cycle}.",
    )


FAMILY = Family(
    family_id="F07",
    title="Restless digits",
    area="digits",
    tier=2,
    idea="A digit DP with the state (last digit, digit sum modulo m), counted up to both ends of the range and"
    " subtracted.",
    method=(("digit dp", "digit dynamic", "last digit"), ("subtract", "difference")),
    regime="base ten -> another base",
    slots=(
        Slot("low", Span(1, 999), Span(1000, 99_999), Span(1, 500)),
        Slot("high", Span(10**6, 10**8), Span(10**12, 10**15), Span(501, 2500)),
        Slot("base", Among((10,)), Among((5, 6, 7, 8, 9, 11, 12, 13)), Among((2, 3, 4, 5, 7, 10, 10, 10, 10, 12))),
        Slot("rest", Span(0, 99), Span(0, 99), Span(0, 99)),
        Slot("cycle", Among((3, 4, 5)), Among((7, 8, 9, 11)), Span(2, 9)),
    ),
    teach_skins=(
        Skin(
            ("taxi", "meter"),
            "There is a taxi for each number from {low} to {high}. Written in base {base}, a number is good for"
            " the meter if no two neighbouring digits are equal and the sum of its digits leaves {rest} modulo"
            " {cycle}. How many good numbers are there?",
        ),
        Skin(
            ("hotel", "room"),
            "A hotel has a room for every number n with {low} <= n <= {high}, written with digits of base {base}. A"
            " guest takes one only if adjacent digits always differ and the digit sum divided by {cycle} leaves the"
            " remainder {rest}. How many can be taken?",
        ),
        Skin(
            ("bookmaker", "horse"),
            "A bookmaker looks at the numbers {low}, ..., {high} in base {base}. He gives a horse to each number whose"
            " digit sum is congruent to {rest} modulo {cycle} and in which no digit stands directly beside an equal"
            " one. How many does he give away?",
        ),
    ),
    test_skins=(
        Skin(
            ("seed", "field"),
            "In a field, seed number n (from {low} up to and including {high}) sprouts if the base-{base} form of n"
            " never shows the same digit twice in a row and its digits add up to {rest} modulo {cycle}. How many"
            " sprout?",
        ),
        Skin(
            ("pilot", "flight"),
            "A pilot likes flight n when, in base {base}, each digit of n differs from the next one and the digit total"
            " of n is {rest} more than a multiple of {cycle}. Of the flights {low} to {high}, how many does she like?",
        ),
        Skin(
            ("mosaic", "tile"),
            "For a mosaic, a tile is cut for each whole number between {low} and {high} (ends included) that meets two"
            " rules for its digits to base {base}: their sum modulo {cycle} equals {rest}, and no two that touch are"
            " the same. How many are cut?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=60_000,
    ports=("high", "low"),
    repair=repair,
)
