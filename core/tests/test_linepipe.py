from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena import linepipe
from memarena.linepipe import LinePipe

PATIENT = 60.0
"""Seconds that a busy machine may take for what it does at once when it is idle."""


class Ends:
    """A LinePipe, and the other side of it: `requests` to read, `replies` and `end` to write."""

    def __init__(self) -> None:
        self.requests, send = os.pipe()
        receive, self.replies = os.pipe()
        self.ended, self.end = os.pipe()
        self.lines = LinePipe(send, receive, self.ended)
        self.open = {self.requests, self.replies, self.ended, self.end}

    def shut(self, *descriptors: int) -> None:
        for descriptor in descriptors:
            os.close(descriptor)
            self.open.remove(descriptor)

    def close(self) -> None:
        self.lines.close()
        self.shut(*self.open)


@pytest.fixture
def ends() -> Iterator[Ends]:
    made = Ends()
    yield made
    made.close()


def soon() -> float:
    return monotonic() + 0.05


@given(st.lists(st.binary(max_size=20).map(lambda data: data.replace(b"\n", b"")), max_size=8), st.data())
def test_lines_come_out_whole_however_they_were_cut(lines, data):
    ends = Ends()
    sent = b"".join(line + b"\n" for line in lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sent)), max_size=6)))
    found = []
    for start, stop in zip([0, *cuts], [*cuts, len(sent)], strict=True):
        os.write(ends.replies, sent[start:stop])
        while len(found) < len(lines):
            try:
                found.append(ends.lines.receive(monotonic() + 0.0005))
            except TimeoutError:
                break
    while len(found) < len(lines):
        found.append(ends.lines.receive(monotonic() + PATIENT))
    ends.close()
    assert found == lines


def test_a_line_is_sent_with_its_newline(ends):
    ends.lines.send(b"hello", None)
    assert os.read(ends.requests, 100) == b"hello\n"


def test_a_line_longer_than_a_pipe_holds_is_sent_while_the_other_side_reads(ends):
    got = bytearray()

    def read() -> None:
        while not got.endswith(b"\n"):
            got.extend(os.read(ends.requests, 1 << 16))

    reader = threading.Thread(target=read)
    reader.start()
    ends.lines.send(b"x" * 1_000_000, monotonic() + PATIENT)
    reader.join()
    assert len(got) == 1_000_001


def test_a_side_that_does_not_read_ends_in_a_time_out(ends):
    with pytest.raises(TimeoutError):
        ends.lines.send(b"x" * 1_000_000, soon())


def test_a_side_that_writes_before_it_reads_blocks_nobody(ends):
    def write_then_read() -> None:
        left = b"y" * 500_000 + b"\n"
        while left:
            left = left[os.write(ends.replies, left) :]
        while not os.read(ends.requests, 1 << 20).endswith(b"\n"):
            continue

    other = threading.Thread(target=write_then_read)
    other.start()
    ends.lines.send(b"x" * 500_000, monotonic() + PATIENT)
    assert len(ends.lines.receive(monotonic() + PATIENT)) == 500_000
    other.join()


def test_without_a_line_it_is_a_time_out(ends):
    os.write(ends.replies, b"half")
    with pytest.raises(TimeoutError):
        ends.lines.receive(soon())
    os.write(ends.replies, b" and half\n")
    assert ends.lines.receive(monotonic() + PATIENT) == b"half and half"


def test_a_closed_pipe_is_the_end(ends):
    ends.shut(ends.replies)
    with pytest.raises(EOFError):
        ends.lines.receive(None)


def test_the_end_is_seen_though_somebody_holds_the_pipes(ends):
    ends.shut(ends.end)
    with pytest.raises(EOFError):
        ends.lines.receive(None)


def test_what_was_written_before_the_end_is_still_received(ends):
    os.write(ends.replies, b"last words\n")
    ends.shut(ends.end)
    assert ends.lines.receive(None) == b"last words"


def test_a_reader_that_is_gone_is_the_end(ends):
    ends.shut(ends.requests)
    with pytest.raises(EOFError):
        ends.lines.send(b"hello", None)


def test_a_line_without_end_is_refused(ends, monkeypatch):
    monkeypatch.setattr(linepipe, "LINE_BYTES", 1000)
    os.write(ends.replies, b"x" * 2000)
    with pytest.raises(OverflowError):
        ends.lines.receive(None)


def test_hanging_up_ends_the_input_of_the_other_side(ends):
    ends.lines.hang_up()
    ends.lines.hang_up()
    assert os.read(ends.requests, 100) == b""
