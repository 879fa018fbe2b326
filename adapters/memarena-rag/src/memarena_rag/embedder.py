"""Texts -> vectors, each distinct text once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memarena.errors import ModelError
from memarena.records import RunContext
from memarena_rag.documents import DocumentOptions
from memarena_rag.encoders import Encoder, batches, open_encoder
from memarena_rag.vectorcache import VectorCache

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class EmbeddingOptions(DocumentOptions, frozen=True, kw_only=True):
    """What a document is, and how it becomes a vector."""

    encoder: str = ""
    """`minilm`, or `sentence-transformers:` and a folder or name; "": the model that --model embed=NAME names."""
    cache: str = ""
    """Folder (absolute path) that keeps vectors by the content of their texts, for later runs too; "": none."""
    query_prompt: str = ""
    """Put before each question, where the model was trained with one, e.g. `query: `."""
    document_prompt: str = ""
    """Put before each document."""
    window: int = 8000
    """Estimated tokens of a text that an endpoint is sent; an encoder in this process has a window of its own."""


class Embedder:
    """An encoder with a cache, and the checks that no encoder makes."""

    def __init__(self, options: EmbeddingOptions, encoder: Encoder) -> None:
        self._prompts = (options.document_prompt, options.query_prompt)
        self._encoder = encoder
        self._cache = VectorCache(encoder.name, options.cache)
        self.encoded = 0
        """Texts that the encoder was given."""

    @classmethod
    def open(cls, options: EmbeddingOptions, context: RunContext, who: str) -> Embedder:
        """The embedder of a cell; `who` needs it. Raises ModelError or UsageError where it cannot be had."""
        return cls(options, open_encoder(options.encoder, context.embedding, window=options.window, who=who))

    @property
    def model(self) -> str:
        """What makes the vectors."""
        return self._encoder.name

    def embed(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        """A row a text (texts, dimensions). Raises ModelError where a vector cannot be had or used."""
        import numpy as np

        put = [self._prompts[query] + text for text in texts]
        keys = [self._cache.key(text, query=query) for text in put]
        known = self._cache.get(keys)
        missing = {key: text for key, text in zip(keys, put, strict=True) if key not in known}
        wanted = iter(missing)
        for batch in batches(list(missing.values())):
            rows = self._checked(self._encoder.encode(batch, query=query), len(batch))
            self.encoded += len(batch)
            made = {key: row for row, key in zip(rows, wanted, strict=False)}
            self._cache.put(made)
            known.update(made)
        try:
            return np.stack([known[key] for key in keys])
        except ValueError:
            sizes = sorted({row.shape[0] for row in known.values()})
            raise ModelError(f"{self.model}: its vectors differ in length: {sizes}") from None

    def whole(self, text: str) -> bool:
        """Whether the vector of a document is that of the whole text."""
        return self._encoder.whole(self._prompts[False] + text)

    def close(self) -> None:
        """Let go of connections and files."""
        self._encoder.close()
        self._cache.close()

    def _checked(self, rows: NDArray[np.float32], count: int) -> NDArray[np.float32]:
        import numpy as np

        if rows.ndim != 2 or rows.shape[0] != count or rows.shape[1] == 0:
            raise ModelError(f"{self.model}: {count} texts gave an array of shape {rows.shape}")
        if not np.isfinite(rows).all():
            raise ModelError(f"{self.model}: a vector holds a number that is not finite")
        return rows
