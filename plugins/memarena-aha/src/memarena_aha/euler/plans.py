"""What comes before a task, by condition: a teaching, sessions about other things, or a teaching of something else."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from memarena.errors import UsageError
from memarena_aha.euler.draws import Track, draw
from memarena_aha.euler.episode import EulerEpisode
from memarena_aha.euler.register import all_families
from memarena_aha.euler.tasks import TEACHINGS, Task, Teaching, practised, teaching_of
from memarena_aha.keyed import Streams
from memarena_aha.parts import Episode, Said, Unit

__all__ = ["CONDITIONS", "Lessons", "plan", "read_condition"]

WRONG, LURE, ONLINE = "wrong_family", "same_words", "online"
CONDITIONS = (*TEACHINGS, WRONG, LURE, ONLINE)
"""What a plan can be; `online`: the taught task is played and told right or wrong.

One of TEACHINGS may have `+D` behind it, for D sessions about other families afterwards.
"""
POOL = 2
"""Teachings of each family that distractors are taken from: 62 are of other families than a task's."""
_CONDITION = re.compile(rf"({'|'.join(CONDITIONS)})(?:\+(\d{{1,2}}))?")
RESTATE = (
    "Say in at most 80 words of your own by which method such tasks are solved, for somebody who will meet another"
)


def read_condition(name: str) -> tuple[str, int]:
    """A condition and its number of distractor sessions; raises UsageError for one that is not known."""
    found = _CONDITION.fullmatch(name)
    distractors = int(found[2] or 0) if found else 0
    if found is None or (distractors and found[1] not in TEACHINGS) or distractors > POOL * (len(all_families()) - 5):
        raise UsageError(
            f"no Euler condition {name!r}: there are {', '.join(CONDITIONS)}, and full+10 for ten sessions in between"
        )
    return found[1], distractors


class Lessons:
    """Teachings of all families for a seed, drawn when they are needed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._drawn: dict[tuple[str, int], Teaching] = {}

    def others(self, task: Task, count: int) -> list[Teaching]:
        """`count` teachings of families that the task has nothing of, in an order of its own."""
        keys = [
            (family.family_id, number)
            for number in range(POOL)
            for family in all_families()
            if family.family_id not in task.families
        ]
        streams = Streams(f"euler-distractors|{self._seed}|{task.key['index']}|{'-'.join(task.families)}")
        return [self._teaching(*key) for key in streams.shuffled(keys, "order")[:count]]

    def _teaching(self, family_id: str, number: int) -> Teaching:
        if (family_id, number) not in self._drawn:
            family = next(one for one in all_families() if one.family_id == family_id)
            self._drawn[family_id, number] = teaching_of(draw(family, self._seed, -1 - number, "teach"))
        return self._drawn[family_id, number]


def plan(name: str, task: Task, lessons: Lessons, track: Track) -> tuple[Unit, ...]:
    """The sessions of a condition."""
    condition, distractors = read_condition(name)
    if condition == ONLINE:
        return (_practice(practised(task), track),)
    others = lessons.others(task, max(distractors, 1))
    if condition == WRONG:
        return (_taught("teaching", others[0].text("full")),)
    if condition == LURE:
        return (_taught("teaching", _in_words_of(others[0], task.nouns).text("full")),)
    between = [
        Unit(unit_id=f"between{number}", told=(Said(role="teacher", text=other.text(condition)),))
        for number, other in enumerate(others[:distractors], start=1)
    ]
    return (_taught("teaching", task.teaching.text(condition)), *between)


def _taught(unit_id: str, text: str) -> Unit:
    return Unit(unit_id=unit_id, told=(Said(role="teacher", text=text),), reflect=f"{text}\n\n{RESTATE} one.")


def _practice(task: Task, track: Track) -> Unit:
    """The taught task is played, and nothing is revealed but whether its answer was right."""

    def after(episode: Episode) -> tuple[Said, ...]:
        return (
            Said(role="environment", text="That was right." if episode.score().raw["right"] else "That was wrong."),
        )

    return Unit(
        unit_id="practice",
        told=(Said(role="environment", text=task.statement),),
        play=lambda: EulerEpisode(task, track),
        after=after,
        reflect=f"{task.statement}\n\n{RESTATE} one.",
    )


def _in_words_of(teaching: Teaching, nouns: Sequence[str]) -> Teaching:
    """A teaching set in the world of another statement: the same words, another method."""
    swapped = dict(zip(teaching.nouns, nouns, strict=False))
    if not swapped:
        return teaching
    pattern = re.compile("|".join(map(re.escape, swapped)), re.IGNORECASE)
    swap: Callable[[re.Match[str]], str] = lambda found: swapped[found[0].casefold()]  # noqa: E731
    return Teaching(
        statement=pattern.sub(swap, teaching.statement),
        answer=teaching.answer,
        explanation=teaching.explanation,
        listing=teaching.listing,
        nouns=tuple(nouns),
    )
