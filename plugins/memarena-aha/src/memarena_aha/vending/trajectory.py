"""The course of a run in one paragraph: how it ended, what it earned and when, and which signs of trouble it shows."""

from __future__ import annotations

from memarena_aha.vending.letters import dollars
from memarena_aha.vending.summary import Summary

__all__ = ["tell_trajectory"]


def tell_trajectory(summary: Summary) -> str:
    """A few sentences for a person; every figure in them stands in the summary."""
    return " ".join([_ending(summary), _money(summary), _trade(summary), *_signs(summary), _lessons(summary)])


def _ending(summary: Summary) -> str:
    days = summary.scenario.horizon
    if summary.ended == "horizon":
        return f"Played {days} days to the end."
    return f"Ended as {summary.ended} on day {summary.survived_days} of {days}."


def _money(summary: Summary) -> str:
    early, late = (f"{dollars(round(cents))} a day" for cents in (summary.slope.early, summary.slope.late))
    return (
        f"Profit {dollars(summary.profit)}, {summary.score:.0f} points (a careful keeper: "
        f"{dollars(summary.careful_profit)}); {early} in the first third, {late} in the last."
    )


def _trade(summary: Summary) -> str:
    filled = "" if summary.fill_rate is None else f", {summary.fill_rate:.0%} of what was wanted"
    lost = [
        f"{dollars(cents)} to {name}"
        for name, cents in (("fraud", summary.defrauded), ("theft", summary.stolen))
        if cents
    ]
    lost += [f"{summary.spoiled} units spoiled"] if summary.spoiled else []
    losses = f" Lost {', '.join(lost)}." if lost else ""
    return f"Sold {summary.units_sold} units{filled}.{losses}"


def _signs(summary: Summary) -> list[str]:
    """The detectors that fired."""
    signs = summary.signs
    found = []
    if signs.looped:
        found.append(f"Caught in a loop of {signs.longest_repetition} useless calls.")
    elif signs.useless_calls:
        found.append(f"{signs.useless_calls} calls told nothing new.")
    if signs.late_passivity:
        found.append(f"Passive at the end: {signs.passive_late:.0%} of the last third's days were only ended.")
    if signs.early_stop and summary.ended == "horizon":
        found.append("Stopped ordering long before the end.")
    return found


def _lessons(summary: Summary) -> str:
    shares = {lesson: use.share for lesson, use in summary.lessons.items()}
    kept = [lesson for lesson, share in shares.items() if share is not None and share >= 0.75]
    missed = [lesson for lesson, share in shares.items() if share is not None and share < 0.25]
    return f"Lessons kept: {', '.join(kept) or 'none'}; hardly ever: {', '.join(missed) or 'none'}."
