"""The JSON Schema of a sample's file, generated from the types that read and write it."""

from __future__ import annotations

from typing import Any

import msgspec

from memarena_arena.wma_raw import RawSample

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TITLE = "A sample of a memory benchmark"


def sample_schema() -> dict[str, Any]:
    """The schema of `<sample_id>.json`: sessions with turns and pictures, gold points, checkpoints with questions."""
    (schema,), parts = msgspec.json.schema_components([RawSample], ref_template="#/$defs/{name}")
    named = {"$schema": DIALECT, "title": TITLE, **schema, "$defs": parts}
    renamed: dict[str, Any] = _renamed(named)
    return renamed


def _renamed(value: Any) -> Any:
    """The same without the prefix that the types have in the code."""
    if isinstance(value, dict):
        return {_name(key): _renamed(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each) for each in value]
    return _name(value) if isinstance(value, str) else value


def _name(text: str) -> str:
    bare = text.removeprefix("#/$defs/")
    return text.replace("Raw", "", 1) if bare.startswith("Raw") else text


def schema_text() -> str:
    """The schema as it is published: the same bytes each time."""
    return msgspec.json.format(msgspec.json.encode(sample_schema(), order="sorted"), indent=2).decode() + "\n"
