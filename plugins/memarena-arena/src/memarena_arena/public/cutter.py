"""Cuts the elements of one list out of a stream of JSON, by its brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, Protocol

from memarena.errors import DataError
from memarena_arena.jsonfile import Limits, decode_tree

BOM = b"\xef\xbb\xbf"
CHUNK = 1 << 20
"""Bytes that are read at once."""

_ANY = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|["\[\]{},:]', re.DOTALL)
_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+([\[\]{}])', re.DOTALL)
"""The next bracket that stands in no string, and all before it."""


class Hash(Protocol):
    """What takes the bytes of a file as they pass by."""

    def update(self, data: bytes, /) -> None: ...


class Cutter:
    """Cuts the elements of one list out of a stream, by its brackets."""

    def __init__(
        self, stream: BinaryIO, file: str, limits: Limits, longest: int, key: str, digest: Hash | None
    ) -> None:
        """`longest`: bytes of an element; `key`: the name of the list in an object, "" for a list that is all."""
        self._stream = stream
        self._file = file
        self._limits = limits
        self._longest = longest
        self._key = key.encode()
        self._path = f"$.{key}" if key else "$"
        self._digest = digest
        self._data = b""
        self._at = 0
        """Where in `_data` to go on."""
        self._start = 0
        """Where in `_data` the element begins, or what stands around the list."""
        self._around = b""
        """The file with an empty list in place of the list."""
        self._count = 0
        self._wanted = True
        """Whether `_data` is used up."""

    def elements(self) -> Iterator[bytes]:
        """The bytes of each element; raises DataError for what is cut off, too long or no JSON around the list."""
        depth = inside = 0
        named = last = b""
        while self._more():
            if depth > inside > 0:
                depth = self._within(depth, inside)
                continue
            match = _ANY.search(self._data, self._at)
            token = match.group() if match else b'"'
            if match is None or token == b'"':
                # A string that goes on behind the chunk begins again with the next one.
                self._at = match.start() if match else len(self._data)
                self._wanted = True
                continue
            self._at = match.end()
            if token in (b"[", b"{"):
                depth += 1
                if not inside and token == b"[" and depth == (2 if self._key else 1) and named == self._key:
                    inside = depth
                    self._keep_around(match.end())
            elif token in (b"]", b"}"):
                if depth == inside > 0:
                    yield from self._element(match.start(), last=True)
                    inside = -1
                depth -= 1
            elif depth == inside > 0 and token == b",":
                yield from self._element(match.start())
            elif depth == 1 and token == b":":
                named = last[1:-1]
            elif depth == 1 and token == b",":
                named = b""
            elif token[:1] == b'"':
                last = token
        self._finish(open_list=inside > 0, depth=depth)

    def _within(self, depth: int, outer: int) -> int:
        """Go on to the end of what is nested in an element, as far as it was read; returns the depth there."""
        data, at = self._data, self._at
        while depth > outer:
            found = _BRACKET.match(data, at)
            if found is None:
                self._wanted = True
                break
            at = found.end()
            depth += 1 if found[1] in b"[{" else -1
        self._at = at
        return depth

    def _more(self) -> bool:
        """Whether there is something to look at; reads on where `_data` is used up."""
        if not self._wanted:
            return True
        self._wanted = False
        kept = self._data[self._start :]
        if len(kept) > self._longest:
            problem = f"a record has more than {self._longest:,} bytes (max_record_bytes)"
            raise DataError(problem, file=self._file, path=f"{self._path}[{self._count}]")
        # As much again as is kept, so that a long string is looked at a few times only.
        fresh = self._stream.read(max(CHUNK, len(kept)))
        if self._digest is not None:
            self._digest.update(fresh)
        self._at -= self._start
        self._start = 0
        self._data = kept + fresh
        return bool(fresh)

    def _element(self, end: int, *, last: bool = False) -> Iterator[bytes]:
        data = self._data[self._start : end]
        if self._count or not last or data.strip():
            yield data
            self._count += 1
        self._start = end if last else end + 1

    def _keep_around(self, end: int) -> None:
        self._around += self._data[self._start : end]
        self._start = end

    def _finish(self, *, open_list: bool, depth: int) -> None:
        if open_list or depth > 0:
            raise DataError("is cut off", file=self._file, path=f"{self._path}[{self._count}]")
        around = (self._around + self._data[self._start :]).removeprefix(BOM)
        tree = decode_tree(around, self._file, self._limits)
        if not isinstance(tree, dict if self._key else list):
            problem = f"a list of records is needed{' under ' + self._key.decode() if self._key else ''}"
            raise DataError(problem, file=self._file, path="$")
