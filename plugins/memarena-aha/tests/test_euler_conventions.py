"""The convention sub-track: operations that only their teaching defines."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from functools import cache

import pytest

from memarena.errors import UsageError
from memarena_aha.euler import PART
from memarena_aha.euler.conventions.asking import ASKED_SKINS, TAUGHT_SKINS, convention_task
from memarena_aha.euler.conventions.draws import EXAMPLES, FLOOR, draw_convention, fitting
from memarena_aha.euler.conventions.induction import Induction, Told, told_in
from memarena_aha.euler.conventions.register import all_operations, operation
from memarena_aha.euler.reader import LessonReader
from memarena_aha.euler.replay import programs_in, replay
from memarena_aha.euler.tasks import Task
from memarena_aha.keyed import Streams
from memarena_aha.parts import Pair, found_in

IDS = [one.operation_id for one in all_operations()]
COUNT = 300

BY_HAND: dict[str, tuple[dict[str, int], int, int]] = {
    "E01": ({"size": 2, "first": 0}, 12345, 12354),  # 1|23|45: 45 and 1 are turned
    "E02": ({"factor": 2, "odd_first": 1}, 12345, 27084),  # 1 3 5, then 4 2: 2 * 13542
    "E03": ({"own": 2, "mirrored": 3}, 120, 303),  # 2 * 120 + 3 * 21
    "E04": ({"left": 1, "right": 2}, 129, 501),  # 1+4 = 5, 2+18 = 20, 9+2 = 11
    "E05": ({"up": 2, "down": 3}, 201, 654),  # 2 * 12 + 3 * 210
    "E06": ({"extra": 1, "factor": 2}, 123, 477),  # seven moves of three digits: 231 + 2 * 123
    "E07": ({"base": 11, "bonus": 2}, 123, 152),  # 121 + 22 + 3, and 2 * 3
    "E08": ({"low": 2, "high": 6}, 25, 1001),  # 12 left 1, 2 left 0, 1 left 0, 0 left 1
    "E09": ({"steps": 2, "bonus": 3, "rise": 5}, 7, 16),  # 26, then 13 + 3
    "E10": ({"shift": 1, "weight": 3}, 5, 21),  # 101 and 1010 differ in 1111; 3 * 2
    "E11": ({"product": 2, "total": 3}, 12345, 11574),  # 2 * 123 * 45 + 3 * 168
    "E12": ({"base": 3, "factor": 2}, 5, 19),  # 12 turned is 21 = 7: 5 + 2 * 7
}

every_operation = pytest.mark.parametrize("operation_id", IDS)


@cache
def tasks() -> list[Task]:
    """The first conventions of a seed."""
    return [convention_task(3, index) for index in range(COUNT)]


def test_there_are_at_least_eight_operations_and_each_is_drawn() -> None:
    assert len(IDS) >= 8
    assert {task.block for task in tasks()} == set(IDS) == set(BY_HAND)
    assert {one.track for one in all_operations()} == {"convention"}


@every_operation
def test_an_operation_gives_what_is_worked_out_by_hand(operation_id: str) -> None:
    constants, number, value = BY_HAND[operation_id]
    assert operation(operation_id).apply(number, **constants) == value


@every_operation
def test_both_ways_to_carry_an_operation_out_agree(operation_id: str) -> None:
    chosen, streams = operation(operation_id), Streams("conventions")
    settings = list(chosen.settings())
    for place in range(200):
        constants = settings[place % len(settings)]
        for span in (chosen.taught, chosen.asked):
            number = span.pick(streams, operation_id, place, span.low)
            assert chosen.apply(number, **constants) == chosen.apply_slowly(number, **constants)


@every_operation
def test_different_constants_make_different_operations(operation_id: str) -> None:
    chosen, streams = operation(operation_id), Streams("conventions")
    numbers = [chosen.asked.pick(streams, "n", place) for place in range(8)]
    rows = {tuple(chosen.apply(number, **constants) for number in numbers) for constants in chosen.settings()}
    assert len(rows) == len(list(chosen.settings()))


@every_operation
def test_a_definition_has_three_to_six_clauses_and_tells_its_method(operation_id: str) -> None:
    chosen = operation(operation_id)
    for constants in chosen.settings():
        text = " ".join(chosen.define(**constants)).casefold()
        assert 3 <= len(chosen.define(**constants)) <= 6
        assert all(any(stem in text for stem in group) for group in chosen.method)


def test_different_constants_have_different_definitions() -> None:
    for chosen in all_operations():
        definitions = [chosen.define(**constants) for constants in chosen.settings()]
        assert len(set(definitions)) == len(definitions)


def test_the_three_examples_leave_one_value_for_what_is_asked() -> None:
    for index in range(60):
        convention = draw_convention(3, index, 3)
        assert len(convention.examples) == EXAMPLES == 3
        left = fitting(convention.operation, convention.examples)
        assert convention.constants in left
        assert {convention.operation.apply(convention.asked, **constants) for constants in left} == {convention.answer}
        assert min(convention.answer, *(value for _, value in convention.examples)) >= FLOOR


def test_what_is_asked_names_the_operation_and_the_number_and_nothing_else() -> None:
    for task in tasks():
        assert set(re.findall(r"\d+", task.statement)) == {str(task.slots["n"])}
        assert task.key["name"] in task.statement
        assert list(task.slots) == ["n"]
        assert not any(found_in(lesson, task.statement) for lesson in task.lessons)


def test_the_scant_teaching_holds_three_examples_and_no_definition() -> None:
    for task in tasks()[:60]:
        text = task.teaching.text("partial")
        definition, listing = task.lessons
        assert len(re.findall(r"\d+", text)) == 6
        assert found_in(definition, text) is None and found_in(listing, text) is None


def test_the_full_teaching_holds_the_definition_and_the_program() -> None:
    for task in tasks()[:60]:
        assert all(found_in(lesson, task.teaching.text("full")) for lesson in task.lessons)
        assert found_in(task.lessons[0], task.gold)
        assert str(task.answer) not in task.teaching.text("full")


def test_the_program_of_a_teaching_runs_by_itself_and_prints_the_taught_value() -> None:
    seen = {task.block: task for task in tasks()}
    for task in seen.values():
        command = [sys.executable, "-I", "-S", "-c", task.teaching.listing]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        assert (done.stdout, done.stderr) == (f"{task.teaching.answer}\n", "")


@every_operation
def test_whoever_keeps_the_program_can_answer(operation_id: str) -> None:
    task = next(task for task in tasks() if task.block == operation_id)
    (program,) = programs_in(task.teaching.text("full"))
    assert list(program.slots) == ["n"]
    assert (replay(program, task.slots) or "").split() == [str(task.answer)]


def test_no_guesser_reaches_one_per_cent() -> None:
    right: Counter[str] = Counter()
    for task in tasks():
        number, taught = task.slots["n"], task.teaching
        told = [int(found) for found in re.findall(r"\d+", taught.statement)]
        third = told[-1]
        guesses = {
            "copy": taught.answer,
            "same": number,
            "mirror": int(str(number)[::-1]),
            "double": 2 * number,
            "ratio": taught.answer * number // third,
            "difference": number + taught.answer - third,
        }
        right.update(name for name, guess in guesses.items() if guess == task.answer)
    right["most common"] = Counter(task.answer for task in tasks()).most_common(1)[0][1]
    assert max(right.values()) <= COUNT / 100


def test_names_of_operations_are_hardly_ever_used_twice() -> None:
    names = Counter(task.key["name"] for task in tasks())
    assert len(names) >= 0.98 * COUNT


def test_wordings_of_the_two_sides_share_no_world() -> None:
    assert len(TAUGHT_SKINS) == len(ASKED_SKINS) == 3
    for one in TAUGHT_SKINS:
        for other in ASKED_SKINS:
            assert not [noun for noun in one.nouns if noun in other.text.casefold()]
            assert not [noun for noun in other.nouns if noun in one.text.casefold()]
    used = {task.key["skin"] for task in tasks()}
    assert used == {0, 1, 2}
    assert all(noun in task.statement.casefold() for task in tasks() for noun in task.nouns)


def test_the_same_key_gives_the_same_task() -> None:
    again = convention_task(3, 5)
    assert (again.statement, again.answer, again.teaching) == (
        tasks()[5].statement,
        tasks()[5].answer,
        tasks()[5].teaching,
    )


def test_an_operation_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UsageError, match="no invented operation 'E99'"):
        operation("E99")


def played(pair: Pair, memory: str, agent: LessonReader | Induction) -> float:
    """The score of an agent on a pair, with a memory."""
    episode = pair.evaluate("")
    while not episode.ended:
        episode.act(agent.act({**episode.observe(), "memory": memory}, episode.tools()))
    return episode.score().score


def heard(pair: Pair) -> dict[str, str]:
    """What is told in each plan of a pair."""
    return {name: "\n".join(said.text for unit in units for said in unit.told) for name, units in pair.plans.items()}


@pytest.mark.parametrize(
    ("agent", "partial"), [(LessonReader(), 0.0), (Induction(), 100.0)], ids=["reader", "induction"]
)
def test_what_a_teaching_is_worth_depends_on_who_has_it(agent: LessonReader | Induction, partial: float) -> None:
    pairs = PART.pairs(3, 24, {"kinds": "convention", "conditions": "partial,full,wrong_family"})
    assert [pair.block for pair in pairs] == [task.block for task in tasks()[:24]]
    for pair in pairs:
        scores = {name: played(pair, text, agent) for name, text in heard(pair).items()}
        assert scores == {"partial": partial, "full": 100.0, "wrong_family": 0.0}
        assert played(pair, "", agent) == 0.0


def test_examples_of_an_operation_with_another_name_are_of_no_use() -> None:
    pairs = PART.pairs(3, 2, {"kinds": "convention", "conditions": "partial"})
    assert played(pairs[0], heard(pairs[1])["partial"], Induction()) == 0.0


def test_examples_are_read_as_they_are_told() -> None:
    text = (
        "Here is a task that has been solved.\nAn old scroll of a monk gives 5 as the Orrin fold of 3 and 7 as the"
        " Orrin fold of 4. What is the Orrin fold of 9?\n\nIts result is 11."
    )
    assert told_in(text) == [Told("Orrin fold", ((3, 5), (4, 7), (9, 11)))]


def test_pairs_of_other_kinds_stay_as_they_are_beside_conventions() -> None:
    alone = PART.pairs(3, 2, {"kinds": "single", "conditions": "partial"})
    mixed = PART.pairs(3, 4, {"kinds": "single,convention", "conditions": "partial"})
    assert [pair.pair_id for pair in mixed[::2]] == [pair.pair_id for pair in alone]
    assert {pair.facets["kind"] for pair in mixed[1::2]} == {"convention"}
