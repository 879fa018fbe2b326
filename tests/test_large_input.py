"""What is said can be long and what is shown large: every system that is installed survives it, with the model offline.

`tests/bench/bench_long.py` plays 10,000 turns and prints what they cost.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memarena.catalog import load, make
from memarena.records import Attachment, MemoryItem, RunContext, Turn
from memarena.rig import Rig

pytest.importorskip("memarena_models", reason="memarena-models is not installed")

from memarena_models.gateway import LocalGateway
from memarena_models.settings import Options

SYSTEMS = {
    "bm25": "memarena_rag",
    "dense": "memarena_rag",
    "hybrid": "memarena_rag",
    "universalrag": "memarena_universalrag",
    "amem": "memarena_amem",
    "mgmemory": "memarena_memgpt",
    "memgpt": "memarena_memgpt",
}
MEGABYTE = 1_000_000
LONG = "The key of the boat is under the third stone. " + "We sailed on. " * (MEGABYTE // 14)
FACT = "The desk of Ana stands in room 14."


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalGateway]:
    one = LocalGateway(Options(record="live"))
    one.start(tmp_path_factory.mktemp("gateway"), {"": "offline", "embed": "offline"})
    yield one
    one.stop()


@pytest.fixture
def rig_of(gateway: LocalGateway, tmp_path: Path) -> Any:
    """A system that has been started."""

    def started(name: str) -> Rig:
        pytest.importorskip(SYSTEMS[name], reason=f"{SYSTEMS[name]} is not installed")
        rig = Rig(name, make(load("adapters", name), {}), cell_id=f"{name}~s")
        models = {role: gateway.endpoint(f"{name}~s", role) for role in ("inner", "embed")}
        rig.reset(RunContext(folder=str(tmp_path), namespace="n", model=models["inner"], embedding=models["embed"]))
        return rig

    return started


def turn(session: str, text: str, *pictures: Attachment) -> Turn:
    return Turn(turn_id=f"{session}:T0", session_id=session, index=0, text=text, body=text, attachments=pictures)


def told(rig: Rig, one: Turn) -> list[MemoryItem]:
    """The state after a session of one turn."""
    rig.ingest_turn(one)
    rig.end_session(one.session_id)
    return list(rig.snapshot_memories())


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_turn_of_a_megabyte_is_kept_and_leaves_what_follows_to_be_found(name: str, rig_of: Any) -> None:
    rig = rig_of(name)
    kept = told(rig, turn("S1", LONG))
    assert any(len(item.text) >= MEGABYTE - 14 for item in kept)
    told(rig, turn("S2", FACT))
    found = rig.retrieve(query="In which room does the desk of Ana stand?", top_k=5)
    assert any(FACT in item.text for item in found.items)


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_picture_of_twenty_megabytes_is_kept_by_its_path(name: str, rig_of: Any, tmp_path: Path) -> None:
    rig = rig_of(name)
    file = tmp_path / "picture.png"
    file.write_bytes(os.urandom(20 * MEGABYTE))
    kept = told(rig, turn("S1", "See this.", Attachment(image_id="p1", path=str(file), caption="A desk.")))
    assert any(item.image_path == str(file) for item in kept)
    assert sum(len(item.text) for item in kept) < 10_000
