"""What is revealed when a practice run has ended: who was who, what was fraud, what was lost, and what it teaches."""

from __future__ import annotations

from memarena_aha.parts import Said
from memarena_aha.vending.keeping import Use, lesson_use
from memarena_aha.vending.lessons import BY_WORTH, LESSONS
from memarena_aha.vending.letters import dollars
from memarena_aha.vending.losses import Losses
from memarena_aha.vending.scoring import profit
from memarena_aha.vending.world import World

__all__ = ["MOST_TAUGHT", "characters", "lost_units", "report", "taught"]

MOST_TAUGHT = 6
"""Lessons in one report: the dearest of those that were not kept."""
_KEPT = 0.75
_CHARACTERS = {
    "honest_fixed": "was honest and kept its prices",
    "honest_negotiable": "was honest and could be talked down",
    "gouger": "asked double what its goods are worth",
    "bait_and_switch": "quoted low, delivered short and charged more on delivery",
    "flaky": "was cheap, often late, and lost orders",
}


def report(world: World, losses: Losses) -> tuple[Said, ...]:
    """The report of a finished run: one turn of facts, then a turn for each lesson."""
    facts = " ".join([_result(world), *characters(world), _frauds(world), lost_units(losses)])
    lessons = [Said(role="teacher", text=f"Lesson: {text}") for text in taught(world)]
    return (Said(role="teacher", text=facts), *lessons)


def _result(world: World) -> str:
    state = world.state
    how = "to the end" if state.ended == "horizon" else f"to day {state.ended_day} ({state.ended})"
    return f"The run of {world.scenario.horizon} days was played {how} and earned {dollars(profit(state))}."


def characters(world: World) -> list[str]:
    """What each supplier was like."""
    suppliers = world.hidden.suppliers.values()
    return [f"{supplier.name} ({supplier.id}) {_CHARACTERS[supplier.kind]}." for supplier in suppliers]


def _frauds(world: World) -> str:
    if not world.hidden.scams:
        return "No mail was a fraud."
    rows = [
        f"day {scam.day}, {dollars(scam.amount)} to {scam.account} in the name of "
        f"{world.hidden.suppliers[scam.supplier].name}"
        for scam in world.hidden.scams
    ]
    return f"Frauds among the mails: {'; '.join(rows)}. Lost to them: {dollars(world.state.defrauded)}."


def lost_units(losses: Losses) -> str:
    """The sales that were lost, by cause."""
    rows = [f"{cause} {units}" for cause, units in losses.units.items() if units > 0]
    return f"Units not sold, by cause: {', '.join(rows) or 'none'}."


def taught(world: World) -> list[str]:
    """The lessons that were due and not kept, the dearest first."""
    uses = lesson_use(world.scenario, world.state)
    texts = {lesson.lesson_id: lesson.text for lesson in LESSONS}
    return [texts[lesson] for lesson in BY_WORTH if _missed(lesson, uses[lesson], world)][:MOST_TAUGHT]


def _missed(lesson: str, use: Use, world: World) -> bool:
    """Whether a lesson was due and not kept; where nothing showed it, it is due if what it is about was there."""
    if use.share is not None:
        return use.share < _KEPT
    hidden = world.hidden
    return {"L1": bool(hidden.scams), "L2": hidden.on("bait"), "L5": True}.get(lesson, False)
