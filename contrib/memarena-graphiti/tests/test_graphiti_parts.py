"""Moments, pieces and what a session did, without the library."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena.records import Turn

pytest.importorskip("memarena_graphiti", reason="memarena-graphiti is not installed here")

from memarena_graphiti.changes import Journal
from memarena_graphiti.moments import START, Moments, parse
from memarena_graphiti.origins import Origin, Origins, pieces, text_of

NINE = datetime(2025, 1, 2, 9, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("Jan 02, 2025, 09:00:00", NINE),
        ("2025-01-02 09:00", NINE),
        ("2025-01-02T10:00:00+01:00", NINE),
        ("9:00 am on 2 January, 2025", NINE),
        ("soon", None),
    ],
)
def test_times_of_data_sets_are_read(text: str, moment: datetime | None):
    assert parse(text) == moment


def test_turns_of_one_time_are_a_second_apart():
    moments = Moments()
    assert [moments.give("2025-01-02 09:00") for _ in range(3)] == [NINE, NINE + SECOND, NINE + 2 * SECOND]
    assert moments.words(NINE + SECOND) == "2025-01-02 09:00"


def test_without_a_time_a_turn_follows_the_one_before():
    moments = Moments()
    assert [moments.give(time) for time in (None, "2025-01-02 09:00", "soon")] == [START, NINE, NINE + SECOND]
    assert [moments.words(each) for each in (START, NINE, NINE + SECOND)] == ["", "2025-01-02 09:00", "soon"]


def test_a_data_set_may_go_back_in_time():
    moments = Moments()
    moments.give("2025-01-03 09:00")
    assert moments.give("2025-01-02 09:00") == NINE


def test_a_moment_that_only_the_model_names_is_shown_in_iso():
    assert (Moments().words(NINE), Moments().words(None)) == ("2025-01-02 09:00", "")


@given(st.lists(st.sampled_from([None, "soon", "2025-01-02 09:00", "2025-01-02 09:01"]).filter(bool), max_size=90))
def test_moments_keep_the_order_of_turns_whose_times_do_not_go_back(times: list[str]):
    moments = Moments()
    found = [moments.give(time) for time in sorted(times)]
    assert sorted(set(found)) == found


@given(st.text(alphabet="ab \n", max_size=60).map(str.strip), st.integers(1, 20))
def test_pieces_are_short_and_lose_no_word(text: str, longest: int):
    found = pieces(text, longest)
    assert all(0 < len(piece) <= longest for piece in found)
    assert "".join("".join(found).split()) == "".join(text.split())


def test_pieces_are_cut_at_blanks():
    assert pieces("one two three", 8) == ["one two", "three"]
    assert pieces("", 8) == []


def test_a_turn_is_told_with_who_says_it():
    said = Turn(turn_id="T", session_id="S", index=0, role="user", speaker="Ana", text=" Hello. ")
    assert text_of(said) == "Ana: Hello."
    assert text_of(Turn(turn_id="T", session_id="S", index=0, text="Hello.")) == "user: Hello."
    assert text_of(Turn(turn_id="T", session_id="S", index=0, text=" ")) == ""


def test_what_is_written_of_a_turn_is_read_again():
    origin = Origin(turn_id="S01:T0", session_id="S01", time="8 May, 2023")
    assert Origin.read(origin.written()) == origin


def test_facts_are_numbered_as_they_come():
    origins = Origins()
    assert [origins.memory_id(key) for key in ("b", "a", "b")] == ["f00001", "f00002", "f00001"]


class Fact(NamedTuple):
    uuid: str
    fact: str = ""
    expired_at: datetime | None = None


def told(*episodes: list[Fact], before: Journal | None = None) -> list[tuple[str, str]]:
    journal = before or Journal()
    journal.enter("S")
    for facts in episodes:
        journal.note(facts)
    return [(change.op, change.memory_id) for change in journal.changes("S", str)]


def test_a_fact_that_is_new_and_closed_in_one_session_is_both():
    assert told([Fact("a")], [Fact("b"), Fact("a", expired_at=NINE)]) == [("add", "a"), ("add", "b"), ("archive", "a")]


def test_a_fact_that_was_closed_before_is_not_closed_again():
    journal = Journal()
    journal.know("a", closed=True)
    assert told([Fact("a", expired_at=NINE)], before=journal) == [("merge", "a")]


def test_of_another_session_nothing_is_told():
    journal = Journal()
    journal.enter("S")
    journal.note([Fact("a")])
    assert journal.changes("other", str) == ()
