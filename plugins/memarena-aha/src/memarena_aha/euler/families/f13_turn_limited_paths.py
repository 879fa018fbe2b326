"""F13: lattice paths with blocked cells and few turns."""

from __future__ import annotations

from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Among, Span


def solve_fast(width: int, height: int, turns: int, spacing: int) -> int:
    """A DP over the cells: for each direction of arrival the counts by turns, packed into one number."""
    field = width + height + 1
    mask = (1 << field * (turns + 1)) - 1
    across, upward = [0] * (height + 1), [0] * (height + 1)
    for x in range(width + 1):
        for y in range(height + 1):
            if x == y == 0:
                continue
            if (x * x + 3 * x * y + 7 * y) % spacing == 3:
                across[y] = upward[y] = 0
                continue
            if x == 0:
                from_below = 1 if y == 1 else upward[y - 1]
                across[y], upward[y] = 0, from_below
                continue
            from_left = 1 if (x, y) == (1, 0) else (across[y] + (upward[y] << field)) & mask
            from_below = (upward[y - 1] + (across[y - 1] << field)) & mask if y else 0
            across[y], upward[y] = from_left, from_below
    total = 0
    for packed in (across[height], upward[height]):
        for turn in range(turns + 1):
            total += packed >> field * turn & (1 << field) - 1
    return total


def solve_brute(width: int, height: int, turns: int, spacing: int) -> int:
    """Every path walked."""

    def walk(x: int, y: int, before: str, left: int) -> int:
        if left < 0 or x > width or y > height or (x**2 + 3 * x * y + 7 * y) % spacing == 3:
            return 0
        if (x, y) == (width, height):
            return 1
        return walk(x + 1, y, "across", left - (before == "upward")) + walk(
            x, y + 1, "upward", left - (before == "across")
        )

    return walk(0, 0, "", turns)


def valid(width: int, height: int, turns: int, spacing: int) -> bool:
    end = (width * width + 3 * width * height + 7 * height) % spacing
    return spacing > 3 and end != 3 and min(width, height) >= 1


def held_out(width: int, height: int, turns: int, spacing: int) -> bool:
    return spacing <= 12


def explain(width: int, height: int, turns: int, spacing: int) -> tuple[str, ...]:
    return (
        f"Visit the cells (x, y) with 0 <= x <= {width}, 0 <= y <= {height} in order; a blocked one, with"
        f" (x*x + 3*x*y + 7*y) mod {spacing} = 3, has no paths.",
        "For each open cell keep two rows of counts, by number of turns so far: paths that arrive by a step right, and"
        " paths that arrive by a step up.",
        "Right-arrivals at (x, y) with t turns = right-arrivals at (x-1, y) with t turns + up-arrivals at (x-1, y) with"
        " t-1 turns; up-arrivals likewise from (x, y-1). The first step is no turn.",
        f"At ({width}, {height}) add both rows for 0 to {turns} turns.",
    )


FAMILY = Family(
    family_id="F13",
    title="Turn-limited paths",
    area="combinatorics",
    tier=2,
    idea="A DP over the cells with the state (direction of arrival, turns so far): going straight keeps the count,"
    " changing direction moves it on by one turn.",
    method=(("direction", "arriv"), ("turn",), ("dp", "counts", "state")),
    regime="few blocked cells -> many",
    slots=(
        Slot("width", Span(14, 19), Span(22, 36), Span(1, 6)),
        Slot("height", Span(14, 19), Span(22, 36), Span(1, 6)),
        Slot("turns", Span(4, 7), Span(8, 14), Span(1, 8)),
        Slot("spacing", Among((17, 19, 20, 22, 23, 25)), Among((8, 9, 10, 11, 12)), Span(4, 20)),
    ),
    teach_skins=(
        Skin(
            ("ant", "pavement"),
            "An ant walks on the crossings of a pavement from (0, 0) to ({width}, {height}), each step one to the right"
            " or one up. Crossings (x, y) with (x*x + 3*x*y + 7*y) mod {spacing} = 3 are wet and must not be stepped"
            " on. It changes its direction at most {turns} times. How many ways are there?",
        ),
        Skin(
            ("miner", "shaft"),
            "A miner goes from shaft (0, 0) to shaft ({width}, {height}); a move raises one coordinate by 1. Closed are"
            " all (x, y) for which x^2 + 3xy + 7y leaves 3 modulo {spacing}. Two moves in a row of different kind are a"
            " bend, and no more than {turns} bends are allowed. How many routes exist?",
        ),
        Skin(
            ("circuit", "wire"),
            "On a circuit board a wire runs from pin (0, 0) to pin ({width}, {height}) in unit steps to the right or"
            " upward. Pins (x, y) where {spacing} divides x*x + 3*x*y + 7*y - 3 are taken. The wire may have at most"
            " {turns} corners. In how many ways can it be laid?",
        ),
    ),
    test_skins=(
        Skin(
            ("sailor", "buoy"),
            "A sailor passes from buoy (0, 0) to buoy ({width}, {height}), each leg going one buoy east or one north."
            " Where (x*x + 3*x*y + 7*y) mod {spacing} equals 3 there is a rock, and the course must avoid it. He tacks"
            " (from east to north or the reverse) at most {turns} times. How many courses are possible?",
        ),
        Skin(
            ("warehouse", "forklift"),
            "In a warehouse a forklift drives from cell (0, 0) to cell ({width}, {height}) by steps (x, y) -> (x+1, y)"
            " or (x, y) -> (x, y+1). Cells with x^2 + 3xy + 7y congruent to 3 modulo {spacing} are full. The direction"
            " may change {turns} times at the most. Count the drives.",
        ),
        Skin(
            ("spider", "web"),
            "A spider moves over the knots of a web from (0, 0) to ({width}, {height}); it only goes right or up, one"
            " knot at a time. Sticky are the knots (x, y) at which x*x + 3*x*y + 7*y gives 3 on division by {spacing}:"
            " it never visits them. Its way has {turns} or fewer changes of direction. How many ways has it?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=20_000,
)
