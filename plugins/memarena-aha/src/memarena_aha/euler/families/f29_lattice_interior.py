"""F29: lattice points strictly inside a triangle."""

from __future__ import annotations

from math import gcd

from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Among, Row, Span


def solve_fast(origin: tuple[int, int], x1: int, y1: int, x2: int, y2: int, stretch: int) -> int:
    """Pick's theorem."""
    twice_area = stretch * stretch * abs(x1 * y2 - x2 * y1)
    border = stretch * (gcd(x1, y1) + gcd(x2, y2) + gcd(x1 - x2, y1 - y2))
    return (twice_area - border + 2) // 2


def solve_brute(origin: tuple[int, int], x1: int, y1: int, x2: int, y2: int, stretch: int) -> int:
    """Every point of the bounding box, on which side of the three edges it lies."""
    left, low = origin
    corners = [(left, low), (left + stretch * x1, low + stretch * y1), (left + stretch * x2, low + stretch * y2)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    found = 0
    for x in range(min(xs), max(xs) + 1):
        for y in range(min(ys), max(ys) + 1):
            sides = []
            for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
                sides.append((bx - ax) * (y - ay) - (by - ay) * (x - ax))
            found += all(side > 0 for side in sides) or all(side < 0 for side in sides)
    return found


def valid(origin: tuple[int, int], x1: int, y1: int, x2: int, y2: int, stretch: int) -> bool:
    return stretch >= 1 and x1 * y2 != x2 * y1


def held_out(origin: tuple[int, int], x1: int, y1: int, x2: int, y2: int, stretch: int) -> bool:
    return stretch > 1


def hand_steps(origin: tuple[int, int], x1: int, y1: int, x2: int, y2: int, stretch: int) -> int:
    return 9 + sum(divisions(abs(x), abs(y)) for x, y in ((x1, y1), (x2, y2), (x1 - x2, y1 - y2)))


def divisions(x: int, y: int) -> int:
    """How many divisions Euclid's method takes."""
    steps = 0
    while y:
        x, y, steps = y, x % y, steps + 1
    return steps


def explain(origin: tuple[int, int], x1: int, y1: int, x2: int, y2: int, stretch: int) -> tuple[str, ...]:
    scale = f" times {stretch}" if stretch > 1 else ""
    return (
        f"Where the triangle begins, {origin}, does not matter. Its edges are the vectors ({x1}, {y1}), ({x2}, {y2})"
        f" and their difference ({x1 - x2}, {y1 - y2}), each{scale or ' as it is'}.",
        f"Twice the area is the absolute value of {x1}*{y2} - {x2}*{y1}"
        + (f", times {stretch}^2." if stretch > 1 else "."),
        "The points on an edge (one end counted) are the gcd of the two coordinates of its vector; the border B is the"
        f" sum of the three gcds{scale}.",
        "Pick's theorem: area = I + B/2 - 1, so the points inside are I = (twice the area - B + 2) / 2.",
    )


FAMILY = Family(
    family_id="F29",
    title="Lattice interior",
    area="geometry",
    tier=1,
    idea="Use Pick's theorem: twice the area from the cross product, the border from the gcds of the edge vectors.",
    method=(("pick",), ("gcd",)),
    regime="edges as they come, one corner near the origin -> edges with a large common factor, shifted origin",
    slots=(
        Slot("origin", Row((Span(0, 9), Span(0, 9))), Row((Span(100, 9999), Span(100, 9999))), Row((Span(-3, 3),) * 2)),
        Slot("x1", Span(10**4, 10**6), Span(10**7, 10**8), Span(-5, 8)),
        Slot("y1", Span(10**3, 10**4), Span(10**5, 10**6), Span(-5, 6)),
        Slot("x2", Span(10**3, 10**4), Span(10**5, 10**6), Span(-5, 6)),
        Slot("y2", Span(10**4, 10**6), Span(10**7, 10**8), Span(-5, 8)),
        Slot("stretch", Among((1,)), Span(12, 400), Span(1, 3), spoken=True),
    ),
    teach_skins=(
        Skin(
            ("farmer", "meadow", "post"),
            "A farmer's meadow is a triangle. One corner is the point ({origin}) of a map; from there, a second corner"
            " lies {x1} metres to the east and {y1} to the north, and the third {x2} metres to the east and {y2} to"
            " the north. A post stands at each point of the map with two whole coordinates (in metres). How many"
            " posts are inside the meadow, not counting those on its border?",
        ),
        Skin(
            ("screen", "pixel"),
            "The centres of pixels on a huge screen are the points with whole coordinates. A triangle has one corner"
            " at the centre ({origin}); the vectors from this corner to the two others are ({x1}, {y1}) and ({x2},"
            " {y2}). How many centres of pixels lie strictly inside the triangle (those on its sides do not count)?",
        ),
        Skin(
            ("carpet", "knot"),
            "A carpet has a knot at every point of a plane whose coordinates are whole. A tailor cuts along three"
            " straight lines from knot to knot: from ({origin}) by ({x1}, {y1}) to a second knot, from ({origin}) by"
            " ({x2}, {y2}) to a third one, and between these two. How many knots does the piece contain, without the"
            " knots on the cuts?",
        ),
    ),
    test_skins=(
        Skin(
            ("navigator", "buoy", "sea"),
            "A navigator draws a three-sided area on a sea chart. Its first vertex is the buoy ({origin}). The"
            " second vertex is reached from the first by moving {stretch} times by the vector ({x1}, {y1}), the"
            " third one, again from the first, by moving {stretch} times by the vector ({x2}, {y2}). There is a buoy"
            " at each location (x, y) with integers x and y. How many buoys are within the area but on none of its"
            " three edges?",
        ),
        Skin(
            ("garden", "lamp"),
            "Garden lamps stand at all locations (x, y) with integers x and y. Ropes are stretched from P ="
            " ({origin}) to Q = P + {stretch}*({x1}, {y1}), from Q to R = P + {stretch}*({x2}, {y2}), and from R to"
            " P. How many lamps are enclosed by the ropes? A lamp that touches a rope is not enclosed.",
        ),
        Skin(
            ("telescope", "star"),
            "In the grid of a telescope every location (x, y), x and y being integers, shows one star. The field of"
            " view is the triangular region with the vertices ({origin}) and ({origin}) + {stretch}*u and ({origin}) +"
            " {stretch}*v, where u = ({x1}, {y1}) and v = ({x2}, {y2}). How many stars are in the interior of the"
            " region?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    hand_steps=hand_steps,
    op_budget=20,
    ports=("x1", "y2"),
)
