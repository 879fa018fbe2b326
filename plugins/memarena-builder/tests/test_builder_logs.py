"""Logs in the shapes that programs and people write them: conversations, pictures, times, and what is left out."""

from __future__ import annotations

import base64
from datetime import datetime

import pytest
from builder_logs import ANSWER, HI, PNG, told, writer
from hypothesis import given
from hypothesis import strategies as st

from memarena_builder.traces.formats import read
from memarena_builder.traces.heard import Heard
from memarena_builder.traces.log import Shown, Uttered, moment
from memarena_builder.traces.parts import Said, located

INLINE = "data:image/png;base64," + base64.b64encode(PNG).decode()
BOTH = [[("user", "Hi."), ("assistant", "Hello.")]]


@pytest.fixture
def log(tmp_path):
    return writer(tmp_path)


def noted(path):
    return list(read(path).notes.lines())


@pytest.mark.parametrize(
    "row",
    [
        {"messages": [HI, ANSWER]},
        [HI, ANSWER],
        {
            "custom_id": "1",
            "body": {"model": "x", "messages": [HI]},
            "response": {"body": {"choices": [{"message": ANSWER}]}},
        },
        {"request": {"messages": [HI]}, "response": {"choices": [{"message": ANSWER}]}},
        {"input": [HI], "output": [{"type": "message", **ANSWER}]},
        {
            "input": "Hi.",
            "output": [
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hello."}]}
            ],
        },
        {"messages": [HI], "response": "Hello."},
        {"conversations": [{"from": "human", "value": "Hi."}, {"from": "gpt", "value": "Hello."}]},
        {
            "current_node": "c",
            "mapping": {
                "a": {"message": None, "parent": None},
                "b": {"message": {"author": {"role": "user"}, "content": {"parts": ["Hi."]}}, "parent": "a"},
                "c": {"message": {"author": {"role": "assistant"}, "content": {"parts": ["Hello."]}}, "parent": "b"},
                "d": {
                    "message": {"author": {"role": "assistant"}, "content": {"parts": ["Thrown away."]}},
                    "parent": "b",
                },
            },
        },
        {"output": {"history": [HI, {"role": "agent", "content": "Hello."}]}, "time": {"timestamp": 1767258000000}},
    ],
)
def test_a_conversation_is_found_wherever_an_object_has_it(log, row):
    assert told(log(row)) == BOTH


def test_a_tree_that_leads_back_to_itself_ends(log):
    node = {"message": {"author": {"role": "user"}, "content": {"parts": ["Hi."]}}, "parent": "a"}
    assert told(log({"mapping": {"a": node}})) == [[("user", "Hi.")]]


@pytest.mark.parametrize(
    "rows_",
    [
        [HI, ANSWER],
        [{"type": "human", "data": {"content": "Hi."}}, {"type": "ai", "data": {"content": "Hello."}}],
        [{"sender": "customer", "body": "Hi."}, {"sender": "bot", "body": "Hello."}],
        [
            {"author": {"role": "user"}, "content": {"parts": ["Hi."]}},
            {"author": {"role": "assistant"}, "text": "Hello."},
        ],
        [{"version": 1}, HI, ANSWER],
    ],
)
def test_messages_are_found_under_the_names_that_programs_give_them(log, rows_):
    assert told(log(*rows_)) == BOTH


def test_people_without_a_role_are_named_in_what_they_say(log):
    path = log(
        {"speaker": "Ana", "text": "Hi."}, {"speaker": "Bo", "text": "Hello."}, {"speaker": "Ana", "text": "Bye."}
    )
    assert told(path) == [[("user", "Ana: Hi."), ("assistant", "Bo: Hello."), ("user", "Ana: Bye.")]]


def test_each_customer_s_conversations_are_a_sample_of_their_own(log):
    path = log(
        {"session": "1", "role": "user", "content": "Hi.", "user_id": "ana"},
        {"session": "1", "role": "assistant", "content": "Hello.", "user_id": "bot"},
        {"session": "2", "role": "user", "content": "Hi.", "user_id": "bo"},
        {"session": "3", "role": "user", "content": "Me again.", "user_id": "ana"},
    )
    traces, _, _ = read(path)
    assert [(trace.name, [session.name for session in trace.sessions]) for trace in traces] == [
        ("log-ana", ["1", "3"]),
        ("log-bo", ["2"]),
    ]


def test_requests_of_one_session_repeat_each_other_and_every_turn_is_there_once(log):
    again = {"role": "user", "content": "Yes."}
    first = {"session_id": "s", "messages": [HI], "response": "Sure?"}
    second = {
        "session_id": "s",
        "messages": [HI, {"role": "assistant", "content": "Sure?"}, again],
        "response": "Sure?",
    }
    third = {**second, "messages": [*second["messages"], {"role": "assistant", "content": "Sure?"}, again]}
    said = [text for _, text in told(log(first, second, third))[0]]
    assert said == ["Hi.", "Sure?", "Yes.", "Sure?", "Yes.", "Sure?"]


