"""Requests on their way out of a jail: counted, with the key of the cell in their heads, and never in a body."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena_harness.outgoing import Outgoing
from memarena_harness.traffic import Traffic

HEAD = b"POST /v1/responses HTTP/1.1\r\nHost: x\r\nauthorization: Bearer kept-outside\r\n"
BODY = b'{"a": "data:image/png;base64,AAAA", "b": "data:image/png;base64,BBBB"}'
WHOLE = HEAD + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY
CHUNKED = (
    HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"%x\r\n%b\r\n1;name=value\r\nx\r\n0\r\n\r\n" % (len(BODY), BODY)
)
FORGED = HEAD + b"Content-Length: %d\r\n\r\n" % len(HEAD) + HEAD
"""A request whose body looks like the head of one."""


def through(data: bytes, *cuts: int, key: str = "mem-key") -> tuple[bytes, Traffic]:
    """What goes out where the bytes come in parts."""
    outgoing, traffic = Outgoing(key), Traffic()
    places = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    parts = [data[start:end] for start, end in itertools.pairwise(places)]
    return b"".join(outgoing.through(part, traffic) for part in parts if part), traffic


@given(cuts=st.lists(st.integers(0, 2000), max_size=6))
def test_the_key_is_put_into_heads_alone_wherever_the_bytes_are_cut(cuts: list[int]) -> None:
    out, traffic = through(WHOLE + CHUNKED + FORGED + b"GET /v1/models HTTP/1.1\r\n\r\n", *cuts)
    assert (traffic.requests, traffic.pictures) == (4, 2)
    assert out.count(b"Authorization: Bearer mem-key\r\n\r\n") == 4
    assert out.count(b"kept-outside") == 1  # in the body of the forged one
    assert out.count(BODY) == 2


def test_without_a_key_everything_stays_as_it_is() -> None:
    assert through(WHOLE + CHUNKED, key="")[0] == WHOLE + CHUNKED


@pytest.mark.parametrize(
    "said",
    [
        b"hello\r\n\r\n",
        b"CONNECT example.com:443 HTTP/1.1\r\n\r\n",
        b"POST / HTTP/2.0\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: +5\r\n\r\n",
        b"POST / HTTP/1.1\r\nA: b\nContent-Length: 5\r\n\r\n",
        b"POST / HTTP/1.1\r\nA: b\r\n folded\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length : 5\r\n\r\n",
        b"POST / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 5\r\n\r\n",
        b"A" * (1 << 17),
    ],
)
def test_what_two_could_read_in_two_ways_does_not_go_out(said: bytes) -> None:
    with pytest.raises(ValueError, match=r"request|field|size|chunk|longer"):
        through(said)
