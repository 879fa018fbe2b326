"""The manifest of a fetched data set, and what is said and tried again on the way."""

from __future__ import annotations

import hashlib
import json
from errno import ENOSPC
from pathlib import Path
from types import SimpleNamespace

import pytest

from memarena.errors import DataError
from memarena_arena import fetch, manifest
from memarena_arena.hub_listing import may_pass
from memarena_arena.manifest import FileFacts, Manifest

KNOWN = Manifest(
    repo="someone/arena",
    revision="c" * 40,
    files={name: FileFacts(size=3, sha256=hashlib.sha256(name.encode()).hexdigest()) for name in ("one", "two", "six")},
)


def test_a_manifest_that_was_written_is_read_back(tmp_path: Path) -> None:
    manifest.write(tmp_path, KNOWN)
    assert manifest.read(tmp_path) == KNOWN
    assert [path.name for path in tmp_path.iterdir()] == [manifest.FILE_NAME]


def test_a_folder_without_a_manifest_has_none(tmp_path: Path) -> None:
    assert manifest.read(tmp_path) is None


def test_missing_and_changed_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("one", encoding="utf-8")
    (tmp_path / "two").write_text("TWO", encoding="utf-8")
    faults = manifest.faults(tmp_path, KNOWN)
    assert faults == {"two": "changed", "six": "missing"}
    assert manifest.named(faults) == "two (changed), six (missing)"
    assert manifest.named(faults, most=1) == "two (changed) and 1 more"


def test_a_manifest_that_points_outside_is_refused(tmp_path: Path) -> None:
    facts = {"size": 1, "sha256": ""}
    text = json.dumps({"repo": "someone/arena", "revision": "c" * 40, "files": {"../x": facts}})
    (tmp_path / manifest.FILE_NAME).write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="does not stay inside"):
        manifest.read(tmp_path)


def test_a_broken_manifest_is_named(tmp_path: Path) -> None:
    (tmp_path / manifest.FILE_NAME).write_text("{", encoding="utf-8")
    with pytest.raises(DataError, match=r"memarena-manifest\.json: is no manifest"):
        manifest.read(tmp_path)


def test_a_size_is_told_in_units_for_people() -> None:
    assert fetch.megabytes(2_805_274) == "2.8 MB"
    assert fetch.megabytes(10_400_000_000) == "10.4 GB"


@pytest.mark.parametrize(("status", "passes"), [(401, False), (404, False), (408, True), (429, True), (500, True)])
def test_only_a_failure_that_may_pass_is_tried_again(status: int, passes: bool) -> None:
    error = RuntimeError("refused")
    error.response = SimpleNamespace(status_code=status)  # type: ignore[attr-defined]
    assert may_pass(error) is passes


def test_a_full_disk_is_not_tried_again() -> None:
    assert not may_pass(OSError(ENOSPC, "no space left"))
    assert may_pass(OSError("connection broken"))
