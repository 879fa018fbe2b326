"""Every text of a run once, by hash."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena.errors import StoreError
from memarena.texts import Texts, reference


def test_a_text_is_kept_once(tmp_path: Path) -> None:
    texts = Texts(tmp_path)
    assert texts.put("tea") == texts.put("tea")
    texts.put("coffee")
    texts.close()
    assert (tmp_path / "1.jsonl").read_bytes().count(b"\n") == 2


def test_each_process_writes_a_file_of_its_own_and_reads_all(tmp_path: Path) -> None:
    first = Texts(tmp_path)
    ref = first.put("tea")
    first.close()
    second = Texts(tmp_path)
    other = second.put("coffee")
    assert second.put("tea") == ref
    second.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.jsonl", "2.jsonl"]
    third = Texts(tmp_path)
    assert (third.get(ref), third.get(other)) == ("tea", "coffee")
    third.close()


def test_a_text_can_be_read_by_who_wrote_it(tmp_path: Path) -> None:
    texts = Texts(tmp_path)
    refs = [texts.put(f"text {number}") for number in range(5)]
    assert [texts.get(ref) for ref in refs] == [f"text {number}" for number in range(5)]
    late = texts.put("late")
    assert texts.get(late) == "late"
    texts.close()


def test_a_missing_text_is_an_error_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is missing; the run folder is not complete"):
        Texts(tmp_path).get(reference("never"))


def test_threads_that_store_the_same_texts_store_them_once(tmp_path: Path) -> None:
    texts = Texts(tmp_path)
    many = [f"text {number % 50}" for number in range(500)]
    threads = [threading.Thread(target=lambda: [texts.put(text) for text in many]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    texts.close()
    assert (tmp_path / "1.jsonl").read_bytes().count(b"\n") == 50


@given(st.text(st.characters(codec=None, categories=None)))
def test_two_texts_share_a_reference_only_if_equal(text: str) -> None:
    assert reference(text) == reference(text + "")
    assert reference(text) != reference(text + "x")
