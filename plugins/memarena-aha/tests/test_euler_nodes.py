"""Every family as a part that takes a number from another one: what its statement says is what is computed."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import gcd
from typing import Any

import pytest

from memarena_aha.euler.arithmetic import is_prime
from memarena_aha.euler.family import Split
from memarena_aha.euler.graphs import Graph, Plan, draw_graph, evaluate
from memarena_aha.euler.register import all_families, family

TAKING = [one.family_id for one in all_families() if one.ports]
SEED = 23

taking = pytest.mark.parametrize("family_id", TAKING)


def least(start: int, fits: Callable[[int], bool]) -> int:
    """The least number from `start` on that fits."""
    while not fits(start):
        start += 1
    return start


def square_divides(number: int) -> bool:
    """True where the square of a prime divides a number."""
    return any(number % (root * root) == 0 for root in range(2, int(number**0.5) + 1))


AS_SAID: dict[str, Callable[[int, dict[str, Any]], int]] = {
    "F02": lambda port, slots: least(port, lambda number: number % slots["order"] == 1 and is_prime(number)),
    "F03": lambda port, slots: least(
        port, lambda number: number % 2 == 1 and gcd(number, slots["twist"]) == 1 and not square_divides(number)
    ),
    "F05": lambda port, slots: (
        least(port, lambda number: (number + 1) % slots["prime"] == 0) if slots["prime"] > 11 else port
    ),
    "F09": lambda port, slots: port + 1 if slots["length"] % 2 == 0 and port % 2 == 0 else port,
    "F18": lambda port, slots: port + 1 if (slots["k"] // 2 + port) % 2 else port,
}
"""The rules by which a carried number is repaired, done as their words say."""


def two_parts(family_id: str, index: int, split: Split) -> Graph:
    """A family behind another one."""
    before = family("F32" if family_id == "F22" else "F22")
    return draw_graph(Plan((before, family(family_id)), "chain", "chain"), SEED, index, split)


@taking
def test_the_number_that_is_carried_is_the_one_that_the_statement_tells(family_id: str) -> None:
    changed = False
    for split in ("teach", "test"):
        for index in range(3):
            graph = two_parts(family_id, index, split)
            told = re.findall(r"Here (Z2) = (\d+) \+ \(A1 mod (\d+)\)\.", graph.statement)
            assert len(told) == 1
            carried = int(told[0][1]) + graph.answers[0] % int(told[0][2])
            node = graph.nodes[1]
            slots: dict[str, Any] = dict(node.drawn)
            repaired = AS_SAID[family_id](carried, slots) if family_id in AS_SAID else carried
            changed |= repaired != carried
            assert "Z2" in graph.statement.split("Part 2.")[1].split("Here Z2")[0]
            assert node.family.solve_fast(**{**slots, node.family.ports[0]: repaired}) == graph.answers[1]
    assert not changed or family_id in AS_SAID


def test_each_rule_of_repair_is_done_by_its_words() -> None:
    assert {one.family_id for one in all_families() if one.repair_rule} == set(AS_SAID)


@taking
def test_a_small_twin_of_two_parts_is_counted_out(family_id: str) -> None:
    for index in range(5):
        twin = two_parts(family_id, index, "small")
        assert evaluate(twin.nodes, brute=True) == list(twin.answers)