@given(st.lists(st.sampled_from("ab"), max_size=8), st.data())
def test_a_call_that_repeats_the_last_turns_adds_only_its_own(heard, data):
    kept = data.draw(st.integers(0, len(heard)))
    one, other = Heard(), [Uttered(role="user", text=text) for text in heard]
    one.add(other)
    one.add([*other[kept:], Uttered(role="assistant", text="new")])
    assert [turn.text for turn in one.turns] == [*heard, "new"]


def test_empty_messages_and_what_is_no_message_are_counted(log):
    path = log(
        {"version": 1},
        HI,
        {"role": "assistant", "content": None},
        {"role": "assistant", "content": [{"type": "sound"}]},
    )
    assert noted(path) == [
        "objects left out that are no messages: 1 (first: line 1)",
        "empty messages left out: 2 (first: line 3)",
        "parts of messages left out: sound: 1 (first: line 4)",
    ]


def test_long_results_of_tools_are_cut_and_it_is_said(log):
    path = log({"messages": [HI, {"role": "tool", "content": "x" * 2001}]})
    assert told(path)[0][1][1] == "Feedback: " + "x" * 2000 + " ..."
    assert noted(path) == ["results of tools cut to 2,000 characters: 1 (first: line 1)"]


@pytest.mark.parametrize(
    ("part", "shown"),
    [
        ({"type": "image_url", "image_url": {"url": INLINE}}, Shown(data=PNG)),
        ({"type": "input_image", "image_url": INLINE}, Shown(data=PNG)),
        (
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": INLINE[22:]}},
            Shown(data=PNG),
        ),
        ({"type": "blob", "modality": "image", "content": INLINE[22:]}, Shown(data=PNG)),
        ({"inlineData": {"mimeType": "image/png", "data": INLINE[22:]}}, Shown(data=PNG)),
        ({"type": "image", "data": INLINE[22:], "mimeType": "image/png"}, Shown(data=PNG)),
        ({"type": "uri", "modality": "image", "uri": "https://a/b.png"}, Shown(address="https://a/b.png")),
        ({"type": "image", "image": "shots/1.png"}, Shown(path="shots/1.png")),
        ({"type": "image_url", "image_url": {"url": "file:///tmp/1.png"}}, Shown(path="/tmp/1.png")),
        (
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,/logs/run_1/1.png"}},
            Shown(path="/logs/run_1/1.png"),
        ),
    ],
)
def test_pictures_are_found_however_a_part_has_them(part, shown):
    assert Said([{"type": "text", "text": "See."}, part]).shown == [shown]


@given(st.text())
def test_no_address_of_a_picture_breaks_the_reader(text):
    found = located(text)
    assert found is None or found.path or found.address or found.data


@pytest.mark.parametrize(
    "value", [float("inf"), float("nan"), 1e40, "9" * 5000, "0001-01-01T00:00:00+14:00", -5, "\u0663"]
)
def test_what_is_no_time_of_this_world_is_none(value):
    assert moment(value) is None


@pytest.mark.parametrize(
    "value", ["1767258000.000100", 1767258000000000, "Jan 01, 2026, 09:00:00", " 2026-01-01T10:00:00+01:00 "]
)
def test_times_of_more_programs_are_read(value):
    found = moment(value)
    assert found is not None and found.replace(microsecond=0) == datetime(2026, 1, 1, 9)


def test_times_that_nobody_understands_are_counted(log):
    assert noted(log({**HI, "time": "some day"})) == ["times that nobody understands: 1 (first: line 1)"]


def test_sessions_are_in_the_order_of_their_times_whatever_that_of_the_log(log):
    newest = {"id": "b", "create_time": 1767344400, "messages": [{"role": "user", "content": "Second."}]}
    oldest = {"id": "a", "create_time": 1767258000, "messages": [{"role": "user", "content": "First."}]}
    assert told(log(newest, oldest)) == [[("user", "First.")], [("user", "Second.")]]


def test_turns_that_differ_in_their_picture_alone_are_two(log):
    def asked(*urls):
        messages = [{"role": "user", "content": [{"type": "image_url", "image_url": url}]} for url in urls]
        return {"session_id": "s", "messages": messages}

    (trace,), _, _ = read(log(asked("a.png"), asked("a.png", "b.png")))
    assert [turn.shown[0].path for turn in trace.sessions[0].turns] == ["a.png", "b.png"]
