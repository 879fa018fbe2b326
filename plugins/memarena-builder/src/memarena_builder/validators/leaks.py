"""V2, V8 for pictures as they lie on disk: hidden facts are in the pixels and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator

from memarena.records import Record
from memarena_builder.pictures.spec import PictureSpec
from memarena_builder.validators.problem import plain, says

PICTURE_ALONE = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")
"""Pieces of a PNG that hold pixels and nothing a person could read."""
SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Leak(Record, frozen=True, kw_only=True):
    """A way to a fact that does not lead over the pixels."""

    where: str
    """`caption`, `name`, `text`, `file`, or `piece tEXt` of the PNG."""
    value: str
    """The fact; "" where a piece of the file is not allowed whatever it says."""


def leaks(spec: PictureSpec, png: bytes, path: str, told: str) -> Iterator[Leak]:
    """Everything that gives a hidden fact of `spec` away.

    `png`: the file as it lies on disk; `path`: as a sample names it; `told`: all that a system reads of the
    sample, as `plain` has made it.
    """
    hidden = [field.value for field in spec.fields if field.hidden]
    for value in hidden:
        answer = plain(value)
        if says(plain(spec.caption), answer):
            yield Leak(where="caption", value=value)
        if says(plain(spec.image_id), answer) or says(plain(path), answer):
            yield Leak(where="name", value=value)
        if says(told, answer):
            yield Leak(where="text", value=value)
    yield from _pieces(png)


def _pieces(png: bytes) -> Iterator[Leak]:
    """Pieces of a PNG that could hold words, and bytes behind its end."""
    if not png.startswith(SIGNATURE):
        yield Leak(where="file", value="")
        return
    at = len(SIGNATURE)
    while at + 12 <= len(png):
        size, name = int.from_bytes(png[at : at + 4], "big"), png[at + 4 : at + 8]
        if name not in PICTURE_ALONE:
            yield Leak(where=f"piece {name.decode('latin-1')}", value="")
        at += 12 + size
    if at != len(png):
        yield Leak(where="file", value="")
