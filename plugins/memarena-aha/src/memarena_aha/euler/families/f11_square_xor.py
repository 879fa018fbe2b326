"""F11: squares modulo a power of two, combined by exclusive or."""

from __future__ import annotations

from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Span


def solve_fast(bits: int, limit: int) -> int:
    """Equal squares cancel: whole periods, and the mirrored half of one, need not be visited."""
    modulus, period = 1 << bits, 1 << (bits - 1)
    rest = limit % period
    if rest > period // 2:
        rest = period - 1 - rest
    value = 0
    for number in range(1, rest + 1):
        value ^= number * number % modulus
    return value


def solve_brute(bits: int, limit: int) -> int:
    """Every square, one by one."""
    value = 0
    for number in range(1, limit + 1):
        value ^= number**2 % 2**bits
    return value


def valid(bits: int, limit: int) -> bool:
    return bits >= 4 and limit >= 1


def held_out(bits: int, limit: int) -> bool:
    return limit >= 1 << bits


def explain(bits: int, limit: int) -> tuple[str, ...]:
    period = 1 << (bits - 1)
    return (
        f"(i + {period})^2 and i^2 are equal modulo 2^{bits}, so the squares have the period {period}; within it i and"
        f" {period} - i have equal squares.",
        "Equal values cancel under exclusive or. In a whole period everything cancels but i = 0 and the middle, and"
        " both squares are 0 modulo the power of two: a whole period gives 0.",
        f"So only r = {limit} mod {period} matters.",
        f"If r is above {period // 2}, the terms 1..r give the same as the terms r+1..{period}-1, and these mirror"
        f" 1..{period}-1-r: use that instead of r.",
        f"Run through the few squares that are left, each reduced modulo {1 << bits}.",
    )


FAMILY = Family(
    family_id="F11",
    title="Square xor",
    area="digits",
    tier=3,
    idea="Squares modulo 2^k have the period 2^(k-1) and are mirrored in it, so equal values cancel under xor: reduce N"
    " modulo the period and run through what is left.",
    method=(("period",), ("cancel",)),
    regime="N below the period -> N far beyond it",
    slots=(
        Slot("bits", Span(12, 13), Span(14, 16), Span(4, 10)),
        Slot("limit", Span(1000, 4000), Span(10**14, 10**16), Span(1, 400)),
    ),
    teach_skins=(
        Skin(
            ("dairy", "churn"),
            "In a dairy, churn i holds i*i modulo 2^{bits} drops, for i = 1, 2, ..., {limit}. What is the bitwise"
            " exclusive or of all these numbers?",
        ),
        Skin(
            ("cinema", "seat"),
            "Seat number i of a cinema is lit with the {bits} lowest bits of i squared. The lights of all places from 1"
            " to {limit} are combined by XOR. Which number comes out?",
        ),
        Skin(
            ("riddle", "parchment"),
            "A parchment holds a riddle: start with 0; for i from 1 to {limit}, replace the number by its bitwise xor"
            " with the remainder of i^2 on division by 2^{bits}. What stands at the end?",
        ),
    ),
    test_skins=(
        Skin(
            ("satellite", "photo"),
            "A satellite tags photo n with n*n mod 2^{bits}, for every n from 1 up to {limit}. All tags are joined by"
            " bitwise exclusive or. What is the result?",
        ),
        Skin(
            ("kettle", "boil"),
            "A kettle shows 0. When it comes to the boil for the n-th time, its display is XORed with the last {bits}"
            " binary digits of n^2. What does it show after {limit} times?",
        ),
        Skin(
            ("pirate", "chest"),
            "A pirate writes the squares 1, 4, 9, ... up to the square of {limit} on a chest, each reduced modulo"
            " 2^{bits}, and takes the xor of them all, bit by bit. What does he get?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=40_000,
    ports=("limit",),
)
