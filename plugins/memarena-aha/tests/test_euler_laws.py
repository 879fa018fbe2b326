"""Laws that answers of full size obey: what ties a large instance to its neighbours, where no slow solver reaches."""

from __future__ import annotations

from collections.abc import Callable
from math import factorial, gcd, prod
from typing import Any

import pytest
from euler_families import drawn

from memarena_aha.euler.family import MODULUS
from memarena_aha.euler.register import family

COUNT = 8
Law = Callable[..., None]
LAWS: dict[str, Law] = {}


def law(check: Law) -> Law:
    """Registers the law of a family; the name ends with its id."""
    LAWS[check.__name__[-3:].upper()] = check
    return check


def solve(family_id: str, **slots: Any) -> int:
    return family(family_id).solve_fast(**slots)


@law
def a_ring_with_one_chosen_place_is_a_row_f14(n: int, k: int, g: int, ring: int) -> None:
    row = solve("F14", n=n - 2 * g - 1, k=k - 1, g=g, ring=0)
    assert k * solve("F14", n=n, k=k, g=g, ring=1) == n * row


@law
def even_and_odd_differ_by_the_signed_product_f15(n: int, parts: tuple[int, ...], m: int, odd: int) -> None:
    signed = {0: 1}
    for part in parts:
        longer: dict[int, int] = {}
        for total, ways in signed.items():
            for used in range(m + 1):
                if total + used * part <= n:
                    longer[total + used * part] = longer.get(total + used * part, 0) + (-1) ** used * ways
        signed = longer
    even, other = (solve("F15", n=n, parts=parts, m=m, odd=parity) for parity in (0, 1))
    assert even - other == signed.get(n, 0)


@law
def the_last_one_sits_first_or_the_line_is_a_ring_f16(n: int, ring: int, prime: int) -> None:
    whole, shorter = (solve("F16", n=length, ring=0, prime=prime) for length in (n, n - 1))
    assert (whole - shorter - solve("F16", n=n, ring=1, prime=prime)) % prime == 0


@law
def all_first_letters_are_alike_f17(n: int, c: int, w: int, fixed: int) -> None:
    assert (c * solve("F17", n=n, c=c, w=w, fixed=1) - solve("F17", n=n, c=c, w=w, fixed=0)) % MODULUS == 0


@law
def turning_a_set_round_mirrors_its_sum_f18(n: int, k: int, total: int, balanced: int) -> None:
    n |= 1
    mirrored = k * (n + 1) - total
    for rule in (0, 1):
        slots = {"n": n, "k": k, "balanced": rule}
        assert solve("F18", total=total, **slots) == solve("F18", total=mirrored, **slots)


