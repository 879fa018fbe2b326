"""Errands in a house of MiniGrid, as they are played and as they lie on disk."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

pytest.importorskip("minigrid")

from memarena.datasets import open_data
from memarena.errors import UsageError
from memarena.records import TYPES
from memarena_builder import makers
from memarena_builder.agentic.grid.house import HouseSpec
from memarena_builder.agentic.grid.house import build as build_house
from memarena_builder.agentic.grid.play import Play
from memarena_builder.agentic.names import NAMES
from memarena_builder.agentic.ordinals import ordinal
from memarena_builder.agentic.recipes import HouseRecipe
from memarena_builder.makers import make, require
from memarena_builder.order import HouseOrder
from memarena_builder.presets import orders
from memarena_builder.streams import Streams
from memarena_builder.validators.problem import plain, says

RECIPE = HouseRecipe(errands=("goto", "fetch", "put", "open"), locked=3)
ORDER = HouseOrder(
    sample_id="omnigibson_01", place="agent/embodied/omnigibson", seed=12, recipe=RECIPE, sessions=16, questions=40
)


@pytest.fixture(scope="module")
def play():
    played = Play(RECIPE, Streams(4, ("omnigibson_01", "play")))
    return played, played.trajectory(16)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    root = tmp_path_factory.mktemp("house")
    return root, make(ORDER, root)


def test_a_fresh_house_goes_through_the_same_states_by_the_recorded_moves(play):
    played, trajectory = play
    house = build_house(played.made_of)
    for step in trajectory.steps:
        for move in step.moves:
            house.redo(move)
        assert house.state() == step.state


def test_the_moves_on_disk_lead_a_fresh_house_to_the_states_on_disk(made):
    root, _ = made
    rows = [json.loads(line) for line in (root / "hidden/omnigibson_01.jsonl").read_text("utf-8").splitlines()]
    steps = [row for row in rows if row["row"] == "step"]
    spec = next(row for row in rows if row["row"] == "sample")["world"]
    house = build_house(HouseSpec(**spec))
    for row in steps:
        for move in row["moves"]:
            house.redo(move)
        assert house.state() == row["state"]
    assert {type(move) for row in steps for move in row["moves"]} == {int, list}


def test_the_same_order_makes_the_same_bytes(made, tmp_path):
    root, first = made
    second = make(ORDER, tmp_path)
    assert first == second
    assert all((root / name).read_bytes() == (tmp_path / name).read_bytes() for name in first.files)


def test_a_locked_door_opens_by_its_key_alone_and_is_known_to():
    tools = set()
    for seed in (1, 3, 5):
        for step in Play(RECIPE, Streams(seed, ("locked", "play"))).trajectory(25).steps:
            for each in step.learnt:
                if each.attribute == "opens with":
                    assert step.action.endswith("toggle()") and f"Carried: {each.value}." in step.observation
                    assert f"{each.subject} between" in step.observation and ", locked." in step.observation
                    tools.add(each.value.split()[1])
    assert tools == {"key"}


def test_a_door_that_is_tried_in_vain_is_said_to_open_with_what_does_not_open_it():
    tried, recipe = [], HouseRecipe(errands=("goto", "open"), locked=4, clumsy=0.9)
    for seed in (1, 3, 5):
        steps = Play(recipe, Streams(seed, ("locked", "play"))).trajectory(25).steps
        tried += [(step, each) for step in steps for each in step.refused if each.attribute == "opens with"]
    assert tried and all(each.value in step.reasoning and step.failed for step, each in tried)
    assert {each.value for _, each in tried} <= {"bare hands", *(f"the key {tag}" for tag in NAMES)}


def test_no_word_tells_a_colour(play):
    _, trajectory = play
    colours = ("blue", "green", "grey", "purple", "red", "yellow")
    for step in trajectory.steps:
        text = plain(f"{step.observation} {step.reasoning} {step.action} {step.feedback} {step.caption}")
        assert not any(says(text, colour) for colour in colours)


def test_a_picture_is_taken_where_it_shows_something_new(play):
    _, trajectory = play
    for step in trajectory.steps:
        assert bool(step.picture) is any(each.visual for each in step.seen)


def test_the_colour_that_is_known_is_in_the_picture(play):
    from io import BytesIO

    from minigrid.core.constants import COLORS
    from PIL import Image

    _, trajectory = play
    looks = [(step, each) for step in trajectory.steps for each in step.seen if each.attribute == "colour"]
    for step, learnt in looks:
        view = Image.open(BytesIO(step.picture)).convert("RGB")
        ahead = view.crop((3 * 24, 5 * 24, 4 * 24, 6 * 24))
        wanted = tuple(int(part) for part in COLORS[learnt.value])
        raw = ahead.tobytes()
        pixels = (raw[place : place + 3] for place in range(0, len(raw), 3))
        near = [each for each in pixels if sum(abs(a - b) for a, b in zip(each, wanted, strict=True)) < 250]
        assert near, learnt
    assert len(looks) > 5


def reached(house) -> set[tuple[int, int]]:
    """The cells to which one gets from where the agent stands, without a key and through whatever lies around."""
    found, ahead = {house.stand()}, [house.stand()]
    while ahead:
        column, row = ahead.pop()
        for place in ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)):
            cell = house.grid.get(*place)
            shut = cell is not None and (cell.type == "wall" or (cell.type == "door" and cell.is_locked))
            if place not in found and not shut:
                found.add(place)
                ahead.append(place)
    return found


def test_what_cannot_be_reached_without_a_key_is_shut_in_and_so_is_each_locked_door():
    behind = 0
    for seed in range(20):
        house = build_house(HouseSpec(seed=seed, locked=3))
        places = reached(house)
        for thing in house.things:
            behind += house.is_shut_in(thing)
            assert house.is_shut_in(thing) is (house.where(thing) not in places)
        assert [house.is_shut_in(door) for door in house.doors] == [door.is_locked for door in house.doors]
    assert behind > 20


def test_what_was_learnt_of_doors_is_asked_of_cases_that_never_were(made):
    root, _ = made
    (sample,) = open_data(str(root))
    asked = [question for stop in sample.checkpoints for question in stop.questions if question.type == "TTL"]
    told = [turn.text for session in sample.sessions for turn in session.turns]
    guests = {match[1] for question in asked if (match := re.search(r"a guest called (\w+)", question.text))}
    (guest,) = guests
    assert len(asked) > 1 and not any(guest in text for text in told)


def test_what_is_built_has_no_problem_left_and_what_was_ordered(made):
    _, built = made
    assert [each for each in built.problems if not each.repaired] == []
    assert built.counts["sessions"] == 16
    assert sum(number for name, number in built.counts.items() if name.startswith("questions ")) == 40


def test_no_type_of_question_is_preferred(made):
    _, built = made
    counts = {name[10:]: number for name, number in built.counts.items() if name.startswith("questions ")}
    few = {"DU", "MC", "TTL", "VU"}
    usual = [number for name, number in counts.items() if name not in few]
    assert len(usual) == len(TYPES) - len(few) and max(usual) - min(usual) <= 2


def test_the_loader_reads_parts_pictures_and_types(made):
    root, _ = made
    opened = open_data(str(root))
    (sample,) = opened
    assert opened.report.findings == [] and sample.regime == "agentic" and len(sample.checkpoints) == 5
    parts = [turn.parts for session in sample.sessions for turn in session.turns]
    assert all(part is not None for part in parts)
    for name in ("observation", "reasoning", "action", "feedback"):
        assert any(getattr(part, name) for part in parts)
    assert {question.type for stop in sample.checkpoints for question in stop.questions} >= set(TYPES) - {"VU"}


def test_a_preset_has_one_sample_of_each_sub_category_or_as_many_as_are_published():
    small = orders("small", 0, "agentic")
    assert len({each.place for each in small}) == len(small) == 20
    paper = orders("paper", 0, "agentic")
    assert (len(paper), len(orders("paper", 0))) == (423, 461)
    assert (sum(each.sessions for each in paper), sum(each.questions for each in paper)) == (7349, 22168)


def test_a_part_that_a_preset_has_not_is_refused():
    with pytest.raises(UsageError, match="has no such samples"):
        orders("tiny", 0, "agentic")


def test_what_is_not_installed_is_said_before_anything_is_built(monkeypatch):
    monkeypatch.setitem(makers.NEEDS, "HouseOrder", ("no_such_module", "grid"))
    with pytest.raises(UsageError, match=r"memarena-builder\[grid\]"):
        require([ORDER])


@pytest.mark.parametrize(
    ("number", "word"), [(1, "first"), (12, "twelfth"), (20, "twentieth"), (21, "twenty-first"), (99, "ninety-ninth")]
)
def test_ordinals_are_written_as_words(number, word):
    assert ordinal(number) == word


def test_nothing_but_the_data_set_is_written(made):
    root, built = made
    there = {path.relative_to(root).as_posix() for path in Path(root).rglob("*") if path.is_file()}
    assert there == set(built.files)
