"""Texts and pictures -> vectors, each distinct one once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memarena.errors import ModelError
from memarena.records import RunContext
from memarena_qwen3vl.encoders import Encoder, open_encoder
from memarena_qwen3vl.inputs import Input
from memarena_qwen3vl.options import Qwen3VlOptions
from memarena_rag.vectorcache import VectorCache
from memarena_rag.vectors import to_unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_AT_ONCE = 256
"""That are encoded, and then cached, at a time."""


class Embedder:
    """An encoder with a cache, and the checks that no encoder makes."""

    def __init__(self, options: Qwen3VlOptions, encoder: Encoder) -> None:
        self._encoder = encoder
        self._prompts = (options.document_prompt, options.query_prompt)
        self._cache = VectorCache(encoder.name, options.cache)
        self.encoded = 0
        """Inputs that the encoder was given."""

    @classmethod
    def open(cls, options: Qwen3VlOptions, context: RunContext) -> Embedder:
        """The embedder of a cell. Raises ModelError or UsageError where it cannot be had."""
        return cls(options, open_encoder(options, context))

    @property
    def model(self) -> str:
        """What makes the vectors."""
        return self._encoder.name

    def embed(self, inputs: Sequence[Input], *, query: bool = False) -> NDArray[np.float32]:
        """A row an input (inputs, dimensions), at least one, of unit length.

        Raises ModelError where a vector cannot be had or used.
        """
        import numpy as np

        keys = [self._key(each, query=query) for each in inputs]
        known = self._cache.get(keys)
        missing = {key: each for key, each in zip(keys, inputs, strict=True) if key not in known}
        for wanted in self._kinds(missing):
            for start in range(0, len(wanted), _AT_ONCE):
                block = wanted[start : start + _AT_ONCE]
                rows = self._encoder.encode([missing[key] for key in block], query=query)
                made = dict(zip(block, self._checked(rows, len(block)), strict=True))
                self.encoded += len(block)
                self._cache.put(made)
                known.update(made)
        try:
            return np.stack([known[key] for key in keys])
        except ValueError:
            sizes = sorted({row.shape[0] for row in known.values()})
            raise ModelError(f"{self.model}: its vectors differ in length: {sizes}") from None

    def question(self, given: Input) -> NDArray[np.float32]:
        """The vector of a question; where text and pictures cannot be one input, the sum of their vectors."""
        parts = [given]
        if not self._encoder.fuses:
            texts = [Input(given.text)] if given.text else []
            parts = [*texts, *(Input(pictures=(picture,)) for picture in given.pictures)]
        total: NDArray[np.float32] = self.embed(parts, query=True).sum(axis=0)
        return total

    def whole(self, texts: Sequence[str]) -> list[bool]:
        """Whether the vector of each text is that of the whole."""
        return self._encoder.whole(texts)

    def close(self) -> None:
        """Let go of connections and files."""
        self._encoder.close()
        self._cache.close()

    def _kinds(self, missing: Mapping[bytes, Input]) -> list[list[bytes]]:
        """The keys of what can be encoded together."""
        if self._encoder.mixes:
            return [list(missing)]
        return [[key for key, given in missing.items() if bool(given.pictures) is kind] for kind in (False, True)]

    def _key(self, given: Input, *, query: bool) -> bytes:
        content = [self._prompts[query], given.text, *(picture.digest for picture in given.pictures)]
        return self._cache.key(json.dumps(content), query=query)

    def _checked(self, rows: NDArray[np.float32], count: int) -> NDArray[np.float32]:
        if rows.ndim != 2 or rows.shape[0] != count or rows.shape[1] == 0:
            raise ModelError(f"{self.model}: {count} inputs gave an array of shape {rows.shape}")
        try:
            return to_unit(rows)
        except ValueError as error:
            raise ModelError(f"{self.model}: {error}") from None
