"""F16: permutations that avoid two neighbouring places each, around a circle or along a line."""

from __future__ import annotations

from itertools import permutations

from memarena_aha.euler.arithmetic import is_prime
from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Among, Span

TAUGHT_PRIMES = tuple(number for number in range(700_000_001, 700_002_000, 2) if is_prime(number))
OTHER_PRIMES = tuple(number for number in range(800_000_001, 800_002_000, 2) if is_prime(number))
SMALL_PRIMES = tuple(number for number in range(101, 200) if is_prime(number))


def solve_fast(n: int, ring: int, prime: int) -> int:
    """Inclusion and exclusion over forbidden pairs, which clash only with their neighbours in one chain."""
    factorial = [1]
    for number in range(1, 2 * n + 1):
        factorial.append(factorial[-1] * number % prime)
    inverse = [pow(factorial[-1], -1, prime)]
    for number in range(2 * n, 0, -1):
        inverse.append(inverse[-1] * number % prime)
    inverse.reverse()
    total = 0
    for k in range(n + 1):
        chosen = factorial[2 * n - k] * inverse[k] * inverse[2 * n - 2 * k]
        if ring and k:
            chosen += factorial[2 * n - k - 1] * inverse[k - 1] * inverse[2 * n - 2 * k]
        total += (-1) ** k * chosen % prime * factorial[n - k]
    return total % prime


def solve_brute(n: int, ring: int, prime: int) -> int:
    """Every permutation, every place."""
    total = 0
    for order in permutations(range(n)):
        free = all(place not in (one, one + 1) for one, place in enumerate(order))
        total += free and not (ring and order[-1] == 0)
    return total % prime


def valid(n: int, ring: int, prime: int) -> bool:
    return n >= 3 and prime > 2 * n and is_prime(prime)


def held_out(n: int, ring: int, prime: int) -> bool:
    return not ring


def explain(n: int, ring: int, prime: int) -> tuple[str, ...]:
    return (
        "Write the forbidden pairs (who, where) as a chain: (1,1), (1,2), (2,2), (2,3), (3,3), ... Two of them can"
        " not hold at once exactly when they are neighbours in the chain.",
        f"If the last one is also barred from place 1, the chain closes to a cycle of {2 * n} pairs; if not, it is a"
        f" path of {2 * n - 1} pairs.",
        f"Ways to pick k pairs without neighbours: on the cycle C({2 * n}-k, k) + C({2 * n}-k-1, k-1), on the path"
        f" C({2 * n}-k, k).",
        f"With k forbidden pairs forced, the other {n}-k are placed freely: ({n}-k)! ways.",
        f"By inclusion and exclusion add (-1)^k * (ways to pick) * ({n}-k)! for k = 0 to {n}, modulo {prime}.",
    )


FAMILY = Family(
    family_id="F16",
    title="Double taboo seating",
    area="combinatorics",
    tier=3,
    idea="The forbidden pairs form one chain in which only neighbours clash (a cycle or a path): count k of them"
    " without neighbours by a binomial, force them, and use inclusion-exclusion with (n-k)!.",
    method=(("inclusion", "alternating"), ("chain", "cycle", "path", "neighbour"), ("factorial", "!")),
    regime="circle (the last avoids the first place too) -> line (it does not)",
    slots=(
        Slot("n", Span(40, 180), Span(200, 700), Span(3, 8)),
        Slot("ring", Among((1,)), Among((0,)), Among((0, 1)), spoken=True),
        Slot("prime", Among(TAUGHT_PRIMES), Among(OTHER_PRIMES), Among(SMALL_PRIMES)),
    ),
    teach_skins=(
        Skin(
            ("knight", "chair", "table"),
            "There are {n} knights, numbered 1 to {n}, and a round table whose chairs are numbered 1 to {n} in a"
            " circle. Knight i may sit neither on chair i nor on chair i+1; knight {n} may sit neither on chair {n}"
            " nor on chair 1. In how many ways can all knights sit down, one to a chair? Give the remainder on"
            " division by {prime}.",
        ),
        Skin(
            ("school", "teacher", "classroom"),
            "A school has {n} teachers and {n} classrooms, both numbered 1 to {n}. Teacher i must not be given"
            " classroom i nor the one after it, where classroom 1 comes after classroom {n}. Every teacher gets a"
            " classroom of their own. How many assignments of classrooms are allowed? Give the remainder of this"
            " number on division by {prime}.",
        ),
        Skin(
            ("parcel", "locker"),
            "Parcels with the numbers 1 to {n} are put into lockers with the numbers 1 to {n}, one parcel in each"
            " locker. Parcel i is banned from the lockers i and i+1, and the last parcel, {n}, is banned from the"
            " lockers {n} and 1. In how many ways can all parcels be stored? Give the remainder on division by"
            " {prime}.",
        ),
    ),
    test_skins=(
        Skin(
            ("dancer", "costume"),
            "As many dancers as costumes, namely {n}, are lined up by size, ranks 1 to {n}. Each dancer refuses the"
            " costume of the same rank and the costume one rank above; the dancer of rank {n} refuses only the costume"
            " of rank {n}, since none is above. Every dancer wears one costume and nobody shares. How many"
            " distributions of the costumes are possible, modulo {prime}?",
        ),
        Skin(
            ("depot", "tram", "track"),
            "A depot has {n} trams and {n} straight tracks, both labelled 1 to {n}. Tram i cannot use track i, and"
            " it cannot use track i+1 either, if there is such a track (so tram {n} is barred from track {n} alone,"
            " and may use track 1). Each tram is parked on a track of its own. How many parking plans exist, modulo"
            " {prime}?",
        ),
        Skin(
            ("actor", "role", "cast"),
            "For a play with {n} roles {n} actors audition; both are listed from 1 to {n}. Actor i has already"
            " played role i and, unless i = {n}, also role i+1, and nothing else. A cast gives each actor one role"
            " and each role to one actor, and nobody plays a role that they have played before. How many casts are"
            " possible, modulo {prime}?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=20_000,
    ports=("n",),
)
