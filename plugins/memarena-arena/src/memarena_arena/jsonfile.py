"""Bounded reading of JSON that nobody vouches for.

Whatever the bytes, the result is a tree of dict, list, str, int, float, bool and None within the limits, or a
DataError that names the file and the JSON path.
"""

from __future__ import annotations

import json
import math
import os
import re
import stat
import sys
from pathlib import Path
from typing import Any

import msgspec

from memarena.errors import DataError
from memarena.records import Record
from memarena_arena.faults import Faults, printable
from memarena_arena.jsonpath import path_at, path_of_constant, path_of_depth, path_of_long_number, rendered

_BOM = b"\xef\xbb\xbf"
_SURROGATE = re.compile("[\ud800-\udfff]")


class Limits(Record, frozen=True, kw_only=True):
    """How much of a file is read at all."""

    max_file_bytes: int = 32 * 1024 * 1024
    """A larger file is refused before it is opened."""
    max_string_chars: int = 4 * 1024 * 1024
    """A file with a longer string is refused."""
    max_depth: int = 64
    """A file whose lists and objects are nested deeper is refused."""
    max_values: int = 1_000_000
    """A file with more commas and opening brackets, which bound the number of its values, is refused."""


def read_json(path: Path, limits: Limits | None = None, faults: Faults | None = None) -> Any:
    """The tree in `path`; raises DataError. See `decode_tree` for `faults`."""
    limits = limits or Limits()
    return decode_tree(read_bytes(path, limits), str(path), limits, faults)


def read_bytes(path: str | Path, limits: Limits) -> bytes:
    """The bytes of a regular file within the limits, without a byte-order mark; raises DataError."""
    file = str(path)
    try:
        # Without O_NONBLOCK a named pipe would wait for a writer that never comes.
        handle = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        raise DataError(f"cannot be read ({_reason(error)})", file=printable(file)) from None
    try:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode):
            raise DataError("is not a regular file", file=printable(file))
        if facts.st_size > limits.max_file_bytes:
            problem = f"has {facts.st_size:,} bytes; at most {limits.max_file_bytes:,} are read (max_file_bytes)"
            raise DataError(problem, file=printable(file), path="$")
        data = os.read(handle, facts.st_size + 1)
        while len(data) < facts.st_size and (more := os.read(handle, facts.st_size)):
            data += more
    except OSError as error:
        raise DataError(f"cannot be read ({_reason(error)})", file=printable(file)) from None
    finally:
        os.close(handle)
    if len(data) > facts.st_size:
        raise DataError("grew while it was read", file=printable(file))
    return data.removeprefix(_BOM)


def decode_tree(data: bytes, file: str, limits: Limits, faults: Faults | None = None) -> Any:
    """The tree that `data` stands for; raises DataError.

    A lone surrogate, which no UTF-8 file can hold, becomes U+FFFD and a warning of `faults`; without `faults` it is a
    DataError too.
    """
    file = printable(file)
    if not data.strip():
        raise DataError("is empty", file=file, path="$")
    values = data.count(b",") + data.count(b"[") + data.count(b"{")
    if values > limits.max_values:
        problem = f"has about {values:,} values; at most {limits.max_values:,} are read (max_values)"
        raise DataError(problem, file=file, path="$")
    try:
        tree = msgspec.json.decode(data)
    except RecursionError:
        raise _too_deep(data, file, limits) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        tree = _decode_slowly(data, file, limits)
    return _Check(data, file, limits, faults).tree(tree)


def _decode_slowly(data: bytes, file: str, limits: Limits) -> Any:
    """What only the standard library reads (lone surrogates), or a DataError that says what is wrong and where."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        path = path_at(data, error.start)
        raise DataError(f"is not UTF-8 (byte {error.start})", file=file, path=path) from None
    constants: list[str] = []
    try:
        tree = json.loads(text, parse_constant=constants.append)
    except RecursionError:
        raise _too_deep(data, file, limits) from None
    except json.JSONDecodeError as error:
        path = path_at(data, len(text[: error.pos].encode("utf-8")))
        cut = not text[error.pos :].strip() or error.msg.startswith("Unterminated string")
        problem = "is cut off" if cut else "is not JSON"
        where = f"line {error.lineno}, column {error.colno}"
        raise DataError(f"{problem} ({error.msg}: {where})", file=file, path=path) from None
    except ValueError:
        path = path_of_long_number(data, sys.get_int_max_str_digits())
        raise DataError("holds a number with too many digits", file=file, path=path) from None
    if constants:
        problem = "holds NaN or Infinity, which JSON does not have"
        raise DataError(problem, file=file, path=path_of_constant(data))
    return tree


class _Check:
    """Holds a decoded tree to the limits, and mends its strings in place."""

    def __init__(self, data: bytes, file: str, limits: Limits, faults: Faults | None) -> None:
        self._data = data
        self._file = file
        self._limits = limits
        self._faults = faults
        self._steps: list[int | str] = []

    def tree(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, dict | list):
            self._inside(value)
        return value

    def _inside(self, parent: Any) -> None:
        steps = self._steps
        if len(steps) >= self._limits.max_depth:
            raise _too_deep(self._data, self._file, self._limits)
        if isinstance(parent, dict) and not all(map(str.isascii, parent)):
            self._mend_keys(parent)
        steps.append(0)
        items = parent.items() if isinstance(parent, dict) else enumerate(parent)
        for steps[-1], value in items:
            kind = type(value)
            if kind is str:
                if len(value) > self._limits.max_string_chars or not value.isascii():
                    parent[steps[-1]] = self._text(value)
            elif kind is dict or kind is list:
                self._inside(value)
            elif kind is float and not math.isfinite(value):
                raise DataError("holds a number that is too large", file=self._file, path=rendered(steps))
        steps.pop()

    def _mend_keys(self, parent: dict[str, Any]) -> None:
        """All names without lone surrogates; of several broken ones in an object the first is reported."""
        broken = dict.fromkeys(key for key in parent if _SURROGATE.search(key))
        for key in list(broken)[:1]:
            self._text(key)
        names = (_SURROGATE.sub("\ufffd", key) if key in broken else self._text(key) for key in parent)
        members = list(zip(names, parent.values(), strict=True))
        parent.clear()
        parent.update(members)

    def _text(self, text: str) -> str:
        limit = self._limits.max_string_chars
        if len(text) > limit:
            problem = f"a string has {len(text):,} characters; at most {limit:,} are read (max_string_chars)"
            raise DataError(problem, file=self._file, path=rendered(self._steps))
        if not _SURROGATE.search(text):
            return text
        path = rendered(self._steps)
        if self._faults is None:
            problem = "a string holds a lone surrogate, which is no character"
            raise DataError(problem, file=self._file, path=path)
        self._faults.warn("lone_surrogate", "a lone surrogate was replaced by U+FFFD", path)
        return _SURROGATE.sub("\ufffd", text)


def _too_deep(data: bytes, file: str, limits: Limits) -> DataError:
    problem = f"is nested deeper than {limits.max_depth} levels (max_depth)"
    return DataError(problem, file=file, path=path_of_depth(data, limits.max_depth))


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
