"""F03: solutions of x^2 + k*y^2 = c modulo a squarefree odd number."""

from __future__ import annotations

from math import gcd

from memarena_aha.euler.arithmetic import factorise
from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Among, Params, Span


def solve_fast(modulus: int, twist: int, target: int) -> int:
    """One factor for each prime, by the quadratic character of -k."""
    total = 1
    for prime in factorise(modulus):
        character = 1 if pow(-twist, (prime - 1) // 2, prime) == 1 else -1
        total *= prime - character if target % prime else prime + (prime - 1) * character
    return total


def solve_brute(modulus: int, twist: int, target: int) -> int:
    """Every pair tried."""
    count = 0
    for x in range(modulus):
        for y in range(modulus):
            if (x * x + twist * y * y - target) % modulus == 0:
                count += 1
    return count


def repair(modulus: int, twist: int, target: int) -> Params:
    """The next odd squarefree modulus that shares nothing with the twist."""
    modulus |= 1
    while gcd(modulus, twist) > 1 or any(power > 1 for power in factorise(modulus).values()):
        modulus += 2
    return {"modulus": modulus, "twist": twist, "target": target}


def valid(modulus: int, twist: int, target: int) -> bool:
    return modulus % 2 == 1 and gcd(modulus, twist) == 1 and all(power == 1 for power in factorise(modulus).values())


def held_out(modulus: int, twist: int, target: int) -> bool:
    return gcd(modulus, target) > 1


def explain(modulus: int, twist: int, target: int) -> tuple[str, ...]:
    primes = list(factorise(modulus))
    return (
        f"Factor {modulus} = {' * '.join(map(str, primes))}. By the Chinese remainder theorem the count is the product"
        " of the counts modulo each prime.",
        f"For a prime p let X = (-{twist})^((p-1)/2) mod p, read as +1 or -1: the quadratic character (Legendre symbol)"
        f" of -{twist}.",
        f"If p does not divide {target}, the count modulo p is p - X.",
        f"If p divides {target}, the count modulo p is p + (p-1)*X: only (0, 0) where X = -1, two lines where X = +1.",
        "Multiply these counts.",
    )


FAMILY = Family(
    family_id="F03",
    title="Twisted circle",
    area="number theory",
    tier=2,
    idea="Split the modulus into primes (Chinese remainder theorem); modulo p the count is p - X, or p + (p-1)*X where"
    " p divides the right-hand side, with X the Legendre symbol of -k.",
    method=(("chinese remainder", "product of the counts"), ("legendre", "quadratic character")),
    regime="right-hand side coprime to the modulus -> right-hand side that shares primes with it",
    slots=(
        Slot("modulus", Span(20_000, 200_000), Span(10**6, 9 * 10**6), Span(15, 60)),
        Slot("twist", Span(2, 19), Span(23, 97), Span(1, 12)),
        Slot(
            "target",
            Among((101, 103, 107, 109, 113, 127)),
            Among((255255, 510510, 765765, 1021020, 1276275)),
            Span(1, 40),
        ),
    ),
    teach_skins=(
        Skin(
            ("gardener", "hedge"),
            "A gardener plans with pairs (x, y), where x and y run from 0 to {modulus} - 1. She plants a hedge for each"
            " pair for which x*x + {twist}*y*y leaves the same remainder as {target} on division by {modulus}. For how"
            " many pairs does she plant one?",
        ),
        Skin(
            ("jeweller", "ring"),
            "A jeweller engraves a ring with two numbers x and y, each one of 0, 1, ..., {modulus} - 1. Such a ring"
            " is pure if {modulus} divides x^2 + {twist}*y^2 - {target}. How many different engravings are pure?",
        ),
        Skin(
            ("clock", "hand"),
            "A clock has {modulus} marks, 0 to {modulus} - 1, and a red and a blue hand, which point at marks x and y."
            " It chimes when x^2 plus {twist} times y^2 is congruent to {target} modulo {modulus}. In how many of the"
            " {modulus} * {modulus} positions does it chime?",
        ),
    ),
    test_skins=(
        Skin(
            ("submarine", "sonar"),
            "A submarine sends two sonar tones u and v, whole numbers with 0 <= u, v < {modulus}. An echo returns if"
            " u*u + {twist}*v*v and {target} have the same remainder modulo {modulus}. How many choices of (u, v) give"
            " an echo?",
        ),
        Skin(
            ("baker", "dough"),
            "A baker counts spoons of rye (r) and of wheat (w) modulo {modulus}, both from 0 to {modulus} - 1. The"
            " dough rises if r^2 + {twist}*w^2 - {target} is a multiple of {modulus}. For how many pairs (r, w) does"
            " it rise?",
        ),
        Skin(
            ("beacon", "ridge"),
            "On a ridge, the beacon at (i, j) is lit exactly if i^2 + {twist}*j^2 = {target} holds modulo {modulus};"
            " there is one at each (i, j) with i and j in 0, ..., {modulus} - 1. How many are lit?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=10_000,
    ports=("modulus",),
    repair=repair,
    repair_rule="Instead of {port} take the least odd squarefree number that is not below it and shares no factor with"
    " the coefficient of the second square.",
)
