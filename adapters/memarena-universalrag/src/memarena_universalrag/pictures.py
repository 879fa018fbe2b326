"""Vectors of pictures by their captions, and what every way to make them offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from memarena.records import Attachment
from memarena_rag.documents import Document
from memarena_rag.embedder import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class PictureEncoder(Protocol):
    """Turns pictures, and questions about them, into vectors of one space."""

    unreadable: int
    """Pictures whose pixels could not be read so far."""

    def encode(self, pictures: Sequence[Document]) -> tuple[list[Document], NDArray[np.float32] | None]:
        """The pictures that have a vector, and these, a row each; None where there are none."""
        ...

    def question(self, text: str, attachments: Sequence[Attachment]) -> NDArray[np.float32]:
        """The vector of a question and of the pictures that come with it."""
        ...


class ByCaption:
    """By the text embedding of the caption; a picture without one has no vector."""

    def __init__(self, embedder: Embedder) -> None:
        self.unreadable = 0
        self._embedder = embedder

    def encode(self, pictures: Sequence[Document]) -> tuple[list[Document], NDArray[np.float32] | None]:
        """As PictureEncoder.encode; raises ModelError."""
        named = [picture for picture in pictures if picture.searched.strip()]
        return named, self._embedder.embed([picture.searched for picture in named]) if named else None

    def question(self, text: str, attachments: Sequence[Attachment]) -> NDArray[np.float32]:
        """As PictureEncoder.question: by the text, in which the captions of its pictures stand."""
        row: NDArray[np.float32] = self._embedder.embed([text], query=True)[0]
        return row
