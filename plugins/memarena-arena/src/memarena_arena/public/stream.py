"""Records of a file that may be larger than the memory: one record is held at a time.

A file is a JSON list, an object with one long list in it, JSON Lines, or one record. Each record is held to the same
limits as a whole file of the other data sets (see `jsonfile`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from memarena.errors import DataError
from memarena_arena.faults import Faults
from memarena_arena.jsonfile import Limits, decode_tree, read_json
from memarena_arena.public.cutter import BOM, Cutter, Hash

_HEAD = 1 << 16


class StreamLimits(Limits, frozen=True, kw_only=True):
    """How much of a file is read, and how much of it at a time."""

    max_file_bytes: int = 8 * 1024**3
    """A larger file is refused before it is opened."""
    max_record_bytes: int = 64 * 1024**2
    """A file with a longer record is refused: only one is in memory at a time."""
    max_values: int = 4_000_000
    """A record with more commas and opening brackets, which bound the number of its values, is refused."""


class Item(NamedTuple):
    """One record as the file has it."""

    value: Any
    """None where it cannot be read; then `faults` has a refusal."""
    number: int
    """Its place in the file, from 0."""
    path: str
    """Its JSON path."""
    faults: Faults
    """Fresh, named after the file (and the line)."""
    file: Path


def head_of(path: Path) -> bytes:
    """The first 64 KiB without a byte-order mark and leading blanks; b"" where `path` is no file or cannot be read."""
    try:
        if not path.is_file():
            return b""
        with path.open("rb") as stream:
            return stream.read(_HEAD).removeprefix(BOM).lstrip()
    except OSError:
        return b""


def opened(path: Path, limits: StreamLimits) -> BinaryIO:
    """The bytes of a regular file within the limits; raises DataError."""
    try:
        if not path.is_file():
            problem = "is not a regular file" if path.exists() else "no such file or folder"
            raise DataError(problem, file=str(path))
        size = path.stat().st_size
        if size > limits.max_file_bytes:
            problem = f"has {size:,} bytes; at most {limits.max_file_bytes:,} are read (max_file_bytes)"
            raise DataError(problem, file=str(path), path="$")
        return path.open("rb")
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror})", file=str(path)) from None


def records(path: Path, limits: StreamLimits, digest: Hash | None = None) -> Iterator[Item]:
    """The elements of a JSON list, the lines of JSON Lines, or one object, whichever the first line says."""
    head = head_of(path)
    if head.startswith(b"["):
        return elements(path, limits, digest=digest)
    if head.partition(b"\n")[0].strip() == b"{":
        return iter((whole(path, limits, digest),))
    return lines(path, limits, digest=digest)


def whole(path: Path, limits: StreamLimits, digest: Hash | None = None) -> Item:
    """A file that is one record, and may be as long as one."""
    faults = Faults(str(path))
    try:
        if path.is_file() and path.stat().st_size > limits.max_record_bytes:
            raise DataError(f"a record has more than {limits.max_record_bytes:,} bytes (max_record_bytes)", path="$")
        value = read_json(path, limits, faults)
        if digest is not None:
            digest.update(path.read_bytes())
        return Item(value, 0, "$", faults, path)
    except DataError as error:
        faults.refuse_error(error, "unreadable")
        return Item(None, 0, "$", faults, path)


def lines(path: Path, limits: StreamLimits, digest: Hash | None = None) -> Iterator[Item]:
    """The lines of JSON Lines; blank ones are skipped. A broken line does not take the others with it."""
    faults = Faults(str(path))
    number = 0
    try:
        with opened(path, limits) as stream:
            for place, data in enumerate(_long_lines(stream, limits.max_record_bytes, digest), 1):
                text = data.removeprefix(BOM) if place == 1 else data
                if not text.strip():
                    continue
                yield _item(text, number, "$", Faults(f"{path}:{place}"), path, limits)
                number += 1
    except DataError as error:
        faults.refuse_error(error, "unreadable")
    except OSError as error:
        faults.refuse("unreadable", f"cannot be read ({error.strerror})", "$")
    if not number and not faults.refused:
        faults.refuse("no_records", "the file holds no record", "$")
    if faults.refused:
        yield Item(None, number, "$", faults, path)


def elements(path: Path, limits: StreamLimits, key: str = "", digest: Hash | None = None) -> Iterator[Item]:
    """The elements of the list that is the whole file or, with `key`, stands under that name in an object.

    Behind an element that is no JSON nothing more is read: nobody knows where the next one begins.
    """
    start = f"$.{key}" if key else "$"
    number = 0
    problem: DataError | None = None
    try:
        with opened(path, limits) as stream:
            for data in Cutter(stream, str(path), limits, limits.max_record_bytes, key, digest).elements():
                item = _item(data, number, f"{start}[{number}]", Faults(str(path)), path, limits)
                yield item
                if any(finding.code == "unreadable" for finding in item.faults.findings):
                    return
                number += 1
    except DataError as error:
        problem = error
    except OSError as error:
        problem = DataError(f"cannot be read ({error.strerror})", file=str(path))
    faults = Faults(str(path))
    if problem is not None:
        faults.refuse_error(problem, "unreadable")
    elif not number:
        faults.refuse("no_records", "the file holds no record", start)
    if faults.refused:
        yield Item(None, number, start, faults, path)


def _item(data: bytes, number: int, path: str, faults: Faults, file: Path, limits: Limits) -> Item:
    inner = Faults(faults.file)
    value = None
    try:
        value = decode_tree(data, faults.file, limits, inner)
    except DataError as error:
        faults.refuse("unreadable", error.problem, path + error.path[1:])
    for finding in inner.findings:
        faults.warn("lone_surrogate", finding.message, path + finding.path[1:])
    return Item(value, number, path, faults, file)


def _long_lines(stream: BinaryIO, limit: int, digest: Hash | None) -> Iterator[bytes]:
    while line := stream.readline(limit + 1):
        if len(line) > limit and not line.endswith(b"\n"):
            raise DataError(f"a line has more than {limit:,} bytes (max_record_bytes)", path="$")
        if digest is not None:
            digest.update(line)
        yield line
