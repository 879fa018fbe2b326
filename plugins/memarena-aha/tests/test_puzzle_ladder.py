"""Which agent does better than which, over twenty seeds and all puzzles; the intervals must not touch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from statistics import fmean
from typing import Any

import pytest
from puzzle_hands import course_of, interval, play

from memarena_aha.parts import Pair, found_in
from memarena_aha.puzzle import PART
from memarena_aha.puzzle.agents import CopyLast, OracleExpert, RandomStructured, SurfaceGuess, Sweep8, TraceParrot
from memarena_aha.puzzle.lessons import GOLD, LESSONS, POISON
from memarena_aha.puzzle.reader import LessonReader, read

SEEDS = range(20)


@cache
def pairs() -> list[Pair]:
    """Two pairs of each seed."""
    return [pair for seed in SEEDS for pair in PART.pairs(seed, 2, {})]


@cache
def memories() -> list[str]:
    """What a memory that keeps all holds after each course."""
    return [course_of(pair) for pair in pairs()]


def scores(agent: type[Any], texts: Sequence[str] = (), support: str = "") -> list[float]:
    """Of each pair's evaluation, with the text that belongs to it shown."""
    shown = texts or [""] * len(pairs())
    return [
        play(pair.evaluate(support), agent(), text, seed=pair.instance["seed"]).score
        for pair, text in zip(pairs(), shown, strict=True)
    ]


@cache
def cold(agent: type[Any]) -> list[float]:
    return scores(agent)


def above(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether `one` is better, paired by instance, by more than chance."""
    return interval([a - b for a, b in zip(one, other, strict=True)])[0] > 0


def test_the_ladder_of_agents_has_no_step_that_chance_could_make() -> None:
    ladder = [cold(agent) for agent in (OracleExpert, Sweep8, RandomStructured, SurfaceGuess)]
    for upper, lower in pairwise(ladder):
        assert above(upper, lower)
        assert interval(upper)[0] > interval(lower)[1]


@pytest.mark.parametrize(
    ("agent", "low", "high"),
    [(OracleExpert, 85, 100), (Sweep8, 20, 45), (RandomStructured, 2, 12), (SurfaceGuess, 0, 5)],
)
def test_each_agent_is_within_its_band(agent: type[Any], low: float, high: float) -> None:
    assert low <= fmean(cold(agent)) <= high


def test_telling_the_last_truth_again_is_worth_nothing() -> None:
    assert set(scores(CopyLast, memories())) == {0.0}


def test_asking_again_what_was_asked_is_no_better_than_the_general_questions() -> None:
    parrot = scores(TraceParrot, [text[: text.find("The truth:")] for text in memories()])
    assert above(cold(Sweep8), parrot)


def test_a_reader_without_memory_does_as_well_as_chance() -> None:
    null = scores(LessonReader)
    low, high = interval([a - b for a, b in zip(null, cold(RandomStructured), strict=True)])
    assert low <= 0 <= high


def test_a_memory_that_keeps_all_lifts_a_reader_and_one_that_drops_every_second_session_less() -> None:
    null, kept = scores(LessonReader), scores(LessonReader, memories())
    lossy = scores(LessonReader, [course_of(pair, lambda number: number % 2 == 0) for pair in pairs()])
    assert above(kept, null)
    assert fmean(null) < fmean(lossy) < fmean(kept)
    assert above(lossy, null)
    assert above(kept, lossy)


def test_the_gold_lesson_lifts_a_reader_as_far_as_the_general_questions_do() -> None:
    gold = scores(LessonReader, [GOLD] * len(pairs()))
    assert gold == cold(Sweep8)


def test_the_false_lesson_is_worse_than_none() -> None:
    poisoned = scores(LessonReader, [f"{text}\n{POISON}" for text in memories()])
    assert set(poisoned) == {0.0}
    assert above(scores(LessonReader), poisoned)


def test_experience_of_another_kind_changes_nothing() -> None:
    foreign = scores(LessonReader, ["\n".join(said.text for said in pair.foreign) for pair in pairs()])
    assert foreign == scores(LessonReader)


def test_a_trace_in_sight_is_worth_more_than_what_was_learned() -> None:
    supported = scores(LessonReader, memories(), "supported")
    assert above(supported, scores(LessonReader, memories()))


def test_the_order_of_the_course_changes_nothing_for_a_reader() -> None:
    turned = ["\n".join(reversed(text.split("\n"))) for text in memories()]
    assert scores(LessonReader, turned) == scores(LessonReader, memories())


def test_what_is_learned_is_found_again_in_what_was_heard() -> None:
    for pair, text in zip(pairs(), memories(), strict=True):
        assert {lesson.lesson_id for lesson in pair.lessons} == {f"check:{check}" for check in read(text).checks}
        assert all(found_in(lesson, text) for lesson in pair.lessons)


def test_lessons_are_found_in_the_gold_text_and_contradicted_by_the_poison() -> None:
    assert [found_in(lesson, GOLD) for lesson in LESSONS] == [True] * 8
    assert [found_in(lesson, POISON) for lesson in LESSONS] == [False] * 8
    assert {found_in(lesson, said.text) for lesson in LESSONS for said in pairs()[0].foreign} == {None}
