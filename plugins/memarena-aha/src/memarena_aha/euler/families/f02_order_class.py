"""F02: all elements of one multiplicative order modulo a prime, added up."""

from __future__ import annotations

from math import gcd

from memarena_aha.euler.arithmetic import factorise, is_prime, primes_below
from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Among, Params, Span

PRIME_ORDERS = tuple(prime for prime in primes_below(9000) if prime > 7000)
COMPOSITE_ORDERS = tuple(
    number for number in range(30_001, 36_000, 2) if not is_prime(number) and len(factorise(number)) > 1
)


def solve_fast(prime: int, order: int) -> int:
    """One element of the order, and its powers with exponents coprime to the order."""
    factors = list(factorise(order))
    base, element = 1, 1
    while any(pow(element, order // factor, prime) == 1 for factor in factors):
        base += 1
        element = pow(base, (prime - 1) // order, prime)
    total, power = 0, 1
    for exponent in range(1, order + 1):
        power = power * element % prime
        if gcd(exponent, order) == 1:
            total += power
    return total


def solve_brute(prime: int, order: int) -> int:
    """The order of each number, by multiplying until 1 comes."""
    total = 0
    for number in range(1, prime):
        power, steps = number, 1
        while power != 1:
            power, steps = power * number % prime, steps + 1
        if steps == order:
            total += number
    return total


def repair(prime: int, order: int) -> Params:
    """The least prime from `prime` on that is 1 modulo the order."""
    found = prime + (1 - prime) % order
    while not is_prime(found):
        found += order
    return {"prime": found, "order": order}


def valid(prime: int, order: int) -> bool:
    return is_prime(prime) and order > 1 and (prime - 1) % order == 0


def held_out(prime: int, order: int) -> bool:
    return not is_prime(order)


def explain(prime: int, order: int) -> tuple[str, ...]:
    return (
        f"{prime} is prime, so the powers of a primitive root run through all numbers from 1 to {prime - 1}; those"
        f" with order {order} all lie in the one cyclic subgroup of {order} elements.",
        f"Take a = 2, 3, ... and h = a^(({prime} - 1)/{order}) mod {prime} until h has the order {order} itself: for"
        f" each prime f of {order} ({', '.join(map(str, factorise(order)))}), h^({order}/f) must not be 1.",
        f"The elements of order {order} are the powers h^e with 1 <= e <= {order} and gcd(e, {order}) = 1.",
        "Run through the powers one after another and add those up as whole numbers (do not reduce the sum).",
    )


FAMILY = Family(
    family_id="F02",
    title="Order class",
    area="number theory",
    tier=2,
    idea="Find one element h of the order d as a power a^((q-1)/d); the elements of order d are the powers h^e with e"
    " coprime to d, so run through one cyclic subgroup instead of all residues.",
    method=(("subgroup", "generator", "primitive root", "power"), ("coprime", "gcd")),
    regime="order prime -> order composite with several primes",
    slots=(
        Slot("prime", Span(10**8, 10**9), Span(10**10, 10**12), Span(5, 300)),
        Slot("order", Among(PRIME_ORDERS), Among(COMPOSITE_ORDERS), Span(2, 40)),
    ),
    teach_skins=(
        Skin(
            ("carousel", "horse"),
            "The horses of a carousel bear the numbers 1 to {prime} - 1; {prime} is a prime. For horse x one"
            " multiplies x by itself again and again modulo {prime}; the first power x^k that equals 1 gives its"
            " rank k. What is the sum of the numbers of all those with rank {order}?",
        ),
        Skin(
            ("padlock", "dial"),
            "A padlock has a dial with the positions 1, 2, ..., {prime} - 1, where {prime} is prime. The period of a"
            " position x is the least k >= 1 with x^k = 1 modulo {prime}. Add up all positions whose period is"
            " exactly {order}: what comes out?",
        ),
        Skin(
            ("choir", "singer"),
            "A choir has the prime {prime} as its secret, and one singer for each number 1 <= x < {prime}. A singer"
            " rests after k beats, where k is the least positive number for which x^k - 1 is a multiple of"
            " {prime}. Find the sum of all x whose k is {order}.",
        ),
    ),
    test_skins=(
        Skin(
            ("comet", "orbit"),
            "Each comet in a catalogue has a code x from 1 to q - 1, with the prime q = {prime}. Its orbit closes"
            " after the smallest positive number of steps t such that x^t leaves the remainder 1 on division by q."
            " What is the sum of the codes for which t = {order}?",
        ),
        Skin(
            ("loom", "thread"),
            "On a loom, thread x (x = 1, ..., {prime} - 1) repeats its colours after e rows, and e is the smallest"
            " exponent above 0 with x^e congruent to 1 modulo the prime {prime}. What do all x with e = {order} add"
            " up to?",
        ),
        Skin(
            ("harbour", "crane"),
            "A harbour works modulo the prime {prime}. Its crane number x, for every x from 1 to one less than the"
            " prime, swings back after as many moves as the multiplicative order of x modulo {prime} says. What is"
            " the sum of the numbers x that need exactly {order} moves?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=150_000,
    ports=("prime",),
    repair=repair,
    repair_rule="Instead of {port} take the least prime that is not below it and leaves the remainder 1 on division"
    " by the order that is asked for.",
)
