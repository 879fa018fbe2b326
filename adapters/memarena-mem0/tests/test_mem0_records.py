"""What is kept beside mem0: readings of replies, dates of prompts, origins, changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena.records import MemoryItem, Turn
from memarena_mem0.changes import changes_between
from memarena_mem0.dates import redated_classic, redated_v3
from memarena_mem0.origins import Origins
from memarena_mem0.replies import rows_of


def turn(number: int, session_id: str = "S1", time: str | None = None) -> Turn:
    return Turn(turn_id=f"T{number}", session_id=session_id, index=number, text="x", time=time)


@pytest.mark.parametrize(
    "reply",
    [
        '{"facts": ["a"]}',
        '```json\n{"facts": ["a"]}\n```',
        '<think>{"facts": []}</think>{"facts": ["a"]}',
        'Here you are: {"facts": ["a"]} Anything else?',
        '{"facts": ["a"], "more": 1}',
    ],
)
def test_a_reply_is_read_as_mem0_reads_it(reply):
    assert rows_of(reply, "facts") == ["a"]


@pytest.mark.parametrize(
    "reply", [None, "", "  ", "null", "[]", '["a"]', "junk", '{"facts": "a"}', '{"memory": []}', '{"facts": ["a"', "{}"]
)
def test_a_reply_of_another_shape_is_not_taken_for_nothing_to_remember(reply):
    assert rows_of(reply, "facts") is None


def test_an_empty_list_says_that_there_is_nothing_to_remember():
    assert rows_of('{"facts": []}', "facts") == []


@given(st.text() | st.none() | st.integers() | st.binary())
def test_whatever_a_model_replies_is_read_or_refused(reply):
    assert rows_of(reply, "facts") is None or isinstance(rows_of(reply, "facts"), list)


def test_the_prompt_of_2_x_gets_the_time_of_the_benchmark_in_its_last_sections_only():
    said = "## Observation Date\nmine"
    dates = "\n\n## Observation Date\n{day}\n\n## Current Date\n{day}\n\n# Output:"
    prompt = f"## New Messages\nuser: {said}" + dates.format(day="2026-11-29")
    (system, user) = redated_v3(
        [{"role": "system", "content": "2026-11-29"}, {"role": "user", "content": prompt}], "8 May, 2023"
    )
    assert system["content"] == "2026-11-29"
    assert user["content"] == f"## New Messages\nuser: {said}" + dates.format(day="8 May, 2023")


def test_a_prompt_of_2_x_without_dates_is_refused():
    with pytest.raises(ValueError, match="has no dates"):
        redated_v3([{"role": "user", "content": "## New Messages\nuser: Hi."}], "8 May, 2023")


def test_the_prompt_of_1_0_11_gets_the_time_of_the_benchmark_in_its_system_message_only():
    line = "- Today's date is 2026-11-29."
    found = redated_classic([{"role": "system", "content": line}, {"role": "user", "content": line}], "8 May, 2023")
    assert [message["content"] for message in found] == ["- Today's date is 8 May, 2023.", line]


def test_memories_are_numbered_as_they_come_and_keep_all_their_turns(tmp_path: Path):
    origins = Origins(tmp_path / "o.jsonl")
    origins.note("k1", [turn(1, "S1", "Jan 05"), turn(2)])
    origins.note("k2", [turn(3)])
    changed = origins.note("k1", [turn(9, "S2", "Jan 25")])
    assert changed.memory_id == "m00001"
    assert changed.turn_ids == ("T1", "T2", "T9")
    assert (changed.session_id, changed.time) == ("S1", "Jan 25")
    assert origins.of({"id": "k2"}).memory_id == "m00002"


def test_origins_are_found_again_in_their_file(tmp_path: Path):
    origins = Origins(tmp_path / "o.jsonl")
    origins.note("k1", [turn(1)])
    origins.save()
    origins.note("k1", [turn(2)])
    origins.note("k2", [turn(3)])
    origins.save()
    again = Origins(tmp_path / "o.jsonl")
    assert again.of({"id": "k1"}).turn_ids == ("T1", "T2")
    assert again.note("k3", [turn(4)]).memory_id == "m00003"


def test_a_memory_that_nobody_noted_comes_from_where_mem0_says(tmp_path: Path):
    row = {"id": "k", "created_at": "Jan 05", "metadata": {"session_id": "S4", "turn_ids": ["T7"]}}
    found = Origins(tmp_path / "o.jsonl").of(row)
    assert (found.session_id, found.turn_ids, found.time) == ("S4", ("T7",), "Jan 05")


def items(**texts: str) -> dict[str, MemoryItem]:
    return {name: MemoryItem(memory_id=name, text=text) for name, text in texts.items()}


def test_changes_are_the_difference_of_two_readings():
    before, after = items(a="old", b="same", c="gone"), items(a="new", b="same", d="more")
    found = changes_between(before, after, {"a": ["old", "between", "new"], "b": [""]})
    assert [(change.op, change.memory_id, change.text, change.previous) for change in found] == [
        ("update", "a", "new", ("old", "between")),
        ("add", "d", "more", ()),
        ("delete", "c", "gone", ()),
    ]
