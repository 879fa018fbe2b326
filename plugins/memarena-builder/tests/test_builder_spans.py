"""Spans of OpenTelemetry in every shape, and what coding agents and agents in environments write."""

from __future__ import annotations

import json

import pytest

from memarena.errors import DataError
from memarena_builder.traces.formats import FORMATS, read
from memarena_builder.traces.log import Shown

START = 1767258000 * 10**9
SECOND = 10**9
ASKED, DONE = (
    {"role": "user", "parts": [{"type": "text", "content": "Hi."}]},
    [("user", "Hi."), ("assistant", "Hello.")],
)
ANSWERED = {"role": "assistant", "parts": [{"type": "text", "content": "Hello."}], "finish_reason": "stop"}


@pytest.fixture
def log(tmp_path):
    def write(*found, name="log.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(each) + "\n" for each in found), encoding="utf-8")
        return path

    return write


def told(path):
    (trace,), _, _ = read(path)
    return [
        [(turn.role, f"{turn.thought}\n{turn.text}".strip()) for turn in session.turns] for session in trace.sessions
    ]


def typed(value):
    """A value as OTLP writes it."""
    if isinstance(value, dict):
        return {"kvlistValue": {"values": [{"key": key, "value": typed(each)} for key, each in value.items()]}}
    if isinstance(value, list):
        return {"arrayValue": {"values": [typed(each) for each in value]}}
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}


def span(number, parent=0, *, begin=0, events=(), **held):
    return {
        "traceId": "t",
        "spanId": f"{number}",
        "parentSpanId": f"{parent}" if parent else "",
        "startTimeUnixNano": str(START + begin * SECOND),
        "endTimeUnixNano": str(START + (begin + 1) * SECOND),
        "attributes": [{"key": key.replace("__", "."), "value": typed(value)} for key, value in held.items()],
        "events": list(events),
    }


def export(*spans):
    return {"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}


def call(number, asked, answered, parent=0, **more):
    messages = {"gen_ai__input__messages": json.dumps(asked), "gen_ai__output__messages": json.dumps(answered)}
    return span(number, parent, **messages, **more)


@pytest.mark.parametrize(
    "held",
    [
        {"gen_ai__input__messages": json.dumps([ASKED]), "gen_ai__output__messages": json.dumps([ANSWERED])},
        {"gen_ai__input__messages": [ASKED], "gen_ai__output__messages": [ANSWERED]},
        {
            "gen_ai__prompt__0__role": "user",
            "gen_ai__prompt__0__content": "Hi.",
            "gen_ai__completion__0__content": "Hello.",
        },
        {
            "llm__input_messages__0__message__role": "user",
            "llm__input_messages__0__message__contents__0__message_content__text": "Hi.",
            "llm__output_messages__0__message__role": "assistant",
            "llm__output_messages__0__message__content": "Hello.",
        },
    ],
)
def test_messages_are_found_in_attributes_of_every_convention(log, held):
    assert told(log(export(span(1, **held)))) == [DONE]


def test_numbered_attributes_have_calls_and_more_than_ten_messages(log):
    held = {f"gen_ai__prompt__{number}__content": f"Number {number}." for number in range(12)}
    held |= {
        "gen_ai__completion__0__tool_calls__0__name": "look",
        "gen_ai__completion__0__tool_calls__0__arguments": '{"at": 3}',
    }
    (turns,) = told(log(export(span(1, **held))))
    assert turns == [*[("user", f"Number {number}.") for number in range(12)], ("assistant", "Action: look(at=3)")]


def test_an_export_over_several_lines_is_one_log(log):
    first = call(1, [ASKED], [ANSWERED], gen_ai__conversation__id="c")
    again = {"role": "user", "parts": [{"type": "text", "content": "Bye."}]}
    second = call(2, [ASKED, ANSWERED, again], [ANSWERED], begin=5, gen_ai__conversation__id="c")
    assert told(log(export(second), export(first))) == [[*DONE, ("user", "Bye."), ("assistant", "Hello.")]]


def test_what_was_thought_is_no_reason_to_tell_an_answer_twice(log):
    thoughtful = {**ANSWERED, "parts": [{"type": "reasoning", "content": "Be polite."}, *ANSWERED["parts"]]}
    again = {"role": "user", "parts": [{"type": "text", "content": "Bye."}]}
    spans = [call(1, [ASKED], [thoughtful]), call(2, [ASKED, ANSWERED, again], [thoughtful], begin=5)]
    assert told(log(export(*spans))) == [
        [("user", "Hi."), ("assistant", "Be polite.\nHello."), ("user", "Bye."), ("assistant", "Be polite.\nHello.")]
    ]


def test_the_span_of_an_agent_around_its_calls_adds_nothing(log):
    used = {"role": "assistant", "parts": [{"type": "tool_call", "id": "1", "name": "clock", "arguments": {}}]}
    back = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "1", "response": "9:00"}]}
    spans = [
        call(1, [ASKED], [ANSWERED], gen_ai__operation__name="invoke_agent"),
        call(2, [ASKED], [used], parent=1, gen_ai__operation__name="chat"),
        call(3, [ASKED, used, back], [ANSWERED], parent=1, begin=2, gen_ai__operation__name="chat"),
    ]
    (turns,) = told(log(export(*spans)))
    assert turns == [DONE[0], ("assistant", "Action: clock()"), ("environment", "Feedback to clock(): 9:00"), DONE[1]]


