"""F18: sets of k numbers with a given sum, plain or with as many even members as odd ones."""

from __future__ import annotations

from itertools import combinations

from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Among, Params, Span


def solve_fast(n: int, k: int, total: int, balanced: int) -> int:
    """Sets become products of short series once 1, 2, ..., k are taken off their members."""
    if not balanced:
        return subsets(n, k, total)[total]
    half = k // 2
    halves = subsets(n // 2, half, total // 2)
    odd = subsets((n + 1) // 2, half, (total + half) // 2)
    answer = 0
    for part in range(total // 2 + 1):
        if (total - 2 * part + half) % 2 == 0:
            answer += halves[part] * odd[(total - 2 * part + half) // 2]
    return answer


def subsets(n: int, k: int, most: int) -> list[int]:
    """How many k-subsets of 1..n have each sum up to `most`."""
    counts = [0] * (most + 1)
    if k > n or k * (k + 1) // 2 > most:
        return counts
    counts[k * (k + 1) // 2] = 1
    for step in range(1, k + 1):
        over = n - k + step
        for place in range(most, over - 1, -1):
            counts[place] -= counts[place - over]
        for place in range(step, most + 1):
            counts[place] += counts[place - step]
    return counts


def solve_brute(n: int, k: int, total: int, balanced: int) -> int:
    """Every set, its sum and its even members."""
    found = 0
    for members in combinations(range(1, n + 1), k):
        even = sum(member % 2 == 0 for member in members)
        found += sum(members) == total and (2 * even == k or not balanced)
    return found


def repair(n: int, k: int, total: int, balanced: int) -> Params:
    return {"n": n, "k": k, "total": total + (total + k // 2) % 2, "balanced": balanced}


def valid(n: int, k: int, total: int, balanced: int) -> bool:
    return 1 <= k <= n and (not balanced or (k % 2 == 0 and (total + k // 2) % 2 == 0))


def held_out(n: int, k: int, total: int, balanced: int) -> bool:
    return bool(balanced)


def explain(n: int, k: int, total: int, balanced: int) -> tuple[str, ...]:
    return (
        f"Sort the {k} members and take 1 off the least, 2 off the next, ..., {k} off the largest: what is left is a"
        f" partition of {total} - {k * (k + 1) // 2} into at most {k} parts, none above {n} - {k}.",
        "Such partitions are counted by the product of (1 - x^(n-k+i)) / (1 - x^i) over i = 1 to k, here with"
        f" n = {n} and k = {k}. Begin with a list that holds a single 1.",
        "For each i multiply by (1 - x^(n-k+i)): go down the list and subtract the entry n-k+i places earlier; then"
        " divide by (1 - x^i): go up the list and add the entry i places earlier.",
        f"Read off the entry for the sum {total}.",
        "If as many members must be even as odd, do this for the halves of the even members (k/2 out of 1 to n/2) and"
        " for the odd ones 2j - 1 (k/2 values j out of 1 to (n+1)/2), and add up the products of entries that belong"
        " to sums which make the total together.",
    )


FAMILY = Family(
    family_id="F18",
    title="Bounded bag",
    area="combinatorics",
    tier=3,
    idea="Take 1, 2, ..., k off the sorted members to get partitions in a box, and read the count off the Gaussian"
    " binomial product; a demand on even and odd members splits the set into two such boxes.",
    method=(("partition", "gaussian", "product", "table"), ("subtract", "take", "divide", "multipl", "split")),
    regime="sum in the middle, any members -> sum in the tail, as many even members as odd ones",
    slots=(
        Slot("n", Span(60, 75), Span(100, 130), Span(4, 13)),
        Slot("k", Among((12, 14)), Among((18, 20, 22)), Span(2, 5)),
        Slot("total", Span(380, 520), Span(540, 760), Span(5, 40)),
        Slot("balanced", Among((0,)), Among((1,)), Among((0, 1)), spoken=True),
    ),
    teach_skins=(
        Skin(
            ("ticket", "drawn"),
            "From tickets numbered 1 to {n}, one hand of exactly {k} tickets is drawn at once. In how many of the"
            " possible hands do the numbers on the tickets add up to {total}?",
        ),
        Skin(
            ("shelf", "book"),
            "A shelf holds books that weigh 1, 2, 3, ..., {n} pounds, one of each weight. How many selections of"
            " exactly {k} books weigh {total} pounds together?",
        ),
        Skin(
            ("quiz", "question"),
            "A quiz has {n} questions; question i is worth i points. A player answered exactly {k} questions correctly"
            " and scored {total} points with them. How many different groups of correctly answered questions fit"
            " that?",
        ),
    ),
    test_skins=(
        Skin(
            ("stable", "horse", "team"),
            "A stable owns horses tagged 1 to {n}. A team consists of exactly {k} horses whose tags total {total}, and"
            " in a team as many horses have an even tag as have an odd one. How many different teams can be formed?",
        ),
        Skin(
            ("candle", "minute"),
            "There are candles that burn 1, 2, ..., {n} minutes, one candle of each duration. Exactly {k} of them are"
            " burnt one after the other, and this takes {total} minutes. Half of these {k} candles burn for an even"
            " and half for an odd duration. Ignoring the sequence, how many collections of candles qualify?",
        ),
        Skin(
            ("thief", "jewel"),
            "A thief finds {n} jewels; the j-th jewel (j = 1, ..., {n}) costs j crowns. The sack takes exactly {k}"
            " jewels that cost {total} crowns in all, as many of them with an even cost as with an odd cost. How many"
            " different sacks are possible?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=60_000,
    ports=("total",),
    repair=repair,
    repair_rule="Where one of {port} and k/2 is even and the other odd, take {port} + 1 instead; k is how many are"
    " chosen.",
)
