"""F20: a strip three cells high, tiled with dominoes and a few single squares."""

from __future__ import annotations

from memarena_aha.euler.family import MODULUS, Family, Skin, Slot
from memarena_aha.euler.values import Among, Span

HEIGHT = 3


def solve_fast(n: int, m: int, c: int) -> int:
    """Modulo the prime."""
    return tilings(n, m, c) % MODULUS


def tilings(n: int, m: int, c: int) -> int:
    """Cell by cell, down each column; a state is which of the next three cells are covered already."""
    states = {0: [1] + [0] * m}  # ways by the number of single squares so far
    for cell in range(HEIGHT * n):
        after: dict[int, list[int]] = {}
        for covered, ways in states.items():
            for state in next_states(covered, cell % HEIGHT == HEIGHT - 1, cell >= HEIGHT * (n - 1)):
                add(after, state, ways)
            if not covered & 1:
                add(after, covered >> 1, [0, *(c * count for count in ways[:m])])
        states = after
    return sum(states[0])


def next_states(covered: int, lowest: bool, last_column: bool) -> list[int]:
    """What is covered one cell further, when no single square is put here."""
    if covered & 1:
        return [covered >> 1]
    upright = [] if lowest or covered & 2 else [(covered | 2) >> 1]
    return upright if last_column else [*upright, (covered | 1 << HEIGHT) >> 1]


def add(states: dict[int, list[int]], state: int, ways: list[int]) -> None:
    """Ways that lead to a state."""
    known = states.get(state)
    states[state] = ways if known is None else [one + other for one, other in zip(known, ways, strict=True)]


def solve_brute(n: int, m: int, c: int) -> int:
    """Tile after tile on the first free cell of a grid."""
    taken = [[False] * n for _ in range(HEIGHT)]

    def place(singles: int) -> int:
        free = next(((row, column) for row in range(HEIGHT) for column in range(n) if not taken[row][column]), None)
        if free is None:
            return 1
        row, column = free
        found = 0
        taken[row][column] = True
        if singles < m:
            found += c * place(singles + 1)
        for other_row, other_column in ((row, column + 1), (row + 1, column)):
            if other_row < HEIGHT and other_column < n and not taken[other_row][other_column]:
                taken[other_row][other_column] = True
                found += place(singles)
                taken[other_row][other_column] = False
        taken[row][column] = False
        return found

    return place(0) % MODULUS


def valid(n: int, m: int, c: int) -> bool:
    return n >= 1 and m >= 0 and c >= 1


def held_out(n: int, m: int, c: int) -> bool:
    return n % 2 == 1


def explain(n: int, m: int, c: int) -> tuple[str, ...]:
    parity = "odd, so at least one single square is needed" if n % 2 else "even"
    return (
        f"There are 3*{n} cells, which is {parity}. Go through them one by one, column after column and downwards in"
        " each column.",
        "A state is which of the next three cells are covered already (3 bits), together with the number of single"
        f" squares used so far (0 to {m}).",
        f"At a covered cell move on. At a free cell there can be a single square ({c} ways, and one more used); a"
        " domino downwards, if this is not the lowest cell and the next is free; a domino to the right, if this is"
        " not the last column.",
        f"Add up the ways for each state, and after the last cell those with nothing covered beyond it; modulo"
        f" {MODULUS}.",
    )


FAMILY = Family(
    family_id="F20",
    title="Tiled strip",
    area="dynamic programming",
    tier=2,
    idea="Go through the cells column by column with a state of three bits (which of the next three cells are covered)"
    " and the number of single squares used so far.",
    method=(("column", "cell by cell", "one by one"), ("state", "bits", "mask", "profile")),
    regime="even length -> odd length, where a single square is forced",
    slots=(
        Slot("n", Among(tuple(range(20, 60, 2))), Among(tuple(range(61, 162, 2))), Span(1, 5)),
        Slot("m", Span(2, 12), Among(tuple(range(13, 40, 2))), Span(0, 7)),
        Slot("c", Span(2, 4), Span(5, 9), Span(1, 5)),
    ),
    teach_skins=(
        Skin(
            ("floor", "plank"),
            "A floor of 3 feet by {n} feet is covered completely and without overlaps by planks of 1 by 2 feet, laid"
            " lengthwise or crosswise, and by at most {m} plates of 1 by 1 foot (possibly none). Planks are all"
            " alike; plates come in {c} colours. In how many ways can this be done? Coverings that are mirror images"
            " of one another count as different.",
        ),
        Skin(
            ("garden", "hedge"),
            "A garden consists of square plots in 3 rows and {n} columns. Each plot is given to one hedge or one"
            " rose; a hedge takes two plots that have a side in common, a rose takes a single plot. There are at"
            " most {m} roses, perhaps none; hedges are all alike, but every rose is of one of {c} sorts. How many"
            " different layouts of the garden are there, if it may not be turned?",
        ),
        Skin(
            ("chocolate", "piece"),
            "A bar of chocolate with 3 rows of {n} squares is broken up completely into pieces of two adjacent squares"
            " and at most {m} pieces of one square (possibly no such piece); each piece of one square is then given to"
            " one of {c} children. In how many ways can this be done, where the bar lies in a fixed position?",
        ),
    ),
    test_skins=(
        Skin(
            ("panel", "brick"),
            "A panel is 3 cells high and {n} cells wide. Every cell is covered exactly once, by bricks, which cover"
            " two cells that share an edge, and by studs, which cover one cell and are made of one of {c} metals"
            " each. No more than {m} studs are used. How many pavings of the panel exist? Pavings that differ only"
            " by a reflection are counted separately.",
        ),
        Skin(
            ("theatre", "stall"),
            "In a theatre, 3 tiers of {n} stalls each, one tier right behind the other, are sold out. Each stall"
            " goes either to somebody who comes alone or, with one stall directly beside, before or behind it, to a"
            " couple. At most {m} stalls go to people who come alone, and each of those is sold at one of {c}"
            " prices. How many different seating charts are possible, if a chart shows which stalls belong together"
            " and the prices of the others?",
        ),
        Skin(
            ("circuit", "wire"),
            "A circuit has pins at all points (x, y) with whole x from 1 to {n} and y from 1 to 3. A wire joins two"
            " pins at distance 1. No pin is joined to more than one wire; at most {m} pins have no wire, and each of"
            " these wears a cap in one of {c} tints. How many such circuits exist?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=600_000,
    modulus=MODULUS,
)
