"""What turns texts and pictures into vectors of one space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from memarena.answering import shorten
from memarena.errors import ModelError
from memarena.meter import estimate_tokens
from memarena.records import RunContext
from memarena_qwen3vl.options import Qwen3VlOptions
from memarena_qwen3vl.pixels import Pixels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INSTRUCTION = "Represent the user's input."
"""What Qwen3-VL-Embedding was trained with where a task has no instruction of its own."""


class Input(NamedTuple):
    """What becomes one vector: a text, pictures, or both."""

    text: str = ""
    pictures: tuple[Pixels, ...] = ()


class Encoder(Protocol):
    """Turns inputs into vectors."""

    name: str
    """What makes the vectors: equal names give equal vectors."""
    fuses: bool
    """An input may be a text and pictures at once."""
    mixes: bool
    """Texts and pictures may be given side by side."""

    def encode(self, inputs: Sequence[Input], *, query: bool) -> NDArray[np.float32]:
        """A row an input (inputs, dimensions). Raises ModelError."""
        ...

    def whole(self, texts: Sequence[str]) -> list[bool]:
        """Whether the vector of each text is that of the whole; False: of its beginning."""
        ...

    def close(self) -> None:
        """Let go of connections."""
        ...


def fits(text: str, window: int) -> bool:
    """Whether `text` has at most `window` estimated tokens."""
    return len(text) <= window or estimate_tokens(text) <= window


def beginning(text: str, window: int) -> str:
    """As much of `text` as fits."""
    return text if fits(text, window) else shorten(text, window)


def open_encoder(options: Qwen3VlOptions, context: RunContext) -> Encoder:
    """The encoder that `options` name, else the run's endpoint for embeddings. Raises ModelError where neither is."""
    if options.encoder:
        from memarena_qwen3vl.local import LocalEncoder

        return LocalEncoder(options)
    if context.embedding is None:
        raise ModelError(
            "qwen3-vl needs multimodal embeddings: name a model with --model embed=NAME, e.g. --model embed=offline, "
            "or the folder of one with -o LABEL.encoder=FOLDER"
        )
    from memarena_qwen3vl.endpoint import EndpointEncoder

    return EndpointEncoder(options, context.embedding)
