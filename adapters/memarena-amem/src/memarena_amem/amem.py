"""`amem`: A-Mem as its paper describes it (arXiv 2502.12110)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from memarena.modelclient import ModelClient
from memarena.records import Capabilities, MemoryItem, Record, Retrieval, RunContext, Turn
from memarena.rounds import Rounds
from memarena_amem.asking import Asker
from memarena_amem.notebook import Hit, Notebook


class AMemOptions(Record, frozen=True, kw_only=True):
    """Settings of `amem`."""

    unit: Literal["round", "turn"] = "round"
    """What a note is made of: a user's turn with the reply to it, or each turn alone."""
    neighbours: Annotated[int, Meta(ge=0)] = 5
    """Nearest notes that a new one may be linked with and may change (paper's code: 5); 0: no links, no evolution."""
    links: Annotated[int, Meta(ge=0)] = 1
    """Linked notes that follow each note that is found, at most."""
    attributes: bool = True
    """Show context, keywords and tags with the content of what is found, as the paper's code does."""
    attempts: Annotated[int, Meta(ge=1)] = 3
    """How often the model is asked for a reply that can be used, before the note fails."""
    reply_tokens: Annotated[int, Meta(ge=64)] = 4096
    """Tokens of a reply of the model, at most; of one that is cut off there what was complete is taken."""
    longest: Annotated[int, Meta(ge=1000)] = 24_000
    """Characters of a note that the models are shown; the note itself is kept whole."""


class AMem:
    """Keeps a note a round; the model gives it keywords, tags and a context, links it, and renews its neighbours'.

    Contents never change, so a fact that is superseded stays beside the new one.
    """

    Options = AMemOptions

    def __init__(self, options: AMemOptions | None = None) -> None:
        self._options = options or AMemOptions()
        self._lock = threading.RLock()
        self._client: ModelClient | None = None

    def reset(self, context: RunContext) -> None:
        with self._lock:
            if self._client is not None:
                self._client.close()
            options = self._options
            self._client = ModelClient.of(context, "amem", options.reply_tokens)
            self._asker = Asker(self._client, options.attempts)
            self._notes = Notebook(self._client, self._asker, neighbours=options.neighbours, longest=options.longest)
            self._rounds = Rounds(single=options.unit == "turn")

    def ingest_turn(self, turn: Turn) -> None:
        with self._lock:
            for turns in self._rounds.add(turn):
                self._keep(turns)

    def end_session(self, session_id: str) -> None:
        with self._lock:
            for turns in self._rounds.flush():
                self._keep(turns)

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        with self._lock:
            return self._notes.items

    def export_memory_delta(self, session_id: str) -> None:
        # What is written is new notes, as snapshots show; what evolves is metadata, for which there is no change.
        return None

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        with self._lock:
            hits = self._notes.search(query, top_k, self._options.links)
            trace = {
                "linked_from": {hit.note.note_id: hit.linked_from for hit in hits if hit.linked_from},
                "counts": self._counts(),
            }
            return Retrieval.of(query, (self._shown(hit) for hit in hits), (hit.score for hit in hits), trace)

    def get_capabilities(self) -> Capabilities:
        return Capabilities(verbatim=True)

    def _keep(self, turns: Sequence[Turn]) -> None:
        self._notes.add(turns)

    def _shown(self, hit: Hit) -> MemoryItem:
        item = hit.note.item
        return replace(item, text=hit.note.text) if self._options.attributes else item

    def _counts(self) -> dict[str, Any]:
        client = self._client.counts if self._client is not None else {}
        asker = self._asker
        return {
            **client,
            "cut_replies": asker.cut,
            "unusable_replies": asker.unusable,
            "given_up": asker.given_up,
        }
