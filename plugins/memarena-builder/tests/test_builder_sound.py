"""Data sets that somebody damaged, or made to reach out of their folder: one line, before any work."""

from __future__ import annotations

import json
import shutil

import pytest
from click.testing import CliRunner

from memarena.cli import cli
from memarena.errors import DataError, UsageError
from memarena_builder import manifest


def run(*words: str):
    return CliRunner().invoke(cli, [str(word) for word in words])


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    out = tmp_path_factory.mktemp("built") / "sim"
    made = run("data", "build", "--preset", "tiny", "--part", "lifelong", "--seed", "5", "--out", out)
    assert made.exit_code == 0, made.output
    return out


@pytest.fixture
def folder(built, tmp_path):
    return shutil.copytree(built, tmp_path / "sim")


def cut_sample(folder):
    next((folder / "lifelong").rglob("*.json")).write_text('{"a":', encoding="utf-8")


def list_sample(folder):
    next((folder / "lifelong").rglob("*.json")).write_text("[]", encoding="utf-8")


def nonsense_log(folder):
    next((folder / "hidden").glob("*.jsonl")).write_text("nonsense\n", encoding="utf-8")


def empty_log(folder):
    next((folder / "hidden").glob("*.jsonl")).write_text("", encoding="utf-8")


def list_of_splits(folder):
    (folder / "splits.json").write_text("[1, 2]", encoding="utf-8")


def picture_outside(folder):
    for path in (folder / "lifelong").rglob("*.json"):
        raw = json.loads(path.read_text(encoding="utf-8"))
        for turn in (turn for session in raw["sessions"] for turn in session["dialogue"]):
            for picture in turn.get("attachments", ()):
                picture["file_path"] = "../../../../outside.png"
        path.write_text(json.dumps(raw), encoding="utf-8")


@pytest.mark.parametrize("damage", [cut_sample, list_sample, nonsense_log, empty_log, list_of_splits, picture_outside])
@pytest.mark.parametrize("command", ["probe", "rewrite"])
def test_a_damaged_data_set_is_refused(folder, tmp_path, damage, command):
    damage(folder)
    out = tmp_path / "out"
    words = ["--out", out, "--model", "offline"] if command == "rewrite" else ["--no-judge", "--no-floors"]
    found = run("data", command, folder, *words)
    assert isinstance(found.exception, DataError), found.exception
    assert "\n" not in str(found.exception)
    assert not out.exists()


@pytest.mark.parametrize("name", ["../../secret.txt", "/etc/hostname"])
def test_a_manifest_that_names_a_file_outside_is_refused(folder, name):
    path = folder / manifest.NAME
    raw = json.loads(path.read_text(encoding="utf-8"))
    raw["files"][name] = {"size": 1, "sha256": "0"}
    path.write_text(json.dumps(raw), encoding="utf-8")
    found = run("data", "verify", folder)
    assert isinstance(found.exception, DataError)
    assert f"names '{name}', which lies outside of the data set" in str(found.exception)


def test_a_sheet_needs_the_ending_of_a_picture(tmp_path):
    found = run("data", "contact", tmp_path / "sheet.txt")
    assert isinstance(found.exception, UsageError) and "e.g. sheet.png" in str(found.exception)


def test_traces_that_are_no_text_are_refused(tmp_path):
    (tmp_path / "log.jsonl").write_bytes(bytes(range(128, 256)))
    found = run("data", "import", tmp_path / "log.jsonl", "--out", tmp_path / "out")
    assert isinstance(found.exception, DataError) and "is no text in UTF-8" in str(found.exception)
