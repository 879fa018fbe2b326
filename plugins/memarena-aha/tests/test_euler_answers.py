"""How an answer is written, and when it counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena_aha.euler.answers import read_answer, read_nodes, whole_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("42", 42),
        (" +42 ", 42),
        ("-7", -7),
        ("1,234,567", 1234567),
        ("1 234 567", 1234567),
        ("1_234", 1234),
        ("1'000'000", 1000000),
        ("1\u202f000", 1000),
        ("**42**", 42),
        ("`42`", 42),
        ("007", 7),
    ],
)
def test_a_whole_number_may_have_a_sign_and_groups_of_three(text: str, value: int) -> None:
    assert whole_number(text) == value


@pytest.mark.parametrize(
    "text",
    ["", "about 42", "42.0", "4e2", "1,23", "1,234 567", "12,34,567", "0x2a", "42 or 43", "٤٢", "--4", "9" * 2001],
)
def test_anything_else_is_no_number(text: str) -> None:
    assert whole_number(text) is None


def test_the_last_answer_line_counts_even_with_words_behind_it() -> None:
    assert read_answer("ANSWER: 1\nNo, wait.\nANSWER: 2\nThat is all.") == (True, 2)


def test_a_last_line_without_a_number_is_a_wrong_answer_and_not_none() -> None:
    assert read_answer("ANSWER: 5\nANSWER: five") == (True, None)


def test_a_reply_without_the_line_does_not_answer() -> None:
    assert read_answer("The answer is 5") == (False, None)
    assert read_answer("My ANSWER: 5") == (False, None)


def test_three_numbers_may_be_offered_and_four_are_wrong() -> None:
    lines = [f"ANSWER: {number}" for number in (1, 2, 3, 3, 1)]
    assert read_answer("\n".join(lines)) == (True, 1)
    assert read_answer("\n".join([*lines, "ANSWER: 4"])) == (True, None)


def test_the_values_of_parts_are_read_by_their_numbers() -> None:
    assert read_nodes("NODE 1: 10\nNODE 2: 1,000\nNODE 1: 11\nNODE 3: ?") == {1: 11, 2: 1000, 3: None}


@given(st.integers())
def test_every_number_written_plainly_or_in_groups_is_read_back(number: int) -> None:
    assert whole_number(str(number)) == whole_number(f"{number:,}") == number


@given(st.text())
def test_no_text_makes_the_reader_raise(text: str) -> None:
    whole_number(text)
    read_answer(f"ANSWER: {text}")
    read_nodes(f"NODE 1: {text}")
