"""What turns texts into vectors: an endpoint for embeddings, or sentence-transformers in this process."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from memarena.answering import shorten
from memarena.errors import ModelError, UsageError
from memarena.meter import estimate_tokens
from memarena.modelclient import ModelCallFailed, ModelClient
from memarena.records import Endpoint
from memarena_rag.local import LOCAL, MINILM, LocalEncoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_TEXTS, MOST_TOKENS = 256, 200_000
"""In one request; OpenAI takes 2,048 texts and 300,000 tokens."""


class Encoder(Protocol):
    """Turns texts into vectors."""

    name: str
    """What makes the vectors: equal names give equal vectors."""

    def encode(self, texts: Sequence[str], *, query: bool) -> NDArray[np.float32]:
        """A row a text (texts, dimensions). Raises ModelError."""
        ...

    def whole(self, text: str) -> bool:
        """Whether the vector is that of the whole text; False: of its beginning."""
        ...

    def close(self) -> None:
        """Let go of connections."""
        ...


def open_encoder(encoder: str, endpoint: Endpoint | None, *, window: int, who: str) -> Encoder:
    """The encoder that an option names; "": the run's endpoint for embeddings.

    Raises ModelError where there is no endpoint or a library is missing, UsageError for an encoder of no known form.
    """
    if encoder == MINILM or encoder.startswith(LOCAL):
        return LocalEncoder(encoder)
    if encoder:
        raise UsageError(f"{who}: encoder={encoder!r} is not known: give {MINILM} or {LOCAL}FOLDER-OR-NAME")
    if endpoint is None:
        raise ModelError(
            f"{who} needs embeddings: name a model with --model embed=NAME, e.g. --model embed=offline, "
            f"or an encoder with -o LABEL.encoder={MINILM}"
        )
    return EndpointEncoder(endpoint, window)


class EndpointEncoder:
    """Embeddings from an OpenAI-compatible endpoint; a text longer than `window` estimated tokens is cut there."""

    def __init__(self, endpoint: Endpoint, window: int) -> None:
        self.name = f"endpoint:{endpoint.model}/{window}"
        self._window = window
        self._endpoint = endpoint
        self._client = ModelClient(None, endpoint)

    def encode(self, texts: Sequence[str], *, query: bool) -> NDArray[np.float32]:
        """As Encoder.encode, in one request; raises ModelCallFailed."""
        import numpy as np

        kept = [text if self.whole(text) else shorten(text, self._window) for text in texts]
        reply = self._client.post(self._endpoint, "embeddings", {"input": kept, "encoding_format": "base64"})
        try:
            by_place = {row["index"]: _vector(row["embedding"]) for row in reply["data"]}
            return np.stack([by_place[place] for place in range(len(kept))])
        except (KeyError, TypeError, ValueError) as error:
            raise ModelCallFailed(
                f"{self._endpoint.model}: embeddings: the reply holds no vector of one length for each of "
                f"{len(kept)} texts ({type(error).__name__}: {error})",
                200,
            ) from error

    def whole(self, text: str) -> bool:
        return len(text) <= self._window or estimate_tokens(text) <= self._window

    def close(self) -> None:
        self._client.close()


def _vector(given: object) -> NDArray[np.float32]:
    """A vector as servers send it: numbers, or the base64 of little-endian single precision."""
    import numpy as np

    if isinstance(given, str):
        return np.frombuffer(base64.b64decode(given, validate=True), dtype="<f4").astype(np.float32)
    return np.asarray(given, dtype=np.float32)


def batches(texts: Sequence[str]) -> list[list[str]]:
    """`texts` in order, in lists that fit one request each."""
    if 0 < len(texts) <= MOST_TEXTS and sum(map(len, texts)) <= MOST_TOKENS:
        return [list(texts)]  # no token is shorter than a character
    found: list[list[str]] = []
    tokens = 0
    for text in texts:
        size = estimate_tokens(text)
        if not found or len(found[-1]) == MOST_TEXTS or tokens + size > MOST_TOKENS:
            found.append([])
            tokens = 0
        found[-1].append(text)
        tokens += size
    return found
