"""The JSON object in a model's reply, also where the reply was cut off before its end."""

from __future__ import annotations

import re
from json import JSONDecoder
from typing import NamedTuple

_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|["\[\]{},:]|[^\s"\[\]{},:]+', re.DOTALL)
_CLOSERS = {"{": "}", "[": "]"}


class Found(NamedTuple):
    """The text of an object, which is valid JSON unless the reply has errors of another kind."""

    text: str
    cut: bool
    """The reply ended within it: it holds what was complete until then."""


def object_in(reply: str) -> Found:
    """The first object of `reply`; talk and fences around it, and thoughts before it, are left out.

    Raises ValueError where there is none.
    """
    said = _THOUGHT.sub("", reply)
    start = said.find("{")
    if start < 0:
        raise ValueError("there is no JSON object")
    try:
        _, end = JSONDecoder(strict=False).raw_decode(said, start)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:
        return _completed(said[start:])
    return Found(said[start:end], cut=False)


def _completed(text: str) -> Found:
    """`text` up to its last complete value, with what is open closed; unchanged where nothing is open at its end."""
    opened: list[str] = []
    kept = 0
    token = before = ""
    for match in _TOKEN.finditer(text):
        before, token = token, match[0]
        if token in _CLOSERS:
            opened.append(_CLOSERS[token])
            kept = match.end()
        elif token in ("}", "]"):
            if not opened or opened.pop() != token or not opened:
                return Found(text, cut=False)
            kept = match.end()
        elif token == ",":
            # A number or a word is complete only where something stands behind it.
            kept = match.start()
        elif token == '"':
            break
        elif token[0] == '"' and (opened[-1] == "]" or before == ":"):
            kept = match.end()
    return Found(text[:kept] + "".join(reversed(opened)), cut=True)
