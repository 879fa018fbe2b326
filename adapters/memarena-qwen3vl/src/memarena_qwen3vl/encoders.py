"""What turns texts and pictures into vectors of one space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from memarena.errors import ModelError
from memarena.records import RunContext
from memarena_qwen3vl.inputs import Input
from memarena_qwen3vl.options import Qwen3VlOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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
