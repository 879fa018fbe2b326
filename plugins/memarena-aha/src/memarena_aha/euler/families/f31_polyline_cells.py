"""F31: unit cells that a rising polyline crosses, leg by leg."""

from __future__ import annotations

from math import gcd

from memarena_aha.euler.family import Family, Skin, Slot, show
from memarena_aha.euler.values import Among, Row, Span


def solve_fast(east: tuple[int, ...], north: tuple[int, ...], stretch: int) -> int:
    """A leg crosses dx + dy - gcd(dx, dy) cells."""
    return stretch * sum(dx + dy - gcd(dx, dy) for dx, dy in zip(east, north, strict=True))


def solve_brute(east: tuple[int, ...], north: tuple[int, ...], stretch: int) -> int:
    """Each cell of each leg's box: two of its corners lie on different sides of the leg."""
    found = 0
    for dx, dy in zip(east, north, strict=True):
        for x in range(stretch * dx):
            for y in range(stretch * dy):
                upper_left, lower_right = dx * (y + 1) - dy * x, dx * y - dy * (x + 1)
                found += upper_left > 0 > lower_right
    return found


def valid(east: tuple[int, ...], north: tuple[int, ...], stretch: int) -> bool:
    return len(east) == len(north) and min(*east, *north, stretch) >= 1


def held_out(east: tuple[int, ...], north: tuple[int, ...], stretch: int) -> bool:
    return stretch > 1


def hand_steps(east: tuple[int, ...], north: tuple[int, ...], stretch: int) -> int:
    steps = 1
    for dx, dy in zip(east, north, strict=True):
        steps += 3
        while dy:
            dx, dy, steps = dy, dx % dy, steps + 1
    return steps


def explain(east: tuple[int, ...], north: tuple[int, ...], stretch: int) -> tuple[str, ...]:
    unit = f" Here all are multiplied by {stretch}, and so is the gcd." if stretch > 1 else ""
    return (
        f"Take the {len(east)} legs one by one. A leg that goes dx east and dy north crosses dx - 1 vertical and dy - 1"
        " horizontal grid lines between its ends.",
        "Each crossing leads into a new cell, but where both kinds are crossed at once (at a grid point, gcd(dx, dy)"
        " - 1 times) only one new cell follows.",
        f"So the leg crosses dx + dy - gcd(dx, dy) cells.{unit}",
        f"Find the gcds by Euclid's method and add up over the legs with dx = {show(east)} and dy = {show(north)}.",
    )


FAMILY = Family(
    family_id="F31",
    title="Cells under a polyline",
    area="geometry",
    tier=1,
    idea="A segment that goes dx and dy crosses dx + dy - gcd(dx, dy) cells; add this up over the segments.",
    method=(("gcd",), ("dx + dy", "dx+dy")),
    regime="three legs as they come -> five legs with a common factor",
    slots=(
        Slot(
            "east",
            Row((Span(1000, 9999),) * 3),
            Row((Span(12_000, 90_000),) * 5),
            Row((Span(1, 9),) * 3),
        ),
        Slot(
            "north",
            Row((Span(1000, 9999),) * 3),
            Row((Span(100, 9000),) * 5),
            Row((Span(1, 9),) * 3),
        ),
        Slot("stretch", Among((1,)), Span(12, 400), Span(1, 3), spoken=True),
    ),
    teach_skins=(
        Skin(
            ("city", "block", "drone"),
            "A city consists of square blocks of 1 by 1, and a drone starts above a corner of a block. It flies"
            " straight legs, one after another. The legs lead {east} to the east and, in the same order, {north} to"
            " the north. For each leg one counts the blocks over whose inside it passes (touching a corner or flying"
            " along a side is not passing). What is the sum of these counts over all legs?",
        ),
        Skin(
            ("paper", "pencil"),
            "On squared paper with squares of side 1, a pencil starts at a point where lines meet and draws a path"
            " of straight strokes, each beginning where the last one ended. The strokes go {east} to the right and,"
            " stroke for stroke, {north} upwards. A stroke spoils each square whose inner part it runs through. Add"
            " up, over all strokes, how many squares are spoiled by it: what comes out?",
        ),
        Skin(
            ("field", "tractor"),
            "Fields of 1 by 1 cover a plain without gaps, their sides in the directions of the compass. From a"
            " corner of a field, a tractor drives straight stretches; the stretches go {east} eastwards and at the"
            " same time {north} northwards, one number of each list for each stretch. It pays a toll for every field"
            " through whose inside a stretch leads, and again in each further stretch that leads through it. How"
            " many tolls does it pay?",
        ),
    ),
    test_skins=(
        Skin(
            ("wall", "tile", "crack"),
            "A wall is covered by unit tiles in a regular grid. A crack starts at a grid node and consists of five"
            " straight segments end to end. In units of {stretch} tile widths, the segments go {east} horizontally"
            " (always rightwards) and, respectively, {north} vertically up. A segment ruins a tile when it meets the"
            " tile's interior. Total the ruined tiles segment by segment, so that a tile ruined by two segments is"
            " taken twice. How many is that?",
        ),
        Skin(
            ("glacier", "skier", "zone"),
            "A glacier map is split into zones: the unit cells whose vertices have integer coordinates. A skier"
            " begins at (0, 0) and makes five straight runs. Run i changes the position by {stretch} times (p_i,"
            " q_i), where p_1 to p_5 are {east} and q_1 to q_5 are {north}. For each run write down how many zones"
            " have an interior that the run meets. What do the five results total?",
        ),
        Skin(
            ("thread", "wax"),
            "Wax is poured into a tray with cells of size 1 by 1, whose vertices are the nodes with integer"
            " coordinates. A thread is pulled tight from nail to nail through the wax, beginning at the nail at the"
            " node (0, 0) of the tray; there are six nails. From nail to nail, x grows by {east}, each times"
            " {stretch}, and y grows by {north}, each times {stretch}. Between two nails in succession, some cells"
            " are cut open by the thread: those of which it meets the interior. How large is the total of cut cells"
            " over the five parts of the thread?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    hand_steps=hand_steps,
    op_budget=60,
)
