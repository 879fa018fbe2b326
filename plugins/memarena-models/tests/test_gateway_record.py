"""Record and replay."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stand_in_upstream import Play, chunk, completion, sse

from memarena_models.client import ReplayMiss, chat
from memarena_models.exchanges import Exchange, Exchanges, Slot, Slots
from memarena_models.requestkey import canonical, differences, request_key, show_difference, without_pictures

USAGE = {"choices": [], "usage": {"prompt_tokens": 20, "completion_tokens": 5}}


def say(host, text, **more):
    return host.post(messages=[{"role": "user", "content": text}], **more)


def counting(upstream):
    """Each reply has a number of its own."""
    upstream.default = lambda body: Play(completion(f"reply {len(upstream.requests)}"))


def test_what_was_recorded_is_replayed_byte_for_byte_with_no_way_to_a_network(serve, upstream, tmp_path):
    first = serve(tmp_path, record="record")
    recorded = say(first, "hi").content
    first.stop()
    second = serve(tmp_path, record="replay")
    assert second.service._sender is None
    assert say(second, "hi").content == recorded
    assert len(upstream.requests) == 1


def test_a_replayed_call_is_counted_as_it_was_and_marked(serve, tmp_path):
    first = serve(tmp_path)
    say(first, "hi")
    first.stop()
    second = serve(tmp_path, record="replay")
    say(second, "hi")
    rows = second.service.rows()
    assert [(row.session, row.replayed, row.tokens_in) for row in rows] == [(1, False, 10), (2, True, 10)]
    assert second.service.usage("a~s")["write"].tokens_in == 10


def test_a_miss_says_what_differs_from_the_nearest_recorded_request(serve, tmp_path):
    first = serve(tmp_path)
    for text in ("Name the capital of France.", "Say nothing."):
        say(first, text, temperature=0)
    first.stop()
    second = serve(tmp_path, record="replay")
    with pytest.raises(ReplayMiss) as caught:
        chat(second.endpoint(), [{"role": "user", "content": "Name the capital of Spain."}], temperature=0)
    assert str(caught.value) == (
        "replay: this chat request of a~s (write) to m was not recorded: the nearest recorded request differs at "
        "$.messages[0].content: asked 'Name the capital of Spain.', recorded 'Name the capital of France.'"
    )


@pytest.mark.parametrize("change", [{"temperature": 0.7}, {"model": "n"}, {"seed": 1}, {"tools": []}])
def test_everything_that_changes_the_answer_is_part_of_the_key(serve, upstream, tmp_path, change):
    first = serve(tmp_path)
    say(first, "hi", temperature=0)
    first.stop()
    second = serve(tmp_path, record="replay")
    answer = say(second, "hi", **{"temperature": 0, **change})
    assert answer.json()["error"]["code"] == "replay_miss"
    assert f"$.{next(iter(change))}" in answer.json()["error"]["message"]


def test_what_does_not_change_the_answer_is_not_part_of_the_key(serve, tmp_path):
    first = serve(tmp_path)
    say(first, "hi", user="u1", prompt_cache_key="thread-1", metadata={"run": "1"})
    first.stop()
    second = serve(tmp_path, record="replay")
    assert say(second, "hi", user="u2", prompt_cache_key="thread-2").status_code == 200


def test_the_same_request_three_times_has_three_answers_and_a_fourth_is_a_miss(serve, upstream, tmp_path):
    counting(upstream)
    first = serve(tmp_path)
    recorded = [say(first, "hi").content for _ in range(3)]
    first.stop()
    assert len(set(recorded)) == 3
    second = serve(tmp_path, record="replay")
    assert [say(second, "hi").content for _ in range(3)] == recorded
    message = say(second, "hi").json()["error"]["message"]
    assert message.endswith("it was recorded 3 times for a~s, and is asked once more")


def test_two_owners_of_one_request_keep_their_own_answers(serve, upstream, tmp_path):
    counting(upstream)
    first = serve(tmp_path)
    recorded = {cell: say(first, "hi", cell_id=cell).content for cell in ("a~s", "a~s~1", "b~s")}
    first.stop()
    second = serve(tmp_path, record="replay")
    assert {cell: say(second, "hi", cell_id=cell).content for cell in reversed(recorded)} == recorded
    message = say(second, "hi", cell_id="c~s").json()["error"]["message"]
    assert message.endswith("and never for c~s")


def test_an_answer_is_found_though_the_stage_is_another(serve, tmp_path):
    first = serve(tmp_path)
    recorded = say(first, "hi", stage="write").content
    first.stop()
    assert say(serve(tmp_path, record="replay"), "hi", stage="retrieve").content == recorded


def test_auto_replays_what_is_there_and_asks_for_the_rest(serve, upstream, tmp_path):
    first = serve(tmp_path)
    say(first, "hi")
    first.stop()
    second = serve(tmp_path)
    say(second, "hi")
    say(second, "new")
    second.stop()
    assert [body["messages"][0]["content"] for body in upstream.bodies] == ["hi", "new"]
    assert say(serve(tmp_path, record="replay"), "new").status_code == 200


def test_record_asks_anew_and_replaces(serve, upstream, tmp_path):
    counting(upstream)
    for _ in range(2):
        host = serve(tmp_path, record="record")
        last = say(host, "hi").content
        host.stop()
    assert len(upstream.requests) == 2
    assert say(serve(tmp_path, record="replay"), "hi").content == last


def test_live_keeps_nothing(serve, tmp_path):
    host = serve(tmp_path, record="live")
    say(host, "hi")
    host.stop()
    assert not (tmp_path / "exchanges.sqlite").exists()


@pytest.mark.parametrize(
    "bad",
    [
        Play(b"<html>busy</html>"),
        Play(b'{"choices": [{"mess'),
        Play({"choices": []}),
        Play({"error": {"message": "odd"}}),
        Play(status=400),
    ],
)
def test_a_failed_or_unreadable_exchange_is_not_replayed_as_final(serve, upstream, tmp_path, bad):
    upstream.script = [bad]
    host = serve(tmp_path)
    say(host, "hi")
    assert host.row().errors == 1
    assert say(host, "hi").json() == completion()
    host.stop()
    assert say(serve(tmp_path, record="replay"), "hi").json() == completion()


def test_a_stream_that_broke_off_is_not_replayed(serve, upstream, tmp_path):
    upstream.script = [Play(parts=sse(chunk("a")))]
    upstream.default = Play(parts=sse(chunk("b", finish="stop"), "[DONE]"))
    host = serve(tmp_path)
    say(host, "hi", stream=True)
    say(host, "hi", stream=True)
    host.stop()
    assert b'"b"' in say(serve(tmp_path, record="replay"), "hi", stream=True).content


def test_a_stream_is_replayed_as_the_stream_it_was(serve, upstream, tmp_path):
    upstream.default = Play(parts=sse(chunk("a"), chunk("b", finish="stop"), USAGE, "[DONE]"))
    first = serve(tmp_path)
    recorded = say(first, "hi", stream=True).content
    first.stop()
    second = serve(tmp_path, record="replay")
    assert say(second, "hi", stream=True).content == recorded
    (row,) = [row for row in second.service.rows() if row.replayed]
    assert (row.tokens_in, row.tokens_out, row.estimated) == (20, 5, 0)


def test_a_recorded_stream_answers_a_whole_request(serve, upstream, tmp_path):
    upstream.default = Play(parts=sse(chunk("a"), chunk("b", finish="stop"), USAGE, "[DONE]"))
    first = serve(tmp_path)
    say(first, "hi", stream=True)
    first.stop()
    whole = say(serve(tmp_path, record="replay"), "hi").json()
    assert whole["choices"][0]["message"]["content"] == "ab"
    assert whole["usage"] == USAGE["usage"]


def test_a_recorded_whole_reply_answers_a_streaming_request(serve, tmp_path):
    first = serve(tmp_path)
    say(first, "hi")
    first.stop()
    stream = say(serve(tmp_path, record="replay"), "hi", stream=True).content
    assert b'"content":"hello there"' in stream
    assert stream.endswith(b"data: [DONE]\n\n")


def test_the_record_holds_what_a_person_can_read(serve, tmp_path):
    host = serve(tmp_path)
    say(host, "hi", user="someone")
    host.stop()
    database = sqlite3.connect(tmp_path / "exchanges.sqlite")
    ((endpoint, model, body),) = database.execute("SELECT endpoint, model, body FROM requests")
    database.close()
    assert (endpoint, model) == ("chat", "m")
    assert json.loads(zlib.decompress(body)) == {"messages": [{"content": "hi", "role": "user"}], "model": "m"}


WRITE = """
import sys
from pathlib import Path
from memarena_models.exchanges import Exchange, Exchanges, Slot
record = Exchanges(Path(sys.argv[1]))
for number in range(300):
    slot = Slot(request=b"%016d" % (number % 50), owner=sys.argv[2], stage="write", occurrence=number // 50)
    record.keep(slot, "chat", "m", b"{}", Exchange(reply=sys.argv[2].encode() + b"%d" % number, streamed=False))
record.close()
"""


def test_several_processes_write_one_record(tmp_path):
    file = tmp_path / "exchanges.sqlite"
    writers = [subprocess.Popen([sys.executable, "-c", WRITE, str(file), owner]) for owner in "abc"]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    record = Exchanges(file)
    for owner in "abc":
        found = record.find(Slot(request=b"%016d" % 7, owner=owner, stage="write", occurrence=5))
        assert found.reply == owner.encode() + b"257"
    record.close()


def test_a_full_disk_is_said_once_and_nothing_blocks(tmp_path):
    told = []
    record = Exchanges(tmp_path / "exchanges.sqlite", told.append)
    other = sqlite3.connect(tmp_path / "exchanges.sqlite")
    other.execute("DROP TABLE exchanges")
    other.close()
    slot = Slot(request=bytes(16), owner="a", stage="write", occurrence=0)
    record.keep(slot, "chat", "m", b"{}", Exchange(reply=b"{}", streamed=False))
    record.close()
    assert [str(error).startswith(f"{tmp_path}/exchanges.sqlite: ") for error in told] == [True]


def test_a_slot_of_a_call_that_failed_is_handed_out_again():
    slots = Slots()
    first, second = (slots.take(bytes(16), "a", "write") for _ in range(2))
    slots.give_back(first)
    assert [slots.take(bytes(16), "a", "write").occurrence for _ in range(2)] == [0, 2]
    assert second.occurrence == 1
    slots.close()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(max_size=4), JSON, max_size=4))
def test_the_order_of_keys_does_not_matter(body):
    assert canonical(body) == canonical(dict(reversed(body.items())))


@given(JSON, JSON)
def test_values_differ_exactly_where_a_difference_is_found(one, other):
    found = list(differences(one, other))
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    if same:
        assert found == []
    for place in found:
        assert show_difference(*place).startswith("$")


def test_two_endpoints_never_share_a_key():
    assert request_key("chat", b"{}") != request_key("responses", b"{}")


def test_a_picture_is_kept_by_its_hash():
    picture = "data:image/png;base64," + "A" * 5000
    kept = without_pictures(canonical({"model": "m", "messages": [{"content": [{"url": picture}]}]}))
    assert len(kept) < 200
    other = without_pictures(canonical({"model": "m", "messages": [{"content": [{"url": picture + "B"}]}]}))
    assert kept != other


def test_ids_that_a_client_draws_and_times_that_its_tools_measure_are_not_part_of_the_key():
    def asked(item: str, chunk: str, seconds: str, said: str) -> bytes:
        output = f"Chunk ID: {chunk}\nWall time: {seconds} seconds\n{said}"
        call = {"type": "function_call", "id": item, "call_id": "call_1", "name": "exec_command", "arguments": "{}"}
        return canonical({"model": "m", "input": [call, {"type": "function_call_output", "output": output}]})

    assert asked("fc_1", "a1b2", "0.05", "teal") == asked("fc_2", "ffff", "1.5", "teal")
    assert asked("fc_1", "a1b2", "0.05", "teal") != asked("fc_1", "a1b2", "0.05", "blue")
