"""Search by Qdrant: in memory, on disk, or on a server."""

from __future__ import annotations

from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memarena.errors import ModelError, UsageError
from memarena.records import RunContext
from memarena_rag.vectors import Ranking, Vectors, VectorStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MEMORY, DISK = ":memory:", "disk"
_AT_ONCE = 256
_TIMEOUT = 120
"""Seconds for a call of a server."""


class QdrantVectors:
    """A collection of its own, which `close` deletes.

    What Qdrant finds is put in order by score and then by place; which of several equal vectors are found at the end
    of a ranking is left to Qdrant. Not safe for several threads: local Qdrant loses points where two write.
    """

    def __init__(self, place: str, folder: str, collection: str) -> None:
        self._client = _client(place, folder)
        self._collection = collection
        self._count = 0
        # Local Qdrant is always exact, and warns where it is asked to be.
        models = import_module("qdrant_client.models")
        self._exactly = None if place in (MEMORY, DISK) else models.SearchParams(exact=True)
        if self._client.collection_exists(collection):
            self._client.delete_collection(collection)

    def __len__(self) -> int:
        return self._count

    def add(self, rows: NDArray[np.float32]) -> None:
        """As VectorStore.add; raises what qdrant-client raises."""
        models = import_module("qdrant_client.models")
        if not self._count:
            size = models.VectorParams(size=rows.shape[1], distance=models.Distance.COSINE)
            self._client.create_collection(self._collection, vectors_config=size)
        for start in range(0, len(rows), _AT_ONCE):
            block = rows[start : start + _AT_ONCE].tolist()
            points = [
                models.PointStruct(id=place, vector=vector) for place, vector in enumerate(block, self._count + start)
            ]
            self._client.upsert(self._collection, points=points, wait=True)
        self._count += len(rows)

    def search(self, query: NDArray[np.float32], top_k: int) -> Ranking:
        """As VectorStore.search; a server, which may approximate, is asked not to."""
        if not self._count or top_k < 1:
            return []
        found = self._client.query_points(
            self._collection, query=query.tolist(), limit=top_k, search_params=self._exactly
        ).points
        return sorted(((int(point.id), float(point.score)) for point in found), key=lambda pair: (-pair[1], pair[0]))

    def close(self) -> None:
        """Delete the collection and leave Qdrant."""
        try:
            self._client.delete_collection(self._collection)
        finally:
            self._client.close()


def open_store(qdrant: str, context: RunContext, part: str) -> VectorStore:
    """Where the vectors of `part` of a cell are kept: what the option `qdrant` says, or ("") a numpy matrix.

    Raises UsageError for a place of no known form, ModelError where the library is missing.
    """
    if not qdrant:
        return Vectors()
    if qdrant not in (MEMORY, DISK) and not qdrant.startswith(("http://", "https://")):
        raise UsageError(f"qdrant={qdrant!r} is not known: give {MEMORY}, {DISK}, or the URL of a server")
    name = blake2b(f"{context.namespace}\n{part}".encode("utf-8", "replace"), digest_size=8).hexdigest()
    return QdrantVectors(qdrant, str(Path(context.folder) / "qdrant" / part), f"memarena-{name}")


def _client(place: str, folder: str) -> Any:
    try:
        library = import_module("qdrant_client")
    except ImportError as error:
        raise ModelError(f"qdrant={place}: {error}; pip install memarena-rag[qdrant]") from error
    if place == MEMORY:
        return library.QdrantClient(location=MEMORY)
    if place == DISK:
        return library.QdrantClient(path=folder)
    return library.QdrantClient(url=place, timeout=_TIMEOUT)
