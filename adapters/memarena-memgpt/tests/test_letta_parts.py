"""The lines of blocks, what the relay does to prompts, and what it does for a server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memgpt_replies import say

from memarena.modelclient import ModelClient
from memarena.records import RunContext
from memarena.testing.model_server import ModelServer
from memarena_memgpt.journal import fold
from memarena_memgpt.letta.blocks import ServerBlock
from memarena_memgpt.letta.relay import Relay, timed
from memarena_memgpt.letta.server import ALERT
from memarena_memgpt.stores import Origin

FIRST, SECOND = Origin("S01", ("S01:T000",)), Origin("S02", ("S02:T000",))
TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d", ""]), max_size=6).map("\n".join)


def test_an_edited_line_keeps_its_id_and_gathers_its_turns() -> None:
    block = ServerBlock("human")
    block.take("\nAna has a dog.\nAna lives in Rome.", FIRST)
    (change,) = block.take("\nAna has a dog.\nAna lives in Oslo.", SECOND)
    assert (change.op, change.memory_id, change.previous) == ("update", "core:human:2", ("Ana lives in Rome.",))
    assert [item.turn_ids for item in block.items()] == [("S01:T000",), ("S01:T000", "S02:T000")]


def test_lines_that_come_and_go_are_added_and_deleted() -> None:
    block = ServerBlock("human")
    block.take("one\ntwo", FIRST)
    changes = block.take("zero\none", SECOND)
    assert [(change.op, change.text) for change in changes] == [("add", "zero"), ("delete", "two")]
    assert [line.memory_id for line in block.lines] == ["core:human:3", "core:human:1"]


def test_a_block_as_a_whole_comes_from_all_its_turns() -> None:
    block = ServerBlock("human")
    block.take("one", FIRST)
    block.take("one\ntwo", SECOND)
    whole = block.whole()
    assert (whole.memory_id, whole.text, whole.turn_ids) == ("core:human", "one\ntwo", ("S01:T000", "S02:T000"))


@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_the_changes_of_a_block_tell_what_became_of_it(texts: list[str]) -> None:
    block = ServerBlock("human")
    held: dict[str, str] = {}
    for text in texts:
        for change in fold(block.take(text, FIRST)):
            if change.op == "delete":
                del held[change.memory_id]
            else:
                assert (change.op == "add") == (change.memory_id not in held)
                held[change.memory_id] = change.text
        assert held == {line.memory_id: line.text for line in block.lines}
        assert [line.text for line in block.lines] == [line for line in text.split("\n") if line]


AGENT = "agent-1e3ab5d3-3a1f-434b-9f00-777578575c2c"


@pytest.mark.parametrize(
    ("told", "heard"),
    [
        ("- System prompt last recompiled: 2026-11-30 12:12:38 AM UTC+0000", "- System prompt last recompiled: T"),
        (f"- AGENT_ID: {AGENT}", "- AGENT_ID: agent"),
        ("[{'timestamp': '2026-11-30T00:21:40.907687+00:00'}]", "[{'timestamp': 'unknown'}]"),
        (
            '"timestamp": "2026-11-30T00:21:40.5+00:00", "time_ago": "1s ago"',
            '"timestamp": "unknown", "time_ago": "unknown"',
        ),
        ("The train leaves at 2026-11-30T10:00.", "The train leaves at 2026-11-30T10:00."),
    ],
)
def test_the_clock_of_the_machine_and_random_ids_leave_the_prompt(told: str, heard: str) -> None:
    for role in ("system", "tool"):
        assert timed({"role": role, "content": told}, "T")["content"] == heard
    assert timed({"role": "user", "content": told}, "T")["content"] == told
    alert = ALERT + told
    assert timed({"role": "user", "content": alert}, "T")["content"] == ALERT + heard


@pytest.fixture
def relay(upstream: ModelServer, tmp_path: Path) -> Iterator[Relay]:
    context = RunContext(
        folder=str(tmp_path), namespace="n", seed=7, model=upstream.endpoint, embedding=upstream.endpoint
    )
    client = ModelClient.of(context, "letta")
    relay = Relay(client, context)
    yield relay
    relay.close()
    client.close()


def post(url: str, body: dict[str, Any]) -> tuple[int, dict[str, Any], bool]:
    """Status, reply, and whether it may be asked again."""
    request = Request(url, json.dumps(body).encode(), {"Content-Type": "application/json", "Authorization": "Bearer x"})
    try:
        with urlopen(request, timeout=300) as reply:
            return reply.status, json.loads(reply.read()), reply.headers["x-should-retry"] != "false"
    except HTTPError as error:
        with error:
            return error.code, json.loads(error.read()), error.headers["x-should-retry"] != "false"


def test_the_relay_asks_the_models_of_the_cell_with_its_key_and_seed(relay: Relay, upstream: ModelServer) -> None:
    upstream.script = [say("Hello.")]
    status, reply, _ = post(f"{relay.url}/chat/completions", {"messages": [{"role": "user", "content": "Hi."}]})
    assert (status, reply["choices"][0]["message"]["content"]) == (200, "Hello.")
    assert post(f"{relay.url}/embeddings", {"input": ["Hi."]})[0] == 200
    assert upstream.chats[0]["seed"] == 7
    assert relay.counts == {"chats": 1, "failed_chats": 0, "embeddings": 1, "failed_embeddings": 0}


def test_after_a_failure_no_model_is_asked_until_the_next_turn(relay: Relay, upstream: ModelServer) -> None:
    upstream.script = [429, say("Hello.")]
    body = {"messages": [{"role": "user", "content": "Hi."}]}
    assert post(f"{relay.url}/chat/completions", body)[::2] == (429, False)
    assert post(f"{relay.url}/chat/completions", body)[::2] == (502, False)
    assert len(upstream.chats) == 1
    assert "429" in str(relay.outages[0])
    relay.begin("2026-01-01")
    assert post(f"{relay.url}/chat/completions", body)[0] == 200


def test_who_does_not_know_the_address_of_the_relay_gets_nothing(relay: Relay, upstream: ModelServer) -> None:
    other = relay.url.rsplit("/", 2)[0]
    assert post(f"{other}/guess/v1/chat/completions", {"messages": []})[0] == 404
    assert upstream.asked == []