def test_parents_in_a_circle_end(log):
    spans = [
        call(1, [ASKED], [ANSWERED], parent=2, gen_ai__operation__name="invoke_agent"),
        call(2, [ASKED], [ANSWERED], parent=1, gen_ai__operation__name="invoke_agent"),
        call(3, [ASKED], [ANSWERED], parent=3),
    ]
    assert told(log(export(*spans))) == [DONE]


def test_a_tool_that_no_message_tells_of_is_told_by_its_span(log):
    tool = span(
        2, 1, begin=2, gen_ai__operation__name="execute_tool", gen_ai__tool__name="clock",
        gen_ai__tool__call__arguments='{"zone": "UTC"}', gen_ai__tool__call__result="9:00",
    )  # fmt: skip
    (turns,) = told(log(export(call(1, [ASKED], [ANSWERED]), tool)))
    assert turns[2:] == [
        ("assistant", 'Action: clock(zone="UTC")'),
        ("environment", 'Feedback to clock(zone="UTC"): 9:00'),
    ]


def record(name, body, begin, **more):
    return {"timeUnixNano": str(START + begin), "eventName": name, "body": typed(body), "traceId": "t", **more}


def test_events_may_be_records_of_a_log(log):
    details = {"attributes": [{"key": "gen_ai.output.messages", "value": typed([ANSWERED])}]}
    records = [
        record("gen_ai.user.message", {"content": "Hi."}, 0),
        record("gen_ai.choice", {"index": 0, "message": {"role": "assistant", "content": "Hello."}}, 1),
        record("gen_ai.client.inference.operation.details", "", 2, **details),
        record("http.request", {"content": "GET /"}, 3),
    ]
    assert told(log({"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]})) == [DONE]


def test_spans_may_be_as_an_sdk_prints_them(tmp_path):
    printed = {
        "name": "chat",
        "context": {"trace_id": "0x1", "span_id": "0x2"},
        "parent_id": None,
        "start_time": "2026-01-01T09:00:00.000000Z",
        "end_time": "2026-01-01T09:00:01.000000Z",
        "attributes": {"gen_ai.input.messages": json.dumps([ASKED]), "gen_ai.output.messages": json.dumps([ANSWERED])},
    }
    path = tmp_path / "spans.txt"
    path.write_text(json.dumps(printed, indent=4) + "\n" + json.dumps({**printed, "context": {}}, indent=4), "utf-8")
    (trace,), kind, _ = read(path)
    assert kind is FORMATS["otel"]
    assert [str(turn.time) for turn in trace.sessions[0].turns] == ["2026-01-01 09:00:00", "2026-01-01 09:00:01"]


def test_spans_without_messages_are_named_for_what_they_lack(log):
    with pytest.raises(DataError, match="let the instrumentation record the content"):
        read(log(export(span(1, gen_ai__operation__name="chat"))))


def test_values_that_stand_too_deep_in_values_are_nothing(log):
    value = {"stringValue": "x"}
    for _ in range(200):
        value = {"arrayValue": {"values": [value]}}
    held = span(1)
    held["attributes"] = [{"key": "gen_ai.input.messages", "value": value}]
    assert told(log(export(held, call(2, [ASKED], [ANSWERED], begin=1)))) == [DONE]


# -- coding agents ----------------------------------------------------------------------------


def claude(kind, content, **more):
    return {"type": kind, "sessionId": "s", "message": {"role": kind, "content": content}, **more}


def test_lines_of_one_answer_are_one_turn_and_failures_say_so(log):
    use = {"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "pytest"}}
    answer = {"id": "m", "role": "assistant"}
    back = {"type": "tool_result", "tool_use_id": "1", "content": "1 failed", "is_error": True}
    read_back = {"type": "tool_result", "tool_use_id": "2", "content": "0 errors found"}
    path = log(
        {"type": "summary", "summary": "x"},
        claude("user", "Fix it."),
        {**claude("assistant", ""), "message": {**answer, "content": [{"type": "thinking", "thinking": "Hm."}]}},
        {**claude("assistant", ""), "message": {**answer, "content": [{"type": "text", "text": "I test."}]}},
        {**claude("assistant", ""), "message": {**answer, "content": [use]}},
        claude("user", [back, read_back]),
        claude("user", "Caveat.", isMeta=True),
        claude("user", "All that was said.", isCompactSummary=True),
        claude("user", "Search.", isSidechain=True, agentId="a1"),
    )
    assert told(path) == [
        [
            ("user", "Fix it."),
            ("assistant", 'Hm.\nI test.\nAction: Bash(command="pytest")'),
            ("environment", 'Feedback (failed) to Bash(command="pytest"): 1 failed'),
            ("environment", "Feedback: 0 errors found"),
        ],
        [("user", "Search.")],
    ]
    assert [session.name for session in read(path).traces[0].sessions] == ["s", "s, side agent a1"]


def codex(payload, kind="response_item"):
    return {"timestamp": "2026-01-01T09:00:00Z", "type": kind, "payload": payload}


def test_what_codex_puts_in_its_user_s_mouth_is_the_system_s(log):
    put_in = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "<environment_context>x"}]}
    patch = {"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin" + " x" * 50, "call_id": "1"}
    back = {"type": "custom_tool_call_output", "call_id": "1", "output": "Exit code: 1\nOutput:\nno such file"}
    thought = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "I look."}]}
    path = log(
        codex({"id": "one"}, "session_meta"), codex(put_in), codex(thought), codex(patch), codex(back),
        codex({"id": "two"}, "session_meta"), codex({"type": "message", "role": "assistant", "content": "Bye."}),
    )  # fmt: skip
    first, second = told(path)
    assert [role for role, _ in first] == ["system", "assistant", "assistant", "environment"]
    assert first[3][1].startswith("Feedback (failed) to apply_patch: Exit code: 1")
    assert second == [("assistant", "Bye.")]


