"""Records <-> JSON lines, strict. NaN and broken unicode are handled here and nowhere else.

* NaN and infinities become null on writing (JSON has no such numbers), so a viewer never breaks;
* lone surrogates, which no UTF-8 file can hold, become U+FFFD on writing;
* a line that does not fit its type is a StoreError that names the file, the line and the JSON path.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from memarena.errors import StoreError

T = TypeVar("T")

_SURROGATE = re.compile("[\ud800-\udfff]")
_ENCODER = msgspec.json.Encoder(decimal_format="number", enc_hook=str)


def encode(value: Any) -> bytes:
    """`value` as JSON in UTF-8, without a newline."""
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError:
        return _ENCODER.encode(clean(msgspec.to_builtins(value, enc_hook=str)))


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
