"""Courses: which puzzles, how much of a trace, what is told afterwards, and what an option means."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

import memarena_aha.puzzle as package
from memarena.errors import UsageError
from memarena_aha.puzzle import PART, load_puzzle, puzzle_ids
from memarena_aha.puzzle.course import COURSE, memorisation, revealed
from memarena_aha.puzzle.lessons import GOLD, POISON


def test_each_puzzle_is_once_in_each_place_of_a_course_before_any_is_there_twice() -> None:
    count = len(puzzle_ids())
    pairs = PART.pairs(3, count, {})
    courses = [[name for name, _ in pair.instance["params"]["course"]] + [pair.instance["id"]] for pair in pairs]
    for place in range(COURSE):
        assert set(Counter(course[place] for course in courses).values()) == {1}
    assert all(len(set(course)) == COURSE for course in courses)


def test_more_pairs_begin_with_the_same_pairs() -> None:
    assert [pair.pair_id for pair in PART.pairs(1, 3, {})] == [pair.pair_id for pair in PART.pairs(1, 50, {})][:3]


def test_instances_of_neighbouring_seeds_have_nothing_in_common() -> None:
    ids = [{pair.pair_id for pair in PART.pairs(seed, 45, {})} for seed in (7, 8)]
    assert all(len(found) == 45 for found in ids)
    assert not ids[0] & ids[1]


def test_the_trace_that_is_shown_gets_shorter_and_the_last_unit_shows_none() -> None:
    (pair,) = PART.pairs(0, 1, {})
    units = pair.plans["course"]
    assert len(units) == 5
    for unit, (name, skin), share in zip(
        units, pair.instance["params"]["course"], (1, 0.75, 0.5, 0.25, 0), strict=True
    ):
        trace = load_puzzle(name, skin).trace
        shown = -int(-len(trace) * share // 1)
        assert len(unit.told) == 1 + shown
        assert unit.play is not None
        assert len(unit.play().observe()["data"]["shown"]) == shown
        assert [said.role for said in unit.told] == ["environment"] + ["teacher"] * shown


def test_the_truth_is_told_after_each_unit_with_the_lessons_of_its_mechanisms() -> None:
    (pair,) = PART.pairs(0, 1, {})
    for unit, entry in zip(pair.plans["course"], pair.instance["params"]["course"], strict=True):
        puzzle = load_puzzle(*entry)
        assert unit.play is not None
        assert unit.after is not None
        (said,) = unit.after(unit.play())
        assert said.role == "teacher"
        assert puzzle.solution in said.text
        assert {
            word for word in said.text.replace("(", " ").replace(")", " ").split() if word.startswith("check:")
        } == {f"check:{check}" for check in puzzle.checks}
        assert unit.reflect


def test_both_evaluations_are_of_the_same_instance_and_only_one_shows_a_trace() -> None:
    (pair,) = PART.pairs(5, 1, {"prefix": "0.5"})
    alone, supported = pair.evaluate("").observe()["data"], pair.evaluate("supported").observe()["data"]
    assert alone["story"] == supported["story"]
    assert alone["shown"] == []
    trace = load_puzzle(pair.instance["id"], pair.instance["params"]["skin"]).trace
    assert len(supported["shown"]) == -(-len(trace) // 2)


def test_near_and_far_say_whether_the_main_mechanism_was_in_the_course() -> None:
    pairs = PART.pairs(0, 200, {})
    for pair in pairs:
        seen = {check for entry in pair.instance["params"]["course"] for check in load_puzzle(*entry).checks}
        assert pair.facets["transfer"] == ("near" if pair.facets["mechanism"] in seen else "far")
    assert Counter(pair.facets["transfer"] for pair in pairs)["far"] >= 5
    assert {pair.facets["skin"] for pair in pairs} == {0, 1, 2}


def test_the_main_mechanism_is_the_one_that_weighs_most() -> None:
    # K1 .35 literal, K2 .30 place, K4 .15 knows
    assert load_puzzle("P05").main_check == "literal"
    assert load_puzzle("P05").checks == ("place", "literal", "knows")


def test_known_stories_are_evaluated_only_where_they_are_asked_for() -> None:
    assert all(pair.instance["id"].startswith("P") for pair in PART.pairs(0, 60, {}))
    known = PART.pairs(0, 4, {"known": "true"})
    assert [pair.instance["id"] for pair in known] == ["X01", "X02", "X03", "X01"]
    assert all(pair.facets["known"] is True for pair in known)


def test_what_is_remembered_of_known_stories_is_a_difference_of_means() -> None:
    assert memorisation([90, 70], [20, 40, 30]) == 50
    with pytest.raises(ValueError, match="scores of both kinds"):
        memorisation([], [1])


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"hosts": "free"}, "puzzle has no option 'hosts'; did you mean 'host'?"),
        ({"host": "oracle"}, r"^puzzle\.host: 'oracle' is not one of structured, free, model$"),
        ({"prefix": 2}, "prefix must be 0 to 1, not 2.0"),
        ({"puzzles": "P01,P99"}, "there is no puzzle 'P99'"),
        ({"puzzles": "P01,P02"}, "a course needs 6 different puzzles"),
        ({"puzzles": "P01,P02,P03,P04,P05,P06,P06"}, "a course needs 6 different puzzles"),
    ],
)
def test_an_option_that_is_of_no_use_is_refused(options: dict[str, object], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        PART.pairs(0, 1, options)


def test_the_host_of_free_questions_is_an_option() -> None:
    (pair,) = PART.pairs(0, 1, {"host": "free", "puzzles": "P01,P02,P03,P04,P05,P06"})
    assert [tool["name"] for tool in pair.evaluate("").tools()] == ["ask_text", "note", "solve", "give_up"]
    data = pair.evaluate("").observe()["data"]
    assert "slots" not in data
    assert "entities" not in data


def test_the_gold_lesson_is_short_and_names_no_story() -> None:
    assert GOLD.count(". ") <= 2
    assert len(GOLD.split()) < 60
    assert len(POISON.split()) < 60


def test_what_is_revealed_ends_with_lessons_that_hold_elsewhere() -> None:
    assert revealed(load_puzzle("P12")).endswith(
        "Ask early whether the events come in another order or at another time than one thinks (check:order). "
        "Ask early whether a word or a thing is not what it says (check:literal). "
        "Ask early whether there is somebody or something that the story does not mention (check:extra)."
    )


def test_the_part_imports_nothing_that_reaches_a_network_a_clock_or_chance() -> None:
    forbidden = {"random", "secrets", "time", "datetime", "socket", "http", "urllib", "ssl", "asyncio", "subprocess"}
    for file in Path(package.__file__).parent.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        named = [
            name
            for node in ast.walk(tree)
            for name in (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
        ]
        assert not forbidden & {name.partition(".")[0] for name in named}, file.name
