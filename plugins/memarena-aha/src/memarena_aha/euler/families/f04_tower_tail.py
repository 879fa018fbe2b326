"""F04: the last digits of a tower of powers."""

from __future__ import annotations

from math import gcd

from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Params, Span


def solve_fast(base: int, middle: int, top: int, digits: int) -> int:
    """The exponent modulo the totient of the modulus (Euler)."""
    totient: int = 4 * 10 ** (digits - 1)
    return pow(base, pow(middle, top, totient), int(10**digits))


def solve_brute(base: int, middle: int, top: int, digits: int) -> int:
    """Raise to the middle number again and again, one multiplication at a time."""
    modulus: int = 10**digits
    value = base % modulus
    for _ in range(top):
        power = 1
        for _ in range(middle):
            power = power * value % modulus
        value = power
    return value


def repair(base: int, middle: int, top: int, digits: int) -> Params:
    while gcd(base, 10) > 1:
        base += 1
    return {"base": base, "middle": middle, "top": top, "digits": digits}


def valid(base: int, middle: int, top: int, digits: int) -> bool:
    return gcd(base, 10) == 1 and min(base, middle) > 1 and top >= 1 and digits >= 1


def held_out(base: int, middle: int, top: int, digits: int) -> bool:
    return top > 1000


def hand_steps(base: int, middle: int, top: int, digits: int) -> int:
    """Squarings and multiplications of both powers."""
    exponent = pow(middle, top, 4 * 10 ** (digits - 1))
    return sum(number.bit_length() + number.bit_count() for number in (top, exponent))


def explain(base: int, middle: int, top: int, digits: int) -> tuple[str, ...]:
    totient = 4 * 10 ** (digits - 1)
    return (
        f"{base} shares no factor with 10, so by Euler's theorem {base}^e modulo 10^{digits} depends only on e modulo"
        f" phi(10^{digits}) = {totient}.",
        f"Reduce the exponent first: E = {middle}^{top} mod {totient}, by repeated squaring ({top.bit_length()}"
        " squarings at most).",
        f"Then compute {base}^E mod 10^{digits}, again by repeated squaring.",
    )


FAMILY = Family(
    family_id="F04",
    title="Short tower tail",
    area="number theory",
    tier=3,
    idea="By Euler's theorem reduce the exponent b^c modulo phi(10^d) = 4*10^(d-1) by repeated squaring, then raise a"
    " to it modulo 10^d.",
    method=(("euler", "phi", "totient"), ("squaring", "reduce the exponent")),
    regime="top of the tower small -> top of a million and more",
    slots=(
        Slot("base", Span(3, 99), Span(101, 999), Span(2, 30)),
        Slot("middle", Span(2, 9), Span(11, 99), Span(2, 9)),
        Slot("top", Span(100, 999), Span(2 * 10**6, 4 * 10**7), Span(1, 2500)),
        Slot("digits", Span(5, 8), Span(5, 9), Span(1, 5)),
    ),
    teach_skins=(
        Skin(
            ("mint", "coin"),
            "A mint makes a coins, then a^2 coins, and so on; after the last press it has made a^E of them, with"
            " a = {base} and E = {middle}^{top}. What remainder does a^E leave on division by 10^{digits}?",
        ),
        Skin(
            ("monk", "scroll"),
            "A monk copies a scroll so often that the number of copies is {base} to the power ({middle} to the power"
            " {top}). He writes down only the last {digits} digits, without zeros in front. What number does he write?",
        ),
        Skin(
            ("beehive", "swarm"),
            "The swarm of a beehive grows to {base}^({middle}^{top}) bees. What is this number modulo 10^{digits}?",
        ),
    ),
    test_skins=(
        Skin(
            ("galaxy", "star"),
            "A story tells of a galaxy with p^q stars, where p = {base} and q itself is {middle}^{top}. Give p^q modulo"
            " 10^{digits}.",
        ),
        Skin(
            ("vault", "code"),
            "The code of a vault is made of the last {digits} digits of the tower {base}^({middle}^{top}), read as one"
            " number (zeros at its front fall away). What is the code?",
        ),
        Skin(
            ("factory", "screw"),
            "A factory has a screw count of {base}^n with the exponent n = {middle}^{top}. It packs 10^{digits} in each"
            " box. How many are left over in the end?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=10,
    hand_steps=hand_steps,
    ports=("top",),
    repair=repair,
)
