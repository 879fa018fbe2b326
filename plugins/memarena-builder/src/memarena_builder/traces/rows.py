"""The objects of a log, one after the other, each with its place in the file; and what is left out on the way."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from memarena.errors import DataError

BOM = b"\xef\xbb\xbf"
_ESCAPES = re.compile(
    r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
"""An escaped backslash, a pair of surrogates, or one alone."""
_SIGN = re.compile(r"\S")
_ALONE = 6
"""Letters of a surrogate alone."""


class Row(NamedTuple):
    """One object."""

    where: str
    """`line 7` or `[7]`."""
    value: Any


class Notes:
    """What of a log was left out or not understood: how often, and where first."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._first: dict[str, str] = {}

    def add(self, what: str, where: str) -> None:
        """One more of it."""
        self._counts[what] += 1
        self._first.setdefault(what, where)

    def take(self, other: Notes) -> None:
        """All that `other` has, too."""
        self._counts += other._counts
        self._first = other._first | self._first

    def clear(self) -> None:
        """Nothing, from now on."""
        self._counts.clear()
        self._first.clear()

    def lines(self) -> Iterator[str]:
        """In words, the first found first."""
        for what, first in self._first.items():
            yield f"{what}: {self._counts[what]:,} (first: {first})"


def rows(path: Path) -> Iterator[Row]:
    """The objects of a file that is JSON Lines, one object, one list, or objects one behind the other.

    A file of lines is read line by line, whatever its size. Raises DataError for anything else.
    """
    with path.open("rb") as file:
        number, line = 0, b""
        for line in file:
            number += 1
            line = line.removeprefix(BOM) if number == 1 else line
            if line.strip():
                break
        where = f"line {number}"
        try:
            first = _parsed(line, where, path) if line.strip() else None
        except DataError:
            if line.rstrip().endswith(b"}"):
                raise
            yield from _whole(path)
            return
        if isinstance(first, list):
            yield from (Row(f"[{place}]", value) for place, value in enumerate(first))
        elif line.strip():
            yield Row(where, first)
        for place, line in enumerate(file, number + 1):
            if line.strip():
                yield Row(f"line {place}", _parsed(line, f"line {place}", path))


def _parsed(line: bytes, where: str, path: Path) -> Any:
    try:
        return json.loads(_without_lone(line.decode("utf-8")))
    except UnicodeDecodeError as error:
        raise DataError(f"{where} is no text in UTF-8 ({error.reason})", file=str(path)) from None
    except RecursionError:
        raise DataError(f"{where} is nested too deeply", file=str(path)) from None
    except json.JSONDecodeError as error:
        raise DataError(f"{where} is no JSON: {error.msg} at column {error.colno}", file=str(path)) from None
    except ValueError:
        raise DataError(f"{where} has a number of too many digits", file=str(path)) from None


def _without_lone(text: str) -> str:
    """JSON in which no surrogate stands alone: half a sign, as programs leave it that cut texts, is no text."""
    if "\\ud" not in text and "\\uD" not in text:
        return text
    return _ESCAPES.sub(lambda found: "\\ufffd" if len(found[0]) == _ALONE else found[0], text)


def _next(text: str, at: int) -> int:
    """The next place that is not blank."""
    found = _SIGN.search(text, at)
    return found.start() if found else len(text)


def _whole(path: Path) -> Iterator[Row]:
    try:
        text = _without_lone(path.read_bytes().removeprefix(BOM).decode("utf-8"))
    except UnicodeDecodeError as error:
        raise DataError(f"is no text in UTF-8 ({error.reason} at byte {error.start})", file=str(path)) from None
    decoder, found = json.JSONDecoder(), []
    at = _next(text, 0)
    try:
        while at < len(text):
            value, at = decoder.raw_decode(text, at)
            found.append(value)
            at = _next(text, at)
    except RecursionError:
        raise DataError("is nested too deeply", file=str(path)) from None
    except json.JSONDecodeError as error:
        problem = f"line {error.lineno} is no JSON: {error.msg} at column {error.colno}"
        raise DataError(problem, file=str(path)) from None
    except ValueError:
        raise DataError("has a number of too many digits", file=str(path)) from None
    values = found[0] if len(found) == 1 and isinstance(found[0], list) else found
    yield from (Row(f"[{place}]", value) for place, value in enumerate(values))
