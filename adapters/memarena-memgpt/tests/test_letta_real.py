"""`letta` with a real Letta server, where MEMARENA_LETTA_PYTHON names an interpreter that has one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from letta_play import done, serving, started, use, whole
from memgpt_play import turn

from memarena.hosted import HostedAdapter
from memarena.modelclient import ModelCallFailed
from memarena.records import RunContext
from memarena.testing import AdapterContract
from memarena.testing.model_server import ModelServer
from memarena_memgpt.letta.adapter import Letta
from memarena_memgpt.letta.options import LettaOptions
from memarena_memgpt.letta.server import LettaFailed

PYTHON = os.environ.get("MEMARENA_LETTA_PYTHON", "")

pytestmark = [
    pytest.mark.skipif(not PYTHON, reason="MEMARENA_LETTA_PYTHON names no interpreter that has a Letta server"),
    pytest.mark.skipif(find_spec("letta_client") is None, reason="letta-client is not installed"),
]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(PYTHON, tmp_path_factory.mktemp("letta") / "log") as address:
        yield address


def left(url: str) -> tuple[int, int, int]:
    """How many agents, blocks and archives the server has."""
    import letta_client

    with letta_client.Letta(base_url=url, api_key="none") as api:
        return len(list(api.agents.list())), len(list(api.blocks.list())), len(list(api.archives.list()))


class TestLetta(AdapterContract):
    @pytest.fixture(autouse=True)
    def _models(self, url: str, offline_server: ModelServer) -> Iterator[None]:
        self.url = url
        self.model = self.embedding = offline_server.endpoint
        self.made: list[Letta] = []
        yield
        # While the server is there: an adapter that is left open removes its agent when it is collected.
        for adapter in self.made:
            adapter.close()

    def make(self) -> Letta:
        self.made.append(Letta(LettaOptions(url=self.url)))
        return self.made[-1]


def test_each_store_is_shown_with_the_turns_that_it_comes_from(url: str, upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, url, tmp_path)
    upstream.script = [
        use("memory_insert", label="human", new_string="Ana has a dog.\nAna lives in Rome."),
        done(),
        use("archival_memory_insert", content="Bruno barks at night."),
        done(),
        use("memory_replace", label="human", old_string="lives in Rome", new_string="lives in Oslo"),
        done(),
    ]
    adapter.ingest_turn(turn(0, "I have a dog. I live in Rome."))
    adapter.ingest_turn(turn(1, "Bruno barks.", role="assistant"))
    adapter.ingest_turn(turn(2, "I moved to Oslo."))
    adapter.end_session("S01")
    kept = {item.memory_id: (item.text, item.status, item.turn_ids) for item in adapter.snapshot_memories()}
    assert kept["core:human:1"] == ("Ana has a dog.", "active", ("S01:T000",))
    assert kept["core:human:2"] == ("Ana lives in Oslo.", "active", ("S01:T000", "S01:T002"))
    assert kept["archival:1"] == ("Bruno barks at night.", "active", ("S01:T001",))
    assert kept["S01:T002"][1] == "archived"
    assert len(kept) == 6
    told = {change.memory_id: change.op for change in adapter.export_memory_delta("S01")}
    assert told["core:human:2"] == "add"
    assert told["S01:T000"] == "archive"
    adapter.close()


def test_a_change_in_a_later_session_is_an_update_with_what_it_replaced(
    url: str, upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, url, tmp_path)
    upstream.script = [
        use("memory_insert", label="human", new_string="Ana lives in Rome."),
        done(),
        use("memory_replace", label="human", old_string="Rome", new_string="Oslo"),
        done(),
    ]
    adapter.ingest_turn(turn(0, "I live in Rome."))
    adapter.end_session("S01")
    adapter.ingest_turn(turn(0, "I live in Oslo.", session_id="S02"))
    adapter.end_session("S02")
    (change,) = [each for each in adapter.export_memory_delta("S02") if each.op == "update"]
    assert (change.text, change.previous) == ("Ana lives in Oslo.", ("Ana lives in Rome.",))
    adapter.close()


def test_calls_are_counted_and_carry_the_key_the_seed_and_the_time_of_the_turn(
    url: str, upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, url, tmp_path)
    upstream.asked.clear()
    upstream.script = [
        use("archival_memory_insert", content="A dog."),
        use("archival_memory_search", query="dog"),
        done(),
    ]
    adapter.ingest_turn(turn(0, "A dog."))
    assert (len(upstream.chats), len(upstream.embeddings)) == (3, 2)
    found = adapter.retrieve(query="Which dog?", top_k=5, time=None)
    # A question costs one embedding, and the agent hears nothing of it.
    assert (len(upstream.chats), len(upstream.embeddings)) == (3, 3)
    assert [item.memory_id for item in found.items] == ["archival:1", "S01:T000"]
    assert found.trace["counts"]["tool_calls"] == 2
    last = upstream.chats[-1]
    assert (last["temperature"], last["seed"]) == (0, 0)
    told = str([each for each in last["messages"] if each["role"] != "user"])
    assert "2026-01-01 09:00" in told
    assert "agent-" not in told
    assert "passage-" not in told
    adapter.close()


@pytest.mark.parametrize(
    "script",
    [
        [500],
        [429],
        [b"junk"],
        [use("memory_insert", label="human", new_string="x"), 503],
    ],
)
def test_a_model_that_fails_ends_the_turn_with_its_own_words(
    script: list[Any], url: str, upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, url, tmp_path)
    upstream.script = script
    with pytest.raises(ModelCallFailed, match="chat/completions"):
        adapter.ingest_turn(turn(0, "A dog."))
    adapter.close()


def test_an_embedding_that_fails_is_raised_though_the_agent_is_told_only(
    url: str, upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, url, tmp_path)
    upstream.script = [use("archival_memory_insert", content="A dog."), done()]
    upstream.refuse = lambda kind, body: 500 if kind == "embeddings" else 0
    upstream.asked.clear()
    with pytest.raises(ModelCallFailed, match="planted 500"):
        adapter.ingest_turn(turn(0, "A dog."))
    assert len(upstream.embeddings) == 1
    adapter.close()


def test_a_reply_that_the_server_cannot_use_is_raised(url: str, upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, url, tmp_path)
    upstream.script = [whole({"role": "assistant", "content": None})]
    with pytest.raises(LettaFailed, match="a message: status 500"):
        adapter.ingest_turn(turn(0, "A dog."))
    adapter.close()


def test_calls_of_tools_that_fail_and_the_limit_of_steps_are_counted(
    url: str, upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, url, tmp_path, steps=2)
    upstream.script = [
        use("memory_replace", label="human", old_string="nowhere", new_string="x"),
        use("memory_insert", label="human", new_string="A dog."),
    ]
    adapter.ingest_turn(turn(0, "A dog."))
    counts = adapter.retrieve(query="", top_k=1, time=None).trace["counts"]
    assert (counts["tool_errors"], counts["step_limits"]) == (1, 1)
    adapter.close()


def test_what_leaves_the_context_is_summed_up_and_the_summary_is_shown(
    url: str, offline_server: ModelServer, tmp_path: Path
) -> None:
    adapter = started(offline_server, url, tmp_path, window=8192, block_limit=2000)
    for number in range(4):
        said = " ".join(f"word{number}x{place}" for place in range(500))
        adapter.ingest_turn(turn(number, f"The list {number} has {said}."))
    adapter.end_session("S01")
    kept = {item.memory_id: item for item in adapter.snapshot_memories()}
    assert kept["summary"].status == "active"
    assert "conversation memory constraints" not in kept["summary"].text
    assert len([item for item in kept.values() if item.status == "archived"]) == 4
    assert "summary" in {change.memory_id for change in adapter.export_memory_delta("S01")}
    adapter.close()


def test_nothing_of_an_agent_is_left_on_the_server(url: str, upstream: ModelServer, tmp_path: Path) -> None:
    before = left(url)
    adapter = started(upstream, url, tmp_path, namespace="one")
    upstream.script = [use("archival_memory_insert", content="A dog."), done()]
    adapter.ingest_turn(turn(0, "A dog."))
    # As a process that was killed leaves it: the next reset of the cell finds it by its name.
    other = started(upstream, url, tmp_path, namespace="one")
    assert other.snapshot_memories() == ()
    assert left(url)[0] == before[0] + 1
    adapter.close()
    other.close()
    assert left(url) == before


def test_two_agents_share_nothing(url: str, upstream: ModelServer, tmp_path: Path) -> None:
    one = started(upstream, url, tmp_path, namespace="one")
    other = started(upstream, url, tmp_path, namespace="other")
    upstream.script = [use("memory_insert", label="human", new_string="Zanetti."), done()]
    one.ingest_turn(turn(0, "Zanetti."))
    assert "Zanetti" in str(one.snapshot_memories())
    assert "Zanetti" not in str(other.snapshot_memories())
    one.close()
    other.close()


def test_a_process_of_its_own_ends_with_its_agent(url: str, offline_server: ModelServer, tmp_path: Path) -> None:
    before = left(url)
    adapter = HostedAdapter("letta", "letta", {"url": url})
    adapter.reset(
        context=RunContext(
            folder=str(tmp_path), namespace="n", model=offline_server.endpoint, embedding=offline_server.endpoint
        )
    )
    adapter.ingest_turn(turn=turn(0, "I have a dog called Bruno."))
    adapter.end_session(session_id="S01")
    assert any("Bruno" in item.text for item in adapter.snapshot_memories())
    adapter.close()
    assert left(url) == before
