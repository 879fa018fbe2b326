"""A multimodal model of sentence-transformers in this process."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memarena.errors import ModelError, one_line
from memarena_qwen3vl.inputs import INSTRUCTION, Input, beginning, fits
from memarena_qwen3vl.options import Qwen3VlOptions
from memarena_rag.local import LOCAL, load

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_OPENING = threading.Lock()
_EXTRA_TOKENS = 64
"""What a template and an instruction may put around a text."""


class Recipe(NamedTuple):
    """How the authors of an architecture's embedding model make a vector: of the last token of a dialogue."""

    instruction: str
    """Of the system, where a task has none of its own."""
    ending: str = ""
    """What follows the beginning of the assistant's turn."""


RECIPES: Mapping[str, Recipe] = {
    "qwen3_vl": Recipe(INSTRUCTION),
    "qwen2_vl": Recipe("You are a helpful assistant.", "<|endoftext|>"),
}
"""By architecture: Qwen3-VL-Embedding, and GME."""


class LocalEncoder:
    """A model that is loaded once, from a folder or by name; questions and documents get its own instructions.

    Raises ModelError where it cannot be loaded or reads no pictures.
    """

    mixes = False

    def __init__(self, options: Qwen3VlOptions) -> None:
        place = options.encoder.removeprefix(LOCAL)
        self.name = f"{LOCAL}{place}/{options.window}"
        self._window = options.window
        self._batch = options.batch
        self._model, self._lock, instruction = open_model(place)
        self._prompts = (options.document_prompt or instruction, options.query_prompt or instruction)
        if "image" not in self._model.modalities:
            raise ModelError(f"encoder={place}: it reads no pictures; give a model that does, or use dense")
        self.fuses = bool(self._model.supports(("image", "text")))

    def encode(self, inputs: Sequence[Input], *, query: bool) -> NDArray[np.float32]:
        """As Encoder.encode; raises ModelError."""
        import numpy as np

        encode = self._model.encode_query if query else self._model.encode_document
        given = [self._given(each) for each in inputs]
        with self._lock:
            try:
                rows = encode(
                    given,
                    prompt=self._prompts[query],
                    batch_size=self._batch,
                    show_progress_bar=False,
                    convert_to_numpy=True,
                )
            except (RuntimeError, ValueError, TypeError) as error:
                problem = " ".join(str(error).split())[:300]
                raise ModelError(f"{self.name}: {len(given)} inputs cannot be embedded: {problem}") from error
        return np.asarray(rows, dtype=np.float32)

    def whole(self, texts: Sequence[str]) -> list[bool]:
        kept = [fits(text, self._window) for text in texts]
        limit: int | None = self._model.max_seq_length
        if limit is None:
            return kept
        # A token is a byte at least.
        longest = limit - _EXTRA_TOKENS
        doubtful = [n for n, text in enumerate(texts) if kept[n] and len(text.encode("utf-8", "replace")) > longest]
        if doubtful:
            with self._lock:
                read = self._model.tokenizer([texts[n] for n in doubtful], truncation=False, verbose=False)
            for n, tokens in zip(doubtful, read["input_ids"], strict=True):
                kept[n] = len(tokens) <= limit
        return kept

    def close(self) -> None:
        """Nothing to let go of: other cells may share the model."""

    def _given(self, given: Input) -> Any:
        """As sentence-transformers takes it: a bare text would be taken for a picture where it looks like its path."""
        text = beginning(given.text, self._window)
        shown = [picture.image for picture in given.pictures]
        if not shown:
            return {"text": text}
        if not text:
            return shown[0] if len(shown) == 1 else {"image": shown}
        return {"image": shown if len(shown) > 1 else shown[0], "text": text}


class Opened(NamedTuple):
    """A model that is loaded."""

    model: Any
    lock: threading.Lock
    instruction: str | None = None
    """What it is given where nothing else is asked for; None: its configuration knows."""


def open_model(place: str) -> Opened:
    """The model in a folder or of a name, loaded once. Raises ModelError where it cannot be loaded."""
    with _OPENING:
        return _opened(place)


@cache
def _opened(place: str) -> Opened:
    """As open_model, for one thread at a time.

    Weights that come without a configuration for embeddings would be averaged over all tokens: those of a known
    architecture get the recipe of their authors instead.
    """
    try:
        model, lock = load(place)
    except (ImportError, RuntimeError) as error:
        raise ModelError(
            f"encoder={place}: {one_line(error)}; pip install torchvision, the one that fits torch"
        ) from error
    bare = Path(place).is_dir() and not (Path(place) / "modules.json").exists()
    recipe = RECIPES.get(getattr(getattr(model[0], "config", None), "model_type", "")) if bare else None
    if recipe is None:
        return Opened(model, lock)
    reader = model[0]
    reader.processor.chat_template += recipe.ending
    reader.processing_kwargs = {**reader.processing_kwargs, "chat_template": {"add_generation_prompt": True}}
    modules = import_module("sentence_transformers.sentence_transformer.modules")
    pooling = modules.Pooling(model.get_embedding_dimension(), pooling_mode="lasttoken")
    normalize = import_module("sentence_transformers.base.modules").Normalize()
    whole = import_module("sentence_transformers").SentenceTransformer(modules=[reader, pooling, normalize])
    return Opened(whole, lock, recipe.instruction)
