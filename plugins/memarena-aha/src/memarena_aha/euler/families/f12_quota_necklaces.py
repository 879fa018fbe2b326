"""F12: necklaces in which one colour is used a given number of times."""

from __future__ import annotations

from itertools import combinations, product
from math import comb, gcd

from memarena_aha.euler.arithmetic import divisors, totient
from memarena_aha.euler.family import MODULUS, Family, Skin, Slot
from memarena_aha.euler.values import Span


def solve_fast(beads: int, colours: int, quota: int) -> int:
    """Burnside's lemma over the rotations that can keep the quota."""
    fixed = 0
    for order in divisors(gcd(beads, quota)):
        others = (colours - 1) ** ((beads - quota) // order)
        fixed += totient(order) * comb(beads // order, quota // order) * others
    return fixed // beads % MODULUS


def solve_brute(beads: int, colours: int, quota: int) -> int:
    """Every string, counted where none of its rotations is smaller."""
    count = 0
    for places in combinations(range(beads), quota):
        for others in product(range(1, colours), repeat=beads - quota):
            left = iter(others)
            string = [0 if place in places else next(left) for place in range(beads)]
            count += all(string <= string[turn:] + string[:turn] for turn in range(1, beads))
    return count % 1_000_000_007


def valid(beads: int, colours: int, quota: int) -> bool:
    return colours >= 2 and 1 <= quota <= beads


def held_out(beads: int, colours: int, quota: int) -> bool:
    return gcd(beads, quota) > 1


def hand_steps(beads: int, colours: int, quota: int) -> int:
    """A binomial and a power for each order of a rotation."""
    return sum(
        2 * (quota // order) + 2 * ((beads - quota) // order).bit_length() + 2 for order in divisors(gcd(beads, quota))
    )


def explain(beads: int, colours: int, quota: int) -> tuple[str, ...]:
    shared = gcd(beads, quota)
    return (
        f"By Burnside's lemma the number of necklaces is the mean, over the {beads} rotations, of the strings that a"
        " rotation leaves as they are.",
        f"A rotation of order d repeats a block of {beads}/d beads d times, so d must divide {quota} as well: d divides"
        f" gcd({beads}, {quota}) = {shared}. There are phi(d) rotations of order d.",
        f"It fixes C({beads}/d, {quota}/d) * {colours - 1}^(({beads} - {quota})/d) strings: the places of the special"
        " colour in the block, and any other colour elsewhere.",
        f"Add phi(d) times this over the divisors d of {shared}, divide the exact sum by {beads}, and reduce modulo"
        f" {MODULUS} at the very end.",
    )


FAMILY = Family(
    family_id="F12",
    title="Quota necklaces",
    area="combinatorics",
    tier=2,
    idea="Burnside's lemma: only rotations whose order d divides gcd(n, k) fix anything, namely"
    " C(n/d, k/d)*(c-1)^((n-k)/d) strings, and there are phi(d) of each.",
    method=(("burnside",), ("rotation",)),
    regime="number of beads coprime to the quota -> common factor",
    slots=(
        Slot("beads", Span(20, 59), Span(60, 200), Span(2, 7)),
        Slot("colours", Span(20, 200), Span(201, 5000), Span(2, 5)),
        Slot("quota", Span(3, 9), Span(6, 30), Span(1, 6)),
    ),
    teach_skins=(
        Skin(
            ("necklace", "pearl"),
            "A necklace has {beads} pearls in a ring, each in one of {colours} colours, one of which is gold. Exactly"
            " {quota} pearls are gold. Two necklaces are the same if one can be turned into the other by rotation (not"
            " by flipping over). How many different ones are there?",
        ),
        Skin(
            ("carousel", "lantern"),
            "Round a carousel hang {beads} lanterns, each lit in one of {colours} colours. Red is one of them and is"
            " used exactly {quota} times. Patterns that differ only by a turn of the carousel count once; mirror images"
            " count as different. How many patterns are there?",
        ),
        Skin(
            ("fountain", "jet"),
            "A round fountain has {beads} jets. For each jet one of {colours} dyes is chosen, with dye number 1 for"
            " exactly {quota} of them. Choices of which one becomes the other by a rotation (no reflection) count as"
            " one. How many are there?",
        ),
    ),
    test_skins=(
        Skin(
            ("bracelet", "gem"),
            "A goldsmith sets {beads} gems evenly into a bracelet that can be turned but has an outer side, so that it"
            " cannot be flipped. There are {colours} kinds of gem; rubies are one kind, and exactly {quota} rubies"
            " must be used. How many bracelets are different?",
        ),
        Skin(
            ("tower", "window"),
            "A round tower has {beads} windows at one height, painted with {colours} paints. Exactly {quota} are"
            " white, which is one of the paints. Paintings that become equal by turning the tower are one and the same."
            " How many are there?",
        ),
        Skin(
            ("turntable", "cup"),
            "On a turntable stand {beads} cups in a circle, each filled with one of {colours} drinks; the number of"
            " those with tea (one of the drinks) is {quota}. Fillings are equal if they agree after some turn, not if"
            " they agree after a reflection only. How many fillings are distinct?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=400,
    hand_steps=hand_steps,
    modulus=MODULUS,
    ports=("colours",),
)
