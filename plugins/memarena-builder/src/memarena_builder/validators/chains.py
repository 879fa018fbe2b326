"""V4: versions of a fact form a chain, and gold says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from memarena_builder.gold import Point
from memarena_builder.plan import Plan
from memarena_builder.validators.problem import Problem
from memarena_builder.world.facts import chain


def updates_are_consistent(plan: Plan, points: Mapping[str, tuple[Point, ...]]) -> Iterator[Problem]:
    """V4: world times of a key increase strictly and its value changes each time; an update replaces the content of a
    point that was told before it."""
    facts = plan.facts()
    for key in dict.fromkeys(fact.key for fact in facts):
        for one, other in pairwise(chain(facts, key)):
            if one.since >= other.since or one.value == other.value:
                yield _broken(other.fact_id, f"does not change {one.fact_id}", other.fact_id)
    told: set[str] = set()
    for session in plan.sessions:
        for point in points[session.session_id]:
            for old in point.replaces:
                if old not in told:
                    yield _broken(point.memory_id, "replaces what was never told", point.fact_id)
            if point.kind == "update" and point.update_type != "Append" and not point.replaces:
                yield _broken(point.memory_id, "an update that replaces nothing", point.fact_id)
            if point.kind != "interference":
                told.add(point.content)


def _broken(unit: str, message: str, fact_id: str) -> Problem:
    return Problem(validator="V4", unit=unit, message=message, about=(fact_id,))
