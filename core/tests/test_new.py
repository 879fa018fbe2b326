"""`memarena new` renders packages that install and keep their contracts."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from memarena.cli.new import KINDS, new, render
from memarena.errors import UsageError

FILES = {
    "adapter": {"__init__.py", "py.typed"},
    "scorer": {"__init__.py", "py.typed"},
    "dataset": {"__init__.py", "py.typed", "example.jsonl"},
}


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_package_has_these_files(kind: str, tmp_path: Path) -> None:
    target = tmp_path / "made"
    written = {str(file.relative_to(target)) for file in render(kind, "my-thing", target)}
    assert written == {
        "README.md",
        "pyproject.toml",
        "tests/test_contract.py",
        *(f"src/memarena_my_thing/{name}" for name in FILES[kind]),
    }


@pytest.mark.parametrize("kind", KINDS)
def test_a_package_names_its_plugin(kind: str, tmp_path: Path) -> None:
    render(kind, "my-thing", tmp_path / "made")
    project = tomllib.loads((tmp_path / "made" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["name"] == "memarena-my-thing"
    assert project["entry-points"] == {f"memarena.{kind}s": {"my-thing": "memarena_my_thing:MyThing"}}


@pytest.mark.parametrize("name", ["My", "my thing", "1st", "-x", "x-", "x--y", "../x", "ü", ""])
def test_a_name_that_is_no_plain_name_is_refused(name: str) -> None:
    result = CliRunner().invoke(new, ["adapter", "--", name])
    assert isinstance(result.exception, UsageError)
    assert "a name has small letters and digits" in str(result.exception)


@pytest.mark.parametrize("name", ["verbatim", "memarena-verbatim"])
def test_a_name_that_is_taken_is_refused(name: str) -> None:
    result = CliRunner().invoke(new, ["adapter", name])
    assert str(result.exception) == "'verbatim' is taken by memarena 1.0.0: choose another name"


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match=r"is not empty: say --to with an empty or a new folder$"):
        render("adapter", "my-thing", tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


def test_a_target_that_cannot_be_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match=r"Not a directory$"):
        render("adapter", "my-thing", tmp_path / "file" / "below")


def test_the_command_says_what_to_do_next(tmp_path: Path) -> None:
    target = tmp_path / "made"
    result = CliRunner().invoke(new, ["adapter", "my-thing", "--to", str(target)])
    assert result.output.splitlines()[-1] == f"next: cd {target} && pip install -e '.[test]' && pytest"


@pytest.mark.parametrize("kind", KINDS)
def test_a_package_keeps_its_contract(kind: str, tmp_path: Path) -> None:
    made = tmp_path / "made"
    render(kind, "my-thing", made)
    done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", str(made), PYTHONPATH=str(made / "src"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert " failed" not in done.stdout


@pytest.mark.skipif(importlib.util.find_spec("hatchling") is None, reason="hatchling, which builds it, is not here")
def test_an_adapter_package_installs_is_listed_and_passes_check(tmp_path: Path) -> None:
    made, site = tmp_path / "made", tmp_path / "site"
    render("adapter", "my-thing", made)
    done = run(
        *("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"),
        *("--disable-pip-version-check", "--target", str(site), str(made)),
    )
    assert done.returncode == 0, done.stderr
    listed = json.loads(run("-m", "memarena", "list-adapters", "--json", PYTHONPATH=str(site)).stdout)
    assert [row["distribution"] for row in listed if row["name"] == "my-thing"] == ["memarena-my-thing"]
    checked = run("-m", "memarena", "check", "my-thing", PYTHONPATH=str(site))
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert " 0 failed" in checked.stdout
