"""Logs as people have them: odd shapes, broken files, pictures from everywhere, and what is left out."""

from __future__ import annotations

import base64
import json
import os
import re
from datetime import datetime

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from memarena.cli import cli
from memarena.errors import DataError, UsageError
from memarena_builder.traces.formats import read
from memarena_builder.traces.heard import Heard
from memarena_builder.traces.log import Shown, Uttered, moment
from memarena_builder.traces.parts import Said, located
from memarena_builder.traces.rows import rows

PNG = b"\x89PNG\r\n\x1a\n"
INLINE = "data:image/png;base64," + base64.b64encode(PNG).decode()
HI = {"role": "user", "content": "Hi."}


@pytest.fixture
def log(tmp_path):
    def write(*found, name="log.jsonl", raw=None):
        path = tmp_path / name
        lines = "".join(json.dumps(each) + "\n" for each in found).encode()
        path.write_bytes(lines if raw is None else raw)
        return path

    return write


def told(path, name=""):
    """Role and words of all turns, session by session."""
    traces, _, _ = read(path, name)
    return [[(turn.role, turn.text) for turn in session.turns] for trace in traces for session in trace.sessions]


def noted(path):
    return list(read(path).notes.lines())


def imported(*words):
    return CliRunner().invoke(cli, ["data", "import", *map(str, words)])


ANSWER = {"role": "assistant", "content": "Hello."}
BOTH = [[("user", "Hi."), ("assistant", "Hello.")]]


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


def shown_in(out):
    return sorted(path.name for path in out.rglob("images/*/*"))


def test_pictures_come_from_the_log_and_from_one_folder_and_from_nowhere_else(tmp_path, log):
    folder = tmp_path / "here"
    (folder / "shots").mkdir(parents=True)
    (folder / "shots" / "a.png").write_bytes(PNG)
    (folder / "words.png").write_bytes(b"no picture")
    (tmp_path / "secret.png").write_bytes(PNG + b"secret")
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    os.mkfifo(folder / "pipe.png")
    urls = [
        INLINE, "shots/a.png", "../image/shots/a.png", "/elsewhere/shots/a.png", "C:\\shots\\a.png",
        "../secret.png", str(tmp_path / "secret.png"), "link.png", "words.png", "pipe.png", "shots",
        "http://127.0.0.1:9/a.png", "data:image/png;base64,!", "x" * 5000, "a\0b.png",
    ]  # fmt: skip
    path = log(*({"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]} for url in urls))
    done = imported(path, "--pictures", folder, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "15 pictures, 10 of them missing" in done.output
    assert "pictures on a network, which are not fetched: 1" in done.output
    assert "links left out that lead out of the folder of pictures: 1" in done.output
    assert "files left out that are no pictures: 1" in done.output
    assert shown_in(tmp_path / "out") == [f"S00_img_{number}.png" for number in range(1, 6)]
    assert all(b"secret" not in each.read_bytes() for each in (tmp_path / "out").rglob("*.png"))


def test_a_turn_keeps_all_its_pictures(tmp_path, log):
    part = {"type": "image_url", "image_url": {"url": INLINE}}
    path = log({"role": "user", "content": [part, part, {"type": "text", "text": "Two."}]})
    assert imported(path, "--out", tmp_path / "out").exit_code == 0
    raw = json.loads(next((tmp_path / "out").rglob("log.json")).read_text("utf-8"))
    attached = raw["sessions"][0]["dialogue"][0]["attachments"]
    assert [each["image_id"] for each in attached] == ["S00_img_1", "S00_img_2"]


LINE = json.dumps(HI).encode()


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (LINE + b"\n{bad}\n", "line 2 is no JSON: .* at column 2"),
        (b"{bad}\n" + LINE, "line 1 is no JSON"),
        (b'{\n "a": 1,\n b\n}', "line 3 is no JSON"),
        (LINE + b"\n" + LINE[:20], "line 2 is no JSON"),
        (LINE.decode().encode("utf-16"), "is no text in UTF-8"),
        (LINE + b'\n{"role": "user", "content": "caf\xe9"}', "line 2 is no text in UTF-8"),
        (b'{"role": "user", "content": ' + b"[" * 99999 + b"]" * 99999 + b"}", "line 1 is nested too deeply"),
        (b'{"role": "user", "content": ' + b"[" * 500 + b"]" * 500 + b"}", "has no turns"),
        (b'{"role": "user", "timestamp": ' + b"9" * 5000 + b', "content": "x"}', "too many digits"),
        (b"42", "of no format that is known"),
        (b"\n \n", "has no turns"),
        (b"", "has no turns"),
        (b'{"messages": 3}', "of no format that is known"),
        (b'{"resourceSpans": 3}', "no span has messages"),
        (b'{"context": 3, "resourceSpans": [], "attributes": []}', "no span has messages"),
    ],
)
def test_a_broken_log_is_a_person_s_mistake_told_in_one_line(tmp_path, log, raw, problem):
    path = log(raw=raw)
    with pytest.raises(DataError, match=problem) as raised:
        read(path)
    assert str(path) in str(raised.value) and "\n" not in str(raised.value) and len(str(raised.value)) < 400
    assert imported(path, "--out", tmp_path / "out").exit_code != 0 and not list((tmp_path / "out").rglob("*.json"))


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"\xef\xbb\xbf" + LINE + b"\r\n" + LINE + b"\r\n", ["Hi.", "Hi."]),
        ('{"role": "user", "content": "a\u2028b\x85c"}\n'.encode(), ["a\u2028b\x85c"]),
        (
            b'{"role": "user", "content": "half \\ud83d, whole \\ud83d\\ude00, \\\\ud83d"}',
            ["half \ufffd, whole \U0001f600, \\ud83d"],
        ),
        (json.dumps({"messages": [HI]}, indent=1).encode() * 2, ["Hi.", "Hi."]),
        (b"[\n" + LINE + b",\n" + LINE + b"\n]\n", ["Hi.", "Hi."]),
        (b"\n\n" + LINE, ["Hi."]),
    ],
)
def test_signs_and_ends_of_lines_do_not_matter(log, raw, said):
    assert [text for session in told(log(raw=raw)) for _, text in session] == said


