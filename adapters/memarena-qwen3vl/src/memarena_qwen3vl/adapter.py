"""Search by multimodal embeddings over what is said and shown."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence
from contextlib import ExitStack
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from memarena.records import Attachment, Capabilities, MemoryChange, MemoryItem, Retrieval, RunContext, Turn
from memarena_qwen3vl.embedder import Embedder
from memarena_qwen3vl.inputs import Input
from memarena_qwen3vl.options import Qwen3VlOptions
from memarena_qwen3vl.pixels import Pixels, Unreadable, open_pixels
from memarena_qwen3vl.space import Space
from memarena_qwen3vl.units import marked, picture_items
from memarena_rag.corpus import CUT
from memarena_rag.documents import Document, Documents, added_in
from memarena_rag.qdrant import open_store
from memarena_rag.versions import versions_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Qwen3Vl:
    """Ranks rounds and pictures by the cosine of their embeddings with that of the question and its pictures.

    A session is embedded at its end, in batches; where that fails, nothing of it is kept and the cell fails. A picture
    whose pixels cannot be read is no item: it is counted in the trace, and the round in which it was shown says why.
    """

    name = "qwen3-vl"
    Options = Qwen3VlOptions

    def __init__(self, options: Qwen3VlOptions | None = None) -> None:
        """Raises UsageError for an option that cannot work."""
        self._options = options or Qwen3VlOptions()
        self._options.check()
        found = versions_of(encoder=self._options.encoder, qdrant=self._options.qdrant)
        self._capabilities = Capabilities(
            modalities=("text", "image"), delta=True, verbatim=True, versions={**found, "pillow": version("pillow")}
        )
        self._lock = threading.Lock()
        self._opened = ExitStack()
        weakref.finalize(self, self._opened.close)

    def reset(self, context: RunContext) -> None:
        with self._lock:
            self._opened.close()
            self._documents = Documents(self._options)
            self._waiting: list[Document] = []
            self._shown: list[MemoryItem] = []
            self._unreadable = 0
            self._embedder = Embedder.open(self._options, context)
            self._opened.callback(self._embedder.close)
            qdrant = self._options.qdrant
            self._space = Space(open_store(qdrant, context, "texts"), open_store(qdrant, context, "pictures"))
            self._opened.callback(self._space.close)

    def ingest_turn(self, turn: Turn) -> None:
        with self._lock:
            self._waiting += self._documents.add(turn)
            self._shown += picture_items(turn)

    def end_session(self, session_id: str) -> None:
        with self._lock:
            self._waiting += self._documents.flush()
            self._keep()
            self._waiting, self._shown = [], []

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        with self._lock:
            return tuple(self._space.items)

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryChange]:
        with self._lock:
            return added_in(self._space.items, session_id)

    def retrieve(self, query: str, top_k: int, attachments: Sequence[Attachment]) -> Retrieval:
        with self._lock:
            asked, trace = self._question(query, attachments)
            if not asked.text and not asked.pictures:
                return Retrieval(query=query, trace=trace)
            found = self._space.search(self._embedder.question(asked), top_k, self._options.least_pictures)
            items = [self._space.items[place] for place, _ in found]
            return Retrieval.of(query, items, [score for _, score in found], trace)

    def get_capabilities(self) -> Capabilities:
        return self._capabilities

    def _keep(self) -> None:
        """Embed all that a session adds, then keep it: nothing is kept of a session that cannot be embedded."""
        import numpy as np

        texts = [document.searched for document in self._waiting]
        pictures: list[MemoryItem] = []
        unreadable: list[tuple[MemoryItem, str]] = []
        inputs = [Input(text) for text in texts]
        blocks: list[NDArray[np.float32]] = []
        # All pictures of a long session would not fit in memory.
        for start in range(0, max(1, len(self._shown)), self._options.batch):
            for item in self._shown[start : start + self._options.batch]:
                try:
                    inputs.append(Input(pictures=(self._open(item.image_path),)))
                    pictures.append(item)
                except Unreadable as error:
                    unreadable.append((item, str(error)))
            blocks += [self._embedder.embed(inputs)] if inputs else []
            inputs = []
        if blocks:
            whole = zip(self._waiting, self._embedder.whole(texts), strict=True)
            items = [marked(_cut(document.item, known), unreadable) for document, known in whole]
            rows = np.concatenate(blocks)
            self._space.add(items, rows[: len(items)], pictures=False)
            self._space.add(pictures, rows[len(items) :], pictures=True)
        self._unreadable += len(unreadable)

    def _question(self, query: str, attachments: Sequence[Attachment]) -> tuple[Input, dict[str, Any]]:
        """What is asked, and the trace; a picture without pixels is there by its caption, which stands in `query`."""
        pictures, lost = [], {}
        for picture in attachments:
            try:
                if picture.path:
                    pictures.append(self._open(picture.path))
            except Unreadable as error:
                lost[picture.image_id] = str(error)
        trace: dict[str, Any] = {"encoder": self._embedder.model, "question_pictures": len(pictures)}
        if lost:
            trace["question_picture_errors"] = lost
        if self._unreadable:
            trace["unreadable_pictures"] = self._unreadable
        return Input(query if query.strip() else "", tuple(pictures)), trace

    def _open(self, path: str) -> Pixels:
        return open_pixels(path, self._options.longest_side)


def _cut(item: MemoryItem, whole: bool) -> MemoryItem:
    return item if whole else replace(item, metadata={**item.metadata, CUT: "only its beginning"})