def test_what_codex_prints_while_it_works_is_read(log):
    def item(kind, **more):
        return {"type": "item.completed", "item": {"id": "1", "type": kind, **more}}

    path = log(
        {"type": "thread.started", "thread_id": "t"},
        {"type": "item.started", "item": {"id": "1", "type": "command_execution", "command": "ls"}},
        item("command_execution", command="ls", aggregated_output="a.py", exit_code=0),
        item("file_change", changes=[{"path": "a.py", "kind": "update"}]),
        item("agent_message", text="Done."),
        {"type": "turn.completed", "usage": {}},
    )
    assert told(path) == [
        [
            ("assistant", "Action: shell(ls)"),
            ("environment", "Feedback to shell(ls): a.py"),
            ("assistant", "Action: edit(a.py)"),
            ("assistant", "Done."),
        ]
    ]


# -- agents in environments -------------------------------------------------------------------


def test_lines_of_embodiedbench_have_the_goal_the_reply_and_the_picture_before_the_action(log):
    reply = {
        "visual_state_description": "A sink.",
        "reasoning_and_reflection": "I need a mug.",
        "language_plan": "Find it.",
    }
    steps = [
        {"instruction": "Wash a mug.", "env_step": 1, "action_description": "find a Mug", "reasoning": reply,
         "env_feedback": "Last action executed successfully.", "last_action_success": 1.0, "task_success": 0.0},
        {"instruction": "Wash a mug.", "env_step": 2, "action_description": "open the Fridge", "reasoning": "no JSON",
         "env_feedback": "Nothing happened.", "last_action_success": 0.0, "task_success": 0.0},
    ]  # fmt: skip
    path = log(*steps, name="episode_4_step_2.json")
    assert told(path) == [
        [
            ("user", "Observation: Wash a mug. A sink."),
            ("assistant", "I need a mug.\nFind it.\nAction: find a Mug"),
            ("user", "Feedback to find a Mug: Last action executed successfully."),
            ("user", "Observation:"),
            ("assistant", "no JSON\nAction: open the Fridge"),
            ("user", "Feedback (failed) to open the Fridge: Nothing happened."),
        ]
    ]
    (trace,), _, _ = read(path)
    assert trace.sessions[0].turns[3].shown[0].guesses[0] == "images/episode_4/episode_4_step_1.png"


