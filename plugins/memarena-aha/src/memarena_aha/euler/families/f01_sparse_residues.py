"""F01: numbers of one residue class without small prime factors, added up."""

from __future__ import annotations

from math import gcd

from memarena_aha.euler.arithmetic import primes_below
from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Among, Params, Span


def solve_fast(limit: int, modulus: int, residue: int, bound: int) -> int:
    """Inclusion and exclusion over the products of primes below the bound."""
    products = [(1, 1)]
    for prime in primes_below(bound):
        products += [(product * prime, -sign) for product, sign in products]
    total = 0
    for product, sign in products:
        shared = gcd(product, modulus)
        if product <= limit and residue % shared == 0:
            part, rest = product // shared, modulus // shared
            first = product * (residue // shared * pow(part, -1, rest) % rest) or product * rest
            step = product * rest
            count = (limit - first) // step + 1 if first <= limit else 0
            total += sign * (count * first + step * (count * (count - 1) // 2))
    return total


def solve_brute(limit: int, modulus: int, residue: int, bound: int) -> int:
    """Every number tried, every smaller divisor too."""
    total = 0
    for number in range(1, limit + 1):
        if number % modulus == residue % modulus and all(number % small for small in range(2, bound)):
            total += number
    return total


def repair(limit: int, modulus: int, residue: int, bound: int) -> Params:
    return {"limit": limit, "modulus": modulus, "residue": residue % modulus, "bound": bound}


def valid(limit: int, modulus: int, residue: int, bound: int) -> bool:
    return 0 <= residue < modulus and not any(gcd(residue, modulus) % prime == 0 for prime in primes_below(bound))


def held_out(limit: int, modulus: int, residue: int, bound: int) -> bool:
    return any(modulus % prime == 0 for prime in primes_below(bound))


def explain(limit: int, modulus: int, residue: int, bound: int) -> tuple[str, ...]:
    primes = primes_below(bound)
    return (
        f"The forbidden primes are those below {bound}: {', '.join(map(str, primes))}. Go through the"
        f" {2 ** len(primes)} products d of some of them (inclusion and exclusion), with a sign of + for an even number"
        " of primes and - for an odd one.",
        f"For each d, the numbers that are divisible by d and leave {residue} modulo {modulus} form one class modulo"
        f" lcm(d, {modulus}) by the Chinese remainder theorem; there are none where gcd(d, {modulus}) does not divide"
        f" {residue}.",
        f"With first member a and step s = lcm(d, {modulus}), there are c = floor(({limit} - a) / s) + 1 of them up to"
        f" {limit}, and they add up to c*a + s*c*(c-1)/2.",
        "Add all these sums with their signs.",
    )


FAMILY = Family(
    family_id="F01",
    title="Sparse residues",
    area="number theory",
    tier=3,
    idea="Sum over the squarefree products of the forbidden primes with alternating signs (inclusion-exclusion); for"
    " each product the Chinese remainder theorem leaves one arithmetic progression, which has a closed sum.",
    method=(("inclusion", "alternating"), ("chinese remainder", "crt", "progression")),
    regime="modulus coprime to all small primes -> modulus that shares factors with them",
    slots=(
        Slot("limit", Span(10**6, 10**8), Span(10**9, 10**12), Span(20, 600)),
        Slot("modulus", Among((29, 31, 37, 41, 43, 47, 53)), Span(6, 28), Span(1, 20)),
        Slot("residue", Span(1, 10**4), Span(1, 10**4), Span(0, 40)),
        Slot("bound", Among((11, 13, 17)), Among((19, 23, 29)), Span(2, 14)),
    ),
    teach_skins=(
        Skin(
            ("lighthouse", "flash"),
            "A lighthouse numbers every flash of the year from 1 to {limit}. A flash is written down when its number"
            " leaves the remainder {residue} on division by {modulus} and no prime smaller than {bound} divides it."
            " What is the sum of all numbers that are written down?",
        ),
        Skin(
            ("tram", "ticket"),
            "A tram company prints ticket 1, ticket 2 and so on up to ticket {limit}. A ticket wins when its number is"
            " {residue} modulo {modulus} and has no prime factor below {bound}. What do the numbers of all winning"
            " ones add up to?",
        ),
        Skin(
            ("cellar", "bottle"),
            "In a cellar each bottle has a number, 1 to {limit}. Kept are those whose number divided by {modulus}"
            " leaves {residue} and which no prime less than {bound} divides; each other bottle is sold. Find the sum"
            " of the numbers kept.",
        ),
    ),
    test_skins=(
        Skin(
            ("glacier", "pole"),
            "A surveyor has put a pole into a glacier at each metre n = 1, 2, ..., {limit}. She paints the pole at"
            " metre n exactly when n has no prime divisor under {bound} and n leaves {residue} when divided by"
            " {modulus}. What is the sum of all such n?",
        ),
        Skin(
            ("antenna", "packet"),
            "An antenna receives packet 1 to packet {limit}, in order. It stores packet n if n mod {modulus} ="
            " {residue}, unless some prime smaller than {bound} divides n. Add up all n that are stored: what is the"
            " total?",
        ),
        Skin(
            ("orchard", "tree"),
            "Every tree of an orchard wears a plate with one of the numbers 1, ..., {limit}, each used once. Pruned"
            " is the tree on whose plate stands a number congruent to {residue} modulo {modulus} all of whose prime"
            " factors are at least {bound} (the number 1 has none). What is the sum of these numbers?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=12_000,
    ports=("limit",),
    repair=repair,
)
