"""F24: the squares that a leaper reaches first with its k-th move, on a board with blocked squares."""

from __future__ import annotations

from itertools import product

from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Among, Span

SUM_MODULUS = 997


def solve_fast(n: int, leap: tuple[int, int], k: int, h: int, r: int) -> int:
    """Breadth-first search, ring by ring; a square is the single number x*width + y, with a margin around the board."""
    far, near = max(leap), min(leap)
    width = n + far
    free = bytearray(width * width)
    for x in range(n):
        for y in range(n):
            free[x * width + y] = (x * y + x + 2 * y) % h != r
    moves = [one * width + two for one in (far, -far) for two in (near, -near)]
    moves += [one * width + two for one in (near, -near) for two in (far, -far)]
    free[0], ring = 0, [0]
    for _ in range(k):
        reached: list[int] = []
        for square in ring:
            for move in moves:
                goal = square + move
                if goal >= 0 and free[goal]:
                    free[goal] = 0
                    reached.append(goal)
        ring = reached
    total = sum(square // width * (square % width) for square in ring)
    return 1000 * len(ring) + total % SUM_MODULUS


def solve_brute(n: int, leap: tuple[int, int], k: int, h: int, r: int) -> int:
    """Distances lowered over the whole board until nothing changes."""
    squares = [(x, y) for x, y in product(range(n), repeat=2) if (x, y) == (0, 0) or (x * y + x + 2 * y) % h != r]
    distance = dict.fromkeys(squares, n * n)
    distance[0, 0] = 0
    changed = True
    while changed:
        changed = False
        for x, y in squares:
            for across, up in (leap, leap[::-1]):
                for other in ((x + across, y + up), (x + across, y - up), (x - across, y + up), (x - across, y - up)):
                    if other in distance and distance[other] + 1 < distance[x, y]:
                        distance[x, y] = distance[other] + 1
                        changed = True
    ring = [square for square in squares if distance[square] == k]
    return 1000 * len(ring) + sum(x * y for x, y in ring) % SUM_MODULUS


def valid(n: int, leap: tuple[int, int], k: int, h: int, r: int) -> bool:
    return n > max(leap) and k >= 1 and 0 < r < h


def held_out(n: int, leap: tuple[int, int], k: int, h: int, r: int) -> bool:
    return abs(leap[0] - leap[1]) > 1


def explain(n: int, leap: tuple[int, int], k: int, h: int, r: int) -> tuple[str, ...]:
    one, two = leap
    return (
        "Search breadth first from (0, 0): ring 0 is the corner alone, and ring j+1 are the squares that a move leads"
        " to from ring j and that no ring holds yet.",
        f"From (x, y) the eight moves lead to (x±{one}, y±{two}) and (x±{two}, y±{one}); skip what is off the {n} by"
        f" {n} board or has (xy + x + 2y) mod {h} = {r}.",
        "Mark a square as soon as it is reached, so that each is looked at once only.",
        f"Stop after {k} rings. With c squares in ring {k} and s the sum of x*y over them, the answer is 1000*c + (s"
        f" mod {SUM_MODULUS}).",
    )


FAMILY = Family(
    family_id="F24",
    title="Leaper ring",
    area="graphs",
    tier=2,
    idea="Search breadth first from the corner, ring by ring, and mark each square when it is reached; the k-th ring is"
    " what is asked for.",
    method=(("breadth", "bfs", "ring by ring", "level by level"), ("mark", "visited", "reached")),
    regime="leaper with neighbouring steps, as (2, 3) -> leaper with steps far apart, as (1, 4); other blocking",
    slots=(
        Slot("n", Span(60, 159), Span(70, 170), Span(5, 9)),
        Slot("leap", Among(((2, 3), (1, 2), (3, 4))), Among(((1, 4), (2, 5), (1, 6))), Among(((1, 2), (2, 3), (1, 4)))),
        Slot("k", Span(14, 22), Span(23, 32), Span(1, 5)),
        Slot("h", Span(7, 10), Span(11, 40), Span(3, 7)),
        Slot("r", Span(1, 6), Span(1, 10), Span(1, 5)),
    ),
    teach_skins=(
        Skin(
            ("chess", "board"),
            "On a board with {n} by {n} squares (x, y), where x and y run from 0 to {n} - 1, stands a new chess"
            " piece on (0, 0). A move changes one of the two coordinates by one of the two amounts {leap}, and the"
            " other coordinate by the other amount, each upwards or downwards. It must stay on the board and not end"
            " on a square with (xy + x + 2y) mod {h} = {r}; what it skips on the way is of no importance. Let c be the"
            " number of squares it can reach with {k} moves but not with fewer, and s the sum of x*y over them. What"
            " is 1000*c + (s mod 997)?",
        ),
        Skin(
            ("swamp", "grasshopper"),
            "A swamp is a square grid of {n} times {n} tufts, named (x, y) with 0 <= x, y < {n}. A grasshopper in"
            " the corner (0, 0) leaps from tuft to tuft: of the two lengths {leap}, one leap goes one length along x"
            " and the other length along y, in any of the eight possible ways. Tufts for which xy + x + 2y leaves"
            " the remainder {r} on division by {h} are under water and cannot be landed on, but leapt over. For how"
            " many tufts is {k} the smallest number of leaps? Call this number c, add up x*y over these tufts to get"
            " s, and work out 1000*c + (s mod 997). What is the result?",
        ),
        Skin(
            ("city", "helicopter"),
            "In a city of {n} by {n} blocks, block (x, y) lies x blocks east and y blocks north of the block (0, 0),"
            " where a helicopter starts. Each flight takes it by the two spans {leap}, in blocks: one of them"
            " east or west, the other north or south, whichever way round. It lands in the city only, and never on a"
            " block where (xy + x + 2y) mod {h} is {r}. c blocks need {k} flights and cannot be reached with fewer;"
            " s is the sum of the products x*y of these blocks. What is 1000*c + (s mod 997)?",
        ),
    ),
    test_skins=(
        Skin(
            ("ice", "skater"),
            "The ice of a rink is divided into cells (x, y), with integers x and y from 0 up to and including {n} -"
            " 1. A skater starts in cell (0, 0). In one jump the cell (x, y) is left for a cell whose distances from"
            " it in the two directions are {leap}, in either assignment. Cells whose value xy + x + 2y is congruent"
            " to {r} modulo {h} are closed: no jump may end there (jumping across is fine). Find c, how many cells"
            " are first entered with the {k}-th jump when jumps are used as sparingly as possible, and s, the total"
            " of x*y over these c cells. What is 1000*c + (s mod 997)?",
        ),
        Skin(
            ("satellite", "antenna"),
            "A satellite passes a signal from antenna to antenna. There is one antenna at every point (x, y) with"
            " integers 0 <= x <= {n} - 1 and 0 <= y <= {n} - 1, except that those with (xy + x + 2y) mod {h} = {r} are"
            " broken and receive nothing. A hop connects two antennas exactly when their offsets in x and in y are, in"
            " absolute value and some arrangement, {leap}. The signal is at (0, 0) at first. Exactly c antennas have a"
            " shortest connection of {k} hops; s adds up x times y for those. What is 1000*c + (s mod 997)?",
        ),
        Skin(
            ("floor", "beetle"),
            "A beetle sits on tile (0, 0) of a floor with {n} rows and {n} columns of tiles; tile (x, y) is in row x"
            " and column y, both counted from zero. It always hops so that row and column change by the pair {leap},"
            " in either assignment and with any signs, but not off the floor. Sticky tiles, those whose xy + x + 2y"
            " gives {r} modulo {h}, are avoided as landing places. Let c count the tiles whose least quantity of"
            " hops from the start is exactly {k}, and let s be what row times column adds up to over them. What is"
            " 1000*c + (s mod 997)?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=900_000,
    floor=10_000,
    ports=("n",),
)
