"""Tasks of several parts: what is taught, and what is asked."""

from __future__ import annotations

from typing import Any

from memarena_aha.euler.draws import Track
from memarena_aha.euler.graphs import Graph, draw_graph, filled, plan_graph
from memarena_aha.euler.listing import chained_program
from memarena_aha.euler.single import lessons_of
from memarena_aha.euler.tasks import Task, Teaching
from memarena_aha.parts import Lesson

__all__ = ["chain", "graph_task", "graph_teaching"]

COMBINING = Lesson(
    lesson_id="graph.order",
    text="Solve the parts in order, carry each answer on as low + (A mod size), and apply the rule by which it is"
    " repaired before the part is solved.",
    must=(("in order", "one after", "for node in nodes"), ("mod", "%")),
)


def graph_task(seed: int, index: int, depth: int, track: Track) -> Task:
    """The held-out graph of a key, taught by one of the same families; a mixed pair has another shape."""
    plan = plan_graph(seed, index, depth, track)
    taught = draw_graph(plan, seed, index, "teach", track=track)
    held = draw_graph(plan, seed, index, "test", taught.answers[-1], track)
    families = tuple(family.family_id for family in plan.families)
    return Task(
        kind="graph",
        key={"graph": list(families), "shape": held.shape, "nodes": chain(held), "seed": seed, "index": index},
        statement=held.statement,
        answer=held.answers[-1],
        slots={"nodes": chain(held)},
        nodes=held.answers,
        families=families,
        teaching=graph_teaching(taught),
        lessons=(*lessons_of(plan.families), COMBINING),
        gold=" ".join([COMBINING.text, *(family.idea for family in plan.families)]),
        block=f"graph {families[-1]}",
        nouns=held.nodes[0].family.test_skins[held.nodes[0].skin].nouns,
        facets={
            "kind": "graph",
            "depth": depth,
            "shape": held.shape,
            "mixed": plan.taught != plan.held,
            "area": plan.families[-1].area,
            "tier": max(family.tier for family in plan.families),
        },
    )


def graph_teaching(graph: Graph) -> Teaching:
    """How a graph is taught: each part with its numbers, then one program for all."""
    lines = [COMBINING.text]
    answers: list[int] = []
    for number, (node, answer) in enumerate(zip(graph.nodes, graph.answers, strict=True), start=1):
        params = filled(node.family, node.drawn, node.carries, answers)
        answers.append(answer)
        lines += [f"Part {number}: {node.family.idea}", node.family.explanation(params), f"A{number} = {answer}."]
    solvers = {node.family.family_id.casefold(): (node.family.solve_fast, node.family.repair) for node in graph.nodes}
    return Teaching(
        statement=graph.statement,
        answer=graph.answers[-1],
        explanation="\n".join(lines),
        listing=chained_program(solvers, chain(graph, rows=tuple)),
        nouns=graph.nodes[0].family.skins(graph.split)[graph.nodes[0].skin].nouns,
        slots={"nodes": chain(graph)},
    )


def chain(graph: Graph, rows: type = list) -> list[dict[str, Any]]:
    """The parts for a program: slots, and what is carried into them (port, parents, lowest and highest value)."""
    return [
        {
            "slots": {name: rows(value) if isinstance(value, tuple) else value for name, value in node.drawn.items()},
            "carries": [[carry.port, list(carry.parents), carry.span.low, carry.span.high] for carry in node.carries],
        }
        for node in graph.nodes
    ]
