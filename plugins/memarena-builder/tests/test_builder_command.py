from __future__ import annotations

import pytest
from click.testing import CliRunner

from memarena.cli import cli
from memarena.errors import DataError, UsageError


def run(*words: str):
    return CliRunner().invoke(cli, words)


def test_build_says_what_it_made_and_verify_that_it_is_still_so(tmp_path):
    out = str(tmp_path / "sim")
    made = run("data", "build", "--preset", "tiny", "--seed", "5", "--out", out)
    assert made.exit_code == 0 and "6 samples, 48 sessions" in made.output
    assert "are as memarena-builder" in run("data", "verify", out).output
    (tmp_path / "sim" / "splits.json").write_text("{}", encoding="utf-8")
    found = run("data", "verify", out)
    assert found.exit_code == 1 and found.output == "splits.json: changed\n"


def test_verify_wants_a_data_set_that_was_built(tmp_path):
    found = run("data", "verify", str(tmp_path))
    assert isinstance(found.exception, DataError)


def test_data_lists_the_commands_that_are_brought_beside_its_own():
    lines = run("data", "--help").output
    assert all(f"\n  {name} " in lines for name in ("build", "fetch", "show", "stats", "validate", "verify"))


def test_an_unknown_command_is_named_with_its_neighbour():
    found = run("data", "biuld")
    assert isinstance(found.exception, UsageError) and "did you mean 'build'" in str(found.exception)


@pytest.mark.parametrize("words", [("--jobs", "0"), ("--seed", "x"), ("--seed", "-1")])
def test_a_wrong_flag_is_refused(tmp_path, words):
    assert run("data", "build", "--out", str(tmp_path), *words).exit_code == 2