def test_pictures_of_embodiedbench_are_found_by_their_step(log, tmp_path):
    from click.testing import CliRunner

    from memarena.cli import cli

    folder = tmp_path / "images" / "episode_4"
    folder.mkdir(parents=True)
    (folder / "episode_4_step_0.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "episode_4_step_1_20260101_front.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    steps = [{"env_step": number, "action_description": "go", "env_feedback": "Done."} for number in (1, 2, 3)]
    path = log(*steps, name="episode_4_step_3.json")
    done = CliRunner().invoke(cli, ["data", "import", str(path), "--out", str(tmp_path / "out")])
    assert "2 pictures\n" in done.output


def test_steps_that_stand_alone_are_an_episode_until_goal_or_number_tells_otherwise(log):
    def step(goal, number):
        return {"trace_id": 1, "target": goal, "index": number, "html": "<p>", "response": "click"}

    (trace,), _, _ = read(log(step("a", 0), step("a", 1), step("b", 2), step("b", 0)))
    assert [len(session.turns) for session in trace.sessions] == [4, 2, 2]


def test_a_run_of_visualagentbench_has_a_session_for_each_task(log):
    history = [
        {"role": "system", "content": "Rules."},
        {
            "role": "user",
            "content": [{"type": "text", "text": "Go."}, {"type": "image_url", "image_url": {"url": "1.png"}}],
        },
        {"role": "agent", "content": "ACTION: move(1)"},
    ]
    run = {"index": 3, "error": None, "output": {"status": "completed", "result": {}, "history": history}}
    (trace,), kind, _ = read(log({**run, "time": {"timestamp": 1767258000000}}, {**run, "index": 4}))
    assert kind is FORMATS["episodes"] and [session.name for session in trace.sessions] == ["3", "4"]
    assert [turn.role for turn in trace.sessions[0].turns] == ["system", "user", "assistant"]
    assert trace.sessions[0].turns[1].shown == (Shown(path="1.png"),)


def test_items_of_agent_arena_are_what_was_asked_seen_and_done(log):
    items = [
        {"role": "user", "type": "user_prompt", "content": "Sort it."},
        {"role": "agent", "type": "agent_predict", "observation": {"a11y_tree": "cell B1", "screenshot": "0.png"},
         "actions": ["click(1)"], "model_response": "I click."},
        {"role": "agent", "type": "agent_step", "action": "click(1)", "step_result": "no such cell"},
        {"role": "user", "type": "user_prompt", "content": "Save it."},
    ]  # fmt: skip
    first = [
        ("user", "Sort it."),
        ("user", "Observation: cell B1"),
        ("assistant", "I click.\nAction: click(1)"),
        ("user", "Feedback: no such cell"),
    ]
    assert told(log(*items)) == [first, [("user", "Save it.")]]
    assert told(log({"conversation": items[:3]})) == [first]


def test_steps_may_stand_one_level_deeper(log):
    value = {"observation": "A sheet.", "thought": "I sort.", "code": "click(1)"}
    path = log({"task_id": "t", "instruction": "Sort.", "traj": [{"index": 0, "image": "0.png", "value": value}]})
    assert told(path) == [[("user", "Observation: Sort. A sheet."), ("assistant", "I sort.\nAction: click(1)")]]
