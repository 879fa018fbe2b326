"""JSON paths (`$.sessions[0].dialogue[2].content`), also into bytes that are not JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from memarena_arena.faults import printable

_TOKEN = re.compile(
    rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[][{},:"]|NaN|-?Infinity|\d{1000,}',
    re.DOTALL,
)
_NAME = re.compile(r"[A-Za-z_]\w*")
_LONGEST = 160


def child(path: str, key: str) -> str:
    """The path of a member of an object; in quotes as a normalized path (RFC 9535) has it."""
    if _NAME.fullmatch(key):
        return f"{path}.{key}"
    name = printable(key[:80]).replace("\\", "\\\\").replace("'", "\\'")
    return f"{path}['{name}']"


def path_at(data: bytes, offset: int) -> str:
    """The path of the value in which `offset` lies."""
    return _scan(data, lambda start, token, depth: start >= offset)


def path_of_depth(data: bytes, depth: int) -> str:
    """The path of the first value that is nested deeper than `depth`."""
    return _scan(data, lambda start, token, level: level > depth)


def path_of_constant(data: bytes) -> str:
    """The path of the first NaN or Infinity."""
    return _scan(data, lambda start, token, depth: token[-1:] in b"Ny" and token[:1] != b'"')


def path_of_long_number(data: bytes, digits: int) -> str:
    """The path of the first number with more than `digits` digits in a row."""
    return _scan(data, lambda start, token, depth: token[:1].isdigit() and len(token) > digits)


def _scan(data: bytes, found: Callable[[int, bytes, int], bool]) -> str:
    """The path where `found(start, token, depth)` is first true, or that of the end of the data."""
    steps: list[int | str | None] = []
    key: str | None = None
    for match in _TOKEN.finditer(data):
        token = match.group()
        if found(match.start(), token, len(steps)) or token == b'"':
            break
        if token == b"{":
            steps.append(None)
            key = None
        elif token == b"[":
            steps.append(0)
        elif token in b"]}":
            if steps:
                steps.pop()
        elif token == b",":
            if steps and isinstance(steps[-1], int):
                steps[-1] += 1
            elif steps:
                steps[-1] = None
        elif token == b":":
            if key is not None and steps and not isinstance(steps[-1], int):
                steps[-1] = key
        elif token[:1] == b'"':
            key = token[1:-1].decode("utf-8", "replace")
    return rendered(steps)


def rendered(steps: Sequence[int | str | None]) -> str:
    """The path of these steps (an index into a list, a member of an object, None for an object before its first
    member); a very long one is cut."""
    path = "$"
    for step in steps:
        if isinstance(step, int):
            path += f"[{step}]"
        elif step is not None:
            path = child(path, step)
        if len(path) > _LONGEST:
            return path[:_LONGEST] + "…"
    return path
