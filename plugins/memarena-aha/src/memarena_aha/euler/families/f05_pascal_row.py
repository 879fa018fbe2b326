"""F05: the exponent of a prime in the product of a row of Pascal's triangle."""

from __future__ import annotations

from memarena_aha.euler.arithmetic import is_prime
from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Among, Params, Span

PLAIN_PRIMES = (3, 5, 7, 11)
HELD_PRIMES = (13, 17, 19, 23, 29, 31, 37)


def solve_fast(row: int, prime: int) -> int:
    """Legendre's sums for n! and for all k! at once, one term a power of the prime."""
    total, power = 0, prime
    while power <= row:
        whole = row // power
        below = power * (whole * (whole - 1) // 2) + whole * (row - whole * power + 1)
        total += (row + 1) * whole - 2 * below
        power *= prime
    return total


def solve_brute(row: int, prime: int) -> int:
    """Each number of the row from the one before it: what is multiplied and divided, taken apart by hand."""
    total, exponent = 0, 0
    for place in range(1, row + 1):
        above, below = row - place + 1, place
        while above % prime == 0:
            above, exponent = above // prime, exponent + 1
        while below % prime == 0:
            below, exponent = below // prime, exponent - 1
        total += exponent
    return total


def repair(row: int, prime: int) -> Params:
    if prime > PLAIN_PRIMES[-1]:
        row += -(row + 1) % prime
    return {"row": row, "prime": prime}


def valid(row: int, prime: int) -> bool:
    return is_prime(prime) and row >= 2


def held_out(row: int, prime: int) -> bool:
    return (row + 1) % prime == 0


def hand_steps(row: int, prime: int) -> int:
    """Five for each power of the prime."""
    steps, power = 0, prime
    while power <= row:
        steps, power = steps + 5, power * prime
    return steps


def explain(row: int, prime: int) -> tuple[str, ...]:
    return (
        f"The product of all C({row}, k) is ({row}!)^{row + 1} divided by the square of 0!*1!*...*{row}!.",
        f"By Legendre's formula the exponent of {prime} in k! is the sum of floor(k/q) over the powers"
        f" q = {prime}, {prime}^2, ... so each power q can be treated by itself.",
        f"With w = floor({row}/q), the sum of floor(k/q) for k = 0..{row} is q*w*(w-1)/2 + w*({row} - w*q + 1).",
        f"The power q adds ({row} + 1)*w minus twice that sum.",
        f"Add this over all powers of {prime} up to {row}.",
    )


FAMILY = Family(
    family_id="F05",
    title="Pascal row weight",
    area="number theory",
    tier=2,
    idea="Write the product as (n!)^(n+1) over the squared product of all k!, and use Legendre's formula: for each"
    " power q of the prime the sum of floor(k/q) over k has a closed form.",
    method=(("legendre", "floor(k/q)"), ("power",)),
    regime="prime does not divide n + 1 -> prime divides n + 1",
    slots=(
        Slot("row", Span(10**4, 10**5), Span(10**9, 10**12), Span(2, 120)),
        Slot("prime", Among(PLAIN_PRIMES), Among(HELD_PRIMES), Among((2, 3, 5, 7, 13))),
    ),
    teach_skins=(
        Skin(
            ("pyramid", "stone"),
            "On the lowest level of a pyramid each stone bears a binomial coefficient: C(n, 0), C(n, 1), ..., C(n, n)"
            " with n = {row}. All of them are multiplied. How often can the product be divided by {prime} without"
            " remainder?",
        ),
        Skin(
            ("club", "committee"),
            "A club has {row} members. For k = 0, 1, ..., {row} let the number of ways to choose a committee of k of"
            " them be written down, and let W be the product of these numbers. What is the exponent of the prime"
            " {prime} in W?",
        ),
        Skin(
            ("funnel", "marble"),
            "A marble falls through a funnel with row {row} of Pascal's triangle at its bottom. Let P be the product"
            " of all the entries C({row}, k) of this row. Find the greatest e such that {prime}^e divides P.",
        ),
    ),
    test_skins=(
        Skin(
            ("menu", "dish"),
            "A menu lists {row} of everything. Let c_k be the number of ways to pick k dishes out of {row}, for each k"
            " from 0 to {row}. Which is the highest power of {prime} that divides c_0 * c_1 * ... * c_{row}? Give its"
            " exponent.",
        ),
        Skin(
            ("signal", "lamp"),
            "A signal shows row {row} of Pascal's triangle (the one that starts 1, {row}, ...), a lamp for each entry."
            " What is the multiplicity of the prime {prime} in the product of all the entries?",
        ),
        Skin(
            ("census", "village"),
            "For a census of {row} houses in a village, somebody multiplies, over all sizes s = 0, ..., {row}, the"
            " number of possible samples of s houses. How often does the prime {prime} occur when the result is written"
            " as a product of primes?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=300,
    hand_steps=hand_steps,
    ports=("row",),
    repair=repair,
    repair_rule="If the prime is above 11, take instead of {port} the least number that is not below it and is one less"
    " than a multiple of the prime.",
)
