"""Where a planted memory lost a question: by what was done to it, with no judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from memarena.records import Shown
from memarena_arena.scorers import reasons, stages
from memarena_arena.selftest.entries import Entry, facts_of
from memarena_arena.selftest.fault import MADE_UP
from memarena_arena.selftest.memory import PlantedAnswerer, PlantedMemory, shown_facts
from memarena_arena.selftest.world import World


class Truth(NamedTuple):
    """What a diagnosis is to find; the stage is "" where the answer is right."""

    stage: str
    reason: str = ""


HEALTHY = Truth("")


def truths(memory: PlantedMemory, answerer: PlantedAnswerer, shown: Mapping[str, Shown]) -> dict[str, Truth]:
    """Question id -> the first stage that lost it (metrics, section 5); those that cannot be followed are left out."""
    world = memory.world
    return {
        name: _truth(name, memory, answerer, each)
        for name, each in shown.items()
        if world.follows(world.questions[name])
    }


def _truth(question_id: str, memory: PlantedMemory, answerer: PlantedAnswerer, shown: Shown) -> Truth:
    if question_id not in answerer.wrong:
        return HEALTHY
    world, fault = memory.world, answerer.wrong[question_id]
    question = world.questions[question_id]
    if not question.answerable:
        return Truth(MADE_UP)
    wanted = set(world.evidence(question))
    now, store, ever = memory.stood[question_id]
    # What was shown was retrieved, what was retrieved was kept, what was kept was written.
    seen = shown_facts(memory.lists[question_id], shown)
    found = seen | facts_of(memory.lists[question_id])
    over = world.over(now.session)
    steps = (
        (Truth(stages.WRITE), wanted <= ever | found),
        *((Truth(stages.MAINTAIN, reason), not reason) for reason in _losses(wanted - found, store, over, world)),
        (Truth(stages.RETRIEVE), wanted <= found),
        (Truth(stages.SHOW), wanted <= seen),
    )
    used = Truth(stages.USE, fault.reason if fault else "")
    return next((truth for truth, passed in steps if not passed), used)


def _losses(keys: set[str], store: list[Entry], over: frozenset[str], world: World) -> list[str]:
    """Why each fact does not stand any more, the reasons in the order in which a diagnosis gives them."""
    found = {_lost(key, store, over, world) for key in keys}
    return [reason for reason in (reasons.STALE_VERSION, reasons.SET_ASIDE, reasons.GONE) if reason in found]


def _lost(key: str, store: list[Entry], over: frozenset[str], world: World) -> str:
    """Why a fact that was written does not stand any more; "" where it does."""
    held = [entry for entry in store if key in entry.facts]
    active = [entry for entry in store if entry.status == "active"]
    if any(entry.status == "active" for entry in held) or (held and key in over):
        return ""
    olds = world.facts[key].replaces if key in world.facts else ()
    if not facts_of(active).isdisjoint(olds):
        return reasons.STALE_VERSION
    if held and not world.facts[key].kind:
        return ""
    return reasons.SET_ASIDE if held else reasons.GONE
