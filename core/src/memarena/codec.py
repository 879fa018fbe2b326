"""Records <-> JSON lines, strict. NaN and broken unicode are handled here and nowhere else.

* NaN and infinities become null on writing (JSON has no such numbers), so a viewer never breaks;
* lone surrogates, which no UTF-8 file can hold, become U+FFFD on writing;
* a line that does not fit its type is a StoreError that names the file, the line and the JSON path.
"""

from __future__ import annotations

import errno
import math
import numbers
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from memarena.errors import StoreError, first_line

T = TypeVar("T")

_SURROGATE = re.compile("[\ud800-\udfff]")


def _other(value: Any) -> Any:
    """What JSON has no word for: a number of another library (numpy) as a number, anything else as its text."""
    if isinstance(value, numbers.Integral):
        return int(value)
    return float(value) if isinstance(value, numbers.Real) else str(value)


_ENCODER = msgspec.json.Encoder(decimal_format="number", enc_hook=_other)


def encode(value: Any) -> bytes:
    """`value` as JSON in UTF-8, without a newline."""
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError:
        return _ENCODER.encode(clean(msgspec.to_builtins(value, enc_hook=_other)))


def plain(value: Any) -> Any:
    """`value` as dicts, lists, strings, numbers and None, as a file would give it back."""
    return msgspec.json.decode(encode(value))


def clean(value: Any) -> Any:
    """`value` with lone surrogates replaced by U+FFFD and numbers that JSON lacks by None, at any depth."""
    if isinstance(value, str):
        return value if value.isascii() else _SURROGATE.sub("\ufffd", value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {clean(key): clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean(item) for item in value]
    return value


def decode(line: bytes | str, kind: type[T], where: str = "") -> T:
    """`line` as a `kind`; raises StoreError with `where` and the JSON path."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StoreError(f"{where or 'record'}: {error}") from None


def as_read_back(value: T, kind: type[T]) -> T:
    """`value` as a run folder would give it back; raises ValueError that says what of it cannot be kept."""
    try:
        return msgspec.json.decode(encode(value), type=kind)
    except Exception as error:
        # What stands in a record may be any object, and raise anything when it is looked at.
        problem = str(error) if isinstance(error, msgspec.MsgspecError) else first_line(error)
        raise ValueError(problem) from error


class LineWriter:
    """Appends lines to one file, each handed to the system as a whole at once; safe for several threads.

    A line that a killed process left without its end is dropped when the file is opened again.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        with storing(path):
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            self._drop_torn_line()

    def write(self, line: bytes) -> None:
        """Append `line`; raises StoreError where the disk is full."""
        data = line + b"\n"
        with self._lock, storing(self.path):
            start = os.lseek(self._file, 0, os.SEEK_END)
            done = 0
            try:
                while done < len(data):
                    done += os.write(self._file, data[done:] if done else data)
            except OSError:
                # A half-written line would hide every line after it.
                os.ftruncate(self._file, start)
                raise

    def close(self) -> None:
        os.close(self._file)

    def _drop_torn_line(self) -> None:
        size = os.fstat(self._file).st_size
        if size and os.pread(self._file, 1, size - 1) != b"\n":
            with self.path.open("rb") as stream:
                whole = stream.read().rfind(b"\n") + 1
            os.ftruncate(self._file, whole)


@contextmanager
def storing(path: Path) -> Iterator[None]:
    """Turn an OSError into a StoreError that says what to do."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            what = "the disk is full; free some space and go on with --resume"
        elif error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
            what = f"cannot write here ({error.strerror}); choose another folder with --out"
        else:
            what = str(error.strerror or error)
        raise StoreError(f"{path}: {what}") from error


def write_whole(path: Path, data: bytes) -> None:
    """Write `path` at once: either the old content stands there or the new, never a part."""
    part = path.with_name(f".{path.name}.part")
    with storing(path):
        part.write_bytes(data)
        part.replace(path)


def read_lines(path: Path, kind: type[T]) -> Iterator[T]:
    """The records of a JSON-lines file. A last line that was cut off (a killed process) is left out."""
    decoder = msgspec.json.Decoder(kind)
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            if not line.endswith(b"\n"):
                return
            try:
                yield decoder.decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise StoreError(f"{path}, line {number}: {error}") from None
