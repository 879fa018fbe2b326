"""What makes two requests the same, and what tells two apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any

import msgspec

NO_INFLUENCE = frozenset(
    {
        "stream",
        "stream_options",
        "user",
        "metadata",
        "client_metadata",
        "store",
        "prompt_cache_key",
        "prompt_cache_retention",
        "safety_identifier",
        "service_tier",
    }
)
"""Fields of a request that change how or for whom it is answered, never the answer."""
KEPT = 512
"""A text that holds a picture is kept by its hash where it is longer than this."""
_MEASURED = re.compile(r"\AChunk ID: [0-9a-f]+\nWall time: [0-9.]+ seconds\n")
"""What Codex writes above the output of a command."""


def canonical(body: Mapping[str, Any]) -> bytes:
    """The JSON of `body` with sorted keys, and without what does not change the answer."""
    kept = {key: body[key] for key in body if key not in NO_INFLUENCE}
    if isinstance(kept.get("input"), list):
        kept["input"] = [_lasting(item) for item in kept["input"]]
    return msgspec.json.encode(kept, order="sorted")


def _lasting(item: Any) -> Any:
    """An item of a conversation without the id that the client drew, and without what its tool measured."""
    if not isinstance(item, dict):
        return item
    item = {key: value for key, value in item.items() if key != "id"}
    if isinstance(item.get("output"), str):
        item["output"] = _MEASURED.sub("", item["output"])
    return item


def request_key(endpoint: str, text: bytes) -> bytes:
    """16 bytes for a request in canonical form; the model is part of it."""
    return blake2b(endpoint.encode() + b"\0" + text, digest_size=16).digest()


def without_pictures(text: bytes) -> bytes:
    """Canonical JSON with each long data URL replaced by its hash: enough to compare, and small enough to keep."""
    return msgspec.json.encode(_shortened(msgspec.json.decode(text))) if b'"data:' in text else text


def _shortened(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shortened(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_shortened(item) for item in value]
    if isinstance(value, str) and len(value) > KEPT and value.startswith("data:"):
        return f"{value[:32]}... blake2b {blake2b(value.encode(), digest_size=16).hexdigest()}"
    return value


def differences(asked: Any, kept: Any, path: str = "$") -> Iterator[tuple[str, Any, Any]]:
    """Each place where two JSON values differ: its path, and what stands there in either (None: nothing)."""
    if isinstance(asked, dict) and isinstance(kept, dict):
        for key in sorted(asked.keys() | kept.keys()):
            yield from differences(asked.get(key), kept.get(key), f"{path}.{key}")
    elif isinstance(asked, list) and isinstance(kept, list):
        for place in range(max(len(asked), len(kept))):
            here = [values[place] if place < len(values) else None for values in (asked, kept)]
            yield from differences(here[0], here[1], f"{path}[{place}]")
    elif asked != kept:
        yield path, asked, kept


def show_difference(path: str, asked: Any, kept: Any, width: int = 40) -> str:
    """One difference in a few words: where it is, what is asked now and what was recorded."""
    start = 0
    if isinstance(asked, str) and isinstance(kept, str):
        pairs = enumerate(zip(asked, kept, strict=False))
        same = next((place for place, (one, other) in pairs if one != other), min(len(asked), len(kept)))
        start = max(0, same - width // 2)
    shown = [_excerpt(value, start, width) for value in (asked, kept)]
    return f"{path}{f' (character {start})' if start else ''}: asked {shown[0]}, recorded {shown[1]}"


def _excerpt(value: Any, start: int, width: int) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    part = text[start : start + width]
    return repr(part) if isinstance(value, str) else part
