"""The stores of memgpt by themselves."""

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memgpt_play import turn

from memarena.records import MemoryChange
from memarena_memgpt.core_memory import Block, FunctionFailed
from memarena_memgpt.days import day_of
from memarena_memgpt.functions import WRITING, BadCall, read_call
from memarena_memgpt.journal import fold
from memarena_memgpt.recall import RecallStore
from memarena_memgpt.vectors import Vectors


def block(*lines: str, limit: int = 1000) -> Block:
    made = Block("human", limit)
    for number, line in enumerate(lines):
        made.append(line, "S01", (f"T{number}",))
    return made


def test_replacing_within_a_line_keeps_its_id_and_adds_the_turn() -> None:
    human = block("Ana has a dog.", "Ben has a cat.")
    (change,) = human.replace("dog", "horse", "S02", ("T9",))
    assert change == MemoryChange(
        op="update", memory_id="core:human:1", text="Ana has a horse.", previous=("Ana has a dog.",)
    )
    assert human.lines[0].turn_ids == ("T0", "T9")


def test_replacing_across_lines_makes_one_of_them() -> None:
    human = block("Ana has a dog.", "Ben has a cat.", "Cleo paints.")
    (change,) = human.replace("dog.\nBen has a cat", "dog and a cat", "S02", ())
    assert (change.op, change.memory_id, change.replaces) == ("merge", "core:human:1", ("core:human:2",))
    assert human.text == "Ana has a dog and a cat.\nCleo paints."


def test_a_line_that_is_replaced_by_nothing_is_deleted() -> None:
    human = block("Ana has a dog.", "Ben has a cat.")
    (change,) = human.replace("Ana has a dog.", "", "S02", ())
    assert (change.op, change.memory_id) == ("delete", "core:human:1")
    assert human.text == "Ben has a cat."
    human.append("Cleo paints.", "S02", ())
    assert [line.memory_id for line in human.lines] == ["core:human:2", "core:human:3"]


@pytest.mark.parametrize("old", ["", "horse"])
def test_what_is_not_there_cannot_be_replaced(old: str) -> None:
    with pytest.raises(FunctionFailed, match="is not in the block human"):
        block("Ana has a dog.").replace(old, "cat", "S01", ())


def test_newlines_count_towards_the_limit() -> None:
    human = block("12345", limit=10)
    with pytest.raises(FunctionFailed, match="would have 11 characters"):
        human.append("12345", "S01", ())
    human.append("1234", "S01", ())
    assert len(human.text) == 10


_TEXTS = st.text("ab\n", max_size=6)


@given(st.lists(_TEXTS, max_size=5), st.lists(st.tuples(_TEXTS, _TEXTS), max_size=5))
def test_a_block_stays_within_its_limit_and_its_journal_explains_it(
    lines: list[str], edits: list[tuple[str, str]]
) -> None:
    human = Block("human", 20)
    changes: list[MemoryChange] = []
    for line in lines:
        try:
            changes += human.append(line, "S01", ())
        except FunctionFailed:
            continue
    for old, new in edits:
        try:
            changes += human.replace(old, new, "S01", ())
        except FunctionFailed:
            continue
    assert len(human.text) <= 20
    told = {change.memory_id: change.text for change in fold(changes)}
    assert told == {line.memory_id: line.text for line in human.lines}
    assert {change.op for change in fold(changes)} <= {"add"}


def test_what_a_session_made_and_unmade_is_no_change() -> None:
    made = MemoryChange(op="add", memory_id="a", text="x")
    gone = MemoryChange(op="delete", memory_id="a", text="x")
    assert fold([made, gone]) == ()


def test_an_item_that_was_merged_into_another_is_named_by_it_alone() -> None:
    merged = MemoryChange(op="merge", memory_id="a", text="xy", previous=("x", "y"), replaces=("b",))
    assert fold([merged]) == (merged,)
    changed = MemoryChange(op="update", memory_id="b", text="y", previous=("old y",))
    (told,) = fold([changed, merged])
    assert (told.previous, told.replaces) == (("x", "old y"), ("b",))


def test_messages_with_the_rarest_words_of_a_query_come_first_and_then_the_newest() -> None:
    store = RecallStore()
    for number, text in enumerate(("the dog", "the cat", "the dog", "the bird")):
        store.add(turn(number, text))
    found = [item.turn_ids[0] for item in store.search("the bird or dog")]
    assert found == ["S01:T003", "S01:T002", "S01:T000", "S01:T001"]
    assert store.search("horse") == []


@pytest.mark.parametrize(
    ("time", "day"),
    [
        ("2026-01-05 09:00", date(2026, 1, 5)),
        ("2026-01-05T09:00:00Z", date(2026, 1, 5)),
        ("May 06, 2025, 15:00:00", date(2025, 5, 6)),
        ("1:56 pm on 8 May, 2023", date(2023, 5, 8)),
        ("Sept 3rd 2024", date(2024, 9, 3)),
        ("2026-02-31", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_the_day_of_a_time_is_read_as_data_sets_write_it(time: str, day: date | None) -> None:
    assert day_of(time) == day


@given(st.text(max_size=40))
def test_no_text_breaks_the_reading_of_days(text: str) -> None:
    day_of(text)


@given(
    st.one_of(
        st.text(max_size=60),
        st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists).map(json.dumps),
    )
)
def test_whatever_the_model_writes_is_a_call_or_a_bad_call(text: str) -> None:
    for name in WRITING:
        try:
            call = read_call(name, text, WRITING)
        except BadCall:
            continue
        assert call.name == name


def test_the_nearest_row_comes_first_and_equal_ones_in_order() -> None:
    rows = Vectors()
    for vector in ([1.0, 0.0], [0.0, 2.0], [3.0, 0.0], *[[1.0, 1.0]] * 20):
        rows.add(vector)
    assert [place for place, _ in rows.search([5.0, 0.0], 3)] == [0, 2, 3]
    assert rows.search([0.0, 1.0], 1)[0] == (1, pytest.approx(1.0))
    assert len(rows) == 23


def test_a_vector_of_another_length_is_refused() -> None:
    rows = Vectors()
    rows.add([1.0, 0.0])
    with pytest.raises(ValueError, match="has 3 numbers, those before had 2"):
        rows.add([1.0, 0.0, 0.0])


def test_equal_rows_stand_in_their_order_wherever_they_are() -> None:
    rows = Vectors()
    equal = [(number * 0.37) % 1 - 0.5 for number in range(99)]
    for number in range(400):
        rows.add(equal if number % 7 == 0 else [(number * place * 0.6180339) % 1 - 0.5 for place in range(99)])
    found = rows.search(equal, 40)
    assert [place for place, _ in found] == list(range(0, 280, 7))
    assert len({score for _, score in found}) == 1
