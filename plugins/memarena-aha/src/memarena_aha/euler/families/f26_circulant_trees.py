"""F26: spanning trees of a ring with chords of one length, counted with double chords."""

from __future__ import annotations

from itertools import combinations
from math import gcd

from memarena_aha.euler.arithmetic import is_prime
from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Among, Params, Span

TAUGHT_PRIMES = tuple(number for number in range(500_000_001, 500_002_000, 2) if is_prime(number))
OTHER_PRIMES = tuple(number for number in range(600_000_001, 600_002_000, 2) if is_prime(number))
SMALL_PRIMES = tuple(number for number in range(1001, 1200) if is_prime(number))


def solve_fast(n: int, k: int, prime: int) -> int:
    """The matrix-tree theorem: a determinant by elimination modulo the prime."""
    rows = [[0] * n for _ in range(n)]
    for one in range(n):
        for other in ((one + 1) % n, (one + k) % n):
            rows[one][one] += 1
            rows[other][other] += 1
            rows[one][other] -= 1
            rows[other][one] -= 1
    rows = [row[1:] for row in rows[1:]]
    determinant = 1
    while rows:
        pivot = next((place for place, row in enumerate(rows) if row[0] % prime), None)
        if pivot is None:
            return 0
        if pivot:
            determinant = -determinant
        rows[0], rows[pivot] = rows[pivot], rows[0]
        top = rows[0]
        determinant = determinant * top[0] % prime
        inverse = pow(top[0], -1, prime)
        rows = [
            [(cell - row[0] * inverse * over) % prime for cell, over in zip(row[1:], top[1:], strict=True)]
            if row[0] % prime
            else row[1:]
            for row in rows[1:]
        ]
    return determinant % prime


def solve_brute(n: int, k: int, prime: int) -> int:
    """Every choice of n - 1 edges, joined one after another; a choice that closes a ring is no tree."""
    edges = [(one, (one + 1) % n) for one in range(n)] + [(one, (one + k) % n) for one in range(n)]
    trees = 0
    for chosen in combinations(edges, n - 1):
        group = list(range(n))
        for one, other in chosen:
            if group[one] == group[other]:
                break
            group = [group[one] if label == group[other] else label for label in group]
        else:
            trees += 1
    return trees % prime


def repair(n: int, k: int, prime: int) -> Params:
    """Chords that reach beyond the middle become the longest ones."""
    return {"n": n, "k": min(k, n // 2), "prime": prime}


def valid(n: int, k: int, prime: int) -> bool:
    return 2 <= k <= n // 2 and is_prime(prime)


def held_out(n: int, k: int, prime: int) -> bool:
    return gcd(k, n) > 1


def explain(n: int, k: int, prime: int) -> tuple[str, ...]:
    double = f" (here 2*{k} = {n}: each chord is laid twice, which counts as two)" if 2 * k == n else ""
    return (
        f"The graph has the edges i - i+1 and i - i+{k} for each i modulo {n}{double}; its spanning trees are wanted.",
        f"Write the Laplacian matrix, {n} by {n}: on the diagonal the number of edges at a point, elsewhere minus the"
        " number of edges between the two points.",
        "By the matrix-tree theorem the number of spanning trees is the determinant after the first row and the first"
        " column are struck out.",
        f"Eliminate column by column modulo {prime}: multiply the pivots, change the sign at each swap of rows, use the"
        " modular inverse of the pivot, and skip rows that have a zero in the column.",
    )


FAMILY = Family(
    family_id="F26",
    title="Circulant trees",
    area="graphs",
    tier=2,
    idea="By the matrix-tree theorem the spanning trees are a determinant of the Laplacian with one row and one column"
    " struck out; eliminate modulo the prime, and count chords that are laid twice as two.",
    method=(("laplacian", "matrix-tree", "kirchhoff"), ("determinant", "eliminat")),
    regime="chord length coprime to the number of points -> common factor, with double chords across the middle",
    slots=(
        Slot("n", Span(24, 45), Span(54, 84), Span(4, 7)),
        Slot("k", Span(2, 7), Span(8, 60), Span(2, 4)),
        Slot("prime", Among(TAUGHT_PRIMES), Among(OTHER_PRIMES), Among(SMALL_PRIMES)),
    ),
    teach_skins=(
        Skin(
            ("island", "bridge"),
            "The islands 0, 1, ..., {n} - 1 lie in a circle. Plans exist for one bridge from each island i to island"
            " i+1 and one from each island i to island i+{k} (numbers of islands modulo {n}). Exactly {n} - 1 of the"
            " planned bridges are built, and afterwards one can walk from every island to every other. In how many"
            " ways can the bridges be selected? Give the remainder of this number on division by the prime {prime}.",
        ),
        Skin(
            ("camp", "rope"),
            "A camp has {n} tents around a fire, numbered 0 to {n} - 1. For each tent i there is a rope from it to tent"
            " (i+1) mod {n} and a rope from it to tent (i+{k}) mod {n}. How many selections of ropes connect all tents"
            " with one another without any closed loop of ropes? Give the remainder on division by {prime}, a prime.",
        ),
        Skin(
            ("office", "cable"),
            "An office has {n} desks in a ring. Every desk has one cable to the desk that follows it and one cable"
            " to the desk that is {k} places further on in the same direction. As many cables as possible are to be"
            " removed while all desks stay connected, directly or by other desks. How many different final states"
            " are there? The remainder of their number on division by the prime {prime} is wanted: what is it?",
        ),
    ),
    test_skins=(
        Skin(
            ("castle", "tunnel"),
            "A castle has {n} towers, 0 to {n} - 1, in a round wall. From each tower t two tunnels were dug: one to"
            " tower t+1 and one to tower t+{k}, both modulo {n}. (Where this gives two tunnels between the same"
            " towers, they are different tunnels.) A guard wants to keep open a set of tunnels such that between any"
            " two towers there is exactly one route through open tunnels that uses no tunnel twice. How many such"
            " sets exist, modulo the prime {prime}?",
        ),
        Skin(
            ("molecule", "atom"),
            "A molecule consists of {n} atoms, labelled by residues modulo {n}. For every atom j there is a bond"
            " from j to j+1 and a bond from j to j+{k}. Two bonds may join the same two atoms; they still count as"
            " two bonds. Bonds are cut until {n} - 1 of them are left and the molecule is still in one part. How"
            " many outcomes (sets of bonds left) are possible, modulo {prime}, which is prime?",
        ),
        Skin(
            ("park", "path"),
            "In a circular park {n} benches are labelled 0 to {n} - 1. A path leads from every bench b to bench b+1 and"
            " another from every bench b to bench b+{k} (labels are taken modulo {n}, and parallel paths between two"
            " benches are told apart). In winter, paths are cleared of snow so that all benches are linked by cleared"
            " paths and no cleared path could be spared. How many choices of cleared paths are there, modulo the prime"
            " {prime}?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=300_000,
    repair=repair,
)
