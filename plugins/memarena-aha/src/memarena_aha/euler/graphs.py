"""Tasks of several parts: the answer of one becomes a number of the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memarena_aha.euler.draws import TRIES, FamilyFault, Track, degenerate, fits, sample
from memarena_aha.euler.family import Family, Split
from memarena_aha.euler.register import all_families
from memarena_aha.euler.values import Params, Span
from memarena_aha.keyed import Streams

__all__ = ["BUDGET", "DEPTHS", "SHAPES", "Carry", "Graph", "Node", "draw_graph", "evaluate", "plan_graph"]

DEPTHS = (2, 3, 4, 5)
BUDGET = 2 * 10**7
"""Steps that the fast solvers of all parts may need together."""
NODE_TRIES = 40

Shape = tuple[tuple[int, ...], ...]
"""For each part the parts whose answers it takes, counted from 0."""

SHAPES: Mapping[int, Mapping[str, Shape]] = {
    2: {"chain": ((), (0,))},
    3: {"chain": ((), (0,), (1,)), "fork-join": ((), (0,), (1, 0))},
    4: {
        "chain": ((), (0,), (1,), (2,)),
        "fork-join": ((), (0,), (1,), (2, 0)),
        "diamond": ((), (0,), (0,), (1, 2)),
    },
    5: {
        "chain": ((), (0,), (1,), (2,), (3,)),
        "fork-join": ((), (0,), (1,), (2,), (3, 0)),
        "diamond": ((), (0,), (1,), (0,), (2, 3)),
    },
}
"""By number of parts. Fork-join: the first part goes straight into the last one, too. Diamond: two branches."""


@dataclass(frozen=True, slots=True)
class Carry:
    """How an answer v fills a slot: `low + v mod (high - low + 1)`. With two parents v is the sum of both answers."""

    parents: tuple[int, ...]
    port: str
    span: Span

    def value(self, answers: list[int]) -> int:
        """What stands in the slot, before it is repaired."""
        carried = sum(answers[parent] for parent in self.parents)
        return self.span.low + carried % (self.span.high - self.span.low + 1)


@dataclass(frozen=True, slots=True)
class Node:
    """One part."""

    family: Family
    skin: int
    drawn: Params
    """Its slots as they were drawn; a slot that is carried holds what was drawn for it, and is not used."""
    carries: tuple[Carry, ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """A task of several parts; the answer of the last one counts."""

    shape: str
    split: Split
    nodes: tuple[Node, ...]
    answers: tuple[int, ...]
    statement: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What the taught and the held-out graph of a key have in common, and in what they differ."""

    families: tuple[Family, ...]
    taught: str
    held: str
    """Shapes; another one than `taught` where the pair is mixed."""


def plan_graph(seed: int, index: int, depth: int, track: Track = "code") -> Plan:
    """Families and shapes of a key. Of three parts and more every other pair is mixed: a shape that was not taught."""
    streams = Streams(f"euler-graph|{seed}|{index}|{depth}")
    shapes = streams.shuffled(list(SHAPES[depth]), "shape")
    mixed = depth > 2 and streams.uniform("mixed") < 0.5
    taught, held = shapes[0], shapes[1] if mixed else shapes[0]
    chosen: list[Family] = []
    for place in range(depth):
        room = BUDGET - sum(one.op_budget for one in chosen)
        able = [
            one
            for one in all_families()
            if (place == 0 or one.ports)
            and one not in chosen
            and one.op_budget <= room
            and (track == "code" or one.hand_steps is not None)
        ]
        chosen.append(streams.shuffled(able, "family", place)[0])
    return Plan(tuple(chosen), taught, held)


def carries_of(family: Family, parents: tuple[int, ...], split: Split) -> tuple[Carry, ...]:
    """A port for each parent; where there are too few, or a rule repairs the one there is, their sum goes into one."""
    if not parents:
        return ()
    if len(parents) <= len(family.ports) and not family.repair_rule:
        into: list[tuple[tuple[int, ...], str]] = [
            ((one,), port) for one, port in zip(parents, family.ports, strict=False)
        ]
    else:
        into = [(parents, family.ports[0])]
    return tuple(Carry(sources, port, family.port_span(port, split)) for sources, port in into)


