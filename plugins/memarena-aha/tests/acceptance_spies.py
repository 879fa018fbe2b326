"""An agent and a memory that do their work and write down all that they are shown, for a test that looks for leaks."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from memarena import meter
from memarena.floors import Verbatim
from memarena.records import Retrieval, RunContext, Turn
from memarena_aha.agents.context import PlayContext
from memarena_aha.agents.scripted import LessonReader

LOG = "MEMARENA_ACCEPTANCE_LOG"
"""Variable of the environment: the folder that they write to."""


def _write(name: str, row: Any) -> None:
    """To the file of what is shown so, in a folder of the pair whose cell is at work."""
    at_work = meter.current()
    assert at_work is not None
    pair = at_work[0].partition("~")[2]
    folder = Path(os.environ[LOG]) / pair
    folder.mkdir(exist_ok=True)
    with (folder / f"{name}.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(row) + "\n")


class SpyingAgent(LessonReader):
    """Acts by its lessons."""

    name = "spying"

    def begin(self, context: PlayContext) -> None:
        assert context.episode is None
        _write("begun", [context.part, context.seed, context.folder])
        super().begin(context)

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        seen = {name: value for name, value in observation.items() if name != "memory"}
        _write("seen", [seen, list(tools)])
        _write("memory", observation["memory"])
        return super().act(observation, tools)


class SpyingMemory(Verbatim):
    """Keeps all."""

    def reset(self, context: RunContext) -> None:
        _write("heard", [context.folder, context.namespace])
        super().reset(context)

    def ingest_turn(self, turn: Turn) -> None:
        _write("heard", [turn.session_id, turn.role, turn.text])
        super().ingest_turn(turn)

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        _write("heard", query)
        return super().retrieve(query, top_k)


def install(site: Path) -> None:
    """Both as a distribution in the folder `site`."""
    info = site / "memarena_acceptance-0.1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: memarena-acceptance\nVersion: 0.1\n", encoding="utf-8")
    groups = "[memarena.agents]\nspying = acceptance_spies:SpyingAgent\n"
    groups += "[memarena.adapters]\nspying = acceptance_spies:SpyingMemory\n"
    (info / "entry_points.txt").write_text(groups, encoding="utf-8")
