"""Reading one record at a time gives what reading the whole file gives."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memarena.errors import DataError
from memarena_arena.public import cutter
from memarena_arena.public.stream import StreamLimits, elements, head_of, lines, opened, records, whole

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=6) | st.just('a"b\\'),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
IN_TMP = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def values(items: Any) -> list[Any]:
    found = list(items)
    assert not any(item.faults.refused for item in found)
    return [item.value for item in found]


def refusals(items: Any) -> list[tuple[str, str]]:
    return [(finding.path, finding.message) for item in items for finding in item.faults.findings]


@IN_TMP
@given(tree=st.lists(JSON, min_size=1, max_size=5), chunk=st.integers(1, 40), indent=st.sampled_from([None, 1]))
def test_a_list_is_read_as_the_standard_library_reads_it(
    tmp_path: Path, tree: list[Any], chunk: int, indent: int | None
) -> None:
    path = tmp_path / "list.json"
    path.write_text(json.dumps(tree, indent=indent), encoding="utf-8")
    before, cutter.CHUNK = cutter.CHUNK, chunk
    try:
        assert values(elements(path, StreamLimits())) == tree
    finally:
        cutter.CHUNK = before


@IN_TMP
@given(tree=st.lists(JSON, min_size=1, max_size=4), around=st.dictionaries(st.text(max_size=3), JSON, max_size=3))
def test_a_list_within_an_object_is_read_without_what_stands_around_it(
    tmp_path: Path, tree: list[Any], around: dict[str, Any]
) -> None:
    path = tmp_path / "object.json"
    path.write_text(json.dumps({**around, "items": tree, "later": [1]}), encoding="utf-8")
    assert values(elements(path, StreamLimits(), key="items")) == tree


@IN_TMP
@given(data=st.binary(max_size=30))
def test_whatever_bytes_come_there_are_values_or_refusals(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "noise.json"
    for start in (b"", b"[", b'{"items": [1, '):
        path.write_bytes(start + data)
        for key in ("", "items"):
            for item in elements(path, StreamLimits(), key=key):
                assert all("\n" not in finding.message for finding in item.faults.findings)


def test_a_record_names_its_place(tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_text('[{"a": 1}, {"a": "\\ud800"}]', encoding="utf-8")
    first, second = elements(path, StreamLimits())
    assert (first.number, first.path, second.path) == (0, "$[0]", "$[1]")
    assert refusals([second]) == [("$[1].a", "a lone surrogate was replaced by U+FFFD")]


def test_a_line_names_its_number_and_blank_lines_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}\n\n  \n{"a": \n{"a": 3}')
    first, second, third = lines(path, StreamLimits())
    assert (first.value, third.value, third.number) == ({"a": 1}, {"a": 3}, 2)
    assert second.faults.file == f"{path}:4"
    assert "is cut off" in refusals([second])[0][1]


@pytest.mark.parametrize(
    ("text", "path", "problem"),
    [
        ("[]", "$", "no record"),
        ("[1, 2", "$[1]", "cut off"),
        ('[1, "abc', "$[1]", "cut off"),
        ("[1] x", "$[1]", "not JSON"),
        ("[1,,2]", "$[1]", "is empty"),
        ("[1, x, 2]", "$[1]", "not JSON"),
        ('{"a": [1]}', "$", "list of records is needed"),
        ("7", "$", "list of records is needed"),
        ("", "$", "is empty"),
    ],
)
def test_what_is_no_list_of_records_is_refused(tmp_path: Path, text: str, path: str, problem: str) -> None:
    file = tmp_path / "bad.json"
    file.write_text(text, encoding="utf-8")
    found = refusals(elements(file, StreamLimits()))
    assert len(found) == 1
    assert problem in found[0][1]
    assert found[0][0] in (path, "$")


def test_a_record_above_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "big.json"
    path.write_text(json.dumps(["x" * 5_000_000]), encoding="utf-8")
    limits = StreamLimits(max_record_bytes=1_000_000)
    assert "max_record_bytes" in refusals(elements(path, limits))[0][1]
    assert "max_record_bytes" in refusals(lines(path, limits))[0][1]


@pytest.mark.parametrize("text", ['{\n "a": [1, {"b": 2}]\n}', '\ufeff{ \n"a": [1, {"b": 2}]}\n'])
def test_an_object_over_several_lines_is_one_record(tmp_path: Path, text: str) -> None:
    path = tmp_path / "one.json"
    path.write_text(text, encoding="utf-8")
    assert values(records(path, StreamLimits())) == [{"a": [1, {"b": 2}]}]


def test_a_file_that_is_one_record_may_be_as_long_as_one(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps({"text": "x" * 2000}, indent=1), encoding="utf-8")
    found = refusals(records(path, StreamLimits(max_record_bytes=1000)))
    assert len(found) == 1
    assert "more than 1,000 bytes (max_record_bytes)" in found[0][1]


def test_memory_stays_flat_over_many_records(tmp_path: Path) -> None:
    path = tmp_path / "many.json"
    record = json.dumps({"text": "word " * 40_000})
    path.write_text("[" + ",".join([record] * 150) + "]", encoding="utf-8")
    tracemalloc.start()
    count = sum(1 for _ in elements(path, StreamLimits()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 150
    assert path.stat().st_size > 30_000_000
    assert peak < 8_000_000


def test_the_first_byte_tells_a_list_from_lines(tmp_path: Path) -> None:
    one, other = tmp_path / "a.json", tmp_path / "b.json"
    one.write_text(' [{"a": 1}]', encoding="utf-8")
    other.write_text('{"a": 1}\n', encoding="utf-8")
    assert values(records(one, StreamLimits())) == values(records(other, StreamLimits())) == [{"a": 1}]


def test_a_folder_and_a_missing_file_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not a regular file"):
        opened(tmp_path, StreamLimits())
    with pytest.raises(DataError, match="no such file"):
        opened(tmp_path / "absent", StreamLimits())
    assert head_of(tmp_path) == b""
    assert whole(tmp_path / "absent", StreamLimits()).faults.refused
