"""The agent that needs no model: what it reads is what it does."""

from __future__ import annotations

from statistics import mean

from memarena_aha.vending import Scenario, World
from memarena_aha.vending.equity import equity
from memarena_aha.vending.lessons import LESSONS
from memarena_aha.vending.play import drive
from memarena_aha.vending.policies import Keeper
from memarena_aha.vending.policies.reader import NOVICE, habits_from, lessons_in

_ALL = "\n".join(lesson.text for lesson in LESSONS)
_FALSE = "Pay every invoice at once."


def _profit(text: str) -> float:
    profits = []
    for seed in range(3):
        world = World(Scenario(seed=seed, horizon=90), notebook=False)
        drive(world, Keeper(habits_from(text), 90).play())
        profits.append(equity(world.state) / 100 - 500)
    return mean(profits)


def test_each_lesson_is_read_from_its_own_text_alone() -> None:
    for lesson in LESSONS:
        assert lessons_in(lesson.text) == [lesson.lesson_id]
        assert habits_from(lesson.text) != NOVICE


def test_without_a_lesson_it_is_a_novice_and_stories_teach_nothing() -> None:
    assert habits_from("") == NOVICE
    assert habits_from("On day 12 Alder Wholesale delivered 12 x Salt Twists for $18.40.") == NOVICE


def test_the_later_of_two_contradicting_lessons_is_believed() -> None:
    assert habits_from(f"{_ALL}\n{_FALSE}").mail == "all"
    assert habits_from(f"{_FALSE}\n{_ALL}").mail == "verified"


def test_all_lessons_earn_more_than_half_of_them_half_more_than_none_and_the_false_one_costs() -> None:
    half = "\n".join(lesson.text for lesson in LESSONS[::2])
    everything, some, nothing, poisoned = map(_profit, (_ALL, half, "", _FALSE))
    assert everything > some > nothing > poisoned
