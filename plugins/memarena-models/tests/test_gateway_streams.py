"""Streams that are cut into events, made from replies, and put together again."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stand_in_upstream import chunk, completion, sse

from memarena_models.assembling import assembled
from memarena_models.passing import StreamReader
from memarena_models.sse import EventSplitter, payload
from memarena_models.streaming import stream_of

TEXT = st.text(max_size=80)
CALLS = st.lists(st.tuples(st.text(max_size=5), st.text(max_size=8), st.text(max_size=60)), max_size=3)


def tool_call(number, name, arguments):
    return {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": arguments}}


@given(TEXT, CALLS)
def test_a_completion_that_is_streamed_and_put_together_is_what_it_was(text, calls):
    whole = completion(text)
    message = whole["choices"][0]["message"]
    message["content"] = text or None
    if calls:
        message["tool_calls"] = [tool_call(n, name or "f", arguments) for n, (_, name, arguments) in enumerate(calls)]
        whole["choices"][0]["finish_reason"] = "tool_calls"
    assert assembled("chat", b"".join(stream_of("chat", whole))) == whole


@given(TEXT)
def test_a_response_that_is_streamed_and_put_together_is_what_it_was(text):
    part = {"type": "output_text", "text": text, "annotations": []}
    item = {"id": "m1", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    call = {"id": "f1", "type": "function_call", "name": "exec", "call_id": "c1", "arguments": '{"cmd": "ls"}'}
    response = {"id": "r1", "object": "response", "status": "completed", "output": [item, call], "usage": {}}
    stream = b"".join(stream_of("responses", response))
    assert assembled("responses", stream) == response
    events = [payload(event) for event in EventSplitter().feed(stream)]
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    said = "".join(event["delta"] for event in events if event["type"] == "response.output_text.delta")
    assert said == text


@given(st.lists(st.text(alphabet="abc\r é", max_size=12), max_size=6), st.data())
def test_events_are_the_same_however_the_bytes_arrive(texts, data):
    stream = b"".join(f"data: {json.dumps(text)}\n\n".encode() for text in texts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    splitter, events = EventSplitter(), []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        events += splitter.feed(stream[start:end])
    assert [payload(event) for event in events] == texts
    assert splitter.rest() == b""


def test_events_may_end_in_either_kind_of_line():
    assert [payload(event) for event in EventSplitter().feed(b"data: 1\r\n\r\nevent: x\ndata: 2\n\n")] == [1, 2]


def test_what_is_no_json_has_no_payload():
    assert [payload(event) for event in (b": a comment\n\n", b"data: [DONE]\n\n", b"data: {oops\n\n")] == [None] * 3


@given(st.data())
def test_hiding_the_usage_passes_everything_else_on_however_it_arrives(data):
    usage = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 1}}
    parts = sse(chunk("a"), chunk("b", finish="stop"), usage, "[DONE]")
    stream = b"".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    reader = StreamReader("chat", hide_usage=True)
    shown = [reader.feed(stream[start:end]) for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert b"".join(shown) + reader.rest() == parts[0] + parts[1] + parts[3]
    assert (reader.tokens.tokens_in, reader.ended, reader.finished) == (7, True, True)
    assert reader.whole == stream


def test_usage_in_an_event_that_also_says_something_is_read_and_shown():
    event = {**chunk("a", finish="stop"), "usage": {"prompt_tokens": 7, "completion_tokens": 1}}
    (part,) = sse(event)
    reader = StreamReader("chat", hide_usage=True)
    assert reader.feed(part) == part
    assert reader.tokens.tokens_in == 7


@pytest.mark.parametrize("text", ['"finish_reason": "stop"', "[DONE]", "data: [DONE]"])
def test_a_text_that_looks_like_an_end_is_none(text):
    (part,) = sse(chunk(text))
    reader = StreamReader("chat")
    reader.feed(part)
    assert (reader.ended, reader.finished) == (False, False)


@pytest.mark.parametrize(("kind", "good"), [("completed", True), ("incomplete", True), ("failed", False)])
def test_a_streamed_response_is_good_where_it_has_an_end_with_an_answer(kind, good):
    (part,) = sse({"type": f"response.{kind}", "response": {"usage": {"input_tokens": 4}}})
    reader = StreamReader("responses")
    reader.feed(b"event: x\n" + part)
    assert reader.ended is good


def test_a_stream_without_a_reply_is_put_together_to_nothing():
    assert assembled("chat", b"data: [DONE]\n\n") is None
    assert assembled("responses", b"data: {}\n\n") is None
