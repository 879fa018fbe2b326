"""F32: squares of any tilt on a grid of points, all of them or without the upright ones."""

from __future__ import annotations

from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Among, Span


def solve_fast(w: int, extra: int, tilted: int) -> int:
    """Upright boxes of side s hold s squares each, one of them upright; the sum over s has a closed form."""
    a, b = w + 1, w + extra + 1
    ones, squares, cubes = w, w * (w + 1) // 2, w * (w + 1) * (2 * w + 1) // 6
    fourth = squares * squares
    everything = a * b * squares - (a + b) * cubes + fourth
    upright = a * b * ones - (a + b) * squares + cubes
    return everything - upright if tilted else everything


def solve_brute(w: int, extra: int, tilted: int) -> int:
    """Every lower left corner and every first side, and whether all four corners are on the grid."""
    h, found = w + extra, 0
    for x in range(w + 1):
        for y in range(h + 1):
            for right in range(1, w + 1):
                for up in range(1 if tilted else 0, h + 1):
                    corners = ((x + right, y + up), (x + right - up, y + up + right), (x - up, y + right))
                    found += all(0 <= column <= w and 0 <= row <= h for column, row in corners)
    return found


def valid(w: int, extra: int, tilted: int) -> bool:
    return w >= 1 and extra >= 0


def held_out(w: int, extra: int, tilted: int) -> bool:
    return bool(tilted)


def hand_steps(w: int, extra: int, tilted: int) -> int:
    return 30 if tilted else 18


def explain(w: int, extra: int, tilted: int) -> tuple[str, ...]:
    wanted = "s - 1 (the upright one does not count)" if tilted else "s"
    return (
        "Each square on the grid points, however tilted, lies in a smallest upright box, which is a square too; let"
        " s be its side.",
        "In a box of side s there are s squares that touch all its sides: their corners divide the sides into i and"
        f" s - i, for i = 0 to s - 1. Of these {wanted} are wanted.",
        f"Boxes of side s fit in ({w} + 1 - s) * ({w + extra} + 1 - s) places, for s = 1 to {w}.",
        "Add up wanted * places over s. Multiplied out, this needs only the sums of s, s^2 and s^3 (and of 1),"
        f" which have the closed forms n(n+1)/2, n(n+1)(2n+1)/6 and (n(n+1)/2)^2 with n = {w}.",
    )


FAMILY = Family(
    family_id="F32",
    title="Tilted squares",
    area="geometry",
    tier=1,
    idea="Sort the squares by their smallest upright box: a box of side s holds s of them (s - 1 without the upright"
    " one); the sum over s times the number of places is a polynomial with closed power sums.",
    method=(("box",), ("s - 1", "s of them", "s squares")),
    regime="square grid, all squares -> oblong grid, without the upright squares",
    slots=(
        Slot("w", Span(1000, 99_999), Span(10**6, 10**7), Span(1, 7)),
        Slot("extra", Among((0,)), Span(10**3, 10**6), Span(0, 4), spoken=True),
        Slot("tilted", Among((0,)), Among((1,)), Among((0, 1)), spoken=True),
    ),
    teach_skins=(
        Skin(
            ("board", "nail"),
            "Nails are driven into a board at all points (x, y) with whole numbers x and y from 0 to {w}. A rubber"
            " band in the shape of a square is stretched round four nails at its corners; it may be tilted in any"
            " direction. How many different squares can be formed?",
        ),
        Skin(
            ("pond", "stake", "net"),
            "In a pond, stakes stand in {w} + 1 rows of {w} + 1 stakes each, with the same distance between"
            " neighbours in a row and between rows. A net is a square, upright or at any slant, with a stake at each"
            " of its four corners. How many nets are possible?",
        ),
        Skin(
            ("dancer", "hall"),
            "The floor of a hall is divided into {w} by {w} unit squares, and a dancer can stand at each corner of a"
            " unit square (also on the border). In how many ways can four dancers be the corners of a square of any"
            " size and any inclination? Only the four places matter.",
        ),
    ),
    test_skins=(
        Skin(
            ("lantern", "frame"),
            "Lanterns hang at all nodes (x, y) with integers x and y, 0 <= x <= {w}, 0 <= y <= {w} + {extra}. A"
            " photographer looks for frames with four equal edges and four right angles that have a lantern at every"
            " vertex, but only for those whose edges are not parallel to the axes. How many such frames are there?",
        ),
        Skin(
            ("stadium", "pylon"),
            "On a stadium lawn, pylons are put up in a lattice of unit spacing, {w} + 1 columns and {w} + {extra} +"
            " 1 lines of them, columns at right angles to lines. Four pylons are called skew if they are the"
            " vertices of a figure with four equal edges and four right angles none of whose edges runs along a"
            " column or a line. How many skew fours are there?",
        ),
        Skin(
            ("chip", "contact"),
            "A chip has a contact at each node of a grid that is {w} cells wide and {w} + {extra} cells high,"
            " including the nodes on the rim. A circuit links four contacts by four equal edges with a right angle"
            " at each contact; circuits with horizontal and vertical edges are forbidden, all others are fine."
            " How many circuits can be chosen?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    hand_steps=hand_steps,
    op_budget=20,
    ports=("w",),
)
