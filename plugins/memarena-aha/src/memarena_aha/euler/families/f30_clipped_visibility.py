"""F30: pairs without a common factor in a rectangle, clipped by a slanting line."""

from __future__ import annotations

from math import gcd

from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Span


def solve_fast(width: int, height: int, clip: int) -> int:
    """Moebius inversion over the common factor."""
    last = min(width, height)
    moebius = [0, 1] + [0] * (last - 1)
    for number in range(1, last + 1):
        if moebius[number]:
            for multiple in range(2 * number, last + 1, number):
                moebius[multiple] -= moebius[number]
    return sum(sign * points(width // d, height // d, clip // d) for d, sign in enumerate(moebius) if sign)


def points(width: int, height: int, clip: int) -> int:
    """Pairs x <= width, y <= height with x + y <= clip: a triangle without its two tips, which may overlap."""
    return pairs(clip) - pairs(clip - width) - pairs(clip - height) + pairs(clip - width - height)


def pairs(total: int) -> int:
    """Pairs of positive numbers with at most this sum."""
    return total * (total - 1) // 2 if total > 1 else 0


def solve_brute(width: int, height: int, clip: int) -> int:
    """Every pair, every gcd."""
    found = 0
    for x in range(1, width + 1):
        for y in range(1, height + 1):
            if x + y <= clip and gcd(x, y) == 1:
                found += 1
    return found


def valid(width: int, height: int, clip: int) -> bool:
    return min(width, height) >= 1 and clip >= max(width, height)


def held_out(width: int, height: int, clip: int) -> bool:
    return clip < width + height


def explain(width: int, height: int, clip: int) -> tuple[str, ...]:
    last = min(width, height)
    shape = "cuts off a corner" if clip < width + height else f"cuts nothing off, for {clip} >= {width} + {height}"
    return (
        f"Pairs without a common factor are counted by Moebius inversion: the sum over d = 1 to {last} of mu(d) times"
        " the number of all pairs whose numbers are both multiples of d.",
        f"Divided by d these are the pairs with x <= {width} // d, y <= {height} // d and x + y <= {clip} // d.",
        f"With T(s) = s(s-1)/2 (0 for s < 2) their number is T(C) - T(C-A) - T(C-B) + T(C-A-B) for A, B, C = {width},"
        f" {height}, {clip} divided by d; here the line x + y = {clip} {shape}.",
        f"Get mu up to {last} with a sieve: mu(1) = 1, and each mu(n) is subtracted from that of all larger multiples"
        " of n.",
        "Add up over all d with mu(d) not 0.",
    )


FAMILY = Family(
    family_id="F30",
    title="Clipped visibility",
    area="geometry",
    tier=2,
    idea="Moebius inversion: sum mu(d) times the number of lattice points of the shape shrunk by d, which has a closed"
    " form by triangular numbers; mu comes from a sieve.",
    method=(("moebius", "mobius", "möbius", "mu("), ("sieve", "shrunk", "divided by d", "multiples of d")),
    regime="line beyond the rectangle -> line that cuts a corner off",
    slots=(
        Slot("width", Span(1000, 2200), Span(4000, 6000), Span(3, 25)),
        Slot("height", Span(1000, 2600), Span(4500, 6500), Span(3, 25)),
        Slot("clip", Span(5000, 9000), Span(6600, 8400), Span(4, 50)),
    ),
    teach_skins=(
        Skin(
            ("orchard", "tree"),
            "An orchard has a tree at (x, y) for all whole numbers 1 <= x <= {width} and 1 <= y <= {height} with x +"
            " y <= {clip}. A child stands at (0, 0). A tree is seen by the child when no other tree stands exactly"
            " on the straight line between the two. How many trees are seen?",
        ),
        Skin(
            ("gear", "pair"),
            "A workshop has gears with 1 to {width} teeth on the left and gears with 1 to {height} teeth on the"
            " right. A pair, one from each side, is useful when the two numbers of teeth have no common divisor"
            " above 1 and add up to at most {clip}. How many useful pairs are there?",
        ),
        Skin(
            ("fraction", "pupil"),
            "Pupils write down all fractions x/y that are in lowest terms, with a positive whole x of at most"
            " {width}, a positive whole y of at most {height}, and x + y not above {clip}. How many different"
            " fractions do they find?",
        ),
    ),
    test_skins=(
        Skin(
            ("mirror", "laser"),
            "Mirrors are mounted at all points (x, y) with integers x from 1 to {width} and y from 1 to {height} for"
            " which x + y is no more than {clip}. A laser at the origin can be aimed in any direction; its ray ends"
            " at the first mirror it meets. How many of the mirrors can be hit?",
        ),
        Skin(
            ("rhythm", "drum"),
            "For a rhythm, a low drum is struck every x seconds and a high drum every y seconds, with integers x in"
            " 1..{width} and y in 1..{height}, where x + y must not exceed {clip}. The rhythm is called whole if x"
            " and y are coprime. How many choices of (x, y) give a whole rhythm?",
        ),
        Skin(
            ("tile", "diagonal"),
            "A rectangular tile measures x by y units, x and y being positive integers with x <= {width}, y <="
            " {height} and x + y <= {clip} (x by y and y by x are two different tiles unless x = y). The diagonal of"
            " a tile is clean if it contains no point with two integer coordinates except its ends; one corner of"
            " the tile is at the origin and its sides lie along the axes. How many tiles have a clean diagonal?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=200_000,
    ports=("clip", "width"),
)