@given(st.text())
def test_every_text_comes_through_a_line(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("rows") / "log.jsonl"
    path.write_text(json.dumps({"a": text}) + "\n", encoding="utf-8")
    assert [row.value for row in rows(path)] == [{"a": text}]


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


def test_logs_can_make_one_sample_in_the_order_of_their_times(tmp_path, log):
    late = log({**HI, "timestamp": "2026-02-01T09:00:00Z"}, name="a.jsonl")
    early = log({**HI, "content": "First.", "timestamp": "2026-01-01T09:00:00Z"}, name="b.jsonl")
    done = imported(late, early, "--join", "both", "--out", tmp_path / "out")
    assert "both: 2 sessions, 2 turns" in done.output
    raw = json.loads((tmp_path / "out/lifelong/imported/both.json").read_text("utf-8"))
    assert [session["dialogue"][0]["content"] for session in raw["sessions"]] == ["First.", "Hi."]


@pytest.mark.parametrize(("calls", "place"), [(0, "lifelong"), (1, "lifelong"), (2, "agent")])
def test_a_conversation_in_which_tools_say_much_is_what_an_agent_did(tmp_path, log, calls, place):
    used = [
        {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "f"}}]},
        {"role": "tool", "content": "x"},
    ]
    path = log({"messages": [HI, ANSWER, HI, ANSWER, *used * calls]})
    assert imported(path, "--out", tmp_path / "out").exit_code == 0
    assert (tmp_path / "out" / place / "imported" / "log.json").is_file()


def test_logs_of_agents_and_of_people_make_no_one_sample(tmp_path, log):
    chat, steps = log(HI, name="a.jsonl"), log({"observation": "A door.", "action": "open"}, name="b.jsonl")
    assert isinstance(imported(chat, steps, "--join", "x", "--out", tmp_path / "out").exception, UsageError)


def test_a_log_that_cannot_be_read_leaves_nothing_behind(tmp_path, log):
    good, bad = log(HI, name="a.jsonl"), log(raw=b"{", name="b.jsonl")
    assert isinstance(imported(good, bad, "--out", tmp_path / "out").exception, DataError)
    assert not (tmp_path / "out").exists() or list((tmp_path / "out").iterdir()) == []
    assert imported(good, "--out", tmp_path / "out").exit_code == 0


KEYS = re.findall(
    r"\w+",
    """role content text type messages tool_calls function name arguments id timestamp session user_id message sessionId
    payload item call_id output history steps observation action reasoning env_step instruction image image_url url
    source data resourceSpans scopeSpans spans attributes key value stringValue arrayValue values kvlistValue events
    traceId context parts mapping current_node parent conversations from request response choices body input
    resourceLogs changes time""",
)
WORDS = [
    "user", "tool", "text", "image_url", "tool_use", "tool_result", "response_item", "item.completed", "file_change",
    "function_call_output", "gen_ai.choice", "gen_ai.input.messages", "agent_predict", "{", '{"output": 3}',
]  # fmt: skip
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.sampled_from(WORDS)
    | st.text(max_size=5)
)
ANYTHING = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=15,
)
AROUND = st.sampled_from(
    [
        lambda value: value,
        lambda value: {"messages": [{"role": "user", "content": value, "tool_calls": value}], "response": value},
        lambda value: {"type": "response_item", "payload": value},
        lambda value: {"type": "item.completed", "item": value},
        lambda value: {"sessionId": value, "message": {"content": [{"type": "tool_result", "content": value}]}},
        lambda value: {"sessionId": "s", "message": {"id": value, "role": value, "content": value}},
        lambda value: {"resourceSpans": [{"scopeSpans": [{"spans": [{"attributes": value, "events": value}]}]}]},
        lambda value: {"context": {}, "attributes": {"gen_ai.input.messages": value, "gen_ai.prompt.0.content": value}},
        lambda value: {"observation": value, "action": value, "reasoning": value, "env_step": value, "image": value},
        lambda value: {"output": {"history": [{"role": "user", "content": value}]}, "time": value},
        lambda value: {"type": "agent_predict", "observation": value, "actions": value},
        lambda value: {"speaker": value, "text": value, "session": value, "timestamp": value, "images": value},
        lambda value: {"mapping": {"a": {"message": value, "parent": value}}, "current_node": "a"},
    ]
)  # fmt: skip


@given(st.lists(st.builds(lambda around, value: around(value), AROUND, ANYTHING), min_size=1, max_size=3))
def test_whatever_a_log_holds_it_is_read_or_refused(tmp_path_factory, found):
    path = tmp_path_factory.mktemp("anything") / "log.jsonl"
    path.write_text("\n".join(map(json.dumps, found)), encoding="utf-8")
    try:
        traces = read(path).traces
    except DataError as error:
        assert str(path) in str(error) and "\n" not in str(error)
    else:
        assert all(session.turns for trace in traces for session in trace.sessions)


@pytest.mark.parametrize(
    "row",
    [
        {"type": "item.completed", "item": {"type": "file_change", "changes": None}},
        {"type": ["user"], "role": "user", "content": "Hi."},
        {"conversation": [{"type": ["x"]}], "role": "user", "content": "Hi."},
    ],
)
def test_fields_of_another_type_than_they_should_be_break_nothing(log, row):
    assert read(log(row, HI)).traces
