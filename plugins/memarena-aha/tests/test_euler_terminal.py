"""A task at the terminal: help, a worked example, one answer, and a polite way out."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from memarena.errors import UsageError
from memarena_aha.euler.register import family
from memarena_aha.euler.single import single_task
from memarena_aha.euler.terminal import play_terminal


def played(lines: str, family_id: str = "F09") -> tuple[float, str, str]:
    """Score, ending and all that was shown."""
    shown = StringIO()
    console = Console(file=shown, width=100, color_system=None)
    score = play_terminal(console, StringIO(lines), seed=4, family_id=family_id)
    return score.score, score.ended, shown.getvalue()


def test_the_right_number_is_taken_and_the_way_is_told() -> None:
    answer = single_task(family("F09"), 4, 0, "closed").answer
    score, ended, shown = played(f"{answer:,}\n")
    assert (score, ended) == (100.0, "answered")
    assert "Right!" in shown
    assert "Opposite digits form independent pairs" in shown


def test_a_wrong_number_ends_it_and_the_answer_is_told() -> None:
    score, ended, shown = played("1\n")
    assert (score, ended) == (0.0, "answered")
    assert f"it is {single_task(family('F09'), 4, 0, 'closed').answer}" in "".join(shown.split("\n"))


def test_help_idea_and_example_cost_nothing() -> None:
    _, ended, shown = played("help\nwhat?\nidea\nexample\ntask\n")
    assert ended == "quit"
    assert shown.count("Type a whole number") == 3
    assert "def solve_fast" in shown
    assert "Good-bye" in shown


def test_the_seed_chooses_where_no_family_is_named() -> None:
    assert played("", "")[2] == played("", "")[2]


def test_a_family_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="F99"):
        played("", "F99")
