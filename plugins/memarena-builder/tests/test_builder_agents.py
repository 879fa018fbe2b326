"""What agents say, see and know in every environment: no word and no picture tells what gold does not know."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import pytest

from memarena_builder.agentic.asking import USUAL
from memarena_builder.agentic.desk.world import APPS
from memarena_builder.agentic.recipes import DeskRecipe, HouseRecipe, ValleyRecipe
from memarena_builder.agentic.sample import build_trajectory, write_trajectory
from memarena_builder.agentic.trajectory import Learnt, Step, Trajectory
from memarena_builder.order import Order
from memarena_builder.probes import floors
from memarena_builder.probes.finished import finished
from memarena_builder.reader.worked import statements
from memarena_builder.streams import Streams

NAME = re.compile(r"\bthe [a-z]+ [A-Z][a-z]+")
HOUSES = (
    HouseRecipe(errands=("goto", "fetch", "put", "open"), locked=3, clumsy=0.3, changes=0.9),
    HouseRecipe(errands=("fetch", "put"), chained=0.7),
    HouseRecipe(errands=("goto", "open"), room_size=7),
)


@cache
def house(seed: int) -> Trajectory:
    pytest.importorskip("minigrid")
    from memarena_builder.agentic.grid.play import Play

    return Play(HOUSES[seed % len(HOUSES)], Streams(seed, ("house", "play"))).trajectory(25)


@cache
def valley(seed: int) -> Trajectory:
    pytest.importorskip("crafter")
    from memarena_builder.agentic.craft.play import Settler

    return Settler(ValleyRecipe(changes=0.9), Streams(seed, ("valley", "play"))).trajectory(20)


@cache
def desk(seed: int) -> Trajectory:
    pytest.importorskip("playwright")
    from memarena_builder.agentic.desk.browser import PROGRAMS
    from memarena_builder.agentic.desk.play import Clerk

    if not (os.environ.get("MEMARENA_CHROMIUM") or any(map(shutil.which, PROGRAMS))):
        pytest.skip("there is no Chromium")
    apps = ("files", "mail") if seed % 2 else ("sheet",)
    return Clerk(DeskRecipe(apps=apps, items=9), Streams(seed, ("desk", "play"))).trajectory(20)


@pytest.fixture(
    scope="module",
    params=[(play, seed) for play, seeds in ((house, 3), (valley, 2), (desk, 2)) for seed in range(1, seeds + 1)],
)
def trajectory(request: pytest.FixtureRequest) -> Trajectory:
    play, seed = request.param
    found: Trajectory = play(seed)
    return found


def test_gold_evidence_gives_every_answer(trajectory, tmp_path):
    order = Order(sample_id="played_01", place="agent/played", seed=5)
    built = build_trajectory(order, trajectory, questions=55, checkpoints=5)
    write_trajectory(built, tmp_path)
    samples = finished(tmp_path)
    answers = floors._reading(samples, floors._gold)
    asked = samples[0].questions
    assert [(each.text, read) for each, read in zip(asked, answers, strict=True) if read != each.answer] == []
    assert len(asked) == 55 and len({each.type for each in asked}) >= 9
    assert [each for each in built.problems if not each.repaired] == []


def test_no_answer_is_the_usual_one_where_others_can_be_asked(trajectory):
    built = build_trajectory(Order(sample_id="x", place="agent/x", seed=6), trajectory, questions=20, checkpoints=4)
    asked = [each for stop in built.stops for each in stop.questions]
    for family, usual in USUAL.items():
        answers = [each.answer for each in asked if each.template.rpartition("/")[0].rpartition(">")[2] == family]
        assert sum(each == usual for each in answers) <= len(answers) // 2 + 1, (family, answers)


def test_no_question_is_asked_twice_of_the_same(trajectory):
    built = build_trajectory(Order(sample_id="x", place="agent/x", seed=6), trajectory, questions=55, checkpoints=5)
    asked = [each for stop in built.stops for each in stop.questions]
    same = {(frozenset(each.text.split()), tuple(fact.fact_id for fact in each.evidence)) for each in asked}
    assert len(asked) == len(same)


Values = dict[tuple[str, str], str]


def looks(trajectory: Trajectory) -> Iterator[tuple[Step, Values, Values]]:
    """Each step with what is known after its look, and after its feedback."""
    known: Values = {}
    for step in trajectory.steps:
        known |= {(each.subject, each.attribute): each.value for each in step.seen}
        seen = dict(known)
        known |= {(each.subject, each.attribute): each.value for each in step.learnt}
        yield step, seen, dict(known)


def test_what_words_state_is_known(trajectory):
    stated = 0
    for step, seen, after in looks(trajectory):
        for text, known in ((f"Observation: {step.observation}", seen), (f"Feedback: {step.feedback}", after)):
            for each in statements(text):
                assert known.get((each.subject, each.attribute)) == each.value, (text, each)
                stated += 1
    assert stated > 50


def test_what_a_picture_shows_of_a_thing_that_is_known_is_what_is_known(trajectory):
    shown = 0
    for step, seen, _ in looks(trajectory):
        for each in step.shows:
            held = seen.get((each.subject, each.attribute))
            assert held in (None, each.value), (step.observation, each, held)
            shown += held is not None
    assert shown > 10


def test_a_picture_shows_at_least_what_is_learnt_from_it(trajectory):
    for step in trajectory.steps:
        assert {each_of(each) for each in step.seen if each.visual} <= {each_of(each) for each in step.shows}
        assert bool(step.shows) is bool(step.picture)


def each_of(learnt: Learnt) -> tuple[str, str, str]:
    return learnt.subject, learnt.attribute, learnt.value


def test_the_agent_calls_nothing_by_a_name_that_it_has_not_met(trajectory):
    met: set[str] = set()
    for step in trajectory.steps:
        met |= names(step.observation)
        assert names(step.reasoning) <= met, step.reasoning
        met |= names(step.feedback)


def names(text: str) -> set[str]:
    """The things that a text names; what is on the menu of an application has been seen from the first."""
    menus = {group for app in APPS.values() for group in app.groups}
    found = NAME.findall(re.sub(r"(^|[.:] )The\b", r"\1the", text))
    return {each for each in found if each.split()[-1] not in menus}


def test_nobody_supposes_something_of_what_is_before_their_eyes(trajectory):
    guesses = 0
    for step, seen, after in looks(trajectory):
        for each in step.refused:
            if each.kind == "guess":
                guesses += 1
                before = step.observation.split("Right before you: ")[-1].split("Selected: ")[-1]
                assert each.subject not in before, (step.observation, step.reasoning)
                assert f"You are {each.value}" not in step.observation and f"open {each.value}" not in step.observation
                assert each.value not in (seen[each.subject, "place"], after[each.subject, "place"])
    assert guesses or trajectory.environment == "desk in Chromium"


def test_no_note_is_found_twice(trajectory):
    notes = [each for step in trajectory.steps for each in step.refused if each.kind == "old note"]
    assert len(notes) == len({(each.subject, each.value) for each in notes})


def test_a_task_to_move_something_names_another_place_than_its_own(trajectory):
    for step, seen, after in looks(trajectory):
        for each in step.learnt:
            if each.attribute == "place" and (each.subject, "place") in seen:
                assert seen[each.subject, "place"] != after[each.subject, "place"], step.feedback


def test_what_is_carried_is_known_to_be_in_hand_and_nothing_else():
    for seed in (1, 2, 3):
        for step, seen, _ in looks(house(seed)):
            carried = step.observation.split("Carried: ")[1].split(".")[0]
            held = [key[0] for key, value in seen.items() if key[1] == "place" and value == "in hand"]
            assert held == ([] if carried == "nothing" else [carried]), step.observation


def test_an_errand_that_is_done_ends_and_leaves_the_hands_free():
    freed = 0
    for seed in (1, 2, 3):
        steps = house(seed).steps
        for before, step in pairwise(steps):
            if step.ends and "done" in step.feedback:
                assert "Carried: nothing." in step.observation
                freed += "put_down()" in before.action and "fetch" not in before.action
    assert freed


def test_what_is_handled_at_a_desk_is_looked_at_whole():
    _, _, known = list(looks(desk(1)))[-1]
    handled = {subject for subject, attribute in known if attribute == "place"}
    assert handled and {(name, each) for name in handled for each in ("value", "label")} <= set(known)
