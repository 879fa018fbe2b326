"""F15: a total made of given parts, each used at most so often, with an even or an odd number of parts."""

from __future__ import annotations

from itertools import product

from memarena_aha.euler.family import Family, Skin, Slot, show
from memarena_aha.euler.values import Among, Row, Span


def solve_fast(n: int, parts: tuple[int, ...], m: int, odd: int) -> int:
    """One table for each parity; a part enters by one addition and one subtraction a cell."""
    ways = [[1] + [0] * n, [0] * (n + 1)]
    for part in parts:
        new = [[0] * (n + 1), [0] * (n + 1)]
        for total in range(n + 1):
            for parity in (0, 1):
                count = ways[parity][total]
                if total >= part:
                    count += new[1 - parity][total - part]
                if total >= (m + 1) * part:
                    count -= ways[(parity + m + 1) % 2][total - (m + 1) * part]
                new[parity][total] = count
        ways = new
    return ways[odd][n]


def solve_brute(n: int, parts: tuple[int, ...], m: int, odd: int) -> int:
    """Every way to say how often each part is used."""
    total = 0
    for uses in product(range(m + 1), repeat=len(parts)):
        length = sum(used * part for used, part in zip(uses, parts, strict=True))
        total += length == n and sum(uses) % 2 == odd
    return total


def valid(n: int, parts: tuple[int, ...], m: int, odd: int) -> bool:
    return len(set(parts)) == len(parts) and min(parts) >= 1 and m >= 1


def held_out(n: int, parts: tuple[int, ...], m: int, odd: int) -> bool:
    return bool(odd)


def explain(n: int, parts: tuple[int, ...], m: int, odd: int) -> tuple[str, ...]:
    return (
        f"Keep two tables for the totals 0 to {n}: in how many ways a total is reached with an even number of parts"
        " (E) and with an odd number (O). Begin with E[0] = 1 and everything else 0.",
        f"Take the parts {show(parts)} one after another. With part s, a total t is reached by using s not at all, or"
        " by one more s on top of a way to t - s: E'[t] = E[t] + O'[t-s], O'[t] = O[t] + E'[t-s].",
        f"That allows s any number of times; ways with more than {m} are taken off again: subtract the old entry at"
        f" t - {m + 1}*s, from the {'same' if m % 2 else 'other'} table, as {m + 1} is {'even' if m % 2 else 'odd'}.",
        f"After the last part read off the {'odd' if odd else 'even'} table at {n}.",
    )


FAMILY = Family(
    family_id="F15",
    title="Fenced partitions",
    area="combinatorics",
    tier=2,
    idea="Fill a table of totals part by part, with one table for an even and one for an odd number of parts; the cap"
    " on a part is one subtraction of the entry m+1 parts earlier.",
    method=(("table", "dynamic"), ("parity", "even"), ("part by part", "one after another", "each part", "subtract")),
    regime="even number of parts, the part 1 or 2 among them -> odd number of parts, larger parts",
    slots=(
        Slot("n", Span(150, 270), Span(330, 500), Span(6, 40)),
        Slot(
            "parts",
            Row((Span(1, 2), Span(3, 4), Span(5, 7), Span(8, 10), Span(11, 14), Span(15, 19))),
            Row((Span(3, 4), Span(5, 7), Span(8, 10), Span(11, 14), Span(15, 19), Span(20, 25), Span(26, 32))),
            Row((Span(1, 1), Span(2, 3), Span(4, 5), Span(6, 8), Span(9, 11))),
        ),
        Slot("m", Span(8, 12), Span(14, 18), Span(1, 5)),
        Slot("odd", Among((0,)), Among((1,)), Among((0, 1)), spoken=True),
    ),
    teach_skins=(
        Skin(
            ("wall", "plank"),
            "A wall of length exactly {n} is made from planks with the lengths {parts}. Each length is used at most {m}"
            " times (possibly not at all), and the total number of planks is even. The order of the planks does not"
            " matter. How many such collections of planks exist?",
        ),
        Skin(
            ("cook", "weight", "kitchen"),
            "A cook balances a load of exactly {n} grams with metal weights of {parts} grams, of which the kitchen has"
            " {m} each. The number of weights on the pan must be even, and equal weights are interchangeable. In how"
            " many ways can the weights be picked?",
        ),
        Skin(
            ("score", "points", "tallies"),
            "A score of exactly {n} points is made by hits, and a hit can be worth {parts} points. No value is hit more"
            " than {m} times, the number of hits is even, and the order of the hits is ignored. How many different"
            " tallies (how often each value was hit) lead to this score?",
        ),
    ),
    test_skins=(
        Skin(
            ("stamp", "envelope", "postage"),
            "Stamps with the face amounts {parts} are at hand, {m} of each. An envelope needs postage of exactly {n},"
            " and the stamps on it must be odd in all (1, 3, 5, ... stamps). Stamps of equal face amount are alike and"
            " their arrangement is ignored. How many mixes of stamps are possible?",
        ),
        Skin(
            ("ship", "crate", "cargo"),
            "A ship loads crates of {parts} tons, at most {m} crates of each sort. The cargo weighs exactly {n} tons,"
            " and the crates aboard must be odd in all (1, 3, 5, ... crates). Crates of one sort are alike, and where"
            " they are stowed is ignored. How many cargoes are possible?",
        ),
        Skin(
            ("drummer", "beat"),
            "A drummer fills exactly {n} beats with notes that last {parts} beats; each duration may occur up to {m}"
            " times, and the notes must be odd in all (1, 3, 5, ... notes). Only how often each duration occurs is of"
            " interest, not the sequence. How many such mixtures are there?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=70_000,
    ports=("n",),
)
