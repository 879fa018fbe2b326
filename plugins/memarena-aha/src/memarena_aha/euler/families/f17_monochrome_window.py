"""F17: words without a long run of one letter, free or with a fixed first letter."""

from __future__ import annotations

from itertools import product

from memarena_aha.euler.family import MODULUS, Family, Skin, Slot
from memarena_aha.euler.values import Among, Span


def solve_fast(n: int, c: int, w: int, fixed: int) -> int:
    """By the length of the last run, which is shorter than the window."""
    words = [0] * (n + 1)
    for length in range(1, n + 1):
        words[length] = (c - 1) * sum(words[max(0, length - w + 1) : length])
        if length < w:
            words[length] += 1 if fixed else c
    return words[n] % MODULUS


def solve_brute(n: int, c: int, w: int, fixed: int) -> int:
    """Every word, every window."""
    total = 0
    for word in product(range(c), repeat=n):
        windows = (word[start : start + w] for start in range(n - w + 1))
        total += all(len(set(window)) > 1 for window in windows) and (word[0] == 0 or not fixed)
    return total % MODULUS


def valid(n: int, c: int, w: int, fixed: int) -> bool:
    return n >= 1 and w >= 2 and c >= 2


def held_out(n: int, c: int, w: int, fixed: int) -> bool:
    return bool(fixed)


def explain(n: int, c: int, w: int, fixed: int) -> tuple[str, ...]:
    first = "the one fixed letter" if fixed else f"any of {c} letters"
    return (
        f"A window of {w} equal letters is a run of at least {w}, so the rule says: every run is shorter than {w}.",
        "Let a(L) be the number of good words of length L, and look at the last run, of length r.",
        f"If the word is longer than r, what stands before is any good word of length L - r, and the run has one of the"
        f" other {c - 1} letters; if the run is the whole word, it has {first}.",
        f"So a(L) = {c - 1} * (a(L-1) + ... + a(L-{w - 1})), plus {'1' if fixed else c} where L < {w}; a of 0 or less"
        " counts as 0.",
        f"Go up from L = 1 to {n} and keep everything modulo {MODULUS}.",
    )


FAMILY = Family(
    family_id="F17",
    title="No monochrome window",
    area="combinatorics",
    tier=2,
    idea="The rule says that every run is shorter than the window: sort the words by their last run, so that the count"
    " for a length is (c-1) times the sum of the w-1 counts before it.",
    method=(("run",), ("recur", "sum of", "last run", "a(l")),
    regime="short window, first letter free -> long window, first letter fixed",
    slots=(
        Slot("n", Span(60, 180), Span(200, 900), Span(1, 7)),
        Slot("c", Span(3, 5), Span(3, 7), Span(2, 4)),
        Slot("w", Span(3, 4), Span(6, 9), Span(2, 6)),
        Slot("fixed", Among((0,)), Among((1,)), Among((0, 1)), spoken=True),
    ),
    teach_skins=(
        Skin(
            ("bead", "colour"),
            "A string of {n} beads is threaded from left to right, each bead in one of {c} colours. Among any {w}"
            " consecutive beads at least two colours occur. How many different strings are possible? A string and its"
            " reversal are counted separately when they differ.",
        ),
        Skin(
            ("radio", "song", "genre"),
            "A radio station plays {n} songs one after another, each from one of {c} genres. No {w} songs in a row may"
            " all be of one genre. How many sequences of genres are possible?",
        ),
        Skin(
            ("lock", "code", "symbol"),
            "A lock opens with a code of {n} symbols, taken from an alphabet of {c} symbols. In every block of {w}"
            " adjacent places of the code stand at least two different symbols. How many such codes are there?",
        ),
    ),
    test_skins=(
        Skin(
            ("gardener", "tulip", "shade"),
            "A gardener plants {n} tulips in one line, each in one of {c} shades, crimson among them. The first tulip"
            " must be crimson, and nowhere may {w} neighbouring tulips all share a shade. How many plantings (the"
            " shades from first to last) are possible?",
        ),
        Skin(
            ("hiker", "trail", "day"),
            "A hiker walks on each of {n} days, every day along one of {c} trails. On day 1 the hiker takes the"
            " northern trail, which is one of the {c}. The same trail is never taken on {w} days in succession. How"
            " many schedules are possible?",
        ),
        Skin(
            ("border", "tile", "glaze"),
            "A border consists of {n} tiles from left to right, each with one of {c} glazes. The leftmost tile has to"
            " be white, which is one of the {c} glazes, and {w} or more tiles with the same glaze may not stand side by"
            " side. How many borders are possible?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=4_000,
    modulus=MODULUS,
    ports=("n",),
)
