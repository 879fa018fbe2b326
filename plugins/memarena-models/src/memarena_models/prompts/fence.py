"""Data between fences that nothing within it can close.

Each part is a fence, one JSON object a line, and a fence. The mark in a fence is made of the data itself and does not
occur in it; three angle brackets within a text are written as JSON escapes, so that no text holds a fence of any mark.
Reading the lines as JSON gives every text back, letter by letter.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

_PART = re.compile(r"^<<<(\w+) (\w+)>>>\n(.*?)\n?<<<end \1 \2>>>$", re.DOTALL | re.MULTILINE)
_ESCAPED = re.compile("[<>]{3,}|[\ud800-\udfff]")
"""What could pass for a fence, and what no UTF-8 message can hold."""


class Fenced(NamedTuple):
    """Data, ready for a message."""

    text: str
    mark: str


def fenced(parts: Mapping[str, Sequence[Mapping[str, Any]]]) -> Fenced:
    """`parts` (name -> objects) between fences; equal data, equal text."""
    bodies = {name: "\n".join(map(_line, objects)) for name, objects in parts.items()}
    whole = json.dumps(bodies)
    mark = _mark(whole)
    while mark in whole:
        mark = _mark(whole + mark)
    return Fenced("\n\n".join(_part(name, body, mark) for name, body in bodies.items()), mark)


def unfenced(text: str, mark: str) -> dict[str, list[dict[str, Any]]]:
    """The parts of a text that `fenced` made with this mark."""
    return {
        name: [json.loads(line) for line in body.split("\n") if line]
        for name, found, body in _PART.findall(text)
        if found == mark
    }


def _mark(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def _line(value: Mapping[str, Any]) -> str:
    return _ESCAPED.sub(_escape, json.dumps(value, ensure_ascii=False))


def _escape(run: re.Match[str]) -> str:
    return "".join(f"\\u{ord(letter):04x}" for letter in run[0])


def _part(name: str, body: str, mark: str) -> str:
    middle = f"{body}\n" if body else ""
    return f"<<<{name} {mark}>>>\n{middle}<<<end {name} {mark}>>>"
