"""Where lessons get lost: written, kept, retrieved, used; and the forgetting curve over distractor sessions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from memarena.records import Record
from memarena_aha.suite.card import Scores
from memarena_aha.suite.conditions import COLD
from memarena_aha.suite.controls import BASELINE, NULL
from memarena_aha.suite.lines import LessonStages
from memarena_aha.suite.statistics import Figure, mean

__all__ = ["CurvePoint", "Funnel", "Share", "forgetting", "funnels"]


class Share(Record, frozen=True, kw_only=True):
    """So many of so many."""

    hits: int = 0
    of: int = 0

    @property
    def value(self) -> float | None:
        """None where there is nothing to share."""
        return self.hits / self.of if self.of else None


class Funnel(Record, frozen=True, kw_only=True):
    """One lesson in one arm, over the evaluations after the plan; `lesson` "": over all lessons of the part."""

    label: str
    part: str
    lesson: str
    write: Share
    """Of all evaluations whose store is visible."""
    keep: Share
    contradict: Share
    retrieve: Share
    """Of all evaluations."""
    use: Share
    """Of those in which it applied."""
    keep_given_write: Share
    retrieve_given_keep: Share
    use_given_retrieve: Share
    use_without: Share
    """In the null arm: what an agent without any memory does."""

    @property
    def credited(self) -> bool:
        """It is used after it was retrieved, more often than an agent without memory does it anyway."""
        given, without = self.use_given_retrieve.value, self.use_without.value
        return given is not None and given > (without or 0.0)


def funnels(scores: Scores, label: str) -> Iterator[Funnel]:
    """The funnels of an arm: of each part as a whole, then of each lesson that some pair of it has."""
    for part in scores.parts:
        mine, nulls = (_stages(scores, name, part) for name in (label, NULL))
        lessons = list(dict.fromkeys(lesson for stages in mine for lesson in stages))
        if lessons:
            for lesson in ("", *lessons):
                yield _funnel(label, part, lesson, list(_of(mine, lesson)), list(_of(nulls, lesson)))


def _stages(scores: Scores, label: str, part: str) -> list[Mapping[str, LessonStages]]:
    results = scores.results
    found = [
        results.headline(label, pair_id, repeat)
        for pair_id, pair in results.pairs.items()
        if pair.part == part
        for repeat in results.repeats
    ]
    return [one.line.lessons for one in found if one is not None]


def _of(stages: Iterable[Mapping[str, LessonStages]], lesson: str) -> Iterator[LessonStages]:
    for one in stages:
        yield from (one.values() if not lesson else [one[lesson]] if lesson in one else [])


def _funnel(label: str, part: str, lesson: str, seen: list[LessonStages], nulls: list[LessonStages]) -> Funnel:
    return Funnel(
        label=label,
        part=part,
        lesson=lesson,
        write=_share(one.write for one in seen),
        keep=_share(one.keep for one in seen),
        contradict=_share(one.contradict for one in seen),
        retrieve=_share(one.retrieve for one in seen),
        use=_share(one.use for one in seen),
        keep_given_write=_share(one.keep for one in seen if one.write),
        retrieve_given_keep=_share(one.retrieve for one in seen if one.keep),
        use_given_retrieve=_share(one.use for one in seen if one.retrieve),
        use_without=_share(one.use for one in nulls),
    )


def _share(answers: Iterable[bool | None]) -> Share:
    told = [answer for answer in answers if answer is not None]
    return Share(hits=sum(told), of=len(told))


class CurvePoint(Record, frozen=True, kw_only=True):
    """Lift after so many distractor sessions."""

    label: str
    part: str
    plan: str
    """Without its `+N`."""
    distractors: int
    score: Figure
    lift: Figure


def forgetting(scores: Scores, label: str) -> Iterator[CurvePoint]:
    """The plans of an arm that come with distractors (`full`, `full+3`, `full+10`), and their score and lift."""
    for part in scores.parts:
        names = dict.fromkeys(
            name for pair in scores.results.pairs.values() if pair.part == part for name in pair.plans
        )
        bases = dict.fromkeys(name.partition("+")[0] for name in names if "+" in name)
        for base in bases:
            points = {distractors_of(name): name for name in names if name.partition("+")[0] == base}
            for count, name in sorted(points.items()):
                values = scores.of(label, name, [part])
                lift = values.minus(scores.of(BASELINE, COLD, [part]))
                yield CurvePoint(
                    label=label, part=part, plan=base, distractors=count, score=mean(values), lift=mean(lift)
                )


def distractors_of(plan: str) -> int:
    """10 for `full+10`, 0 for `full`."""
    number = plan.partition("+")[2]
    return int(number) if number.isdecimal() else 0
