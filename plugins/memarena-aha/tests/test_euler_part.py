"""Pairs of tasks, their plans, and what scripted agents make of each condition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import msgspec
import pytest

from memarena.errors import UsageError
from memarena.protocols import Agent
from memarena_aha.euler import PART, sandbox
from memarena_aha.euler.agents import CodeReplay, ConstantCopy, LinearGuess, RandomInteger, SmallBrute, SolverOracle
from memarena_aha.euler.plans import Lessons, plan, read_condition
from memarena_aha.euler.reader import LessonReader, read
from memarena_aha.parts import Episode, Pair, Unit, found_in

ALL = "partial,answer-code,answer-explanation,full,wrong_family,same_words,online,full+3,full+10,full+30"
PAIRS = 40
needs_bubblewrap = pytest.mark.skipif(bool(sandbox.problem()), reason=sandbox.problem() or "it runs")


@cache
def pairs(track: str = "closed") -> Sequence[Pair]:
    return PART.pairs(9, PAIRS, {"conditions": ALL, "track": track})


def remembered(units: Sequence[Unit]) -> str:
    """What a memory holds that keeps all."""
    return "\n\n".join(said.text for unit in units for said in unit.told)


def score(agent: Agent, episode: Episode, memory: str = "") -> float:
    for _ in range(20):
        if episode.ended:
            return episode.score().score
        episode.act(agent.act({**episode.observe(), "memory": memory}, episode.tools()))
    raise AssertionError("it never ends")


def means(make: Callable[[Episode], Agent], condition: str, chosen: Sequence[Pair] = ()) -> float:
    """The mean score of an agent that remembers all of a plan; `cold` and `supported` have none."""
    scores = []
    for pair in chosen or pairs():
        episode = pair.evaluate("supported" if condition == "supported" else "")
        memory = remembered(pair.plans[condition]) if condition in pair.plans else ""
        scores.append(score(make(episode), episode, memory))
    return sum(scores) / len(scores)


def copying(episode: Any) -> Agent:
    return ConstantCopy()


def replaying(episode: Any) -> Agent:
    return CodeReplay()


def reading(episode: Any) -> Agent:
    return LessonReader()


def scaling(episode: Any) -> Agent:
    return LinearGuess()


def guessing(episode: Any) -> Agent:
    return RandomInteger(len(episode.task.statement))


AGENTS = {"constant_copy": copying, "linear_guess": scaling, "random_integer": guessing, "code_replay": replaying}


def test_the_oracle_solves_everything() -> None:
    mixed = PART.pairs(9, 30, {"kinds": "single,graph,convention", "conditions": "partial"})
    assert means(SolverOracle, "cold", mixed) == 100.0


@pytest.mark.parametrize("name", AGENTS)
def test_no_scripted_agent_stands_above_the_oracle_or_falls_with_more_teaching(name: str) -> None:
    base, partial, full = (means(AGENTS[name], condition) for condition in ("cold", "partial", "full"))
    assert 100.0 >= full >= partial >= base


@pytest.mark.parametrize("name", ["constant_copy", "linear_guess", "random_integer"])
@pytest.mark.parametrize("condition", ["cold", "partial", "full", "supported"])
def test_copying_scaling_and_guessing_are_worth_nothing(name: str, condition: str) -> None:
    assert means(AGENTS[name], condition) == 0.0


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("cold", 0.0),
        ("partial", 0.0),
        ("answer-explanation", 0.0),
        ("answer-code", 100.0),
        ("full", 100.0),
        ("supported", 100.0),
        ("wrong_family", 0.0),
        ("same_words", 0.0),
        ("full+30", 100.0),
    ],
)
def test_replaying_code_is_worth_all_where_the_code_was_told_and_nothing_elsewhere(
    condition: str, expected: float
) -> None:
    assert means(replaying, condition) == expected


@needs_bubblewrap
def test_replaying_code_runs_it_with_the_tool_where_there_is_one() -> None:
    chosen = PART.pairs(9, 8, {"track": "code", "conditions": "full"})
    assert means(replaying, "full", chosen) == 100.0
    assert means(reading, "full", chosen) == 100.0


@pytest.mark.parametrize("track", ["code", "closed"])
def test_trying_everything_with_a_million_steps_solves_nothing(track: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "problem", lambda: "")
    chosen = PART.pairs(9, 8, {"track": track, "kinds": "single", "conditions": "partial"})
    assert means(SmallBrute, "cold", chosen) == 0.0


def test_the_reader_believes_a_false_lesson_and_stays_empty_without_any() -> None:
    chosen = pairs()[:12]
    good = [score(LessonReader(), pair.evaluate(""), remembered(pair.plans["full"])) for pair in chosen]
    false = [
        score(LessonReader(), pair.evaluate(""), f"{remembered(pair.plans['full'])}\n{pair.poison}") for pair in chosen
    ]
    assert (sum(good), sum(false)) == (1200.0, 0.0)
    assert means(reading, "cold", chosen) == 0.0
    assert all(score(LessonReader(), pair.evaluate(""), pair.foreign[0].text) == 0.0 for pair in chosen)


def test_a_program_that_is_cut_off_is_not_run() -> None:
    whole = pairs()[0].plans["full"][0].told[0].text
    cut = whole[: whole.index("```python") + 60]
    assert read(whole).programs
    assert not read(cut).programs
    assert score(LessonReader(), pairs()[0].evaluate(""), cut) == 0.0


def test_reflections_are_at_most_eighty_words() -> None:
    unit = pairs()[0].plans["full"][0]
    assert unit.reflect.startswith(unit.told[0].text)
    words = LessonReader().act({"text": unit.reflect, "memory": ""}, ())["text"].split()
    assert 10 < len(words) <= 80
    assert LessonReader().act({"text": pairs()[0].plans["partial"][0].reflect}, ())["text"] == "No method was shown."


def test_distractors_come_after_the_teaching_and_are_of_other_families() -> None:
    for pair in pairs()[:10]:
        alone = pair.plans["full"]
        for count in (3, 10, 30):
            units = pair.plans[f"full+{count}"]
            assert units[0].told == alone[0].told
            assert len(units) == 1 + count
            assert len({unit.told for unit in units}) == 1 + count
            assert pair.plans["full+30"][: 1 + count] == units


def test_a_teaching_tells_what_its_condition_says() -> None:
    for pair in pairs()[:10]:
        told = {name: pair.plans[name][0].told[0].text for name in pair.plans}
        lessons = pair.lessons
        methods = [lesson for lesson in lessons if lesson.lesson_id.endswith(".method")]
        assert "```" not in told["partial"] + told["answer-explanation"]
        assert "```" in told["answer-code"]
        for condition, expected in (("full", lessons), ("answer-explanation", methods)):
            lines = told[condition].splitlines()
            assert all(any(found_in(lesson, line) for line in lines) for lesson in expected)
        assert any(found_in(lesson, told["partial"]) is None for lesson in methods)
        answer = pair.evaluate("").task.answer  # type: ignore[attr-defined]
        assert not any(str(answer) in text for text in told.values())


def test_the_same_words_stand_over_another_method() -> None:
    single = next(pair for pair in pairs() if pair.facets["kind"] == "single")
    lure = single.plans["same_words"][0].told[0].text
    statement = single.evaluate("").observe()["data"]["statement"]
    task = single.evaluate("").task  # type: ignore[attr-defined]
    assert all(noun in lure for noun in task.nouns)
    assert all(noun in statement.casefold() for noun in task.nouns)
    assert found_in(single.lessons[-1], lure) is None


@pytest.mark.parametrize("place", [0, 1])
def test_practice_plays_the_taught_task_and_tells_only_whether_it_was_right(place: int) -> None:
    pair = pairs()[place]
    (unit,) = pair.plans["online"]
    assert unit.play is not None and unit.after is not None
    for make, said in ((SolverOracle, "That was right."), (replaying, "That was wrong.")):
        episode = unit.play()
        score(make(episode), episode)
        assert [one.text for one in unit.after(episode)] == [said]
    known = score(LessonReader(), unit.play(), remembered(pair.plans["full"]))
    assert known == 100.0


def test_the_gold_lesson_tells_the_method_and_no_number_of_the_task() -> None:
    for pair in pairs():
        methods = [lesson for lesson in pair.lessons if lesson.lesson_id.endswith(".method")]
        assert methods and all(found_in(lesson, pair.gold) for lesson in methods)


def test_kinds_are_taken_in_turn_and_graphs_of_every_depth() -> None:
    kinds = [pair.facets["kind"] for pair in pairs()]
    assert kinds == ["single", "graph"] * (PAIRS // 2)
    assert [pair.facets["depth"] for pair in pairs()[1::2]] == [2, 3, 4, 5] * (PAIRS // 8)


def test_every_family_comes_once_before_one_comes_twice() -> None:
    count = sum(row.closed for row in PART.catalogue())
    chosen = PART.pairs(9, count, {"kinds": "single", "conditions": "partial"})
    assert len({pair.facets["family"] for pair in chosen}) == count


def test_pairs_are_the_same_however_many_are_made_and_share_nothing_with_the_next_seed() -> None:
    options = {"conditions": "partial"}
    first = [pair.pair_id for pair in PART.pairs(9, 5, options)]
    assert first == [pair.pair_id for pair in PART.pairs(9, 10, options)][:5]
    assert not set(first) & {pair.pair_id for pair in PART.pairs(10, 10, options)}
    assert len(set(first)) == 5


def test_an_instance_is_plain_json_and_holds_what_was_drawn() -> None:
    for pair in pairs():
        assert msgspec.json.decode(msgspec.json.encode(pair.instance)) == pair.instance
        assert pair.pair_id.startswith("euler-")


def test_the_same_actions_lead_to_the_same_bytes() -> None:
    for pair in pairs()[:3]:
        traces = []
        for _ in range(2):
            episode = pair.evaluate("supported")
            steps = [msgspec.json.encode(episode.act({"tool": "think", "args": {"text": "so"}}))]
            steps += [msgspec.json.encode(episode.observe()), msgspec.json.encode(episode.act({"text": "ANSWER: 5"}))]
            traces.append((steps, msgspec.json.encode(episode.score())))
        assert traces[0] == traces[1]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"trak": "code"}, "trak"),
        ({"track": "open"}, r"^euler\.track: 'open' is not one of code, closed$"),
        ({"kinds": "double"}, "double"),
        ({"conditions": "fuller"}, "fuller"),
        ({"conditions": "wrong_family+3"}, "wrong_family"),
        ({"conditions": "full,full"}, "each once"),
        ({"conditions": ""}, "at least one"),
        ({"depths": "6"}, "depths are 2, 3, 4, 5"),
        ({"families": "F99"}, "F99"),
        ({"families": "F13"}, "closed track"),
    ],
)
def test_an_option_that_is_not_known_is_refused(options: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        PART.pairs(0, 2, options)


def test_the_code_track_is_refused_where_programs_cannot_be_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "problem", lambda: "no bubblewrap here")
    with pytest.raises(UsageError, match="no bubblewrap here"):
        PART.pairs(0, 1, {"track": "code"})


def test_conditions_are_read_with_their_distractors() -> None:
    assert read_condition("full+10") == ("full", 10)
    assert read_condition("same_words") == ("same_words", 0)


def test_the_catalogue_lists_every_family_with_its_idea() -> None:
    rows = PART.catalogue()
    assert len(rows) >= 32
    assert rows[0].id == "F01" and rows[0].title == "Sparse residues"
    assert all(row.idea and row.area and row.tier in (1, 2, 3) for row in rows)


def test_a_plan_asks_for_no_more_teachings_than_it_needs() -> None:
    task = pairs()[0].evaluate("").task  # type: ignore[attr-defined]
    lessons = Lessons(9)
    assert len(plan("full", task, lessons, "closed")) == 1
    assert len(lessons.others(task, 30)) == 30
