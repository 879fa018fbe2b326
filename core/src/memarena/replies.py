"""The JSON in a model's reply, also where the reply was cut off before its end: parsed, never evaluated."""

from __future__ import annotations

import re
from json import JSONDecoder
from typing import Any, NamedTuple

_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|["\[\]{},:]|[^\s"\[\]{},:]+', re.DOTALL)
_CLOSERS = {"{": "}", "[": "]"}
_BETWEEN = " \t\r\n,"
_DECODER = JSONDecoder(strict=False)


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
        _, end = _DECODER.raw_decode(said, start)
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


def list_in(reply: str, name: str) -> tuple[list[Any], bool]:
    """The list under the key `name` in `reply`, and whether it was cut off: then what was complete until there.

    Talk and fences around it are left out, and thoughts before it. Raises ValueError where there is no list, or nothing
    of it is complete.
    """
    said = _THOUGHT.sub("", reply)
    start = re.search(rf'"{re.escape(name)}"\s*:\s*\[', said)
    if start is None:
        raise ValueError(f'there is no list "{name}"')
    rows: list[Any] = []
    place = start.end()
    while True:
        place = _past(said, place)
        if said[place : place + 1] == "]":
            return rows, False
        try:
            row, place = _DECODER.raw_decode(said, place)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        except ValueError:
            if not rows:
                raise
            return rows, True
        rows.append(row)


def _past(text: str, place: int) -> int:
    while place < len(text) and text[place] in _BETWEEN:
        place += 1
    return place
