"""Pictures as parts of a message."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from memarena_arena.pictureheader import read_header

ACCEPTED = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""Media types that OpenAI-compatible models take."""


def as_part(path: str) -> dict[str, Any]:
    """The picture at `path` as an `image_url` part with a data URL; its type is read from its first bytes.

    Raises ValueError where it is no such picture, OSError where it cannot be read.
    """
    media_type = read_header(path).media_type
    if media_type not in ACCEPTED:
        raise ValueError(f"is {media_type}, which models do not take")
    data = base64.b64encode(Path(path).read_bytes()).decode("ascii")
    return {"type": "image_url", "image_url": {"url": f"data:{media_type};base64,{data}"}}
