"""F22: a recurrence of second order, with or without a drift, far out and modulo a number."""

from __future__ import annotations

from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Among, Span


def solve_fast(alpha: int, beta: int, gamma: int, delta: int, first: int, second: int, n: int, modulus: int) -> int:
    """A power of the 4x4 matrix that steps (a(i), a(i-1), i+1, 1)."""
    step = [[alpha, beta, gamma, delta], [1, 0, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1]]
    state = [[second], [first], [2], [1]]
    steps = n - 1
    while steps:
        if steps % 2:
            state = times(step, state, modulus)
        step = times(step, step, modulus)
        steps //= 2
    return state[0][0] % modulus


def times(left: list[list[int]], right: list[list[int]], modulus: int) -> list[list[int]]:
    """The product of two matrices."""
    columns = list(zip(*right, strict=True))
    return [
        [sum(one * two for one, two in zip(row, column, strict=True)) % modulus for column in columns] for row in left
    ]


def solve_brute(alpha: int, beta: int, gamma: int, delta: int, first: int, second: int, n: int, modulus: int) -> int:
    """Term after term."""
    before, now = first, second
    for place in range(2, n + 1):
        before, now = now, (alpha * now + beta * before + gamma * place + delta) % modulus
    return now % modulus


def valid(alpha: int, beta: int, gamma: int, delta: int, first: int, second: int, n: int, modulus: int) -> bool:
    return n >= 2 and modulus >= 2 and min(alpha, beta, gamma, delta, first, second) >= 0


def held_out(alpha: int, beta: int, gamma: int, delta: int, first: int, second: int, n: int, modulus: int) -> bool:
    return gamma != 0


def explain(
    alpha: int, beta: int, gamma: int, delta: int, first: int, second: int, n: int, modulus: int
) -> tuple[str, ...]:
    return (
        f"Put what the next term needs into one state: (a(i), a(i-1), i+1, 1). At i = 1 it is ({second}, {first}, 2,"
        " 1).",
        f"One step is a fixed 4x4 matrix with the rows ({alpha}, {beta}, {gamma}, {delta}), (1, 0, 0, 0), (0, 0, 1, 1),"
        " (0, 0, 0, 1); the third row counts i, which also serves a drift that grows with i.",
        f"The state at {n} is the matrix to the power {n - 1} applied to the first state.",
        f"Raise it by repeated squaring: halve the exponent, square the matrix, and apply it where the exponent is odd;"
        f" reduce every entry modulo {modulus}.",
        "The first entry of the state is the answer.",
    )


FAMILY = Family(
    family_id="F22",
    title="Drifted recurrence",
    area="sequences",
    tier=2,
    idea="Write the step as one matrix on the state (a(i), a(i-1), i+1, 1), which also holds the drift, and take its"
    " power by repeated squaring modulo the number.",
    method=(("matrix",), ("squaring", "power", "exponentiation")),
    regime="no drift -> a drift that grows with the place",
    slots=(
        Slot("alpha", Span(2, 5), Span(6, 12), Span(0, 5)),
        Slot("beta", Span(3, 9), Span(2, 9), Span(0, 5)),
        Slot("gamma", Among((0,)), Span(2, 9), Among((0, 1, 2, 3)), spoken=True),
        Slot("delta", Span(1, 9), Span(1, 9), Span(0, 5)),
        Slot("first", Span(1, 9), Span(1, 20), Span(0, 5)),
        Slot("second", Span(1, 9), Span(1, 20), Span(0, 5)),
        Slot("n", Span(10**7, 10**9), Span(10**14, 10**17), Span(2, 60)),
        Slot("modulus", Span(10**6, 10**7), Span(10**9, 2 * 10**9), Span(10, 2000)),
    ),
    teach_skins=(
        Skin(
            ("colony", "year"),
            "A colony counts {first} ants in year 0 and {second} ants in year 1. From then on, the count of year n"
            " (n = 2, 3, ...) is {alpha} times the count of year n-1 plus {beta} times the count of year n-2 plus"
            " {delta}. Which remainder does the count of year {n} leave on division by {modulus}?",
        ),
        Skin(
            ("bank", "account"),
            "A bank defines balances of an account: B(0) = {first}, B(1) = {second}, and B(t) = {alpha}*B(t-1) +"
            " {beta}*B(t-2) + {delta} for every t >= 2. What is the remainder of B({n}) on division by {modulus}?",
        ),
        Skin(
            ("workshop", "cog"),
            "A workshop makes cogs in sizes 0, 1, 2, ... Size 0 has {first} teeth and size 1 has {second}. Size i"
            " has as many teeth as this: {alpha} times those of size i-1, plus {beta} times those of size i-2, plus"
            " {delta}. Divide the number of teeth of the cog in size {n} by {modulus}: what remains?",
        ),
    ),
    test_skins=(
        Skin(
            ("robot", "tape"),
            "A robot writes integers on a tape: u(0) = {first}, u(1) = {second}, and then u(k) = {alpha}*u(k-1) +"
            " {beta}*u(k-2) + {gamma}*k + {delta} for k = 2, 3, 4, ... What is u({n}) modulo {modulus}?",
        ),
        Skin(
            ("festival", "lamp"),
            "On evening 0 of a festival {first} lamps burn, on evening 1 {second} lamps. On each later evening e there"
            " are {alpha} times as many as on evening e-1, and {beta} times as many as on evening e-2 on top, and"
            " {gamma}*e + {delta} more. How many lamps, modulo {modulus}, burn on evening {n}?",
        ),
        Skin(
            ("river", "depth"),
            "The depth of a river at milestone 0 is {first}, at milestone 1 it is {second}. At milestone j >= 2 it is"
            " {alpha} times that at milestone j-1, plus {beta} times that at milestone j-2, plus j times {gamma}, plus"
            " {delta}. Calculate the depth at milestone {n} modulo {modulus}. What is it?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=30_000,
    ports=("n", "modulus"),
)
