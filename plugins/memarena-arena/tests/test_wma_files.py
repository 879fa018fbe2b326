"""Files that are no JSON, or more than anybody should read."""

from __future__ import annotations

import json
import os
import re
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from memarena.errors import DataError
from memarena_arena.faults import Faults
from memarena_arena.jsonfile import Limits, decode_tree, read_json

if TYPE_CHECKING:
    from wma_folder import Folder

GOOD = b'{"sample_id": "a", "sessions": []}'

BROKEN: list[tuple[bytes, str, str]] = [
    (b"", "$", "is empty"),
    (b" \n", "$", "is empty"),
    (b'{"sessions": [{"dialogue": [{"content": "abc', "$.sessions[0].dialogue[0].content", "is cut off"),
    (b'{"sessions": [{"dialogue": [', "$.sessions[0].dialogue[0]", "is cut off"),
    (b'{"sessions": [1, 2, tru]}', "$.sessions[2]", "is not JSON"),
    (b'{"sessions": [] "x": 1}', "$.sessions", "is not JSON"),
    (b'{"sample_id": "a"}{}', "$", "is not JSON"),
    (b'{"a": {"b": NaN}}', "$.a.b", "NaN"),
    (b'{"a": [0, -Infinity]}', "$.a[1]", "NaN"),
    (b'{"a": [0, "NaN", NaN]}', "$.a[2]", "NaN"),
    (b'{"a": {"b": 1e999}}', "$.a.b", "too large"),
    (b'{"a": ["2", ' + b"1" * 5000 + b"]}", "$.a[1]", "too many digits"),
    (b'{"sample_id": "caf\xe9"}', "$.sample_id", "is not UTF-8"),
    ('{"sample_id": "a"}'.encode("utf-16"), "$", "is not UTF-8"),
    (b'{"a": "tab\there"}', "$.a", "is not JSON"),
    (b"[" * 100_000, "$" + "[0]" * 65, "deeper than 64"),
    (b'{"sessions": ' + b"[" * 200 + b"]" * 200 + b"}", "$.sessions" + "[0]" * 64, "deeper than 64"),
    (b'{"a": ' * 65 + b"1" + b"}" * 65, "$" + ".a" * 64, "deeper than 64"),
]


@pytest.mark.parametrize(("data", "path", "problem"), BROKEN)
def test_a_file_that_is_no_json_is_refused_with_its_path(folder: Folder, data: bytes, path: str, problem: str) -> None:
    folder.write_bytes(data)
    samples, report = folder.load()
    (finding,) = report.findings
    assert (finding.level, finding.file) == ("refused", "lifelong/personal/personal_01.json")
    assert finding.path.removesuffix("…") == path[: len(finding.path.removesuffix("…"))]
    assert problem in finding.message
    assert samples == []


def test_nesting_up_to_the_limit_is_read() -> None:
    assert decode_tree(b"[" * 64 + b"]" * 64, "f", Limits()) is not None


def test_a_byte_order_mark_is_passed_over(folder: Folder) -> None:
    folder.write(folder.good())
    path = folder.root / "lifelong/personal/personal_01.json"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert folder.findings() == {}


def test_a_lone_surrogate_in_a_text_is_replaced_and_reported(folder: Folder) -> None:
    raw = folder.good()
    raw["sessions"][1]["dialogue"][1]["content"] = "broken \ud83d smile"
    assert folder.one(raw).sessions[1].turns[1].text == "broken \ufffd smile"
    assert folder.findings() == {"lone_surrogate": "$.sessions[1].dialogue[1].content"}


def test_a_pair_of_surrogates_is_a_character(folder: Folder) -> None:
    raw = folder.good()
    raw["sessions"][1]["dialogue"][1]["content"] = "😀"
    path = folder.write(raw)
    assert b"\\ud83d\\ude00" in path.read_bytes()
    assert folder.one(raw).sessions[1].turns[1].text == "😀"


def test_without_faults_a_lone_surrogate_is_an_error() -> None:
    with pytest.raises(DataError, match=r"f: \$\.a: .*lone surrogate"):
        decode_tree(b'{"a": "\\ud800"}', "f", Limits())


def test_a_lone_surrogate_in_a_key_is_replaced() -> None:
    assert decode_tree(b'{"\\ud800": {"b": 1}}', "f", Limits(), Faults("f")) == {"\ufffd": {"b": 1}}


