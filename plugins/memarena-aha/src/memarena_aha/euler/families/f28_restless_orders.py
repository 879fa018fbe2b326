"""F28: orders of a multiset in which no two equal ones are neighbours."""

from __future__ import annotations

from math import comb

from memarena_aha.euler.family import Family, Skin, Slot, show
from memarena_aha.euler.values import Row, Span


def solve_fast(most: int, others: tuple[int, ...]) -> int:
    """Inclusion and exclusion over blocks: each kind is cut into blocks, and blocks are ordered freely."""
    ways = [1]
    for count in (most, *others):
        longer = [0] * (len(ways) + count)
        for blocks in range(1, count + 1):
            cuts = (-1) ** (count - blocks) * comb(count - 1, blocks - 1)
            for before, known in enumerate(ways):
                longer[before + blocks] += cuts * known * comb(before + blocks, blocks)
        ways = longer
    return sum(ways)


def solve_brute(most: int, others: tuple[int, ...]) -> int:
    """Every order, built from left to right."""
    left = [most, *others]

    def place(last: int) -> int:
        if not any(left):
            return 1
        found = 0
        for kind in range(len(left)):
            if left[kind] and kind != last:
                left[kind] -= 1
                found += place(kind)
                left[kind] += 1
        return found

    return place(-1)


def valid(most: int, others: tuple[int, ...]) -> bool:
    counts = (most, *others)
    return min(counts) >= 1 and 2 * max(counts) <= sum(counts) + 1


def held_out(most: int, others: tuple[int, ...]) -> bool:
    counts = (most, *others)
    return 5 * max(counts) > 2 * sum(counts)


def explain(most: int, others: tuple[int, ...]) -> tuple[str, ...]:
    counts = (most, *others)
    return (
        f"There are {len(counts)} kinds with the counts {show(counts)}. Cut the equal ones of each kind into blocks; a"
        " block is a run that is kept together, and blocks may be put in any order.",
        "By inclusion and exclusion, an order without equal neighbours is counted once if e equal ones cut into j"
        " blocks get the weight (-1)^(e-j) * C(e-1, j-1).",
        "Blocks of one kind are alike, so j of them are mixed with t blocks of the kinds before in C(t+j, j) ways.",
        "Keep a list by the total number of blocks, starting with 1 for no blocks; take the kinds one after another and"
        " add weight * C(t+j, j) * (entry t) to the new entry t+j, for j = 1 to e.",
        "The sum of the last list is the answer.",
    )


FAMILY = Family(
    family_id="F28",
    title="Restless orders",
    area="combinatorics",
    tier=3,
    idea="Cut the e equal ones of each kind into j blocks with the weight (-1)^(e-j) C(e-1, j-1) and order all blocks"
    " freely (inclusion-exclusion); one short list by the number of blocks is enough.",
    method=(("block",), ("inclusion", "weight", "(-1)")),
    regime="four kinds of like counts -> five kinds, one of them dominant",
    slots=(
        Slot("most", Span(8, 14), Span(18, 30), Span(1, 4)),
        Slot(
            "others",
            Row((Span(7, 13), Span(6, 12), Span(5, 11))),
            Row((Span(6, 12), Span(4, 10), Span(3, 9), Span(2, 8))),
            Row((Span(1, 3), Span(1, 3), Span(1, 2))),
        ),
    ),
    teach_skins=(
        Skin(
            ("bead", "colour"),
            "Beads are laid in a line from left to right: {most} white beads, and of the other colours {others}"
            " beads (one number for each colour). All beads are used, those of one colour are alike, and no two"
            " neighbours have the same colour. How many different lines of beads are possible?",
        ),
        Skin(
            ("menu", "course"),
            "A menu is a sequence of courses: {most} soups, and of the other kinds of course {others}, one number"
            " for each kind. Every course is served, courses of one kind are alike, and two courses of one kind"
            " never follow one another directly. How many different menus are there?",
        ),
        Skin(
            ("deck", "card"),
            "A deck holds {most} cards with a sun, and of its other suits {others} cards, one number for each suit."
            " Cards of one suit cannot be told apart. The whole deck is laid out in a row so that any two adjacent"
            " cards are of different suits. In how many distinguishable ways can this be done?",
        ),
    ),
    test_skins=(
        Skin(
            ("train", "wagon"),
            "A train is put together from {most} tank wagons and from wagons of further types; type by type these"
            " are {others} in quantity. No wagon is left over, wagons of the same type are interchangeable, and"
            " coupled wagons always differ in type. How many trains (read from front to back) can be formed?",
        ),
        Skin(
            ("poem", "vowel"),
            "A poem without sense is a string of vowels. The vowel A occurs exactly {most} times in it, and the"
            " remaining vowels E, I, O, U occur {others} times, respectively. Nowhere do two equal vowels stand"
            " side by side. How many such poems exist?",
        ),
        Skin(
            ("parade", "dancer"),
            "In a parade dancers walk in single file: {most} from the harbour, and from the remaining quarters of"
            " the town, quarter by quarter, {others}. Nobody may walk directly behind somebody from the same"
            " quarter. How many patterns are possible, when a pattern only tells from which quarter the first,"
            " second, third, ... dancer comes?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=30_000,
)
