"""UniversalRAG over what is said and shown."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Literal

from memarena.records import Attachment, Capabilities, MemoryChange, MemoryItem, Retrieval, RunContext, Turn
from memarena_rag.corpus import Corpus
from memarena_rag.dense import DenseOptions
from memarena_rag.documents import Document, Documents, added_in
from memarena_rag.embedder import Embedder
from memarena_rag.qdrant import open_store
from memarena_rag.versions import versions_of
from memarena_universalrag.pictures import ByCaption, PictureEncoder
from memarena_universalrag.router import open_router
from memarena_universalrag.routes import Route
from memarena_universalrag.units import picture_documents, session_document

CORPORA: tuple[Route, ...] = ("turn", "session", "picture")


class UniversalRagOptions(DenseOptions, frozen=True, kw_only=True):
    """Settings of `universalrag`."""

    router: Literal["rule", "model"] = "rule"
    """What routes a question: rules over its words, or one call of the model that --model inner=NAME names."""
    picture_encoder: str = ""
    """`sentence-transformers:` and a folder or name of a multimodal encoder; "": pictures are found by caption."""
    caption_share: float = 0.2
    """With a multimodal encoder: weight of the caption beside the pixels, 0 to 1 (upstream: 0.2)."""


class UniversalRag:
    """Routes each question to one corpus, and ranks what is in it by embeddings.

    Corpora: turns (rounds, unless `unit` says otherwise), whole sessions, pictures; or none of them. A corpus that is
    empty leaves the question to the turns. The trace has the route, why it was taken, and every error of the router.
    """

    Options = UniversalRagOptions

    def __init__(self, options: UniversalRagOptions | None = None) -> None:
        self._options = options or UniversalRagOptions()
        self._capabilities = Capabilities(
            modalities=("text", "image"), delta=True, verbatim=True, versions=_versions(self._options)
        )
        self._lock = threading.Lock()
        self._turns: list[Turn] = []
        self._opened = ExitStack()
        weakref.finalize(self, self._opened.close)

    def reset(self, context: RunContext) -> None:
        with self._lock:
            self._opened.close()
            self._turns = []
            self._documents = Documents(self._options)
            self._waiting: list[Document] = []
            self._embedder = Embedder.open(self._options, context, "universalrag")
            self._opened.callback(self._embedder.close)
            self._router = open_router(self._options.router, context)
            self._opened.callback(self._router.close)
            self._pictures = _picture_encoder(self._options, self._embedder)
            self._corpora = {name: self._corpus(name, context) for name in CORPORA}

    def ingest_turn(self, turn: Turn) -> None:
        with self._lock:
            self._turns.append(turn)
            self._waiting += self._documents.add(turn)

    def end_session(self, session_id: str) -> None:
        with self._lock:
            self._waiting += self._documents.flush()
            if self._turns:
                self._keep()
            self._turns, self._waiting = [], []

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        with self._lock:
            return tuple([item for name in CORPORA for item in self._corpora[name].items])

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryChange]:
        with self._lock:
            return tuple([change for name in CORPORA for change in added_in(self._corpora[name].items, session_id)])

    def retrieve(self, query: str, top_k: int, attachments: Sequence[Attachment]) -> Retrieval:
        with self._lock:
            choice = self._router.choose(query, pictured=bool(attachments))
            trace: dict[str, Any] = {"route": choice.route, **choice.trace}
            if self._pictures.unreadable:
                trace["unreadable_pictures"] = self._pictures.unreadable
            if choice.route == "none":
                return Retrieval(query=query, trace=trace)
            searched: Route = choice.route if self._corpora[choice.route].items else "turn"
            if searched != choice.route:
                trace["searched"] = searched
            return self._search(searched, query, top_k, attachments, trace)

    def get_capabilities(self) -> Capabilities:
        return self._capabilities

    def _corpus(self, name: str, context: RunContext) -> Corpus:
        corpus = Corpus(self._embedder, open_store(self._options.qdrant, context, name))
        self._opened.callback(corpus.close)
        return corpus

    def _keep(self) -> None:
        """Embed all that a session adds, then keep it: nothing is kept of a session that cannot be embedded."""
        whole = [*self._waiting, session_document(self._turns)]
        rows = self._embedder.embed([document.searched for document in whole])
        pictures, of_pictures = self._pictures.encode(picture_documents(self._turns))
        self._corpora["session"].put(whole[-1:], rows[-1:])
        self._corpora["turn"].put(whole[:-1], rows[:-1])
        if of_pictures is not None:
            self._corpora["picture"].put(pictures, of_pictures)

    def _search(
        self, name: Route, query: str, top_k: int, attachments: Sequence[Attachment], trace: Mapping[str, Any]
    ) -> Retrieval:
        corpus = self._corpora[name]
        if name == "picture":
            vector = self._pictures.question(query, attachments)
        else:
            vector = self._embedder.embed([query], query=True)[0]
        found = corpus.search(vector, top_k)
        return Retrieval.of(query, [corpus.items[place] for place, _ in found], [score for _, score in found], trace)


def _picture_encoder(options: UniversalRagOptions, embedder: Embedder) -> PictureEncoder:
    if not options.picture_encoder:
        return ByCaption(embedder)
    from memarena_universalrag.pixels import ByPixels

    return ByPixels(options.picture_encoder, options.caption_share)


def _versions(options: UniversalRagOptions) -> dict[str, str]:
    """The libraries at work, and what routes and what sees, as both decide every ranking."""
    found = versions_of(encoder=options.encoder or options.picture_encoder, qdrant=options.qdrant)
    return {**found, "router": options.router, "pictures": options.picture_encoder or "by caption"}
