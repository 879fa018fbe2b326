"""Tasks of several parts: shapes, what is carried, and the answers of a small twin counted out."""

from __future__ import annotations

from functools import cache

import pytest

from memarena_aha.euler.draws import degenerate
from memarena_aha.euler.graph_tasks import chain, graph_task, graph_teaching
from memarena_aha.euler.graphs import BUDGET, DEPTHS, SHAPES, Carry, Graph, draw_graph, evaluate, plan_graph
from memarena_aha.euler.reader import fitting
from memarena_aha.euler.replay import programs_in, replay
from memarena_aha.euler.values import Span

SEED = 11
KEYS = [(index, depth) for depth in DEPTHS for index in range(12)]


@cache
def held(index: int, depth: int) -> tuple[Graph, Graph]:
    """The taught and the held-out graph of a key."""
    plan = plan_graph(SEED, index, depth)
    taught = draw_graph(plan, SEED, index, "teach")
    return taught, draw_graph(plan, SEED, index, "test", taught.answers[-1])


def test_a_value_is_carried_as_the_lowest_number_plus_the_rest() -> None:
    assert Carry((0,), "n", Span(10, 19)).value([37]) == 17
    assert Carry((0, 1), "n", Span(10, 19)).value([37, 5]) == 12


def test_shapes_take_answers_of_earlier_parts_alone_and_leave_none_unused() -> None:
    for depth, shapes in SHAPES.items():
        for shape in shapes.values():
            assert len(shape) == depth
            assert all(parent < place for place, parents in enumerate(shape) for parent in parents)
            assert {parent for parents in shape for parent in parents} == set(range(depth - 1))


@pytest.mark.parametrize(("index", "depth"), KEYS)
def test_a_small_twin_has_the_same_answers_by_counting_out(index: int, depth: int) -> None:
    twin = draw_graph(plan_graph(SEED, index, depth), SEED, index, "small")
    assert list(twin.answers) == evaluate(twin.nodes, brute=True)


@pytest.mark.parametrize(("index", "depth"), KEYS)
def test_no_part_is_degenerate_and_the_budget_is_kept(index: int, depth: int) -> None:
    taught, asked = held(index, depth)
    assert list(asked.answers) == evaluate(asked.nodes)
    for node, answer in zip(asked.nodes, asked.answers, strict=True):
        assert not degenerate(answer, asked.statement, node.family.floor)
    assert (asked.answers[-1] - taught.answers[-1]) % 10**6
    assert sum(node.family.op_budget for node in asked.nodes) <= BUDGET


def test_the_final_answer_depends_on_every_part() -> None:
    _, asked = held(0, 5)
    for place in range(4):
        answers = list(asked.answers)
        answers[place] += 1
        moved = [carry.value(answers) for node in asked.nodes for carry in node.carries if place in carry.parents]
        plain = [
            carry.value(list(asked.answers)) for node in asked.nodes for carry in node.carries if place in carry.parents
        ]
        assert moved != plain


def test_the_statement_gives_every_rule_and_no_answer() -> None:
    for index, depth in KEYS:
        _, asked = held(index, depth)
        for number, node in enumerate(asked.nodes, start=1):
            assert f"Part {number}. " in asked.statement
            assert asked.statement.count(f"Call the answer of this part A{number}.") == 1
            for carry in node.carries:
                size = carry.span.high - carry.span.low + 1
                assert f" = {carry.span.low} + (" in asked.statement
                assert f" mod {size})" in asked.statement
                assert (
                    str(node.drawn[carry.port]) not in asked.statement.split() or len(str(node.drawn[carry.port])) < 6
                )
        assert asked.statement.endswith(f"What is A{depth}?")
        assert not any(str(answer) in asked.statement for answer in asked.answers)


def test_pairs_share_families_and_half_of_the_deeper_ones_have_a_new_shape() -> None:
    mixed = []
    for index, depth in KEYS:
        taught, asked = held(index, depth)
        assert [node.family for node in taught.nodes] == [node.family for node in asked.nodes]
        assert [node.drawn for node in taught.nodes] != [node.drawn for node in asked.nodes]
        if depth == 2:
            assert taught.shape == asked.shape
        else:
            mixed.append(taught.shape != asked.shape)
    assert 0.25 < sum(mixed) / len(mixed) < 0.75
    assert {graph.shape for key in KEYS for graph in held(*key)} == {"chain", "fork-join", "diamond"}


@pytest.mark.parametrize("depth", DEPTHS)
def test_the_taught_program_solves_both_graphs_whatever_their_shapes(depth: int) -> None:
    for index in range(4):
        taught, asked = held(index, depth)
        programs = programs_in(graph_teaching(taught).text("full"))
        assert len(programs) == 1
        assert replay(programs[0], programs[0].slots).split() == [str(answer) for answer in taught.answers]
        fits = fitting(programs, {"nodes": chain(asked)})
        assert fits is not None
        assert replay(fits, {"nodes": chain(asked)}).split() == [str(answer) for answer in asked.answers]


def test_a_program_without_the_rule_of_a_part_does_not_fit() -> None:
    one, other = graph_task(SEED, 0, 3, "code"), graph_task(SEED, 1, 3, "code")
    assert set(one.families) != set(other.families)
    assert fitting(programs_in(one.teaching.text("full")), other.slots) is None
