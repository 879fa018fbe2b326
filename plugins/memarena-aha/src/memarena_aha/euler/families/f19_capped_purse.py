"""F19: the fewest capped coins for a total, and in how many ways that few do it."""

from __future__ import annotations

from collections import deque
from itertools import product

from memarena_aha.euler.family import Family, Skin, Slot, show
from memarena_aha.euler.values import Among, Span

CONSECUTIVE = tuple(tuple(range(1, last + 1)) for last in range(13, 18))
SPACED = tuple((1, *(first + step * place for place in range(8))) for first in range(40, 60) for step in (1, 2, 3))
SMALL = ((1, 2, 3), (1, 2, 3, 4), (1, 5, 8, 13), (1, 4, 6), (1, 3, 5, 7), (1, 5, 6, 9))
WAYS = 997


def solve_fast(total: int, values: tuple[int, ...], cap: int) -> int:
    """Coin by coin; along one residue class of the coin, a sliding window of cap + 1 cells."""
    far = len(values) * cap + 1
    fewest, ways = [0] + [far] * total, [1] + [0] * total
    for coin in values:
        new_fewest, new_ways = fewest[:], ways[:]
        for residue in range(min(coin, total + 1)):
            window: deque[list[int]] = deque()
            for place, cell in enumerate(range(residue, total + 1, coin)):
                enter(window, fewest[cell] - place, ways[cell])
                gone = cell - (cap + 1) * coin
                if gone >= 0:
                    leave(window, fewest[gone] - (place - cap - 1), ways[gone])
                new_fewest[cell], new_ways[cell] = window[0][0] + place, window[0][1]
        fewest, ways = new_fewest, new_ways
    return 1000 * fewest[total] + ways[total] % WAYS if fewest[total] < far else 0


def enter(window: deque[list[int]], level: int, ways: int) -> None:
    """Rows of (level, ways, cells), rising: higher levels before it never count again, equal ones are put together."""
    while window and window[-1][0] > level:
        window.pop()
    if window and window[-1][0] == level:
        window[-1][1] += ways
        window[-1][2] += 1
    else:
        window.append([level, ways, 1])


def leave(window: deque[list[int]], level: int, ways: int) -> None:
    """The oldest cell goes, if it still counts."""
    if window[0][0] == level:
        window[0][1] -= ways
        window[0][2] -= 1
        if not window[0][2]:
            window.popleft()


def solve_brute(total: int, values: tuple[int, ...], cap: int) -> int:
    """Every way to say how often each coin is used."""
    sizes = [
        sum(uses)
        for uses in product(range(cap + 1), repeat=len(values))
        if sum(used * coin for used, coin in zip(uses, values, strict=True)) == total
    ]
    return 1000 * min(sizes) + sizes.count(min(sizes)) % WAYS if sizes else 0


def valid(total: int, values: tuple[int, ...], cap: int) -> bool:
    return values[0] == 1 and cap >= 1 and total >= 1


def held_out(total: int, values: tuple[int, ...], cap: int) -> bool:
    return values != tuple(range(1, len(values) + 1))


def explain(total: int, values: tuple[int, ...], cap: int) -> tuple[str, ...]:
    return (
        f"For each total from 0 to {total} keep a pair: the fewest coins, and in how many ways that few reach it."
        " Begin with (0, 1) for 0 and 'not reachable' elsewhere.",
        f"Bring in the values {show(values)} one after another. Always taking the largest value that fits may fail, so"
        " all ways to use a value are compared.",
        f"With value c, the new pair of t comes from the old pairs of t, t - c, ..., t - {cap}c, with 0, 1, ..., {cap}"
        " added to the number of coins: take the least, and add up the ways of all that attain it.",
        f"Along t, t + c, t + 2c, ... this is a window of {cap + 1} cells that slides (subtract the place from the"
        " number of coins, keep the least at the front of a queue).",
        f"The pair (f, w) of {total} gives 1000*f + (w mod {WAYS}).",
    )


FAMILY = Family(
    family_id="F19",
    title="Capped purse",
    area="dynamic programming",
    tier=2,
    idea="Keep for every total the pair (fewest coins, ways to attain it) and bring in the coins one by one with a"
    " window of cap+1 cells; do not trust the greedy choice.",
    method=(("table", "every total", "each total", "dynamic"), ("window", "one by one", "one after another", "pair")),
    regime="values 1, 2, ..., k, where the greedy choice is right -> 1 and large close values, where it fails",
    slots=(
        Slot("total", Span(130, 249), Span(900, 1500), Span(3, 34)),
        Slot("values", Among(CONSECUTIVE), Among(SPACED), Among(SMALL)),
        Slot("cap", Among((4,)), Span(5, 7), Span(1, 4)),
    ),
    teach_skins=(
        Skin(
            ("coin", "clerk"),
            "A clerk pays out exactly {total} cents with coins worth {values} cents, using each kind of coin at most"
            " {cap} times. Let f be the smallest possible number of coins, and w the number of ways to pay with exactly"
            " f coins (a way says how many coins of each kind are used). What is 1000*f + (w mod 997)?",
        ),
        Skin(
            ("barrel", "jug"),
            "A barrel is filled with exactly {total} litres from jugs that hold {values} litres. Each jug can be"
            " emptied into the barrel at most {cap} times, always full. Let f be the least total number of jugfuls,"
            " and w the number of ways to say how often each jug is used so that f jugfuls do it. What is 1000*f +"
            " (w mod 997)?",
        ),
        Skin(
            ("hose", "piece"),
            "A hose of exactly {total} metres is joined from pieces of {values} metres, with at most {cap} pieces of"
            " each length. Let f be the fewest pieces that can do it, and w in how many ways f pieces do it; a way"
            " is how many pieces of each length are used, whatever their order. What is 1000*f + (w mod 997)?",
        ),
    ),
    test_skins=(
        Skin(
            ("courier", "voucher"),
            "A courier must cover exactly {total} miles, and there are vouchers for {values} miles. No voucher type may"
            " be bought more than {cap} times. The courier buys as few vouchers as possible, say a vouchers. There are"
            " b different purchases (how many vouchers of each type) of a vouchers that cover the {total} miles. What"
            " is 1000*a + (b mod 997)?",
        ),
        Skin(
            ("airtime", "jingle"),
            "Exactly {total} seconds of airtime are to be filled with jingles that last {values} seconds; there is one"
            " jingle of each duration, and each may be aired at most {cap} times. At least a airings are needed, and b"
            " different playlists with a airings fill the time exactly, where playlists that air every jingle equally"
            " often are the same. What is 1000*a + (b mod 997)?",
        ),
        Skin(
            ("crane", "kilo"),
            "A crane is balanced with exactly {total} kilos of discs. Discs of {values} kilos are in store, {cap} of"
            " each sort, and discs of one sort are alike. Let a be the least quantity of discs that balances the"
            " crane, and let b count the different sets of a discs that do. What is 1000*a + (b mod 997)?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=300_000,
    ports=("total",),
)