def draw_graph(
    plan: Plan, seed: int, index: int, split: Split, taught: int | None = None, track: Track = "code"
) -> Graph:
    """The graph of a key on one side; no part is degenerate. Raises FamilyFault after 200 attempts."""
    depth = len(plan.families)
    shape = plan.held if split == "test" else plan.taught
    streams = Streams(f"euler-graph|{seed}|{index}|{depth}|{split}")
    skins = [streams.between(0, len(one.skins(split)) - 1, "skin", place) for place, one in enumerate(plan.families)]
    for attempt in range(TRIES):
        nodes: list[Node] = []
        answers: list[int] = []
        for place, (family, parents) in enumerate(zip(plan.families, SHAPES[depth][shape], strict=True)):
            carries = carries_of(family, parents, split)
            found = _draw_node(family, carries, answers, streams, (attempt, place), split, track)
            if found is None:
                break
            nodes.append(Node(family, skins[place], found[0], carries))
            answers.append(found[1])
        if len(nodes) < depth:
            continue
        statement = state(nodes, split)
        if split == "small" or _usable(nodes, answers, statement, taught):
            return Graph(shape, split, tuple(nodes), tuple(answers), statement)
    names = " ".join(one.family_id for one in plan.families)
    raise FamilyFault(f"no usable {split} graph of {names} ({shape}) for seed {seed}, index {index} ({track} track)")


def _draw_node(
    family: Family,
    carries: tuple[Carry, ...],
    answers: list[int],
    streams: Streams,
    key: tuple[int, int],
    split: Split,
    track: Track,
) -> tuple[Params, int] | None:
    """Slots that make a usable task together with what is carried, and its answer; None where none were found."""
    for trial in range(NODE_TRIES):
        drawn = sample(family, streams, split, (*key, trial), track)
        if drawn is None:
            continue
        params = filled(family, drawn, carries, answers)
        if not fits(family, params, split, track):
            continue
        answer = family.solve_fast(**params)
        if split == "small" or not degenerate(answer, "", family.floor):
            return drawn, answer
    return None


def _usable(nodes: list[Node], answers: list[int], statement: str, taught: int | None) -> bool:
    earlier = [degenerate(answer, statement, node.family.floor) for node, answer in zip(nodes, answers, strict=True)]
    return not any(earlier) and not degenerate(answers[-1], statement, nodes[-1].family.floor, taught)


def filled(family: Family, drawn: Params, carries: tuple[Carry, ...], answers: list[int]) -> Params:
    """The slots with what is carried into them, repaired."""
    if not carries:
        return drawn
    carried = {carry.port: carry.value(answers) for carry in carries}
    return family.repair(**{**drawn, **carried})


def evaluate(nodes: tuple[Node, ...], *, brute: bool = False) -> list[int]:
    """The answers of all parts, in order, by the fast or by the slow solvers."""
    answers: list[int] = []
    for node in nodes:
        params = filled(node.family, node.drawn, node.carries, answers)
        answers.append((node.family.solve_brute if brute else node.family.solve_fast)(**params))
    return answers


def state(nodes: list[Node], split: Split) -> str:
    """All parts in words, each with the rule by which it takes the answers of others."""
    parts = [f"This task has {len(nodes)} parts; some take a number from the answer of an earlier part."]
    for number, node in enumerate(nodes, start=1):
        names = {
            carry.port: f"Z{number}{'ab'[place] if len(node.carries) > 1 else ''}"
            for place, carry in enumerate(node.carries)
        }
        lines = [f"Part {number}. {node.family.statement(node.drawn, split, node.skin, names)}"]
        for carry in node.carries:
            size = carry.span.high - carry.span.low + 1
            sources = " + ".join(f"A{parent + 1}" for parent in carry.parents)
            source = f"({sources})" if len(carry.parents) > 1 else sources
            lines.append(f"Here {names[carry.port]} = {carry.span.low} + ({source} mod {size}).")
        if node.carries and node.family.repair_rule:
            lines.append(node.family.repair_rule.format(port=names[node.carries[0].port]))
        lines.append(f"Call the answer of this part A{number}.")
        parts.append(" ".join(lines))
    return "\n".join([*parts, f"What is A{len(nodes)}?"])