def test_of_several_broken_keys_of_an_object_one_is_reported() -> None:
    faults = Faults("f")
    tree = decode_tree(b'{"a": {"x\\ud800": 1, "y\\udfff": 2, "z": 3}}', "f", Limits(), faults)
    assert tree == {"a": {"x\ufffd": 1, "y\ufffd": 2, "z": 3}}
    assert [(finding.code, finding.path) for finding in faults.findings] == [("lone_surrogate", "$.a")]


def test_a_file_over_the_limit_is_refused_without_being_read(folder: Folder) -> None:
    path = folder.write_bytes(b"")
    with path.open("r+b") as stream:
        stream.truncate(200_000_000)
    tracemalloc.start()
    _, report = folder.load()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    (finding,) = report.refused
    assert (finding.file, finding.path) == ("lifelong/personal/personal_01.json", "$")
    assert re.search(r"200,000,000 bytes; at most 33,554,432 are read \(max_file_bytes\)", finding.message)
    assert peak < 1_000_000


def test_a_string_over_the_limit_is_refused_with_its_path(folder: Folder) -> None:
    raw = folder.good()
    raw["sessions"][0]["dialogue"][0]["content"] = "x" * 5_000
    folder.write(raw)
    samples, report = folder.load(max_string_chars=4_000)
    (finding,) = report.refused
    assert finding.path == "$.sessions[0].dialogue[0].content"
    assert "5,000 characters; at most 4,000" in finding.message
    assert samples == []


def test_a_long_file_of_short_strings_is_read(folder: Folder) -> None:
    raw = folder.good()
    raw["sessions"][0]["dialogue"] *= 200
    folder.write(raw)
    assert len(folder.load(max_string_chars=4_000)[0]) == 1


def test_a_file_of_very_many_values_is_refused_before_they_are_made(folder: Folder) -> None:
    folder.write_bytes(b'{"sessions": [' + b"[]," * 2_000_000 + b"[]]}")
    tracemalloc.start()
    _, report = folder.load()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    (finding,) = report.refused
    assert "4,000,003 values; at most 1,000,000 are read (max_values)" in finding.message
    assert peak < 10_000_000


def test_very_many_faults_of_one_file_are_counted_and_the_first_thousand_kept(folder: Folder) -> None:
    raw = folder.good()
    raw["sessions"][1]["dialogue"] = [5] * 3_000
    folder.write(raw)
    _, report = folder.load()
    assert report.counts == {"bad_container": 3_000}
    assert [finding.path for finding in report.findings] == [
        f"$.sessions[1].dialogue[{index}]" for index in range(1_000)
    ]


def test_the_limits_can_be_set(folder: Folder) -> None:
    folder.write(folder.good())
    assert folder.load(max_file_bytes=100)[1].refused
    assert folder.load(max_depth=7)[1].refused == ()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_named_pipe_is_refused_and_never_waited_for(folder: Folder) -> None:
    folder.write(folder.good())
    os.mkfifo(folder.root / "lifelong/personal/pipe.json")
    samples, report = folder.load()
    assert ([finding.message for finding in report.refused], len(samples)) == (["is not a regular file"], 1)


def test_a_file_that_is_a_link_out_of_the_data_set_is_refused(folder: Folder, tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text(json.dumps(folder.good()), encoding="utf-8")
    folder.write(folder.good("personal_02"), name="personal_02")
    (folder.root / "lifelong/personal/personal_01.json").symlink_to(outside)
    samples, report = folder.load()
    assert [(finding.code, finding.file) for finding in report.refused] == [
        ("outside_file", "lifelong/personal/personal_01.json")
    ]
    assert [sample.sample_id for sample in samples] == ["personal_02"]


def test_a_link_within_the_data_set_is_read(folder: Folder) -> None:
    path = folder.write(folder.good(), "lifelong/personal")
    target = folder.root / "store.bin"
    path.rename(target)
    path.symlink_to(target)
    assert len(folder.load()[0]) == 1


def test_names_outside_ascii_are_read(folder: Folder) -> None:
    raw = folder.good()
    attachment = raw["sessions"][1]["dialogue"][0]["attachments"][0]
    attachment["file_path"] = "images/Ä/門.png"
    folder.write(raw, "lifelong/persönlich")
    folder.write_bytes(folder.png(), "lifelong/persönlich/images/Ä/門.png")
    (sample,), report = folder.load()
    assert (sample.domain, report.findings) == ("lifelong/persönlich", [])


def test_a_missing_file_is_an_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"gone\.json: cannot be read \(No such file"):
        read_json(tmp_path / "gone.json")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is not a regular file"):
        read_json(tmp_path)
