"""Vectors of pictures by a multimodal encoder of sentence-transformers in this process."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from memarena.errors import ModelError, UsageError, first_line
from memarena.records import Attachment
from memarena_rag.documents import Document
from memarena_rag.local import LOCAL, load
from memarena_rag.vectors import to_unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LONGEST_SIDE = 1024
"""Pixels; encoders look at fewer, and a decoded picture of 20 MB could take a gigabyte."""
_AT_ONCE = 16
"""Pictures that are decoded at a time."""


class ByPixels:
    """The sum of the vectors of caption and pixels, each of unit length, weighted by `share` and 1 - `share`.

    A picture whose pixels are missing or cannot be read is found by its caption alone, and its metadata say why.
    Raises UsageError for an encoder of no known form, ModelError where it cannot be loaded or reads no pictures.
    """

    def __init__(self, encoder: str, share: float) -> None:
        if not encoder.startswith(LOCAL):
            raise UsageError(f"picture_encoder={encoder!r} is not known: give {LOCAL}FOLDER-OR-NAME")
        self.unreadable = 0
        self._share = share
        self._model, self._lock = load(encoder)
        if "image" not in self._model.modalities:
            raise ModelError(f"picture_encoder={encoder}: it reads no pictures; give a model that does, e.g. a CLIP")

    def encode(self, pictures: Sequence[Document]) -> tuple[list[Document], NDArray[np.float32] | None]:
        """As PictureEncoder.encode."""
        import numpy as np

        found: list[Document] = []
        blocks: list[NDArray[np.float32]] = []
        for start in range(0, len(pictures), _AT_ONCE):
            documents, rows = self._block(pictures[start : start + _AT_ONCE])
            found += documents
            blocks += [rows] if documents else []
        return found, np.concatenate(blocks) if blocks else None

    def question(self, text: str, attachments: Sequence[Attachment]) -> NDArray[np.float32]:
        """As PictureEncoder.question: the sum of the vectors of the text and of its pictures."""
        opened = [self._open(picture.path)[0] for picture in attachments if picture.path]
        shown = [pixels for pixels in opened if pixels is not None]
        total: Any = 0
        if shown:
            total = self._encoded(shown).sum(axis=0)
        if text.strip() or not shown:
            total = total + self._encoded([{"text": text}])[0]
        vector: NDArray[np.float32] = total
        return vector

    def _block(self, pictures: Sequence[Document]) -> tuple[list[Document], NDArray[np.float32]]:
        """The pictures of one block that have a vector, and these."""
        import numpy as np

        opened = [self._open(picture.item.image_path) for picture in pictures]
        seen = [place for place, (pixels, _) in enumerate(opened) if pixels is not None]
        named = [place for place, picture in enumerate(pictures) if picture.searched.strip()]
        parts: list[tuple[float, list[int], list[Any]]] = [
            (1 - self._share, seen, [opened[place][0] for place in seen]),
            (self._share, named, [{"text": pictures[place].searched} for place in named]),
        ]
        total: Any = None
        for weight, places, inputs in parts:
            if places:
                rows = self._encoded(inputs)
                total = np.zeros((len(pictures), rows.shape[1]), dtype=np.float32) if total is None else total
                total[places] += np.float32(weight) * rows
        kept = sorted({*seen, *named})
        vectors: NDArray[np.float32] = total[kept] if kept else np.empty((0, 0), dtype=np.float32)
        return [_marked(pictures[place], opened[place][1]) for place in kept], vectors

    def _open(self, path: str) -> tuple[Any, str]:
        """The pixels, or None and why; "" where there is no picture to read."""
        if not path:
            return None, ""
        library = import_module("PIL.Image")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", library.DecompressionBombWarning)
                with library.open(path) as picture:
                    picture.draft("RGB", (_LONGEST_SIDE, _LONGEST_SIDE))
                    picture.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))
                    return picture.convert("RGB"), ""
        except (OSError, SyntaxError, ValueError, library.DecompressionBombError) as error:
            self.unreadable += 1
            return None, first_line(error)

    def _encoded(self, inputs: Sequence[Any]) -> NDArray[np.float32]:
        import numpy as np

        with self._lock:
            rows = self._model.encode(list(inputs), show_progress_bar=False, convert_to_numpy=True)
        return to_unit(np.asarray(rows, dtype=np.float32))


def _marked(picture: Document, problem: str) -> Document:
    if not problem:
        return picture
    item = replace(picture.item, metadata={**picture.item.metadata, "picture_error": problem})
    return picture._replace(item=item)
