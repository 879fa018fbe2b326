"""What a picture says of itself in its first bytes. Nothing is decoded, so nothing can grow."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import BinaryIO, NamedTuple

_FIRST = 64
_SEGMENTS = 4096
_CHUNKS = 65_536
_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


class Header(NamedTuple):
    """The header of a picture."""

    media_type: str
    width: int
    """In pixels."""
    height: int
    """In pixels."""


def read_header(path: str) -> Header:
    """The header of a PNG, JPEG, GIF, WebP or BMP file.

    Raises ValueError with what the file is instead, OSError where it cannot be read.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as stream:
        first = stream.read(_FIRST)
        for start, media_type, size in _KINDS:
            if start.match(first):
                width, height = size(first, stream)
                if not width or not height:
                    raise ValueError("is a picture without pixels")
                return Header(media_type, width, height)
    if first.startswith(b"version https://git-lfs"):
        raise ValueError("is a Git LFS pointer in place of a picture (git lfs pull fetches it)")
    raise ValueError("is not a PNG, JPEG, GIF, WebP or BMP picture" if first else "is an empty file")


def _number(data: bytes, offset: int, length: int, order: str = "big") -> int:
    if len(data) < offset + length:
        raise ValueError("is a picture that is cut off")
    return int.from_bytes(data[offset : offset + length], "big" if order == "big" else "little")


def _png(first: bytes, stream: BinaryIO) -> tuple[int, int]:
    """The size; the chunks are skipped one by one up to the last, so that a file that is cut off shows."""
    if first[12:16] != b"IHDR":
        raise ValueError("is a PNG without a header")
    size = _number(first, 16, 4), _number(first, 20, 4)
    stream.seek(8)
    for _ in range(_CHUNKS):
        head = stream.read(8)
        length = _number(head, 0, 4)
        if head[4:] == b"IEND":
            return size
        stream.seek(length + 4, os.SEEK_CUR)
    raise ValueError(f"is a PNG of more than {_CHUNKS:,} chunks")


def _gif(first: bytes, stream: BinaryIO) -> tuple[int, int]:
    return _number(first, 6, 2, "little"), _number(first, 8, 2, "little")


def _bmp(first: bytes, stream: BinaryIO) -> tuple[int, int]:
    width, height = _number(first, 18, 4, "little"), _number(first, 22, 4, "little")
    # Rows from top to bottom are marked by a negative height.
    return width, height if height < 1 << 31 else (1 << 32) - height


def _webp(first: bytes, stream: BinaryIO) -> tuple[int, int]:
    kind = first[12:16]
    if kind == b"VP8X":
        return _number(first, 24, 3, "little") + 1, _number(first, 27, 3, "little") + 1
    if kind == b"VP8L":
        bits = _number(first, 21, 4, "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        return _number(first, 26, 2, "little") & 0x3FFF, _number(first, 28, 2, "little") & 0x3FFF
    raise ValueError("is a WebP file without a picture")


def _jpeg(first: bytes, stream: BinaryIO) -> tuple[int, int]:
    """The size stands in the first frame segment, behind any number of others."""
    stream.seek(2)
    for _ in range(_SEGMENTS):
        head = stream.read(4)
        marker, length = _number(head, 1, 1), _number(head, 2, 2)
        if head[0] != 0xFF or length < 2:
            break
        if marker in _JPEG_SIZES:
            frame = stream.read(5)
            return _number(frame, 3, 2), _number(frame, 1, 2)
        stream.seek(length - 2, os.SEEK_CUR)
    raise ValueError("is a JPEG without a frame")


_KINDS: tuple[tuple[re.Pattern[bytes], str, Callable[[bytes, BinaryIO], tuple[int, int]]], ...] = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png", _png),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg", _jpeg),
    (re.compile(rb"GIF8[79]a"), "image/gif", _gif),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "image/webp", _webp),
    (re.compile(rb"BM....\0\0\0\0", re.DOTALL), "image/bmp", _bmp),
)
