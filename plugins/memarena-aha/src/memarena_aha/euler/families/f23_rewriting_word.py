"""F23: how often a letter stands at the beginning of the word that two rewriting rules grow."""

from __future__ import annotations

from itertools import product
from math import isqrt

from memarena_aha.euler.family import Family, Skin, Slot, show
from memarena_aha.euler.values import Among, Span

EQUAL = tuple((1, *rest) for rest in product((1, 2), repeat=2) if 2 in rest)
LONGER = tuple((1, *rest) for size in (3, 4) for rest in product((1, 2), repeat=size) if 2 in rest)
SHORTER = tuple(word for size in (2, 3) for word in product((1, 2), repeat=size) if 1 in word)


def solve_fast(one: tuple[int, ...], two: tuple[int, ...], n: int) -> int:
    """Lengths and counts of the images by level, then a descent along the place where the first n end."""
    rules = {1: one, 2: two}
    sizes, counts = [{1: 1, 2: 1}], [{1: 1, 2: 0}]
    while sizes[-1][1] < n:
        sizes.append({letter: sum(sizes[-1][part] for part in rules[letter]) for letter in rules})
        counts.append({letter: sum(counts[-1][part] for part in rules[letter]) for letter in rules})
    found = 0
    word: tuple[int, ...] = (1,)
    for level in range(len(sizes) - 1, -1, -1):
        for letter in word:
            if sizes[level][letter] > n:
                word = rules[letter]
                break
            n -= sizes[level][letter]
            found += counts[level][letter]
        else:
            break
    return found


def solve_brute(one: tuple[int, ...], two: tuple[int, ...], n: int) -> int:
    """The word itself, stage after stage."""
    word = [1]
    while len(word) < n:
        longer: list[int] = []
        for letter in word:
            longer.extend(one if letter == 1 else two)
        word = longer
    return word[:n].count(1)


def valid(one: tuple[int, ...], two: tuple[int, ...], n: int) -> bool:
    """Words of different lengths must not make the share of 1s a plain fraction of n."""
    if not (n >= 1 and one[0] == 1 and len(one) >= 2 and {*one, *two} == {1, 2} and 2 in one):
        return False
    spread = (one.count(1) - two.count(2)) ** 2 + 4 * one.count(2) * two.count(1)
    return len(one) == len(two) or isqrt(spread) ** 2 != spread


def held_out(one: tuple[int, ...], two: tuple[int, ...], n: int) -> bool:
    return len(one) != len(two)


def explain(one: tuple[int, ...], two: tuple[int, ...], n: int) -> tuple[str, ...]:
    lengths = [f"{word.count(1)}*L1 + {word.count(2)}*L2" for word in (one, two)]
    return (
        "Let L1 and L2 be how long a 1 and a 2 have become after some stages, and C1 and C2 how many 1s are in them;"
        " with no stage L1 = L2 = 1, C1 = 1, C2 = 0.",
        f"A 1 becomes {show(one)}, so one stage more gives L1' = {lengths[0]}, and a 2 becomes {show(two)}, so L2' ="
        f" {lengths[1]}; C1 and C2 grow by the same rule.",
        f"Make a list of these by stages until L1 is at least {n}: a few dozen rows at most.",
        f"The first {n} entries lie in the 1 of the last stage. Split it into the parts of its rule, one stage lower,"
        " and take whole parts (their C) as long as they fit.",
        "Go down into the part that does not fit, and so on to single letters; the sum of the C taken is the answer.",
    )


FAMILY = Family(
    family_id="F23",
    title="Rewriting word",
    area="sequences",
    tier=3,
    idea="List by stages how long each letter has become and how many of the wanted letter it holds; then descend by"
    " stages and take whole parts while they fit into the first N.",
    method=(("stage", "level"), ("length", "long"), ("descend", "go down", "recurs", "split")),
    regime="both letters become words of one length -> words of different lengths, a far longer beginning",
    slots=(
        Slot("one", Among(EQUAL), Among(LONGER), Among((*EQUAL, (1, 2)))),
        Slot("two", Among(tuple(word for word in SHORTER if len(word) == 3)), Among(SHORTER), Among(SHORTER)),
        Slot("n", Span(10**5, 10**6), Span(10**14, 10**16), Span(1, 400)),
    ),
    teach_skins=(
        Skin(
            ("counter", "shelf"),
            "The counters 1 and 2 stand in a line on a shelf; at the beginning there is a single 1. In each stage, all"
            " at once, every 1 is replaced by the line {one} and every 2 by the line {two}, in this order. What has"
            " appeared at the beginning of the line never changes afterwards, so after many stages the first {n}"
            " counters are settled. How many of these {n} are 1s?",
        ),
        Skin(
            ("melody", "tone"),
            "A melody knows two tones, called 1 and 2. Version 0 is the tone 1 alone. Version v+1 comes from version v"
            " by playing {one} in place of each 1 and {two} in place of each 2. Each version begins with the one before"
            " it. In a version with at least {n} tones, how often does the tone 1 occur among the first {n} tones?",
        ),
        Skin(
            ("dragon", "scale"),
            "A dragon has scales of kind 1 and kind 2 in one row from head to tail. It is born with one scale of"
            " kind 1. Whenever it sheds its skin, each scale of kind 1 turns into the scales {one} (from head to"
            " tail) and each of kind 2 into {two}. It sheds until it has {n} scales or more. How many of the first"
            " {n}, counted from the head, are of kind 1?",
        ),
    ),
    test_skins=(
        Skin(
            ("crystal", "layer"),
            "A crystal is a sequence of layers of two types, 1 and 2, read from the bottom. It starts as one layer of"
            " type 1. At each heating, every layer of type 1 is exchanged for the layers {one} (bottom to top), and"
            " every layer of type 2 for {two}, simultaneously. After so many heatings that there are at least {n}"
            " layers, how many of the lowest {n} layers are of type 1? (More heatings do not change them.)",
        ),
        Skin(
            ("printer", "digit"),
            "A printer starts with the digit 1. In every pass it reads its last printout from left to right and"
            " prints the digits {one} for a digit 1 and the digits {two} for a digit 2, without gaps. Passes are"
            " repeated until the printout has {n} digits or more. How many of its leftmost {n} digits are equal to"
            " 1?",
        ),
        Skin(
            ("garden", "flower"),
            "In a garden grows a single stem with flowers of colours 1 and 2, one above the other from the root up."
            " In spring 0 it bears one flower of colour 1. Every spring each flower of colour 1 gives way to flowers"
            " of colours {one}, in that sequence from the root up, and each flower of colour 2 to flowers of colours"
            " {two}. Once there are {n} flowers at least, how many among the {n} nearest to the root have colour 1?",
        ),
    ),
    solve_fast=solve_fast,
    solve_brute=solve_brute,
    valid=valid,
    held_out=held_out,
    explain=explain,
    op_budget=3_000,
    ports=("n",),
)
