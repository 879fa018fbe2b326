"""Requests on their way out of a jail: counted, and given the key of the cell, which nobody inside has.

Their frames (HTTP/1.1, RFC 9112) are followed strictly: were a body taken for a head, the key would be put into it, and
the agent could have it read back.
"""

from __future__ import annotations

import re
from collections.abc import Generator

from memarena_harness.traffic import Traffic

LONGEST = 64 << 10
"""Bytes of a head, or of one line between chunks."""
_START = re.compile(rb"(?:POST|GET) [!-~]+ HTTP/1\.[01]")
_FIELD = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\x00\r\n]*?)[ \t]*")
_SIZE = re.compile(rb"([0-9a-fA-F]{1,8})[ \t]*(?:;[^\x00\r\n]*)?\r\n")
_PICTURE = b"data:image/"


class Outgoing:
    """The requests of one connection, one after the other."""

    def __init__(self, key: str) -> None:
        """`key` is put in place of what a request brings as its own; "": it stays as it is."""
        self._key = key.encode()
        self._traffic = Traffic()
        self._in = bytearray()
        self._out = bytearray()
        self._pictures = 0
        self._tail = b""
        self._reader = self._read()

    def through(self, data: bytes, traffic: Traffic) -> bytes:
        """What goes out when `data` comes in, counted in `traffic`. Raises ValueError where that is no request."""
        self._traffic = traffic
        self._in += data
        next(self._reader)
        out = bytes(self._out)
        self._out.clear()
        return out

    def _read(self) -> Generator[None, None, None]:
        """Goes on as long as there are bytes, and waits for more where there are none."""
        while True:
            head = yield from self._until(b"\r\n\r\n")
            size = self._begin(head[:-4].split(b"\r\n"))
            if size is None:
                yield from self._chunks()
            else:
                yield from self._body(size)

    def _until(self, end: bytes) -> Generator[None, None, bytes]:
        while (place := self._in.find(end)) < 0 and len(self._in) <= LONGEST:
            yield
        if not 0 <= place <= LONGEST:
            raise ValueError(f"no line or head is longer than {LONGEST} bytes")
        found = bytes(self._in[: place + len(end)])
        del self._in[: len(found)]
        return found

    def _begin(self, lines: list[bytes]) -> int | None:
        """Let a head out; the size of the body, None where it comes in chunks."""
        if not _START.fullmatch(lines[0]):
            raise ValueError(f"{lines[0][:40]!r} begins no request")
        sizes: list[bytes] = []
        kept = [lines[0]]
        chunked = False
        for line in lines[1:]:
            field = _FIELD.fullmatch(line)
            name = field[1].lower() if field else b""
            if field is None or name == b"upgrade" or (name == b"transfer-encoding" and field[2].lower() != b"chunked"):
                raise ValueError(f"{line[:40]!r} is no field of a plain request")
            chunked |= name == b"transfer-encoding"
            if name == b"content-length":
                sizes.append(field[2])
            if name != b"authorization" or not self._key:
                kept.append(line)
        if len(sizes) + chunked > 1 or not all(size.isdigit() and len(size) < 19 for size in sizes):
            raise ValueError("the size of a request is told once")
        if self._key:
            kept.append(b"Authorization: Bearer " + self._key)
        self._out += b"\r\n".join(kept) + b"\r\n\r\n"
        self._traffic.began()
        self._pictures, self._tail = 0, b""
        return None if chunked else int(sizes[0]) if sizes else 0

    def _body(self, size: int) -> Generator[None, None, None]:
        while size:
            part = bytes(self._in[:size])
            del self._in[: len(part)]
            size -= len(part)
            self._count(part)
            self._out += part
            if size:
                yield

    def _chunks(self) -> Generator[None, None, None]:
        while True:
            line = yield from self._until(b"\r\n")
            found = _SIZE.fullmatch(line)
            if found is None:
                raise ValueError(f"{line[:40]!r} is no size of a chunk")
            self._out += line
            size = int(found[1], 16)
            if size == 0:
                break
            yield from self._body(size)
            self._out += yield from self._end_of_line()
        self._out += yield from self._end_of_line()

    def _end_of_line(self) -> Generator[None, None, bytes]:
        line = yield from self._until(b"\r\n")
        if line != b"\r\n":
            raise ValueError("after a chunk comes the next one; fields behind the last one are none of a plain request")
        return line

    def _count(self, part: bytes) -> None:
        """Count the pictures, wherever the bytes were cut."""
        text = self._tail + part
        self._pictures += text.count(_PICTURE)
        self._tail = text[len(text) - len(_PICTURE) + 1 :] if len(text) >= len(_PICTURE) else text
        self._traffic.showed(self._pictures)
