"""F09: numbers that are added to their mirror image without a carry."""

from __future__ import annotations

from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Among, Params, Span


def solve_fast(base: int, length: int) -> int:
    """A product over the pairs of digits that stand opposite."""
    if length == 1:
        return (base - 1) // 2
    outer = base * (base - 1) // 2
    inner = base * (base + 1) // 2
    middle = (base + 1) // 2 if length % 2 else 1
    return outer * int(inner ** (length // 2 - 1)) * middle


def solve_brute(base: int, length: int) -> int:
    """Every number turned round and added digit by digit."""
    count = 0
    for number in range(base ** (length - 1), base**length):
        digits, left = [], number
        while left:
            left, digit = divmod(left, base)
            digits.append(digit)
        carry = False
        for digit, mirrored in zip(digits, reversed(digits), strict=True):
            carry = carry or digit + mirrored >= base
        count += not carry
    return count


def repair(base: int, length: int) -> Params:
    return {"base": base + 1 if length % 2 == 0 and base % 2 == 0 else base, "length": length}


def valid(base: int, length: int) -> bool:
    return base >= 2 and length >= 1


def held_out(base: int, length: int) -> bool:
    return length % 2 == 0 and base % 2 == 1


def hand_steps(base: int, length: int) -> int:
    """Two triangular numbers, and the power by repeated squaring."""
    return 8 + 2 * (length // 2).bit_length()


def explain(base: int, length: int) -> tuple[str, ...]:
    middle = (
        f"The digit in the middle meets itself, so twice it must stay below {base}: {(base + 1) // 2} choices."
        if length % 2
        else "The length is even, so no digit stands alone in the middle."
    )
    return (
        f"If no column carries, each column is a sum of two opposite digits, at most {base - 1}. Opposite pairs are"
        " independent of one another: multiply their counts.",
        f"The outer pair (x, y) has x >= 1, y >= 0 and x + y <= {base - 1}: b*(b-1)/2 choices for b = {base}.",
        f"Each inner pair has x, y >= 0 and x + y <= {base - 1}: b*(b+1)/2 choices; there are {length // 2 - 1} of"
        " them.",
        middle,
    )


FAMILY = Family(
    family_id="F09",
    title="Quiet mirrors",
    area="digits",
    tier=1,
    idea="Opposite digits form independent pairs whose sum must stay below the base, so the count is a product:"
    " b(b-1)/2 for the outer pair, b(b+1)/2 for each inner one, and the middle digit by itself.",
    method=(("pair", "opposite"), ("product", "multiply")),
    regime="odd length -> even length with an odd base",
    slots=(
        Slot("base", Span(10, 119), Span(121, 1999), Span(2, 12)),
        Slot("length", Among((3, 5, 7, 9)), Among((12, 14, 16, 18, 20)), Span(1, 4)),
    ),
    teach_skins=(
        Skin(
            ("mirror", "hall"),
            "In a hall of mirrors, a number n of exactly {length} digits in base {base} (the first is not 0) is added"
            " to the number with the same digits in reverse order. It is quiet if no column of this addition produces a"
            " carry. How many n are quiet?",
        ),
        Skin(
            ("canoe", "lake"),
            "A canoe crosses a lake for each number with {length} digits in base {base}, without a leading zero, for"
            " which reading it backwards and adding both never carries, in no position. (Zeros that come to the front"
            " by reading backwards just count as zeros.) How many crossings are there?",
        ),
        Skin(
            ("printer", "stamp"),
            "A printer has a stamp for each n that takes exactly {length} digits to write in base {base}. She keeps"
            " those n for which n plus its reversal can be done column by column with every column sum below {base}."
            " How many does she keep?",
        ),
    ),
    test_skins=(
        Skin(
            ("owl", "barn"),
            "An owl in a barn counts the {length}-digit numbers of base {base} (leading digit at least 1) that can be"
            " added to their own reversal without any carry. What is the count?",
        ),
        Skin(
            ("elevator", "floor"),
            "A lift is an elevator with one floor for each whole number whose base-{base} form has {length} digits,"
            " the first one not zero. It stops where the number and the number read from right to left add up with no"
            " carry in any place. How many stops are there?",
        ),
        Skin(
            ("sculptor", "statue"),
            "A sculptor numbers each statue with a different {length}-digit number in base {base}, until all of them"
            " are used (none begins with 0). A number is still if, when its digits are reversed and the two are added,"
            " no two digits in one column reach {base}. How many are still?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=10,
    hand_steps=hand_steps,
    ports=("base",),
    repair=repair,
    repair_rule="If the number of digits is even and {port} is even too, take {port} + 1 instead.",
)
