"""F27: the cheapest way along a ring with tolls and multiplying shortcuts."""

from __future__ import annotations

from heapq import heappop, heappush
from math import gcd

from memarena_aha.euler.arithmetic import is_prime
from memarena_aha.euler.family import Family, Skin, Slot
from memarena_aha.euler.values import Among, Span

PRIMES = tuple(number for number in range(2003, 3000, 2) if is_prime(number))
COMPOSITES = tuple(range(5040, 7000, 30))


def solve_fast(n: int, a: int, m: int, k: int, c: int, start: int, goal: int) -> int:
    """Dijkstra's search; every place has two ways on."""
    cost, queue = {start: 0}, [(0, start)]
    while queue:
        spent, place = heappop(queue)
        if place == goal:
            return spent
        if spent > cost[place]:
            continue
        for after, toll in (((place + 1) % n, 1 + place * a % m), (place * k % n, c)):
            if after not in cost or spent + toll < cost[after]:
                cost[after] = spent + toll
                heappush(queue, (spent + toll, after))
    return 0


def solve_brute(n: int, a: int, m: int, k: int, c: int, start: int, goal: int) -> int:
    """Cheapest costs with at most 1, 2, ..., n moves."""
    far = n * (m + c + 1)
    cost = [far] * n
    cost[start] = 0
    for _ in range(n):
        better = cost[:]
        for place in range(n):
            step, jump = (place + 1) % n, place * k % n
            better[step] = min(better[step], cost[place] + 1 + place * a % m)
            better[jump] = min(better[jump], cost[place] + c)
        cost = better
    return cost[goal]


def valid(n: int, a: int, m: int, k: int, c: int, start: int, goal: int) -> bool:
    return start != goal and max(start, goal) < n and k >= 2 and m >= 1 and c >= 1


def held_out(n: int, a: int, m: int, k: int, c: int, start: int, goal: int) -> bool:
    return gcd(k, n) > 1


def explain(n: int, a: int, m: int, k: int, c: int, start: int, goal: int) -> tuple[str, ...]:
    return (
        f"All costs are positive, so the cheapest way from {start} to {goal} is found by Dijkstra's method on {n}"
        " places with two moves each.",
        f"Keep a priority queue of (cost so far, place), beginning with (0, {start}).",
        "Take out the entry with the least cost; ignore it if its place has been taken out before.",
        f"From place i put in place (i+1) mod {n} at the cost 1 + ({a}*i mod {m}) more, and place {k}*i mod {n} at {c}"
        " more, where that is cheaper than what is known.",
        f"The cost with which {goal} is taken out is the answer.",
    )


FAMILY = Family(
    family_id="F27",
    title="Toll shortcut",
    area="graphs",
    tier=2,
    idea="All costs are positive: run Dijkstra's search with a priority queue, where each place has just two moves, and"
    " stop when the goal is taken out.",
    method=(("dijkstra", "priority queue"), ("least cost", "cheapest", "positive")),
    regime="prime number of places -> composite number that shares a factor with the multiplier",
    slots=(
        Slot("n", Among(PRIMES), Among(COMPOSITES), Span(8, 40)),
        Slot("a", Span(20, 199), Span(200, 999), Span(1, 20)),
        Slot("m", Span(100, 400), Span(500, 1500), Span(2, 30)),
        Slot("k", Span(3, 7), Among((6, 10, 12, 14, 15)), Span(2, 6)),
        Slot("c", Span(200, 800), Span(1000, 4000), Span(1, 40)),
        Slot("start", Span(1, 50), Span(60, 99), Span(0, 7)),
        Slot("goal", Span(900, 2000), Span(2500, 5000), Span(0, 39)),
    ),
    teach_skins=(
        Skin(
            ("caravan", "oasis"),
            "A desert has {n} oases in a circle, numbered 0 to {n} - 1. From oasis i a caravan can go on to oasis"
            " i+1 (from the last one to 0); this takes 1 + ({a}*i mod {m}) skins of water. It can also follow a"
            " guide from oasis i to oasis {k}*i mod {n}, which takes {c} skins. How many skins of water are needed"
            " at least from oasis {start} to oasis {goal}?",
        ),
        Skin(
            ("scholar", "book", "library"),
            "In a library, books 0 to {n} - 1 stand in a ring. A scholar who has book x in hand may fetch book (x+1)"
            " mod {n}, paying 1 plus the remainder of {a}*x on division by {m} in cents, or have book {k}*x mod {n}"
            " brought for {c} cents. What is the least sum, in cents, with which the scholar gets from book {start}"
            " to book {goal}?",
        ),
        Skin(
            ("machine", "display"),
            "A machine shows a number from 0 to {n} - 1 on its display. Button A changes the number x to x+1 (and"
            " {n} - 1 to 0) and uses 1 + (({a}*x) mod {m}) units of power, x being the number before. Button B"
            " changes x to the remainder of {k}*x on division by {n} and uses {c} units. The machine shows {start}."
            " How much power is needed at least until it shows {goal}?",
        ),
    ),
    test_skins=(
        Skin(
            ("pilot", "beacon"),
            "Beacons 0, 1, ..., {n} - 1 float on a round lagoon. At beacon b a pilot may either sail to the next"
            " beacon, b+1 modulo {n}, for a fee of 1 + ({a}*b mod {m}), or take the current to beacon {k}*b modulo"
            " {n} for a fee of {c}. What are the lowest total fees for the trip from beacon {start} to beacon"
            " {goal}?",
        ),
        Skin(
            ("wizard", "form"),
            "A wizard can take {n} forms, coded by the residues modulo {n}. In form f, the small spell leads to form"
            " f+1 and burns 1 + r grams of sulphur, where r is {a}*f reduced modulo {m}; the great spell leads to"
            " form {k}*f and burns {c} grams. Forms are reduced modulo {n} each time (to 0, ..., {n} - 1) before"
            " anything is computed from them. How many grams must burn at least to come from form {start} to form"
            " {goal}?",
        ),
        Skin(
            ("elevator", "deck"),
            "A space station has decks 0 to {n} - 1. Its ladder leads from deck d to deck d+1, and from the top deck"
            " {n} - 1 back to deck 0; using it on deck d takes 1 + ({a}*d mod {m}) seconds. Its one-way elevator"
            " goes from deck d to deck ({k}*d) mod {n} in {c} seconds. What is the shortest time, in seconds, from"
            " deck {start} to deck {goal}?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=250_000,
    ports=("goal", "c"),
)
