"""F21: how long a biased walk between two ends lasts on average, as a residue modulo a prime."""

from __future__ import annotations

from fractions import Fraction
from math import gcd

from memarena_aha.euler.arithmetic import is_prime
from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Among, Span

TAUGHT_PRIMES = tuple(number for number in range(900_000_001, 900_002_000, 2) if is_prime(number))
OTHER_PRIMES = tuple(number for number in range(1_000_000_001, 1_000_002_000, 2) if is_prime(number))


def solve_fast(n: int, s: int, p: int, q: int, prime: int) -> int:
    """The closed form of the ruin problem, with division modulo the prime."""
    ratio = (q - p) * pow(p, -1, prime) % prime
    upper_end = (1 - pow(ratio, s, prime)) * pow(1 - pow(ratio, n, prime), -1, prime)
    return (s - n * upper_end) * q * pow(q - 2 * p, -1, prime) % prime


def solve_brute(n: int, s: int, p: int, q: int, prime: int) -> int:
    """The linear equations of all places, solved in exact fractions by full elimination."""
    up = Fraction(p, q)
    rows = [[Fraction(0)] * (n + 2) for _ in range(n + 1)]
    for place in range(n + 1):
        rows[place][place] = Fraction(1)
        if 0 < place < n:
            rows[place][place + 1] = -up
            rows[place][place - 1] = up - 1
            rows[place][n + 1] = Fraction(1)
    for pivot in range(n + 1):
        rows[pivot] = [number / rows[pivot][pivot] for number in rows[pivot]]
        for other in range(n + 1):
            if other != pivot:
                factor = rows[other][pivot]
                rows[other] = [one - factor * two for one, two in zip(rows[other], rows[pivot], strict=True)]
    time = rows[s][n + 1]
    return time.numerator * pow(time.denominator, -1, prime) % prime


def valid(n: int, s: int, p: int, q: int, prime: int) -> bool:
    if not (0 < s < n and 0 < p < q and gcd(p, q) == 1 and 2 * p != q and is_prime(prime) and prime > q):
        return False
    return pow((q - p) * pow(p, -1, prime), n, prime) != 1


def held_out(n: int, s: int, p: int, q: int, prime: int) -> bool:
    return 2 * p > q


def explain(n: int, s: int, p: int, q: int, prime: int) -> tuple[str, ...]:
    return (
        f"Let r = ({q}-{p})/{p} be the chance to go down divided by the chance to go up. Then r^position is a fair"
        " quantity: its mean does not change from step to step.",
        f"So with probability h = (1 - r^{s}) / (1 - r^{n}) the walk ends at {n}, and otherwise at 0.",
        f"Each step moves the walk by {p}/{q} - ({q}-{p})/{q} on average, so the mean number of steps T satisfies"
        f" {n}*h - {s} = T * (2*{p} - {q})/{q}.",
        f"Hence T = ({s} - {n}*h) * {q} / ({q} - 2*{p}).",
        f"Compute this modulo {prime}: powers by repeated squaring, and each division as a product with the inverse"
        " modulo the prime.",
    )


FAMILY = Family(
    family_id="F21",
    title="Biased walk time",
    area="dynamic programming",
    tier=1,
    idea="Use r^position with r = (chance down)/(chance up) for the chance to end above, and the mean drift a step for"
    " the time; do all divisions as inverses modulo the prime.",
    method=(("r^", "ratio", "martingale", "fair"), ("inverse", "modulo", "modular"), ("drift", "mean", "average")),
    regime="more likely down than up -> more likely up than down",
    slots=(
        Slot("n", Span(200, 900), Span(1200, 2500), Span(2, 12)),
        Slot("s", Span(50, 190), Span(200, 1100), Span(1, 9)),
        Slot("p", Span(1, 4), Span(7, 9), Span(1, 7)),
        Slot("q", Span(9, 13), Span(10, 13), Span(3, 9)),
        Slot("prime", Among(TAUGHT_PRIMES), Among(OTHER_PRIMES), Among((10_007, 1_000_003, 998_244_353))),
    ),
    teach_skins=(
        Skin(
            ("frog", "stone"),
            "A frog sits on stone {s} of a row of stones 0 to {n}. Again and again it jumps: to the next higher stone"
            " with probability {p}/{q}, and otherwise to the next lower one. It stops on stone 0 or stone {n}. The"
            " expected number of jumps is a fraction A/B in lowest terms. Which x with 0 <= x < {prime} leaves B*x"
            " with the same remainder as A on division by the prime {prime}?",
        ),
        Skin(
            ("gambler", "game"),
            "A gambler with {s} coins plays round after round. Each round brings one more coin with probability {p}/{q}"
            " and costs one coin otherwise. The game is over when the gambler owns 0 or {n} coins. Write the expected"
            " number of rounds as a fraction A/B in lowest terms and give x, 0 <= x < {prime}, such that B*x - A is a"
            " multiple of the prime {prime}. What is x?",
        ),
        Skin(
            ("tower", "minute"),
            "In a tower, a lift waits at level {s}. Every minute it goes one level up with probability {p}/{q} and one"
            " level down otherwise, until it comes to level 0 or level {n}, where it stays. It takes A/B minutes on"
            " average (A and B whole numbers without a common factor). Find the x from 0 to {prime} - 1 for which the"
            " prime {prime} divides B*x - A.",
        ),
    ),
    test_skins=(
        Skin(
            ("snail", "ladder", "rung"),
            "A snail hangs on a ladder with rungs 0 to {n}, at present on rung {s}. Every hour it climbs one rung with"
            " chance {p}/{q}, and slips down one rung with the remaining chance. Its trip ends as soon as it is on rung"
            " 0 or rung {n}. The mean duration of the trip in hours is U/V with coprime integers U and V. What is the"
            " z, 0 <= z < {prime}, with V*z congruent to U modulo the prime {prime}?",
        ),
        Skin(
            ("rival", "marble", "duel"),
            "Ada and Ben are rivals and share {n} marbles, {s} of which are Ada's. In each duel Ada wins one marble"
            " from Ben with chance {p}/{q}, and loses one to Ben with the remaining chance; they go on until somebody"
            " has none. The mean quantity of duels, U/V in coprime integers, is to be reported as the z in [0, {prime})"
            " with V*z = U modulo {prime}, which is prime. Which z is it?",
        ),
        Skin(
            ("needle", "gauge"),
            "The needle of a gauge points to {s} on a scale of integers from 0 to {n}. With every tick it moves to the"
            " right (by +1) with chance {p}/{q}, or else to the left (by -1). It is stuck for good at 0 and at {n}. Let"
            " U/V, with U and V coprime, be the mean of the ticks until it is stuck. Calculate U divided by V in the"
            " field of residues modulo the prime {prime}, as an integer from 0 to {prime} - 1. What is it?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=200,
    ports=("s", "n"),
)
