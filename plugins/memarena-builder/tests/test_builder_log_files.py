"""Logs as files: broken ones, pictures beside them and elsewhere, several at once, and whatever else they may hold."""

from __future__ import annotations

import base64
import json
import os
import re

import pytest
from builder_logs import ANSWER, HI, PNG, run, told, writer
from hypothesis import given
from hypothesis import strategies as st

from memarena.errors import DataError, UsageError
from memarena_builder.traces.formats import read
from memarena_builder.traces.rows import rows

INLINE = "data:image/png;base64," + base64.b64encode(PNG).decode()


@pytest.fixture
def log(tmp_path):
    return writer(tmp_path)


def imported(*words):
    return run("import", *words)


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


def test_two_logs_of_one_name_are_refused_be_they_of_different_kinds(tmp_path, log):
    chat = log(HI, name="a.jsonl")
    (tmp_path / "other").mkdir()
    steps = writer(tmp_path / "other")({"observation": "A door.", "action": "open"}, name="a.jsonl")
    raised = imported(chat, steps, "--out", tmp_path / "out").exception
    assert isinstance(raised, DataError) and "a sample of this name" in str(raised)


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
