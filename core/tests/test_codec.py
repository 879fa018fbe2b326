"""Records to JSON lines and back: strict, without NaN, without broken unicode, and never half a line."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena import codec
from memarena.errors import StoreError
from memarena.records import Answer, MemoryItem, Stat

texts = st.text(st.characters(codec=None, categories=None))


def test_nan_and_infinity_become_null() -> None:
    data = codec.encode({"a": float("nan"), "b": float("inf"), "c": 0.5})
    assert json.loads(data) == {"a": None, "b": None, "c": 0.5}


def test_a_lone_surrogate_becomes_the_replacement_character() -> None:
    item = MemoryItem(memory_id="a", text="x\ud800y é 😀", metadata={"\udfff": ["\ud83d"]})
    assert json.loads(codec.encode(item)) == {
        "memory_id": "a",
        "text": "x\ufffdy é 😀",
        "metadata": {"\ufffd": ["\ufffd"]},
    }


@given(texts, texts)
def test_any_text_survives_but_for_surrogates(memory_id: str, text: str) -> None:
    item = MemoryItem(memory_id=memory_id, text=text)
    back = codec.decode(codec.encode(item), MemoryItem)
    assert back == MemoryItem(memory_id=codec.clean(memory_id), text=codec.clean(text))


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 99))
def test_a_number_survives_to_the_last_bit(n: float, invalid: int) -> None:
    stat = Stat(sample_id="s", unit="u", scorer="x", revision=1, metric="m", n=n, d=1.0, invalid=invalid)
    assert codec.decode(codec.encode(stat), Stat) == stat


def test_a_wrong_type_names_file_and_path() -> None:
    with pytest.raises(StoreError, match=r"cells\.jsonl: Expected `str`, got `int` - at `\$\.text`"):
        codec.decode(b'{"question_id": "q", "text": 3}', Answer, "cells.jsonl")


def test_a_wrong_line_names_file_and_number(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(b'{"question_id":"q","text":"t"}\n{"question_id":"q"}\n')
    with pytest.raises(StoreError, match=r"a\.jsonl, line 2: Object missing required field `text`"):
        list(codec.read_lines(file, Answer))


def test_a_last_line_that_was_cut_is_left_out_and_then_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(b'{"question_id":"q","text":"t"}\n{"question_id":"r","te')
    assert [answer.question_id for answer in codec.read_lines(file, Answer)] == ["q"]
    writer = codec.LineWriter(file)
    writer.write(codec.encode(Answer(question_id="s", text="u")))
    writer.close()
    assert [answer.question_id for answer in codec.read_lines(file, Answer)] == ["q", "s"]


def test_a_file_that_is_one_cut_line_becomes_empty(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(b'{"question_id"')
    codec.LineWriter(file).close()
    assert file.read_bytes() == b""


@pytest.mark.parametrize(
    ("code", "message"),
    [(errno.ENOSPC, "the disk is full; free some space"), (errno.EROFS, "choose another folder with --out")],
)
def test_a_disk_that_cannot_be_written_is_one_clear_line(code: int, message: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=message) as caught, codec.storing(tmp_path):
        raise OSError(code, os.strerror(code))
    assert "\n" not in str(caught.value)


def test_a_file_written_whole_leaves_no_part_behind(tmp_path: Path) -> None:
    codec.write_whole(tmp_path / "run.json", b"{}")
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]
