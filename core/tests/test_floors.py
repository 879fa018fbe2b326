from __future__ import annotations

import pytest

from memarena.floors import Constant, LastSession, Nothing, Verbatim, turn_line
from memarena.records import (
    NOT_MENTIONED,
    AskedQuestion,
    Attachment,
    MemoryChange,
    RunContext,
    Turn,
)
from memarena.testing import AdapterContract

CONTEXT = RunContext(folder="", namespace="test")


class TestNothing(AdapterContract):
    make = Nothing


class TestConstant(AdapterContract):
    make = Constant


class TestLastSession(AdapterContract):
    make = LastSession


class TestVerbatim(AdapterContract):
    make = Verbatim


def turn(session_id: str, index: int, text: str, **more: object) -> Turn:
    return Turn(turn_id=f"{session_id}:T{index}", session_id=session_id, index=index, text=text, **more)


def heard(adapter, *sessions: tuple[str, tuple[str, ...]]):
    adapter.reset(CONTEXT)
    for session_id, texts in sessions:
        for index, text in enumerate(texts):
            adapter.ingest_turn(turn(session_id, index, text))
        adapter.end_session(session_id)
    return adapter


def ids(retrieval) -> list[str]:
    return [item.memory_id for item in retrieval.items]


def test_a_line_carries_time_and_speaker_before_the_whole_text():
    said = turn("S1", 0, "Hello,\nthere.", speaker="Ana", time="Jan 05, 2026")
    assert turn_line(said) == "[Jan 05, 2026] Ana: Hello,\nthere."


def test_a_line_falls_back_to_the_role_and_makes_up_no_time():
    assert turn_line(turn("S1", 0, "Hello.", role="assistant")) == "assistant: Hello."


def test_nothing_keeps_nothing():
    adapter = heard(Nothing(), ("S1", ("The code is 4711.",)))
    assert adapter.snapshot_memories() == ()
    assert adapter.export_memory_delta("S1") == ()
    assert adapter.retrieve("code").items == ()


def test_constant_says_of_every_question_that_it_is_not_mentioned():
    asked = [AskedQuestion(question_id=name, text="?") for name in ("Q1", "Q2")]
    answers = Constant().answer(asked)
    assert [(answer.question_id, answer.text) for answer in answers] == [("Q1", NOT_MENTIONED), ("Q2", NOT_MENTIONED)]


def test_verbatim_keeps_each_turn_with_its_origin():
    adapter = heard(Verbatim(), ("S1", ("One.", "Two.")), ("S2", ("Three.",)))
    kept = [(item.memory_id, item.session_id, item.turn_ids, item.text) for item in adapter.snapshot_memories()]
    assert kept == [
        ("S1:T0", "S1", ("S1:T0",), "user: One."),
        ("S1:T1", "S1", ("S1:T1",), "user: Two."),
        ("S2:T0", "S2", ("S2:T0",), "user: Three."),
    ]


def test_verbatim_ranks_by_shared_words_and_the_newest_first_among_equals():
    adapter = heard(Verbatim(), ("S1", ("red boat", "green boat", "red car")))
    found = adapter.retrieve("the red boat", 10)
    assert ids(found) == ["S1:T0", "S1:T2", "S1:T1"]
    assert [item.score for item in found.items] == pytest.approx([2 / 3, 1 / 3, 1 / 3])


def test_verbatim_matches_east_asian_text_by_character():
    adapter = heard(Verbatim(), ("S1", ("今天天气很好", "我喜欢苹果")))
    assert ids(adapter.retrieve("苹果", 1)) == ["S1:T1"]


def test_verbatim_tells_what_each_session_added():
    adapter = heard(Verbatim(), ("S1", ("One.",)), ("S2", ("Two.",)))
    assert adapter.export_memory_delta("S2") == (MemoryChange(op="add", memory_id="S2:T0", text="user: Two."),)


def test_each_further_picture_of_a_turn_is_an_item_of_its_own():
    pictures = (
        Attachment(image_id="S1_img_1", path="/p/1.png", caption="A dog."),
        Attachment(image_id="S1_img_2", path="/p/2.png", caption="A cat."),
    )
    adapter = Verbatim()
    adapter.ingest_turn(turn("S1", 0, "Look.", attachments=pictures))
    assert [(item.memory_id, item.image_id, item.image_path) for item in adapter.snapshot_memories()] == [
        ("S1:T0", "S1_img_1", "/p/1.png"),
        ("S1:T0#2", "S1_img_2", "/p/2.png"),
    ]
    assert adapter.snapshot_memories()[1].text == "image:\nimage_id: S1_img_2\nimage_caption: A cat."


def test_last_session_keeps_the_newest_session_only():
    adapter = heard(LastSession(), ("S1", ("red boat",)), ("S2", ("green boat", "blue car")))
    assert [item.memory_id for item in adapter.snapshot_memories()] == ["S2:T0", "S2:T1"]
    assert ids(adapter.retrieve("red boat", 10)) == ["S2:T0", "S2:T1"]


def test_last_session_tells_what_it_forgot_and_what_it_added():
    adapter = heard(LastSession(), ("S1", ("old",)), ("S2", ("new",)))
    assert adapter.export_memory_delta("S2") == (
        MemoryChange(op="delete", memory_id="S1:T0", text="user: old"),
        MemoryChange(op="add", memory_id="S2:T0", text="user: new"),
    )


def test_a_session_without_turns_leaves_last_session_empty():
    adapter = heard(LastSession(), ("S1", ("old",)), ("S2", ()))
    assert adapter.snapshot_memories() == ()
    assert [change.op for change in adapter.export_memory_delta("S2")] == ["delete"]
