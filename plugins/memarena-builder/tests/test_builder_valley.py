"""Tasks in a valley of Crafter."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys

import pytest

pytest.importorskip("crafter")

from memarena.datasets import open_data
from memarena_builder.agentic.craft.expert import DO, SOURCES, Expert, Plan
from memarena_builder.agentic.craft.play import Settler
from memarena_builder.agentic.craft.senses import Senses
from memarena_builder.agentic.craft.valley import DISTRICT, HEADINGS, PIXELS, VIEW, Valley, ValleySpec
from memarena_builder.agentic.craft.words import ENTERED, GROUND, THOUGHTS
from memarena_builder.agentic.recipes import ValleyRecipe
from memarena_builder.makers import make
from memarena_builder.order import ValleyOrder
from memarena_builder.streams import Streams
from memarena_builder.validators.problem import plain, says

ORDER = ValleyOrder(
    sample_id="minecraft_01",
    place="agent/embodied/minecraft",
    seed=4,
    recipe=ValleyRecipe(),
    sessions=10,
    questions=25,
    checkpoints=3,
)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    root = tmp_path_factory.mktemp("valley")
    return root, make(ORDER, root)


@pytest.fixture(scope="module")
def log(made):
    root, _ = made
    return [json.loads(line) for line in (root / "hidden/minecraft_01.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture
def valley():
    return Valley(ValleySpec(seed=3))


def follow(valley: Valley, intents) -> int:
    plan, number = Plan(intents), 0
    while plan.now is not None:
        valley.act(plan.now.action)
        plan.advance()
        number += 1
    assert not plan.lost
    return number


def test_what_is_built_has_no_problem_left_and_what_was_ordered(made):
    _, built = made
    assert [each for each in built.problems if not each.repaired] == []
    assert built.counts["sessions"] == 10
    assert sum(number for name, number in built.counts.items() if name.startswith("questions ")) == 25


def test_the_loader_reads_what_was_built(made):
    root, _ = made
    opened = open_data(str(root))
    (sample,) = opened
    assert opened.report.findings == [] and sample.regime == "agentic"


def test_the_recorded_moves_in_a_fresh_valley_give_the_same_states_and_pictures(made, log):
    raw = json.loads((made[0] / "agent/embodied/minecraft/minecraft_01.json").read_text("utf-8"))
    looks = {each["_v2_session_id"]: each["dialogue"][0]["content"] for each in raw["sessions"]}
    fresh = Valley(ValleySpec(seed=log[0]["world"]["seed"]))
    shots = {row["picture"]["image_id"]: row["sha256"] for row in log if row["row"] == "picture"}
    senses = Senses(fresh)
    for row in (row for row in log if row["row"] == "step"):
        behind = [move for move in row["moves"] if isinstance(move, list)]
        for move in behind:
            fresh.redo(move)
        if row["image_id"]:
            opens = row["turn"] == 1 and looks[row["session"]].startswith("Observation: Task ")
            shot = senses.picture(pack=opens)
            assert hashlib.sha256(shot).hexdigest() == shots.pop(row["image_id"])
        for move in row["moves"][len(behind) :]:
            fresh.redo(move)
        assert fresh.state() == row["state"]
    assert shots == {}


def test_another_process_with_other_addresses_plays_the_same():
    code = (
        "from memarena_builder.agentic.craft.play import Settler\n"
        "from memarena_builder.agentic.recipes import ValleyRecipe\n"
        "from memarena_builder.streams import Streams\n"
        "pad = [bytearray(n) for n in range(5000)]\n"
        "print(Settler(ValleyRecipe(), Streams(2, ('x',))).trajectory(4).steps[-1].state)\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "77"}
    there = subprocess.run([sys.executable, "-c", code], check=True, env=environment, capture_output=True, text=True)
    here = Settler(ValleyRecipe(), Streams(2, ("x",))).trajectory(4).steps[-1].state
    assert there.stdout.strip() == here


def test_the_expert_gets_from_bare_hands_to_a_pickaxe_of_iron(valley):
    assert follow(valley, Expert(valley).make("iron_pickaxe")) < 400
    assert valley.holds["iron_pickaxe"] == 1
    kinds = [name.split()[1] for name in valley.built]
    assert "furnace" in kinds and "table" in kinds


def test_the_expert_eats_drinks_and_rests(valley):
    for level in ("food", "drink", "energy"):
        valley.pack(level, 3)
    expert = Expert(valley)
    for intents, level in ((expert.eat(), "food"), (expert.gather("drink", 8), "drink"), (expert.rest(), "energy")):
        follow(valley, intents)
        assert valley.holds[level] >= 8


def test_stone_cannot_be_had_without_a_pickaxe(valley):
    expert = Expert(valley)
    follow(valley, expert.reach(valley.cells("stone")))
    before = valley.material(valley.face())
    valley.act(DO)
    assert (before, valley.material(valley.face()), valley.holds["stone"]) == ("stone", "stone", 0)


def test_a_place_that_cannot_be_reached_ends_a_plan(valley):
    plan = Plan(Expert(valley).reach([]))
    assert plan.now is None and plan.lost


def test_districts_are_squares_with_names_of_their_own(valley):
    assert len(set(valley.districts)) == 64
    assert valley.district((0, 0)) == valley.district((DISTRICT - 1, DISTRICT - 1)) != valley.district((DISTRICT, 0))


def test_what_stands_beside_something_built_is_seen_and_not_said(valley):
    follow(valley, Expert(valley).build("table"))
    (name,) = valley.built
    column, row = valley.built[name]
    beside = {
        heading: (column + across, row + along)
        for heading, (across, along) in HEADINGS.items()
        if (column + across, row + along) != valley.stand()
    }
    heading, cell = next(iter(beside.items()))
    valley.turn(cell, "water")
    seen = {each.attribute: each for each in Senses(valley).seen("", opening=False) if each.subject == name}
    assert seen[heading].value == "open water" and seen[heading].visual
    assert "water" not in Senses(valley).look() and name in Senses(valley).look()


def test_the_pack_is_looked_into_at_the_opening_of_a_task_alone(valley):
    valley.pack("wood", 3)
    senses = Senses(valley)
    pack = {each.subject: each.value for each in senses.seen("", opening=True) if each.attribute == "stock"}
    assert pack == {"wood": "three", "stone": "zero", "coal": "zero", "iron": "zero"}
    assert not [each for each in senses.seen("", opening=False) if each.attribute in ("stock", "level")]


def test_no_word_of_a_session_tells_what_its_pictures_show(made, log):
    root, _ = made
    raw = json.loads((root / "agent/embodied/minecraft/minecraft_01.json").read_text("utf-8"))
    text = plain(" ".join(turn["content"] for session in raw["sessions"] for turn in session["dialogue"]))
    facts = [row["event"]["fact"] for row in log if row["row"] == "event" and row["event"].get("fact")]
    shown = {fact["value"] for fact in facts if fact.get("visual")}
    assert len(shown) > 5 and not any(says(text, value) for value in shown)
    assert shown & set(GROUND.values())


def test_what_is_moved_behind_the_agents_back_is_known_to_be_elsewhere_when_it_is_met_there():
    steps = Settler(ValleyRecipe(changes=0.4), Streams(1, ("moved",))).trajectory(24).steps
    valley = Valley(ValleySpec(seed=Streams(1, ("moved", "valley")).number))
    found = 0
    for place, step in enumerate(steps):
        for move in (move for move in step.moves if isinstance(move, list) and move[0] == "shift"):
            _, name, cell = move
            there = f"in {valley.district(tuple(cell))}"
            told = [
                (number, other.observation)
                for number, other in enumerate(steps)
                if any((each.subject, each.value) == (name, there) for each in other.seen)
            ]
            assert all(f"Right before you: {name} {there}." in text for _, text in told)
            found += any(number > place for number, _ in told)
    assert found


def test_the_agent_is_on_its_way_only_to_what_it_sees_or_saw():
    fresh, kinds = Valley(ValleySpec(seed=Streams(2, ("seen", "valley")).number)), set()
    for step in Settler(ValleyRecipe(), Streams(2, ("seen",))).trajectory(24).steps:
        behind = [move for move in step.moves if isinstance(move, list)]
        for move in behind:
            fresh.redo(move)
        materials = {fresh.material(cell) for cell in fresh.view()}
        for item, source in SOURCES.items():
            name = {"drink": "fresh water"}.get(item, item)
            if any(words.format(A=name) in step.reasoning for words in THOUGHTS["walk"]):
                assert source in materials, step.reasoning
                kinds.add(item)
        for move in step.moves[len(behind) :]:
            fresh.redo(move)
    assert {"wood", "stone"} <= kinds


def tile(valley: Valley, cell: tuple[int, int]):
    """The pixels of a cell in the picture."""
    (column, row), (here, there) = cell, valley.stand()
    left, top = (column - here + VIEW[0] // 2) * PIXELS, (row - there + (VIEW[1] - 2) // 2) * PIXELS
    return valley.picture()[top : top + PIXELS, left : left + PIXELS]


@pytest.mark.parametrize("material", ["water", "sand", "path"])
def test_the_picture_shows_what_a_cell_is_made_of(valley, material):
    column, row = valley.stand()
    cell = (column + 2, row - 1)
    valley.turn(cell, material)
    texture = valley._textures.get(material, (PIXELS, PIXELS))[..., :3].transpose((1, 0, 2))
    assert (tile(valley, cell) == texture).all()


def test_the_picture_shows_how_much_the_pack_holds(valley):
    shown = []
    for number in (3, 4, 3):
        valley.pack("wood", number)
        shown.append(valley.picture())
    assert (shown[0] == shown[2]).all() and (shown[0] != shown[1]).any()
    changed = (shown[0] != shown[1]).any(axis=2).nonzero()[0]
    assert changed.min() >= (VIEW[1] - 2) * PIXELS


def test_the_number_of_trees_that_is_noted_is_that_in_view(valley):
    column, row = valley.stand()
    for cell in list(valley.view()):
        if valley.material(cell) == "tree":
            valley.turn(cell, "grass")
    for place in ((column + 4, row + 3), (column - 4, row - 3), (column + 5, row), (column, row + 4)):
        valley.turn(place, "tree")
    senses = Senses(valley)
    assert not [each for each in senses.seen("", opening=False) if each.attribute == ENTERED]
    senses.entered = senses.where()
    (count,) = [each for each in senses.seen("", opening=False) if each.attribute == ENTERED]
    assert count.value == "two"
