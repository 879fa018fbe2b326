"""Good records with several values replaced, moved, doubled or taken away at once, and files with broken bytes."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from json_places import leads_somewhere
from test_mutants import CONVERSATION, assert_can_be_scored, at, places
from test_public_mutants import SETS

from memarena.cli import main
from memarena.datachecks import check
from memarena.datastats import DataStats
from memarena.errors import MemarenaError
from memarena_arena.locomo import LoCoMo

Change = tuple[int, int, Any]
"""Which value is changed, how, and by what."""

ALL = [*SETS, (LoCoMo, "locomo10.json", lambda: [CONVERSATION])]
IDS = [place for _, place, _ in ALL]

ATOMS = st.sampled_from([
    None, 0, -1, 1.5, True, "", "  ", "x", [], {}, [[]], [None], {"x": 1}, 10**30, 1e308, "a\0b", "../x", "\u2028",
    "😀" * 3, "D:11:26", "2023/05/30 (Tue) 23:40", "Dec 15, 2025, 06:11:23", "True", "q_abs", "\ud800", "it's", "[0]",
])  # fmt: skip
KEYS = st.sampled_from(["question", "answer", "content", "it's", "a.b", "", "\ud800", "a\nb"])
CHANGES = st.lists(st.tuples(st.integers(0, 999), st.integers(0, 4), ATOMS | KEYS), min_size=1, max_size=6)
IN_TMP = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def changed(tree: Any, changes: list[Change]) -> Any:
    """A copy of `tree` with `changes`, one after the other."""
    tree = copy.deepcopy(tree)
    for which, how, value in changes:
        found = [place for place in places(tree) if place]
        if not found:
            break
        *before, last = found[which % len(found)]
        parent = at(tree, tuple(before))
        if how == 0:
            parent[last] = copy.deepcopy(value)
        elif how == 1:
            del parent[last]
        elif how == 2:
            parent[last] = copy.deepcopy(at(tree, found[(which * 7) % len(found)]))
        elif isinstance(parent, list):
            parent.insert(which % (len(parent) + 1), copy.deepcopy(parent[last]))
        else:
            parent[value if isinstance(value, str) else "question"] = copy.deepcopy(parent[last])
    return tree


def assert_read_or_refused(kind: Any, path: Path, root: Path, text: str) -> None:
    try:
        data = kind().open(str(path))
        counted = DataStats()
        for sample in data:
            assert_can_be_scored(sample, root)
            counted.add(sample)
            json.dumps([sample.meta, [finding.message for finding in check(sample)]])
        json.dumps(counted.as_json())
    except MemarenaError as error:
        assert str(error).isprintable()
        return
    lines = [(finding.file, finding.path, finding.message) for finding in data.report.findings]
    assert len(lines) == len(set(lines)), text
    for finding in data.report.findings:
        assert f"{finding.file}{finding.path}{finding.message}".isprintable()
        assert finding.code == "unreadable" or leads_somewhere(text, finding.path), (finding, text)


@pytest.mark.parametrize(("kind", "place", "make"), ALL, ids=IDS)
@IN_TMP
@given(changes=CHANGES, ascii_only=st.booleans())
def test_several_changes_give_samples_or_findings_with_their_places(
    tmp_path: Path, kind: Any, place: str, make: Callable[[], Any], changes: list[Change], ascii_only: bool
) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(changed(make(), changes), ensure_ascii=ascii_only)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    assert_read_or_refused(kind, path, tmp_path, text if text.isascii() or "\ud800" not in text else "")


@pytest.mark.parametrize(("kind", "place", "make"), ALL, ids=IDS)
@IN_TMP
@given(spots=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=4), end=st.floats(0, 1))
def test_broken_bytes_and_cut_files_give_samples_or_findings(
    tmp_path: Path, kind: Any, place: str, make: Callable[[], Any], spots: list[tuple[float, int]], end: float
) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    data = bytearray(json.dumps(make()).encode())
    for share, byte in spots:
        data[int(share * (len(data) - 1))] = byte
    path.write_bytes(data[: int(end * len(data))] if len(spots) % 2 else data)
    assert_read_or_refused(kind, path, tmp_path, path.read_bytes().decode("utf-8", "replace"))


BROKEN = {"cut off": b'[{"question_id": ', "no UTF-8": b'[{"a": "\xff\xfe"}]', "nothing": b"", "a number": b"7"}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize(("kind", "place", "make"), ALL, ids=IDS)
@pytest.mark.parametrize("command", ["validate", "stats"])
def test_a_broken_file_is_told_in_lines_with_its_name_and_exit_code_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, kind: Any, place: str, make: Any, data: bytes
) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    with pytest.raises(SystemExit) as ended:
        main(["data", command, f"{kind.name}:{path}"])
    told = capsys.readouterr()
    assert ended.value.code == 2
    assert "Traceback" not in told.out + told.err
    assert any(line.count(path.name) for line in (told.out + told.err).splitlines())
