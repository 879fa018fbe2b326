"""F14: chosen places with gaps between them, along a row or around a ring."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import comb

from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Among, Span


def solve_fast(n: int, k: int, g: int, ring: int) -> int:
    """One binomial: the places that must stay free are taken away first."""
    if ring:
        return n * comb(n - g * k - 1, k - 1) // k
    return comb(n - g * (k - 1), k)


def solve_brute(n: int, k: int, g: int, ring: int) -> int:
    """Every choice of places, every gap looked at."""
    total = 0
    for taken in combinations(range(n), k):
        gaps = [after - before - 1 for before, after in pairwise(taken)]
        if ring:
            gaps.append(taken[0] + n - taken[-1] - 1)
        total += all(gap >= g for gap in gaps)
    return total


def valid(n: int, k: int, g: int, ring: int) -> bool:
    return k >= 1 and n >= k * (g + 1)


def held_out(n: int, k: int, g: int, ring: int) -> bool:
    return bool(ring)


def hand_steps(n: int, k: int, g: int, ring: int) -> int:
    return 2 * k + 4


def explain(n: int, k: int, g: int, ring: int) -> tuple[str, ...]:
    row = (
        f"In a row, take away {g} of the free places after each of the chosen ones except the last: {g}*({k}-1)"
        " places.",
        f"What is left are {n} - {g}*({k}-1) places of which any {k} may be chosen, and each such choice comes from"
        " exactly one choice with gaps.",
        f"So a row has C({n} - {g}*({k}-1), {k}) choices.",
    )
    closed = (
        f"On a ring, mark one of the chosen places: {n} ways. Take {g} free places away after each of the {k} chosen"
        f" ones; the other {k}-1 lie anywhere among the {n} - {g}*{k} - 1 places left.",
        f"Each choice was marked {k} times, so a ring has {n} * C({n} - {g}*{k} - 1, {k}-1) / {k} choices.",
    )
    return (*row, *closed)


FAMILY = Family(
    family_id="F14",
    title="Round-table gaps",
    area="combinatorics",
    tier=1,
    idea="Take the places that must stay free away first, so that one binomial coefficient is left; on a ring mark one"
    " chosen place, count, and divide by how many could have been marked.",
    method=(("binomial", "c("), ("mark", "take away", "remov", "divide")),
    regime="places in a row -> places on a ring",
    slots=(
        Slot("n", Span(60, 170), Span(180, 320), Span(3, 13)),
        Slot("k", Span(6, 10), Span(12, 18), Span(1, 4)),
        Slot("g", Span(2, 4), Span(5, 7), Span(0, 3)),
        Slot("ring", Among((0,)), Among((1,)), Among((0, 1)), spoken=True),
    ),
    teach_skins=(
        Skin(
            ("bench", "seat", "guest"),
            "A bench has {n} seats in one straight row. Exactly {k} guests sit down, one to a seat, so that between"
            " any two neighbouring guests at least {g} seats stay empty. The guests are not told apart: only which"
            " seats are taken matters. In how many ways can this be done?",
        ),
        Skin(
            ("fence", "post"),
            "Along a straight fence stand {n} posts, numbered 1 to {n}. Exactly {k} posts are to be painted red, and"
            " between any two red posts there must be at least {g} posts that are not red. How many different"
            " selections of red posts are there?",
        ),
        Skin(
            ("film", "frame"),
            "A film consists of {n} different frames, one after another. Exactly {k} frames are stamped; between any"
            " two stamped frames lie at least {g} that are not stamped. In how many ways can the frames to be stamped"
            " be chosen?",
        ),
    ),
    test_skins=(
        Skin(
            ("ferris wheel", "cabin", "lantern"),
            "A Ferris wheel carries {n} cabins on its rim, each with a name of its own. Lanterns are hung in exactly"
            " {k} cabins. Going once round the rim, at least {g} dark cabins are passed from each lit cabin to the"
            " next lit one; this also holds from the last lit cabin on to the first. How many choices of lit cabins"
            " exist? Choices that turn into each other by rotation are counted separately.",
        ),
        Skin(
            ("dial", "tick", "gilded"),
            "A round dial is divided by {n} ticks, labelled 1 to {n} clockwise, so that tick 1 follows tick {n}."
            " Exactly {k} ticks are gilded. From each gilded tick clockwise to the next gilded one there must be at"
            " least {g} plain ticks. How many different gilded dials are possible, where two dials are the same only"
            " when the same labels are gilded?",
        ),
        Skin(
            ("lake", "pier", "summer"),
            "A circular lake is ringed by {n} piers, no two alike. Exactly {k} piers open this summer. Whoever walks"
            " round the lake must pass at least {g} closed piers between one open pier and the next open one, all the"
            " way round and back to the first. How many opening plans are possible? Two plans are equal only when"
            " they open the same piers.",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    hand_steps=hand_steps,
    op_budget=20,
    ports=("n",),
)
