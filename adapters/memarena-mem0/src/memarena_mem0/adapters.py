"""The adapters `mem0` and `mem0-classic`."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from memarena.records import (
    Capabilities,
    MemoryChange,
    MemoryItem,
    Retrieval,
    RetrievedItem,
    RunContext,
    Turn,
)
from memarena.rounds import Rounds
from memarena_mem0.changes import changes_between
from memarena_mem0.engines import ClassicEngine, Engine, Event, V3Engine
from memarena_mem0.library import version_of
from memarena_mem0.messages import messages_of
from memarena_mem0.options import ClassicOptions, Mem0Options
from memarena_mem0.origins import Origin, Origins, time_of


class Mem0Classic:
    """mem0ai 1.0.11: facts are extracted, and added, or put in the place of memories, or delete them."""

    Options: ClassVar[type[ClassicOptions]] = ClassicOptions
    engine: ClassVar[type[Engine]] = ClassicEngine
    name: ClassVar[str] = "mem0-classic"
    major: ClassVar[int] = 1

    def __init__(self, options: ClassicOptions | None = None) -> None:
        """Raises PluginError where another mem0ai is installed, or none."""
        self._options = options or self.Options()
        self._versions = {"mem0ai": version_of(self.name, self.major)}
        self._lock = threading.RLock()
        self._engine: Engine | None = None

    def reset(self, context: RunContext) -> None:
        with self._lock:
            self.close()
            folder = _own_folder(context)
            shutil.rmtree(folder, ignore_errors=True)
            self._open(folder, context)

    def reopen(self, context: RunContext) -> None:
        with self._lock:
            self.close()
            self._open(_own_folder(context), context)

    def ingest_turn(self, turn: Turn) -> None:
        with self._lock:
            self._enter(turn.session_id)
            for turns in self._batches.add(turn):
                self._add(turns)

    def end_session(self, session_id: str) -> None:
        """Raises RuntimeError where no reply of the model could be read since `reset`."""
        with self._lock:
            self._enter(session_id)
            for turns in self._batches.flush():
                self._add(turns)
            self._origins.save()
            tally = self._working.tally
            if tally.unreadable and tally.unreadable == tally.adds:
                raise RuntimeError(
                    f"none of the {tally.adds} replies of the model could be read as {self.name} asks for them, so "
                    "nothing was remembered: choose a model that can write JSON, or raise the option max_tokens"
                )

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        with self._lock:
            return tuple(self._read().values())

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryChange]:
        with self._lock:
            if session_id != self._session:
                return ()
            return changes_between(self._before, self._read(), self._replaced)

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        with self._lock:
            rows = self._working.search(query, top_k) if query.strip() else []
            trace: dict[str, Any] = {"ingest": self._working.tally.row()}
            signals = [row["score_details"] for row in rows if "score_details" in row]
            if signals:
                trace["signals"] = signals
            return Retrieval(query=query, items=tuple(map(self._retrieved, rows)), trace=trace)

    def get_capabilities(self) -> Capabilities:
        return Capabilities(
            modalities=("text", "image") if self._options.vision else ("text",),
            delta=True,
            updates=self.major == 1,
            verbatim=False,
            persistent=not self._options.qdrant_url,
            versions=self._versions,
        )

    def close(self) -> None:
        """Close the store and the history; the adapter may be reset again."""
        with self._lock:
            if self._engine is not None:
                self._engine.close()
                self._engine = None

    @property
    def _working(self) -> Engine:
        if self._engine is None:
            raise RuntimeError(f"{self.name} is closed, or was never reset")
        return self._engine

    def _open(self, folder: Path, context: RunContext) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._engine = self.engine(folder, context, self._options)
        self._origins = Origins(folder / "origins.jsonl")
        self._batches = Rounds(single=self._options.unit == "turn")
        self._session: str | None = None
        self._items: dict[str, MemoryItem] = {}
        """The newest reading of the store, by memory_id."""
        self._stale = True
        """Something was written since."""
        self._before: Mapping[str, MemoryItem] = {}
        """The store before the newest session."""
        self._replaced: dict[str, list[str]] = {}
        """Texts that memories had, by memory_id, as mem0 told of them in the newest session."""

    def _enter(self, session_id: str) -> None:
        if session_id != self._session:
            self._before = self._read() if self._stale else self._items
            self._session, self._replaced = session_id, {}

    def _add(self, turns: Sequence[Turn]) -> None:
        time = time_of(turns)
        metadata = {
            "created_at": time,
            "session_id": turns[0].session_id,
            "turn_ids": [turn.turn_id for turn in turns],
        }
        for messages in messages_of(turns, longest=self._options.longest, pictures=self._options.vision):
            self._stale = True
            for event in self._working.add(messages, metadata, time):
                self._take(event, turns)

    def _take(self, event: Event, turns: Sequence[Turn]) -> None:
        if event["event"] == "DELETE":
            return
        origin = self._origins.note(str(event["id"]), turns)
        if event["event"] == "UPDATE":
            self._replaced.setdefault(origin.memory_id, []).append(str(event.get("previous_memory") or ""))

    def _read(self) -> dict[str, MemoryItem]:
        """All that mem0 holds now, by memory_id, in the order in which it came."""
        found = sorted(map(self._kept, self._working.listing()), key=lambda item: item.memory_id)
        before = self._items
        self._items = {
            item.memory_id: before[item.memory_id] if before.get(item.memory_id) == item else item for item in found
        }
        self._stale = False
        return self._items

    def _kept(self, row: Mapping[str, Any]) -> MemoryItem:
        origin = self._origins.of(row)
        return MemoryItem(
            memory_id=origin.memory_id,
            text=row["memory"],
            session_id=origin.session_id,
            turn_ids=origin.turn_ids,
            backend_id=origin.key,
            metadata=_metadata(row, origin),
        )

    def _retrieved(self, row: Mapping[str, Any]) -> RetrievedItem:
        origin = self._origins.of(row)
        when = f"[{origin.time}] " if origin.time and self._options.time_in_text else ""
        return RetrievedItem(
            memory_id=origin.memory_id,
            text=when + row["memory"],
            score=row["score"],
            session_id=origin.session_id,
            turn_ids=origin.turn_ids,
            backend_id=origin.key,
            metadata=_metadata(row, origin),
        )


class Mem0(Mem0Classic):
    """mem0ai 2.x, which only adds: what is superseded stays beside what supersedes it."""

    Options = Mem0Options
    engine = V3Engine
    name = "mem0"
    major = 2


def _own_folder(context: RunContext) -> Path:
    return Path(context.folder) / "mem0"


def _metadata(row: Mapping[str, Any], origin: Origin) -> dict[str, Any]:
    said = row.get("attributed_to")
    return {**({"time": origin.time} if origin.time else {}), **({"attributed_to": said} if said else {})}
