"""A puzzle at a terminal."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from memarena.errors import UsageError
from memarena_aha.parts import EpisodeScore
from memarena_aha.puzzle import load_puzzle
from memarena_aha.puzzle.terminal import play_terminal


def played(lines: str, puzzle_id: str = "P04", seed: int = 0) -> tuple[EpisodeScore, str]:
    out = StringIO()
    score = play_terminal(Console(file=out, width=200), StringIO(lines), seed, puzzle_id)
    return score, out.getvalue()


def test_a_person_can_ask_and_solve() -> None:
    score, told = played(
        "Does she call her lover?\n"
        "Is it her own number?\n"
        "hint\n"
        "list\n"
        "solve She rings her own home. It should be empty. An answer means a burglar. Ringing tells that all is well.\n"
    )
    assert score.ended == "solved"
    assert score.raw["used"] == 3
    assert "[20 left] > Does she call her lover?\nNo.\n" in told
    assert "[19 left] > Is it her own number?\nYes.\n" in told
    assert "An expert would ask: Does she expect an answer?\nNo.\n" in told
    assert "  Is it her own number? yes\n" in told
    assert "Solved!" in told
    assert load_puzzle("P04").title in told


def test_the_truth_is_told_only_at_the_end() -> None:
    _, told = played("Is she rich?\nquit\n")
    assert "That does not matter." in told
    assert "Good-bye!" in told
    assert load_puzzle("P04").title not in told
    assert "intruder is in the house" not in told


@pytest.mark.parametrize("lines", ["", "Is she rich?\n", "solve\n"])
def test_the_end_of_the_input_ends_the_game_politely(lines: str) -> None:
    score, told = played(lines)
    assert score.ended == "quit"
    assert score.score == 0
    assert "Good-bye!" in told


def test_ctrl_c_ends_the_game_politely() -> None:
    class Interrupted(StringIO):
        def readline(self, size: int = -1, /) -> str:
            raise KeyboardInterrupt

    out = StringIO()
    score = play_terminal(Console(file=out), Interrupted(), 0, "P04")
    assert score.ended == "quit"
    assert "Good-bye!" in out.getvalue()


def test_without_questions_left_the_explanation_is_asked_for() -> None:
    score, told = played("Is she rich?\n" * 20 + "\nShe rings her own home.\n")
    assert "No question is left. Explain the story now." in told
    assert score.raw["used"] == 20
    assert score.score == pytest.approx(0.30 * 100 * 0.7)
    assert "Not quite. 21 of 100 points, 20 questions." in told
    assert "found   She rings her own home." in told
    assert "missed  Ringing without an answer tells her that all is well." in told


def test_a_question_that_is_not_understood_is_free_at_first() -> None:
    _, told = played("frobnicate the quux\nhelp\n[bold]Is she rich?[/bold]\n" + "x" * 5000 + "\nquit\n")
    assert "I do not understand. Try it in other words. (This one was free.)" in told
    assert "hint    let an expert ask your next question" in told
    assert "[20 left] > [bold]Is she rich?[/bold]\nThat does not matter.\n" in told


def test_what_no_fact_speaks_of_is_told_apart_from_what_does_not_matter() -> None:
    _, told = played("Is she rich?\nIs the phone green?\nquit\n")
    assert "> Is she rich?\nThat does not matter.\n" in told
    assert "Is the phone green?\nNo, or it does not matter.\n" in told


def test_who_asks_why_is_told_what_can_be_asked() -> None:
    _, told = played("why does she run?\nquit\n")
    assert "Ask what can be answered with yes or no, or who, what, where, how many. (This one was free.)" in told


def test_the_same_lines_lead_to_the_same_play() -> None:
    lines = "Is it dark?\nwho is there\nhint\nhint\nsolve I do not know\n"
    assert played(lines, "", 3) == played(lines, "", 3)
    stories = {played("quit\n", "", seed)[1] for seed in range(8)}
    assert len(stories) > 4


def test_a_puzzle_that_is_named_is_told_as_it_is_listed() -> None:
    _, told = played("quit\n", "P21")
    assert load_puzzle("P21", 0).surface in " ".join(told.split())
    assert load_puzzle("P21", 1).surface in " ".join(played("quit\n", "P21", 1)[1].split())


def test_an_id_that_is_not_known_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no puzzle 'P00'"):
        played("quit\n", "P00")
