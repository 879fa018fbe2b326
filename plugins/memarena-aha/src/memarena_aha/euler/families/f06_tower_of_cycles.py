"""F06: far along the orbit of x -> x^2 + c modulo M."""

from __future__ import annotations

from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Span


def solve_fast(shift: int, modulus: int, start: int, steps: int) -> int:
    """Follow the orbit until it comes back, then go round as often as is left."""
    seen: dict[int, int] = {}
    orbit: list[int] = []
    value = start % modulus
    while value not in seen:
        if len(orbit) == steps:
            return value
        seen[value] = len(orbit)
        orbit.append(value)
        value = (value * value + shift) % modulus
    tail = seen[value]
    return orbit[tail + (steps - tail) % (len(orbit) - tail)]


def solve_brute(shift: int, modulus: int, start: int, steps: int) -> int:
    """Step by step."""
    value = start % modulus
    for _ in range(steps):
        value = (value * value + shift) % modulus
    return value


def valid(shift: int, modulus: int, start: int, steps: int) -> bool:
    return modulus >= 2 and steps >= 1


def held_out(shift: int, modulus: int, start: int, steps: int) -> bool:
    return steps > modulus


def explain(shift: int, modulus: int, start: int, steps: int) -> tuple[str, ...]:
    return (
        f"Only {modulus} values exist, so the orbit of {start} runs into a cycle, as a rule after about"
        f" sqrt({modulus}) steps.",
        "Go step by step and note at which step each value came first. When a value comes again, the tail m is the step"
        " of its first visit and the cycle length c is the difference of both steps.",
        f"If {steps} is below m, the value was met on the way; else it equals the value at step"
        f" m + (({steps} - m) mod c), which was met too.",
    )


FAMILY = Family(
    family_id="F06",
    title="Tower of cycles",
    area="number theory",
    tier=2,
    idea="The orbit must run into a cycle: detect its tail and length, then reduce the huge step number modulo the"
    " cycle length.",
    method=(("cycle",), ("length", "period")),
    regime="fewer steps than values -> 10^17 steps and more",
    slots=(
        Slot("shift", Span(1, 99), Span(101, 999), Span(0, 30)),
        Slot("modulus", Span(20_000, 90_000), Span(10**6, 2 * 10**6), Span(2, 200)),
        Slot("start", Span(2, 999), Span(1000, 99_999), Span(0, 200)),
        Slot("steps", Span(300, 999), Span(10**17, 10**18), Span(1, 400)),
    ),
    teach_skins=(
        Skin(
            ("mill", "wheel"),
            "The wheel of a mill stands at position {start} (of 0 to {modulus} - 1). With each gust it moves from x to"
            " x*x + {shift}, reduced modulo {modulus}. Where does it stand after {steps} gusts?",
        ),
        Skin(
            ("frog", "pond"),
            "A frog sits on leaf {start} mod {modulus} of a pond. From leaf x it jumps to the leaf whose number is the"
            " remainder of x^2 + {shift} on division by {modulus}. On which leaf is it after {steps} jumps?",
        ),
        Skin(
            ("pendulum", "tick"),
            "A pendulum shows s_0 = {start} and after tick t the number s_t = (s_(t-1)^2 + {shift}) mod {modulus}. What"
            " is s_{steps}? (If {start} is not below the modulus, it is reduced first.)",
        ),
    ),
    test_skins=(
        Skin(
            ("courier", "depot"),
            "A courier begins at depot {start} (taken modulo {modulus}). Each day he drives from depot d to depot"
            " (d*d + {shift}) mod {modulus}. At which one does he arrive on day {steps}?",
        ),
        Skin(
            ("reactor", "valve"),
            "The valve of a reactor has setting v = {start} at the beginning, reduced modulo {modulus}. Every second v"
            " becomes v^2 + {shift} modulo {modulus}. What is its setting after {steps} seconds?",
        ),
        Skin(
            ("dancer", "square"),
            "A dancer starts on square {start} modulo {modulus} and always goes on from square q to the square with the"
            " number q*q + {shift} modulo {modulus}. Which one does her move number {steps} end on?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=30_000,
    ports=("start", "steps"),
)
