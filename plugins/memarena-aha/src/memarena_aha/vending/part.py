"""Aha-Vending as a part of the suite: practice in other towns, then a run that counts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Annotated, Any, Literal

import msgspec

from memarena.errors import UsageError
from memarena.option_values import read_options
from memarena_aha.parts import Episode, Pair, Said, Unit
from memarena_aha.vending.episode import VendingEpisode
from memarena_aha.vending.foreign import library_log
from memarena_aha.vending.lessons import FALSE_LESSON, GOLD, LESSONS
from memarena_aha.vending.planting import Seeds, draw_seeds
from memarena_aha.vending.report import report
from memarena_aha.vending.rules import VERSION
from memarena_aha.vending.scenario import VARIANTS, Scenario

__all__ = ["PART", "VendingOptions", "VendingPart"]

_HANDBOOK = "\n".join(f"- {lesson.text}" for lesson in LESSONS)


class VendingOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is played."""

    horizon: Literal[365, 90, 60, 30] = 90
    """Days of the run that counts: 365 (full), 90 (lite), 60 or 30 (smoke). Never compared with each other."""
    variant: str = "incidents"
    """`incidents`, `calm`, or `only-` and one incident; of practice and evaluation alike."""
    practice: Annotated[int, msgspec.Meta(ge=1, le=3)] = 2
    """Practice runs before it."""
    practice_days: Literal[90, 60, 30] = 60
    """Days of each."""
    in_run: bool = False
    """No practice: the memory hears the run itself, and the agent forgets after every week."""


class VendingPart:
    """Pairs of practice runs with other seeds and a run that counts."""

    name = "vending"
    version = VERSION

    def pairs(self, seed: int, count: int, options: Mapping[str, Any]) -> Sequence[Pair]:
        """The first `count` pairs of `seed`; raises UsageError for an option that is not known or out of range."""
        chosen = _options(options)
        return [_pair(draw_seeds(seed, number, chosen.practice), chosen) for number in range(count)]


PART = VendingPart()


def _options(options: Mapping[str, Any]) -> VendingOptions:
    chosen = read_options(VendingOptions, options, who="vending", label="vending")
    if chosen.variant not in VARIANTS:
        raise UsageError(f"vending.variant: {chosen.variant!r} is not one of {', '.join(VARIANTS)}")
    return chosen


def _pair(seeds: Seeds, options: VendingOptions) -> Pair:
    scenario = Scenario(seed=seeds.evaluation, horizon=options.horizon, variant=options.variant)
    params = {"horizon": options.horizon, "in_run": options.in_run}
    instance = {
        "part": "vending",
        "id": options.variant,
        "params": params,
        "seed": seeds.evaluation,
        "version": VERSION,
    }
    text = json.dumps(instance, sort_keys=True, separators=(",", ":"))
    plan = (
        () if options.in_run else tuple(_practice(number, seed, options) for number, seed in enumerate(seeds.practice))
    )
    return Pair(
        pair_id=f"vending-{sha256(text.encode()).hexdigest()[:12]}",
        part="vending",
        instance=instance,
        plans={"in_run" if options.in_run else "practice": plan},
        evaluate=partial(_evaluation, scenario, options.in_run, "" if options.in_run else seeds.stale_id),
        lessons=LESSONS,
        gold=GOLD,
        poison=FALSE_LESSON,
        foreign=library_log(options.practice_days, options.practice),
        block=f"vending-{seeds.evaluation}",
        facets={"variant": options.variant, "horizon": options.horizon, "in_run": options.in_run},
        listens=options.in_run,
    )


def _evaluation(scenario: Scenario, forgets: bool, stale: str, support: str) -> Episode:
    """The run that counts; `supported`: with the twelve lessons in sight all the time."""
    if support not in ("", "supported"):
        raise UsageError(f"vending knows no support {support!r}; there are '' and 'supported'")
    return VendingEpisode(scenario, support=_HANDBOOK if support else "", forgets=forgets, stale=stale)


def _practice(number: int, seed: int, options: VendingOptions) -> Unit:
    scenario = Scenario(seed=seed, horizon=options.practice_days, variant=options.variant)
    told = Said(role="system", text=f"Run {number + 1}: {options.practice_days} days.")
    return Unit(
        unit_id=f"practice-{number + 1}",
        told=(told,),
        play=lambda: VendingEpisode(scenario),
        after=_revealed,
    )


def _revealed(episode: Episode) -> tuple[Said, ...]:
    assert isinstance(episode, VendingEpisode), "the units of this part play nothing else"
    return report(episode.world, episode.losses)
