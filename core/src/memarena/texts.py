"""Every text of a run once, by hash: `texts/<n>.jsonl`, a new file for each process that writes.

A text is on disk before any record that names it, so a killed process leaves no reference without its text.
"""

from __future__ import annotations

import os
import threading
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

import msgspec

from memarena import codec
from memarena.errors import StoreError
from memarena.records import Record

CACHED = 50_000
"""Texts kept in memory for reading."""


class _Line(Record, frozen=True, kw_only=True):
    ref: str
    text: str


def reference(text: str) -> str:
    """The name of `text`: 128 bits of BLAKE2b over its UTF-8 form, in hexadecimal."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class Texts:
    """The texts of one run folder; safe for several threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._places: dict[str, tuple[Path, int, int]] = {}
        self._written: set[str] = set()
        self._stream: codec.LineWriter | None = None
        self._indexed: set[Path] = set()
        self._files_open: dict[Path, int] = {}
        self._read = lru_cache(maxsize=CACHED)(self._read_place)

    def put(self, text: str) -> str:
        """Store `text` unless it is there, and return its reference."""
        ref = reference(text)
        if ref in self._written or ref in self._places:
            return ref
        with self._lock:
            if ref not in self._written:
                if self._stream is None:
                    self._index()
                    self._stream = codec.LineWriter(self._next_file())
                if ref not in self._places:
                    self._stream.write(codec.encode(_Line(ref=ref, text=text)))
                self._written.add(ref)
        return ref

    def get(self, ref: str) -> str:
        """The text with this reference; raises StoreError where it is not there."""
        place = self._places.get(ref)
        if place is None:
            with self._lock:
                self._index()
            place = self._places.get(ref)
        if place is None:
            raise StoreError(f"{self.folder}: text {ref} is missing; the run folder is not complete")
        return self._read(place)

    def close(self) -> None:
        with self._lock:
            if self._stream is not None:
                self._stream.close()
                self._stream = None
            for file in self._files_open.values():
                os.close(file)
            self._files_open.clear()

    def _read_place(self, place: tuple[Path, int, int]) -> str:
        path, start, length = place
        with self._lock:
            if path not in self._files_open:
                self._files_open[path] = os.open(path, os.O_RDONLY)
        return codec.decode(os.pread(self._files_open[path], length, start), _Line, str(path)).text

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob("*.jsonl"), key=lambda path: int(path.stem))

    def _next_file(self) -> Path:
        return self.folder / f"{max((int(path.stem) for path in self._files()), default=0) + 1}.jsonl"

    def _index(self) -> None:
        decoder = msgspec.json.Decoder(_Line)
        for path in self._files():
            if path in self._indexed and (self._stream is None or path != self._stream.path):
                continue
            start = 0
            with path.open("rb") as stream:
                for line in stream:
                    if line.endswith(b"\n"):
                        self._places[decoder.decode(line).ref] = (path, start, len(line))
                    start += len(line)
            self._indexed.add(path)
