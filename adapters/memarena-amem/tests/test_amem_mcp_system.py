"""`amem-mcp` with the real library: what it keeps, costs and counts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from amem_play import attributes, hear
from amem_replies import say

from memarena.errors import ModelError
from memarena.modelclient import ModelCallFailed
from memarena.records import RunContext
from memarena.store import RunStore
from memarena.testing.model_server import ModelServer

pytest.importorskip("agentic_memory", reason="a-mem is not installed; it is tested in an environment of its own")

from memarena_amem.mcp.adapter import AMemMcp, AMemMcpOptions


def started(upstream: ModelServer, folder: Path, **options: Any) -> AMemMcp:
    adapter = AMemMcp(AMemMcpOptions(**{"unit": "turn", **options}))
    adapter.reset(RunContext(folder=str(folder), namespace="n", model=upstream.endpoint))
    return adapter


def analysed(*keywords: str, context: str = "c", tags: tuple[str, ...] = ("tag",)) -> dict[str, Any]:
    return say(json.dumps({"keywords": keywords, "context": context, "tags": tags}))


def evolved(actions: tuple[str, ...] = (), links: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    told = {
        "should_evolve": bool(actions),
        "actions": actions,
        "suggested_connections": links,
        "tags_to_update": [],
        "new_context_neighborhood": [],
        "new_tags_neighborhood": [],
    }
    return say(json.dumps(told | more))


def ingest(adapter: AMemMcp) -> Mapping[str, int]:
    found: Mapping[str, int] = adapter.retrieve(query="", top_k=1).trace["ingest"]
    return found


@pytest.fixture
def two(upstream: ModelServer, tmp_path: Path) -> Iterator[AMemMcp]:
    """Two notes, of which the second changed the first."""
    upstream.script = [
        analysed("dog"),
        analysed("cat"),
        evolved(
            ("strengthen", "update_neighbor"),
            ("note:1",),
            tags_to_update=["pets"],
            new_context_neighborhood=["On the first of two pets."],
            new_tags_neighborhood=[["animals"]],
        ),
    ]
    adapter = started(upstream, tmp_path)
    hear(adapter, "A dog.", "A cat.")
    yield adapter
    adapter.close()


def test_a_note_is_linked_and_changes_its_neighbour_and_no_content(two: AMemMcp, upstream: ModelServer) -> None:
    first, second = two.snapshot_memories()
    assert first.text == "[2026-01-01 09:00] user: A dog."
    assert first.metadata == {
        "time": "2026-01-01 09:00",
        "context": "On the first of two pets.",
        "keywords": ["dog"],
        "tags": ["animals"],
        "links": [],
    }
    assert (second.metadata["links"], second.metadata["tags"]) == (["note:1"], ["pets"])
    assert first.turn_ids == ("S01:T000",)
    # One call for the first note, two for the next; the question costs none.
    assert (len(upstream.chats), len(upstream.embeddings)) == (3, 0)
    found = two.retrieve(query="Which dog?", top_k=5)
    assert len(upstream.chats) == 3
    assert {item.memory_id for item in found.items} == {"note:1", "note:2"}
    assert all(-1.001 <= (item.score or 0) <= 1.001 for item in found.items)


def test_the_model_is_told_the_time_of_the_turn_and_nothing_random(two: AMemMcp, upstream: ModelServer) -> None:
    prompt = upstream.chats[-1]["messages"][-1]["content"]
    assert "memory_id:note:1\ttalk start time:2026-01-01 09:00\t" in prompt
    assert (upstream.chats[-1]["temperature"], upstream.chats[-1]["seed"]) == (0, 0)


def test_questions_leave_no_mark_in_the_store(two: AMemMcp) -> None:
    before = two._system.retriever.get_by_ids(["note:1", "note:2"])
    two.retrieve(query="Which dog?", top_k=2)
    two.snapshot_memories()
    assert two._system.retriever.get_by_ids(["note:1", "note:2"]) == before


@pytest.mark.parametrize("status", [429, 500])
@pytest.mark.parametrize("before", [0, 1, 2])
def test_a_failed_call_is_raised_and_keeps_no_note(
    status: int, before: int, upstream: ModelServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    adapter = started(upstream, tmp_path)
    script: list[Any] = [analysed("dog"), analysed("cat"), evolved()]
    script[before] = status
    upstream.script = script
    with pytest.raises(ModelCallFailed, match=f"status {status}"):
        hear(adapter, "A dog.", "A cat.")
    assert len(adapter.snapshot_memories()) == min(before, 1)
    assert len(upstream.chats) == before + 1
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "junk", ["", "no", "[1]", "null", '```json\n{"keywords": []}\n```', '{"keywords": "dog"}', '{"keywords": ["do']
)
def test_a_reply_that_cannot_be_read_is_counted_and_the_note_is_kept(
    junk: str, upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [analysed("dog"), say(junk), say(junk)]
    hear(adapter, "A dog.", "A cat.")
    assert attributes(adapter)["note:2"]["keywords"] == []  # type: ignore[arg-type]
    assert (ingest(adapter)["unread_analyses"], ingest(adapter)["unread_evolutions"]) == (1, 1)
    assert ingest(adapter)["failures"] == 2


def test_where_no_reply_at_all_can_be_read_the_session_ends_with_an_error(
    upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [say("no")] * 5
    with pytest.raises(RuntimeError, match="none of the 2 replies"):
        hear(adapter, "A dog.", "A cat.")


def test_links_that_the_model_made_up_are_counted(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [analysed("dog"), analysed("cat"), evolved(("strengthen",), ("note:1", "note:9"))]
    hear(adapter, "A dog.", "A cat.")
    assert ingest(adapter)["unknown_links"] == 1
    assert adapter.retrieve(query="Which cat?", top_k=5).items


def test_of_a_long_note_the_model_sees_the_beginning_and_the_note_is_whole(
    upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, tmp_path, longest=1200)
    upstream.script = [analysed("a"), analysed("b"), evolved()]
    text = " ".join(f"word{number}" for number in range(2000))
    hear(adapter, text, "Short.")
    assert text in adapter.snapshot_memories()[0].text
    sizes = [len(chat["messages"][-1]["content"]) for chat in upstream.chats]
    assert 1200 < sizes[0] < 3000
    assert sizes[2] < 4500


def test_another_reset_leaves_nothing_and_two_instances_share_nothing(upstream: ModelServer, tmp_path: Path) -> None:
    upstream.script = [analysed("dog"), analysed("emu")]
    one, other = started(upstream, tmp_path / "one"), started(upstream, tmp_path / "other")
    hear(one, "A dog.")
    hear(other, "An emu.")
    assert "dog" not in str(other.retrieve(query="dog", top_k=5).items)
    one.reset(RunContext(folder=str(tmp_path / "one"), namespace="n", model=upstream.endpoint))
    assert one.snapshot_memories() == ()
    assert one.retrieve(query="dog", top_k=5).items == ()


def test_an_encoder_that_is_not_there_is_named(upstream: ModelServer, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"encoder=.*no-such-model"):
        started(upstream, tmp_path, encoder=str(tmp_path / "no-such-model"))


def test_only_this_machine_is_connected_to(upstream: ModelServer, tmp_path: Path, no_network: None) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [analysed("dog")]
    hear(adapter, "A dog.")
    assert adapter.retrieve(query="Which dog?", top_k=5).items


def test_a_run_through_the_gateway_counts_every_call(tmp_path: Path) -> None:
    pytest.importorskip("memarena_models", reason="memarena-models is not installed")
    words = ["run", "-d", "tiny", "-a", "amem-mcp", "--model", "offline", "--out", "r", "--quiet"]
    done = subprocess.run(
        [sys.executable, "-m", "memarena", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        encoding="utf-8",
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
    )
    assert done.returncode == 0, done.stderr
    used = RunStore.open(tmp_path / "r").usage()["amem-mcp~tiny-work"]
    assert used["write"].calls >= 3
    assert "retrieve" not in used or not used["retrieve"].calls
