"""Logs of each format become traces: roles, words, times, sessions, failures."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from memarena.errors import DataError, UsageError
from memarena_builder.traces.formats import FORMATS, read
from memarena_builder.traces.log import Shown, moment
from memarena_builder.traces.parts import words


@pytest.fixture
def log(tmp_path):
    def write(*rows, name="log.jsonl", whole=None):
        path = tmp_path / name
        path.write_text(json.dumps(whole) if whole is not None else "\n".join(map(json.dumps, rows)), encoding="utf-8")
        return path

    return write


def turns(path, name=""):
    (trace,), kind, _ = read(path, name)
    return [[(turn.role, turn.text) for turn in session.turns] for session in trace.sessions], kind


def test_a_chat_has_a_session_for_each_name(log):
    path = log(
        {"session": "a", "role": "human", "text": "Hello."},
        {"session": "b", "role": "user", "text": "Again."},
        {"session": "a", "role": "ai", "text": "Hi."},
    )
    assert turns(path)[0] == [[("user", "Hello."), ("assistant", "Hi.")], [("user", "Again.")]]


def test_a_chat_without_names_is_cut_where_nobody_spoke_for_hours(log):
    path = log(
        {"role": "user", "content": "Hello.", "timestamp": 1767258000},
        {"role": "assistant", "content": "Hi.", "timestamp": 1767258060},
        {"role": "user", "content": "Back.", "timestamp": "2026-01-01T15:00:00+00:00"},
    )
    (trace,), _, _ = read(path)
    assert [len(session.turns) for session in trace.sessions] == [2, 1]
    assert trace.sessions[0].turns[0].time == datetime(2026, 1, 1, 9)


def test_messages_of_openai_have_parts_pictures_and_calls_of_tools(log):
    parts = [{"type": "text", "text": "What is it?"}, {"type": "image_url", "image_url": {"url": "a.png"}}]
    call = {"id": "c", "type": "function", "function": {"name": "look", "arguments": '{"at": "a.png"}'}}
    path = log(
        {
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": parts},
                {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "c", "content": "A cat."},
            ]
        }
    )
    (trace,), kind, _ = read(path)
    assert kind is FORMATS["openai"]
    assert [(turn.role, turn.text, turn.shown) for turn in trace.sessions[0].turns] == [
        ("system", "Be brief.", ()),
        ("user", "What is it?", (Shown(path="a.png"),)),
        ("assistant", 'Action: look(at="a.png")', ()),
        ("environment", 'Feedback to look(at="a.png"): A cat.', ()),
    ]


def attribute(key, value):
    return {"key": key, "value": {"stringValue": value if isinstance(value, str) else json.dumps(value)}}


def span(start, conversation, asked, answered):
    return {
        "traceId": "t",
        "startTimeUnixNano": str(start),
        "endTimeUnixNano": str(start + 10**9),
        "attributes": [
            attribute("gen_ai.conversation.id", conversation),
            attribute("gen_ai.input.messages", [{"role": role, "parts": [part]} for role, part in asked]),
            attribute("gen_ai.output.messages", [{"role": "assistant", "parts": answered}]),
        ],
    }


def test_spans_repeat_what_was_said_and_only_what_is_new_is_kept(log):
    hello, hi = {"type": "text", "content": "Hello."}, {"type": "text", "content": "Hi."}
    call = {"type": "tool_call", "id": "1", "name": "clock", "arguments": {"zone": "UTC"}}
    first = span(1767258000 * 10**9, "one", [("user", hello)], [hi])
    again = [("user", hello), ("assistant", hi), ("user", {"type": "text", "content": "How late is it?"})]
    second = span(1767258060 * 10**9, "one", again, [call])
    export = {"resourceSpans": [{"scopeSpans": [{"spans": [second, first]}]}]}
    found, kind = turns(log(whole=export, name="spans.json"))
    assert kind is FORMATS["otel"]
    assert found == [
        [
            ("user", "Hello."),
            ("assistant", "Hi."),
            ("user", "How late is it?"),
            ("assistant", 'Action: clock(zone="UTC")'),
        ]
    ]


def test_older_spans_have_their_messages_in_events(log):
    events = [
        {"name": "gen_ai.user.message", "timeUnixNano": "1", "attributes": [attribute("content", "Hello.")]},
        {
            "name": "gen_ai.choice",
            "timeUnixNano": "2",
            "attributes": [attribute("message", {"role": "assistant", "content": "Hi."})],
        },
    ]
    spans = [{"traceId": "t", "startTimeUnixNano": "1", "events": events}]
    export = {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}
    assert turns(log(whole=export))[0] == [[("user", "Hello."), ("assistant", "Hi.")]]


def test_a_rollout_of_codex_has_calls_and_their_results(log):
    def item(payload):
        return {"timestamp": "2026-01-01T09:00:00.000Z", "type": "response_item", "payload": payload}

    output = json.dumps({"output": "no such file", "metadata": {"exit_code": 1}})
    path = log(
        {"type": "session_meta", "payload": {"id": "x"}},
        item({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "List it."}]}),
        item({"type": "function_call", "name": "shell", "arguments": '{"command": "ls"}', "call_id": "1"}),
        item({"type": "function_call_output", "call_id": "1", "output": output}),
        item({"type": "reasoning", "summary": []}),
    )
    (trace,), kind, _ = read(path)
    assert kind is FORMATS["codex"]
    assert [(turn.role, turn.text) for turn in trace.sessions[0].turns] == [
        ("user", "List it."),
        ("assistant", 'Action: shell(command="ls")'),
        ("environment", 'Feedback (failed) to shell(command="ls"): no such file'),
    ]


def test_a_transcript_of_claude_code_has_uses_of_tools_and_their_results(log):
    def row(role, content):
        return {
            "type": role,
            "sessionId": "s",
            "timestamp": "2026-01-01T09:00:00Z",
            "message": {"role": role, "content": content},
        }

    use = {"type": "tool_use", "id": "1", "name": "Read", "input": {"path": "a.txt"}}
    back = {"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "x = 1"}]}
    path = log(
        row("user", "Read a.txt."), row("assistant", [{"type": "text", "text": "I read."}, use]), row("user", [back])
    )
    found, kind = turns(path)
    assert kind is FORMATS["claude-code"]
    assert found == [
        [
            ("user", "Read a.txt."),
            ("assistant", 'I read.\nAction: Read(path="a.txt")'),
            ("environment", 'Feedback to Read(path="a.txt"): x = 1'),
        ]
    ]


def test_an_episode_of_embodiedbench_is_read_step_by_step(log):
    step = {
        "visual_state_description": "A table with an apple.",
        "reasoning_and_reflection": "I take it.",
        "executable_plan": [{"action_id": 133, "action_name": "pick up the Apple"}],
        "env_feedback": "The robot holds the apple.",
        "last_action_success": 1.0,
        "image_path": "step_0.png",
    }
    episode = {
        "instruction": "Bring an apple.",
        "episode_id": 7,
        "trajectory": [step, {**step, "last_action_success": 0.0}],
    }
    (trace,), kind, _ = read(log(whole=episode))
    assert kind is FORMATS["episodes"] and trace.sessions[0].name == "7"
    found = trace.sessions[0].turns
    assert [(turn.role, turn.text) for turn in found[:3]] == [
        ("user", "Observation: Bring an apple. A table with an apple."),
        ("assistant", "I take it.\nAction: action_id=133: pick up the Apple"),
        ("user", "Feedback: The robot holds the apple."),
    ]
    assert found[0].shown == (Shown(path="step_0.png"),)
    assert found[5].text == "Feedback (failed): The robot holds the apple."


def test_steps_of_a_graphical_agent_may_stand_alone(log):
    path = log(
        {"observation": "A form.", "thought": "I fill it.", "action": "click(12)", "screenshot": "1.png"},
        {"observation": "A table.", "action": {"name": "scroll", "by": 3}, "result": "error: no such element"},
    )
    found, kind = turns(path)
    assert kind is FORMATS["episodes"]
    assert found[0][1] == ("assistant", "I fill it.\nAction: click(12)")
    assert found[0][-1] == ("user", "Feedback (failed) to scroll: error: no such element")


def test_a_step_of_which_nothing_is_known_is_named(log):
    episode = {"steps": [{"observation": "A form."}, {"foo": 1}]}
    with pytest.raises(DataError, match="step 1"):
        read(log(whole=episode))


def test_a_log_of_no_format_is_refused(log):
    with pytest.raises(DataError, match="of no format that is known"):
        read(log({"foo": 1}))


def test_a_line_that_is_no_json_is_named(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text('{"role": "user", "content": "x"}\n{"role": \n', encoding="utf-8")
    with pytest.raises(DataError, match="line 2"):
        read(path)


def test_an_empty_log_is_refused(log):
    with pytest.raises(DataError):
        read(log(whole=[]))


def test_a_format_of_another_name_is_refused_with_its_neighbour(log):
    with pytest.raises(UsageError, match="did you mean 'chat'"):
        read(log({"role": "user", "content": "x"}), "chats")
    with pytest.raises(DataError, match="not of the format otel"):
        read(log({"role": "user", "content": "x"}), "otel")


@pytest.mark.parametrize("value", [1767258000, 1767258000000, "1767258000000000000", "2026-01-01T09:00:00Z"])
def test_times_are_read_however_they_are_written(value):
    assert moment(value) == datetime(2026, 1, 1, 9)


@pytest.mark.parametrize("value", [None, "yesterday", True, 0])
def test_what_is_no_time_is_none(value):
    assert moment(value) is None


@pytest.mark.parametrize(
    ("content", "text"),
    [("a ", "a"), ([{"text": "a"}, {"type": "image"}, "b"], "a\nb"), ({"content": [{"text": "c"}]}, "c"), (None, "")],
)
def test_words_are_found_in_texts_and_parts(content, text):
    assert words(content) == text
