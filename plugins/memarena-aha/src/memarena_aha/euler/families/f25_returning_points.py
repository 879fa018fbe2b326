"""F25: how many residues a quadratic map brings back to themselves."""

from __future__ import annotations

from math import prod

from memarena_aha.euler.arithmetic import factorise, is_prime
from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Among, Span

PRIMES = tuple(number for number in range(2003, 4500, 2) if is_prime(number))
FACTORS = tuple(number for number in range(301, 1300, 2) if is_prime(number))
TRIPLES = (
    {FACTORS[place], FACTORS[(place * step + 7) % len(FACTORS)], FACTORS[(place + 11 * step) % len(FACTORS)]}
    for place in range(len(FACTORS))
    for step in (3, 5, 8)
)
COMPOSITES = tuple(prod(triple) for triple in TRIPLES if len(triple) == 3)


def solve_fast(a: int, b: int, c: int, n: int) -> int:
    """Prime power by prime power, for a point returns where its residues modulo all of them do."""
    total = 1
    for prime, exponent in factorise(n).items():
        total *= returning(a, b, c, prime**exponent)
    return total


def returning(a: int, b: int, c: int, n: int) -> int:
    """Points that nothing leads to are peeled off, again and again; what stays lies on cycles."""
    image = [((a * x + b) * x + c) % n for x in range(n)]
    sources = [0] * n
    for point in image:
        sources[point] += 1
    bare = [x for x in range(n) if not sources[x]]
    left = n
    while bare:
        goal = image[bare.pop()]
        left -= 1
        sources[goal] -= 1
        if not sources[goal]:
            bare.append(goal)
    return left


def solve_brute(a: int, b: int, c: int, n: int) -> int:
    """Each point followed until it comes back or n steps are over."""
    found = 0
    for start in range(n):
        point = start
        for _ in range(n):
            point = (a * point * point + b * point + c) % n
            if point == start:
                found += 1
                break
    return found


def valid(a: int, b: int, c: int, n: int) -> bool:
    return n >= 2 and a >= 1


def held_out(a: int, b: int, c: int, n: int) -> bool:
    return not is_prime(n)


def explain(a: int, b: int, c: int, n: int) -> tuple[str, ...]:
    parts = [prime**exponent for prime, exponent in factorise(n).items()]
    split = f"{n} is prime, so there is one part only" if len(parts) == 1 else f"{n} = {' * '.join(map(str, parts))}"
    return (
        "Split the modulus into prime powers: a residue returns exactly when it returns modulo each of them (Chinese"
        f" remainder theorem), so the counts are multiplied. Here {split}.",
        f"For one part m make the list of images ({a}x^2 + {b}x + {c}) mod m for x = 0 to m - 1, and count for each"
        " residue how many residues lead to it.",
        "A residue that nothing leads to lies on no cycle: remove it, and lower the count of its image by one; go on"
        " while there is such a residue.",
        "What cannot be removed are the cycles; their sizes added up are the count of the part.",
    )


FAMILY = Family(
    family_id="F25",
    title="Returning points",
    area="graphs",
    tier=3,
    idea="Split the modulus into prime powers and multiply their counts (Chinese remainder theorem); for each, peel off"
    " the points without predecessors until only cycles are left.",
    method=(("peel", "remove", "in-degree", "indegree"), ("prime power", "chinese remainder", "multipl")),
    regime="prime modulus -> composite modulus",
    slots=(
        Slot("a", Span(2, 9), Span(2, 40), Span(1, 6)),
        Slot("b", Span(2, 40), Span(2, 40), Span(0, 6)),
        Slot("c", Span(1, 199), Span(200, 499), Span(0, 9)),
        Slot("n", Among(PRIMES), Among(COMPOSITES), Span(2, 130)),
    ),
    teach_skins=(
        Skin(
            ("clock", "hand"),
            "The single hand of a clock points to one of the marks 0, 1, ..., {n} - 1. At every chime it jumps from"
            " mark x to the mark ({a}*x^2 + {b}*x + {c}) mod {n}. Some marks have the property that the hand, put on"
            " them, points to them again at some later chime. How many marks have it?",
        ),
        Skin(
            ("village", "letter"),
            "The houses of a village are numbered 0 to {n} - 1. Whoever gets the chain letter in house x passes it"
            " on to the house whose number is the remainder of {a}*x*x + {b}*x + {c} on division by {n}. For how"
            " many houses does a letter that starts there come back to it sooner or later?",
        ),
        Skin(
            ("juggler", "ring"),
            "A juggler has {n} rings, numbered from 0. After ring x he always throws ring y, where y is {a}x² + {b}x +"
            " {c} reduced modulo {n}. How many rings are there with which he can begin so that the same ring is thrown"
            " again one day?",
        ),
    ),
    test_skins=(
        Skin(
            ("portal", "room"),
            "A maze has the rooms 0, 1, 2, ..., {n} - 1. The portal of room x leads (one way) to room ({a}*x^2 +"
            " {b}*x + {c}) mod {n}. A room is called loyal if repeated use of portals, starting in this room, leads"
            " into it again. How many loyal rooms does the maze have?",
        ),
        Skin(
            ("planet", "ferry"),
            "Space ferries link {n} planets, coded by the residues modulo {n}. The only ferry that leaves planet x"
            " flies to planet {a}x^2 + {b}x + {c} (modulo {n}). For how many planets can somebody who leaves the"
            " planet return to it by ferries?",
        ),
        Skin(
            ("ball", "drum"),
            "A drum contains balls with all codes from 0 up to and including {n} - 1. A machine that holds the ball"
            " with code x swaps it for the one with code ({a}*x*x + {b}*x + {c}) mod {n}, and repeats this for ever."
            " How many codes are periodic, in the sense that a machine which holds such a ball at first will hold it"
            " once more?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=120_000,
    floor=40,
    ports=("c",),
)
