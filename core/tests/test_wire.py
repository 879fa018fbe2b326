from __future__ import annotations

import inspect
import typing
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from memarena import records, wire
from memarena.errors import AdapterContractError
from memarena.hookspecs import AdapterSpec
from memarena.rig import METHODS, SEVEN

ALL: dict[str, tuple[str, ...]] = dict.fromkeys(SEVEN, ())


def as_sent(kind: Any) -> Any:
    """A type of a hook as it stands in the tables: sequences are tuples."""
    if typing.get_origin(kind) is Sequence:
        return tuple[typing.get_args(kind)[0], ...]
    several = typing.get_args(kind)
    if type(None) in several and len(several) == 2:
        return as_sent(several[0]) | None
    return None if kind is type(None) else kind


@pytest.mark.parametrize("method", METHODS)
def test_the_tables_are_what_the_hooks_say(method):
    hints = typing.get_type_hints(getattr(AdapterSpec, method), {"r": records, "Sequence": Sequence})
    assert as_sent(hints.pop("return")) == wire.RESULTS[method]
    assert {name: as_sent(kind) for name, kind in hints.items()} == wire.PARAMS[method]
    assert list(wire.PARAMS[method]) == list(inspect.signature(getattr(AdapterSpec, method)).parameters)[1:]


def test_a_reply_without_a_result_is_null():
    reply = msgspec.json.decode(b'{"id": 1}', type=wire.Reply)
    assert bytes(reply.result) == b"null"
    assert reply.error is None


def test_fields_that_are_not_known_here_are_let_pass():
    hello = msgspec.json.decode(b'{"protocol": 1, "honours": {}, "mood": "good"}', type=wire.Hello)
    assert hello == wire.Hello(protocol=1, honours={})


def test_the_seven_are_enough():
    wire.check_honours("x", ALL)
    wire.check_honours("x", {**ALL, "retrieve": ("query", "top_k"), "answer": ("questions",)})


@pytest.mark.parametrize(
    ("honours", "words"),
    [
        ({name: () for name in SEVEN if name != "retrieve"}, r"^x\.retrieve is missing in the honours of hello"),
        ({**ALL, "search": ()}, r"^x: hello honours 'search', which is no method: reset, ingest_turn"),
        ({**ALL, "retrieve": ("query", "k")}, r"^x\.retrieve\(k\): the hook offers no such argument: query, top_k"),
        ({**ALL, "get_capabilities": ("query",)}, r"^x\.get_capabilities\(query\): .*: it takes none$"),
    ],
)
def test_what_cannot_be_mounted_is_refused_by_name(honours, words):
    with pytest.raises(AdapterContractError, match=words):
        wire.check_honours("x", honours)
