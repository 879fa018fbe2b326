"""`memarena data record` on a tiny environment."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("gymnasium")

from memarena.cli import cli
from memarena.datasets import open_data
from memarena.errors import DataError, UsageError
from memarena_arena.lexical import LexicalJudge
from memarena_builder import manifest
from memarena_builder.agentic.record import Recorder, Recording, _as_it_is, _known_as_it_is, replay
from memarena_builder.probes.finished import finished
from memarena_builder.probes.floors import ORDER, floors

HERE = Path(__file__).parent
CORRIDOR = Recording(
    env="corridor_for_tests:Corridor-v0",
    policy="corridor_for_tests:forward",
    knows="corridor_for_tests:knows",
    says="corridor_for_tests:says",
    episodes=4,
    steps=12,
)


@pytest.fixture(autouse=True)
def importable(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    out = tmp_path_factory.mktemp("recorded") / "corridor"
    sys.path.insert(0, str(HERE))
    words = ["data", "record", "--env", CORRIDOR.env, "--policy", CORRIDOR.policy, "--knows", CORRIDOR.knows]
    words += ["--says", CORRIDOR.says, "--samples", "2", "--episodes", "4", "--seed", "5", "--out", str(out)]
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    sys.path.remove(str(HERE))
    return out, done


def test_a_recording_is_a_data_set_that_a_run_takes(recorded):
    out, done = recorded
    assert done.exit_code == 0 and done.output.startswith("2 samples, ")
    opened = open_data(str(out))
    samples = list(opened)
    assert opened.report.findings == [] and {sample.regime for sample in samples} == {"agentic"}
    kinds = {question.type for sample in samples for stop in sample.checkpoints for question in stop.questions}
    assert {"VFR", "DU", "VS"} <= kinds
    found = manifest.read(out)
    assert found is not None and list(manifest.faults(out, found)) == []


def test_the_visual_answer_is_in_no_text(recorded):
    out, _ = recorded
    for sample in open_data(str(out)):
        texts = " ".join(turn.text for session in sample.sessions for turn in session.turns)
        assert not any(colour in texts for colour in ("amber", "teal", "plum"))


def test_the_recorded_actions_lead_a_fresh_environment_to_the_same_states(recorded):
    import gymnasium

    out, _ = recorded
    rows = [json.loads(line) for line in (out / "hidden/recorded_01.jsonl").read_text("utf-8").splitlines()]
    seed = rows[0]["world"]["seed"]
    steps = Recorder(CORRIDOR).trajectory(seed).steps
    env = gymnasium.make(CORRIDOR.env, render_mode="rgb_array")
    again = list(replay(env, steps, seed))
    assert again == [step.state for step in steps] and len(again) > 8


def test_a_picture_shows_all_that_is_visual_at_its_step_be_it_new_or_not():
    steps = Recorder(CORRIDOR).trajectory(3).steps
    assert all(bool(step.shows) is bool(step.picture) for step in steps)
    assert all({each for each in step.seen if each.visual} <= set(step.shows) for step in steps)


def test_words_of_other_peoples_environments_are_no_measure_of_the_reader(recorded):
    samples = finished(recorded[0])
    assert [row.n for row in floors(samples, LexicalJudge())] == [0] * len(ORDER)


def test_an_observation_of_numbers_by_name_is_told_and_known_as_it_is():
    numbers = {"place": np.int64(3), "lit": 1}
    assert _as_it_is(numbers, None) == "In the observation, lit is 1, place is 3."
    known = [(each.subject, each.attribute, each.value) for each in _known_as_it_is(numbers, None, {})]
    assert known == [("the observation", "lit", "1"), ("the observation", "place", "3")]
    assert list(_known_as_it_is({"view": np.zeros((2, 2))}, None, {})) == []


def test_the_same_seed_records_the_same():
    assert Recorder(CORRIDOR).trajectory(3) == Recorder(CORRIDOR).trajectory(3)
    assert Recorder(CORRIDOR).trajectory(3) != Recorder(CORRIDOR).trajectory(4)


def test_an_environment_that_does_something_else_each_time_is_refused():
    from msgspec.structs import replace

    with pytest.raises(DataError, match="not deterministic"):
        Recorder(replace(CORRIDOR, options={"shaky": True})).trajectory(3)


def test_without_more_the_observation_is_told_and_known_as_it_is():
    from msgspec.structs import replace

    steps = Recorder(replace(CORRIDOR, knows="", says="")).trajectory(3).steps
    assert steps[0].observation == "the observation is 0" and steps[0].seen[0].value == "0"
    assert steps[0].picture == b""


def test_an_action_without_effect_is_a_failure_and_an_episode_ends_with_its_reward():
    steps = Recorder(CORRIDOR).trajectory(3).steps
    idle = [step for step in steps if step.failed]
    assert all(step.feedback.startswith("Action failed") for step in idle)
    assert steps[-1].ends and steps[-1].learnt[0].value == "a reward of 1"


@pytest.mark.parametrize(
    ("changed", "message"),
    [({"policy": "corridor_for_tests:nobody"}, "--policy"), ({"env": "NoSuchEnvironment-v0"}, "--env")],
)
def test_what_is_not_there_is_named(changed, message):
    from msgspec.structs import replace

    with pytest.raises(UsageError, match=message):
        Recorder(replace(CORRIDOR, **changed)).trajectory(0)


@pytest.mark.parametrize(
    ("words", "message"),
    [(["--place", "elsewhere"], "begin with agent/"), (["--env-option", "lamps=six"], "say KEY=JSON")],
)
def test_a_wrong_flag_is_refused(tmp_path, words, message):
    flags = ["--env", CORRIDOR.env, "--policy", CORRIDOR.policy, "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(cli, ["data", "record", *flags, *words])
    assert isinstance(done.exception, UsageError) and message in str(done.exception)


def broken(observation, env, rng):
    raise KeyError("no move")


def beyond(observation, env, rng):
    return 99


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"policy": "test_builder_record:broken"}, "--policy test_builder_record:broken: KeyError: 'no move'"),
        ({"knows": "test_builder_record:broken"}, "--knows test_builder_record:broken: KeyError: 'no move'"),
        ({"policy": "test_builder_record:beyond"}, r"the action 99 of the policy is not in Discrete\(2\)"),
        ({"options": {"lamps": 0}}, "--knows corridor_for_tests:knows: IndexError"),
        ({"options": {"fish": 1}}, "--env corridor_for_tests:Corridor-v0: TypeError"),
    ],
)
def test_what_fails_in_the_code_of_a_person_is_told_with_its_flag(changes, said):
    with pytest.raises(UsageError, match=said):
        Recorder(msgspec.structs.replace(CORRIDOR, **changes)).trajectory(5)
