"""The library mem0 itself: which version is here, how it is imported, and what it is told at the start."""

from __future__ import annotations

import logging
import sys
import threading
from hashlib import blake2b
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

from memarena.errors import ModelError, PluginError, UsageError, first_line
from memarena.records import Endpoint
from memarena.variables import environment
from memarena_mem0.options import ClassicOptions

COLLECTION = "memories"
_IMPORTING = threading.Lock()


def version_of(adapter: str, major: int) -> str:
    """The version of mem0ai that is installed; raises PluginError where there is none of this major number."""
    try:
        found = metadata.version("mem0ai")
    except metadata.PackageNotFoundError:
        found = ""
    if found.partition(".")[0] != str(major):
        here = f"here is {found}" if found else "which is not installed here"
        raise PluginError(f"{adapter} needs mem0ai {major}.x, {here}: memarena env create {adapter}")
    return found


def needed(endpoint: Endpoint | None, role: str, what: str) -> Endpoint:
    """`endpoint`; raises ModelError where there is none."""
    if endpoint is None:
        raise ModelError(f"mem0 needs {what}: name one with --model {role}=NAME, e.g. --model offline")
    return endpoint


def memory_class(folder: Path) -> Any:
    """The class `mem0.Memory`, imported with telemetry off and `folder` as its own.

    Raises UsageError where it was imported before with telemetry on.
    """
    with _IMPORTING:
        if "mem0" not in sys.modules:
            with environment(MEM0_DIR=str(folder), MEM0_TELEMETRY="False"):
                import_module("mem0")
            # It logs what is not installed; without a handler Python would print that.
            logging.getLogger("mem0").addHandler(logging.NullHandler())
        if import_module("mem0.memory.telemetry").MEM0_TELEMETRY:
            raise UsageError(
                "mem0 was imported before with its telemetry on: set MEM0_TELEMETRY=False or use --isolate process"
            )
        return import_module("mem0").Memory


def settings(
    folder: Path, model: Endpoint, embedding: Endpoint, options: ClassicOptions, store: dict[str, Any]
) -> dict[str, Any]:
    """What `Memory.from_config` takes.

    The provider `vllm` is that of any OpenAI-compatible server; `openai` would follow OPENROUTER_API_KEY elsewhere.
    """
    said = {"model": model.model, "api_key": model.api_key, "vllm_base_url": model.base_url}
    encoder = {"model": embedding.model, "api_key": embedding.api_key, "openai_base_url": embedding.base_url}
    return {
        "llm": {
            "provider": "vllm",
            "config": {**said, "max_tokens": options.max_tokens, "enable_vision": options.vision},
        },
        "embedder": {"provider": "openai", "config": encoder},
        "vector_store": {"provider": "qdrant", "config": store},
        "history_db_path": str(folder / "history.db"),
    }


def store_of(folder: Path, namespace: str, dimensions: int, options: ClassicOptions) -> dict[str, Any]:
    """Where the vectors are: a collection of its own on a server, or a folder of Qdrant's local mode.

    Raises UsageError where the server cannot be used.
    """
    found = {"embedding_model_dims": dimensions, "path": str(folder / "qdrant"), "on_disk": True}
    if not options.qdrant_url:
        return {**found, "collection_name": COLLECTION}
    client = import_module("qdrant_client").QdrantClient(
        url=options.qdrant_url, api_key=options.qdrant_api_key or None, check_compatibility=False
    )
    name = "memarena-" + blake2b(namespace.encode(), digest_size=12).hexdigest()
    try:
        for collection in (name, f"{name}_entities"):
            client.delete_collection(collection)
    except Exception as error:
        raise UsageError(f"qdrant_url {options.qdrant_url}: no Qdrant works there: {first_line(error)}") from error
    return {**found, "collection_name": name, "client": client}


def dimensions_of(embedding: Endpoint) -> int:
    """Length of the vectors of an embedding model: it is asked once. Raises what its client raises."""
    from openai import OpenAI

    with OpenAI(api_key=embedding.api_key, base_url=embedding.base_url) as client:
        reply = client.embeddings.create(model=embedding.model, input=["length"], encoding_format="float")
    return len(reply.data[0].embedding)
