"""Puzzle files: all of this package are sound, and what is wrong in a file is said with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from puzzle_hands import SMALL

from memarena.errors import DataError
from memarena_aha.puzzle.classes import GROUPS, TEMPLATES
from memarena_aha.puzzle.loader import FOLDER, SKINS, known_ids, load_puzzle, path_of, puzzle_ids, read_puzzle
from memarena_aha.puzzle.proof import check_puzzle, main
from memarena_aha.puzzle.schema import CHECKS


@pytest.mark.parametrize("puzzle_id", [*puzzle_ids(), *known_ids()])
def test_a_puzzle_of_this_package_has_no_mistake(puzzle_id: str) -> None:
    assert check_puzzle(path_of(puzzle_id)) == []


def test_there_are_forty_original_puzzles_with_all_mechanisms() -> None:
    assert len(puzzle_ids()) >= 40
    mechanisms = [check for name in puzzle_ids() for check in load_puzzle(name).checks]
    assert all(mechanisms.count(check) >= 4 for check in CHECKS)


def test_no_two_puzzles_are_alike() -> None:
    for what in ("title", "surface", "solution", "summary"):
        assert len({getattr(load_puzzle(name), what) for name in puzzle_ids()}) == len(puzzle_ids())


def test_each_skin_tells_the_same_puzzle_in_other_words() -> None:
    for name in puzzle_ids():
        skins = [load_puzzle(name, skin) for skin in range(SKINS)]
        assert len({skin.surface for skin in skins}) == SKINS
        assert len({tuple(fact.weight for fact in skin.key) for skin in skins}) == 1
        assert not any("{" in skin.surface + skin.solution for skin in skins)


def test_no_story_names_a_template_of_the_lessons() -> None:
    for name in puzzle_ids():
        puzzle = load_puzzle(name)
        assert "check:" not in puzzle.surface + puzzle.solution + puzzle.summary


def test_the_classes_are_those_of_the_templates() -> None:
    used = {group for groups in TEMPLATES.values() for group in groups}
    assert used == set(GROUPS)
    assert len(TEMPLATES) == 14
    terms = [term for group in GROUPS.values() for term in group]
    assert 200 <= len(terms) <= 300
    assert len(set(CHECKS) - set(TEMPLATES)) == 0


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('id = "T01"', 'id = "T02"', r"T01.toml: \$.id: the id must be 'T01'"),
        ('id = "T01"', "id = ", "T01.toml: cannot be read as TOML"),
        ("tier = 1", "tier = 7", r"T01.toml: \$.tier: Invalid enum value 7"),
        ("tier = 1", "colour = 1", r"T01.toml: .*unknown field `colour`"),
        ("weight = 0.30", 'weight = "much"', r"T01.toml: \$.key\[2\].weight: Expected `float`"),
        ("{place} demands", "{castle} demands", r"T01.toml: \$.solution: no skin has a word for {castle}"),
        ("y Is it a statue?", "Is it a statue?", r"T01.toml: \$.bank, line 1: no y, n or i and a question"),
        ('[[skins]]\nplace = "inn"', "", r"T01.toml: \$.skins: expected 3 tables"),
        ('place = "inn"', 'name = "inn"', r"T01.toml: \$.skins: expected 3 tables"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(tmp_path: Path, old: str, new: str, problem: str) -> None:
    file = tmp_path / "T01.toml"
    assert old in SMALL
    file.write_text(SMALL.replace(old, new), encoding="utf-8")
    with pytest.raises(DataError, match=problem):
        read_puzzle(file)
    assert len(check_puzzle(file)) == 1


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("weight = 0.30", "weight = 0.20", "the weights add up to 0.9, not 1"),
        ("weight = 0.30", "weight = 0.05", "key K3: a weight of 0.05"),
        ('no = ["has lion dangerous"], ', "", "key K1: only one template reaches it"),
        ('say = "stone | statue", deny = "@lion & alive | bite"', 'say = ""', "key K1: it has no words"),
        ('say = "stone | statue"', 'say = "noon | dawn"', "key K1: the surface has too much of 'noon | dawn'"),
        ('"has keeper rich"', '"has keeper golden"', "noise 2: 'has keeper golden': no value 'golden'"),
        ('"has keeper rich"', '"owns keeper rich"', "noise 2: .* no template 'owns'"),
        ('"has keeper rich"', '"has tiger rich"', "noise 2: .* no entity 'tiger'"),
        ('say = "weather | rain"', 'say = "weather | the"', "noise 3: no word that can be looked for in 'the'"),
        ('say = "weather | rain"', 'say = "never rain"', "noise 3: a negation cannot be looked for"),
        ('say = "weather | rain"', 'say = "@tiger"', "noise 3: there is no entity 'tiger'"),
        ('say = "drunk"', 'say = "statue"', "distractor 2: its text states nothing"),
        (
            'text = "The lion is made of stone."',
            'text = "The lion is drunk."',
            "key K1: its text states nothing, falsely",
        ),
        ("A camera films it as a signal", "A camera films it", "solution: it misses K3"),
        ('a = "y"', 'a = "n"', "trace 1: 'nature lion artificial' is answered yes, not no"),
        ('["rule story custom", "cause feeding shame"]', '["nature lion alive", "rule story custom"]', "implies"),
        ("counts = { lion = 3 }", "counts = { tiger = 3 }", "there is no entity 'tiger'"),
        ('ask = "who keeper"', 'ask = "why keeper"', "begins with none of who, what, where, how_many"),
        ('text = "The keeper is drunk."', 'text = ""', "distractor 2: it needs `text`"),
    ],
)
def test_what_makes_a_puzzle_unplayable_is_found(tmp_path: Path, old: str, new: str, problem: str) -> None:
    import re

    file = tmp_path / "T01.toml"
    assert old in SMALL
    file.write_text(SMALL.replace(old, new), encoding="utf-8")
    problems = check_puzzle(file)
    assert any(re.search(problem, text) for text in problems), problems


def test_a_puzzle_that_is_not_there_is_refused() -> None:
    with pytest.raises(DataError, match="there is no puzzle 'P00'; there are P01 to"):
        load_puzzle("P00")


def test_the_checker_names_what_it_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["P01"]) == 0
    told = capsys.readouterr().out
    assert "P01: agreement 98%, 98%, 98%" in told
    assert told.endswith("1 puzzles, 0 mistakes\n")


def test_every_file_of_the_folder_is_a_puzzle_or_known() -> None:
    assert {path.name for path in FOLDER.glob("*.toml")} - {f"{name}.toml" for name in puzzle_ids()} == {
        "classes.toml",
        "english.toml",
    }
