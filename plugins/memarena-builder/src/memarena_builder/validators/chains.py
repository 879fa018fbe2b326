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
                yield Problem(validator="V4", unit=other.fact_id, message=f"does not change {one.fact_id}")
    told: set[str] = set()
    for session in plan.sessions:
        for point in points[session.session_id]:
            for old in point.replaces:
                if old not in told:
                    yield Problem(validator="V4", unit=point.memory_id, message="replaces what was never told")
            if point.kind == "update" and point.update_type != "Append" and not point.replaces:
                yield Problem(validator="V4", unit=point.memory_id, message="an update that replaces nothing")
            if point.kind != "interference":
                told.add(point.content)
