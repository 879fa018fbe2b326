"""Reads a model's reply as mem0 does, to tell what mem0 does not: nothing to remember, or nothing that can be read."""

from __future__ import annotations

import json
import re
from typing import Any

_FENCED = re.compile(r"^```\w*\n(.*?)\n```$", re.DOTALL)
_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)


def rows_of(reply: object, name: str) -> list[Any] | None:
    """The list that stands under `name` in the JSON object of `reply`; None where there is no such list.

    Code fences, thoughts and talk around the object are allowed, as mem0 allows them.
    """
    if not isinstance(reply, str):
        return None
    text = reply.strip()
    fenced = _FENCED.match(text)
    text = _THOUGHT.sub("", fenced[1] if fenced else text).strip()
    for candidate in (text, text[text.find("{") : text.rfind("}") + 1]):
        try:
            value = json.loads(candidate, strict=False)
        except ValueError:
            continue
        rows = value.get(name) if isinstance(value, dict) else None
        return rows if isinstance(rows, list) else None
    return None