@law
def coins_can_be_brought_in_in_any_order_f19(total: int, values: tuple[int, ...], cap: int) -> None:
    answer = solve("F19", total=total, values=values, cap=cap)
    assert solve("F19", total=total, values=values[::-1], cap=cap) == answer
    assert -(-total // max(values)) <= answer // 1000 <= cap * len(values)
    assert min(solve("F19", total=total - value, values=values, cap=cap) // 1000 for value in values) < answer // 1000


@law
def without_singles_the_domino_recurrence_holds_f20(n: int, m: int, c: int) -> None:
    even = n + n % 2
    a, b, d = (solve("F20", n=length, m=0, c=c) for length in (even, even - 2, even - 4))
    assert (a - 4 * b + d) % MODULUS == 0 and solve("F20", n=even - 1, m=0, c=c) == 0
    one_more, two_more = (solve("F20", n=n, m=m + extra, c=c) for extra in (1, 2))
    assert one_more == solve("F20", n=n, m=m, c=c) != two_more


@law
def each_place_is_a_step_from_its_neighbours_f21(n: int, s: int, p: int, q: int, prime: int) -> None:
    below, here, above = (solve("F21", n=n, s=place, p=p, q=q, prime=prime) for place in (s - 1, s, s + 1))
    assert (q * here - q - p * above - (q - p) * below) % prime == 0


@law
def the_recurrence_holds_far_out_f22(modulus: int, n: int, **slots: int) -> None:
    last, before, now = (solve("F22", n=place, modulus=modulus, **slots) for place in (n - 2, n - 1, n))
    step = slots["alpha"] * before + slots["beta"] * last + slots["gamma"] * n + slots["delta"]
    assert (now - step) % modulus == 0


@law
def rewriting_a_beginning_gives_a_beginning_f23(one: tuple[int, ...], two: tuple[int, ...], n: int) -> None:
    ones = solve("F23", one=one, two=two, n=n)
    longer = len(one) * ones + len(two) * (n - ones)
    assert solve("F23", one=one, two=two, n=longer) == one.count(1) * ones + two.count(1) * (n - ones)


@law
def a_ring_of_moves_takes_what_is_not_blocked_f24(n: int, leap: tuple[int, int], k: int, h: int, r: int) -> None:
    inside = sum(solve("F24", n=n, leap=leap, k=moves, h=h, r=r) // 1000 for moves in range(1, k + 1))
    free = sum((x * y + x + 2 * y) % h != r for x in range(n) for y in range(n))
    assert inside < free
    assert solve("F24", n=n, leap=leap[::-1], k=k, h=h, r=r) == solve("F24", n=n, leap=leap, k=k, h=h, r=r)


@law
def moving_the_origin_changes_no_cycle_f25(a: int, b: int, c: int, n: int) -> None:
    shift = 12_345
    moved = {"a": a, "b": (b - 2 * a * shift) % n, "c": (a * shift**2 - b * shift + c + shift) % n}
    assert solve("F25", n=n, **moved) == solve("F25", a=a, b=b, c=c, n=n)


@law
def chords_are_as_long_both_ways_round_f26(n: int, k: int, prime: int) -> None:
    assert solve("F26", n=n, k=n - k, prime=prime) == solve("F26", n=n, k=k, prime=prime)
    odd = n | 1
    inverse = pow(2, -1, odd)
    assert solve("F26", n=odd, k=2, prime=prime) == solve("F26", n=odd, k=inverse, prime=prime)


@law
def the_goal_is_reached_from_one_of_its_neighbours_f27(goal: int, **slots: int) -> None:
    n, k = slots["n"], slots["k"]
    ways = [(goal - 1, 1 + (goal - 1) * slots["a"] % slots["m"])]
    ways += [(place, slots["c"]) for place in range(n) if place * k % n == goal]
    costs = [toll + (solve("F27", goal=place, **slots) if place != slots["start"] else 0) for place, toll in ways]
    assert min(costs) == solve("F27", goal=goal, **slots)


@law
def kinds_can_be_named_in_any_order_f28(most: int, others: tuple[int, ...]) -> None:
    first, *rest = others
    assert solve("F28", most=first, others=(*rest, most)) == solve("F28", most=most, others=others)
    assert solve("F28", most=1, others=(1,) * len(others)) == factorial(len(others) + 1)


@law
def shearing_a_triangle_keeps_its_points_f29(x1: int, y1: int, x2: int, y2: int, **slots: Any) -> None:
    sheared = solve("F29", x1=x1 + 7 * y1, y1=y1, x2=x2 + 7 * y2, y2=y2, **slots)
    assert sheared == solve("F29", x1=x2, y1=y2, x2=x1, y2=y1, **slots)
    assert sheared == solve("F29", x1=x1 - x2, y1=y1 - y2, x2=-x2, y2=-y2, **slots)


@law
def columns_add_up_f30(width: int, height: int, clip: int) -> None:
    column = sum(gcd(width, y) == 1 for y in range(1, min(height, clip - width) + 1))
    narrower = solve("F30", width=width - 1, height=height, clip=clip)
    assert narrower + column == solve("F30", width=width, height=height, clip=clip)
    assert solve("F30", width=height, height=width, clip=clip) == narrower + column


@law
def legs_add_up_f31(east: tuple[int, ...], north: tuple[int, ...], stretch: int) -> None:
    legs = [solve("F31", east=(dx,), north=(dy,), stretch=stretch) for dx, dy in zip(east, north, strict=True)]
    assert sum(legs) == solve("F31", east=east, north=north, stretch=stretch)
    assert solve("F31", east=north, north=east, stretch=1) * stretch == sum(legs)


@law
def upright_squares_are_what_tilted_ones_lack_f32(w: int, extra: int, tilted: int) -> None:
    w, h = w % 5000 + 50, w % 5000 + 50 + extra
    upright = sum((w + 1 - side) * (h + 1 - side) for side in range(1, w + 1))
    assert solve("F32", w=w, extra=extra, tilted=0) - solve("F32", w=w, extra=extra, tilted=1) == upright


@pytest.mark.parametrize("family_id", sorted(LAWS))
def test_instances_of_full_size_obey_the_law_of_their_family(family_id: str) -> None:
    for instance in drawn(family_id, "test", COUNT):
        LAWS[family_id](**instance.params)


def test_a_product_of_primes_is_counted_prime_by_prime() -> None:
    slots = {"a": 3, "b": 1, "c": 4}
    assert solve("F25", n=101 * 103 * 107, **slots) == prod(solve("F25", n=prime, **slots) for prime in (101, 103, 107))
    assert solve("F25", n=23 * 29, **slots) == family("F25").solve_brute(n=23 * 29, **slots)
