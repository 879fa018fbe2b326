"""Environments of adapters: found, listed, removed, refused."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from memarena import environments, installing
from memarena.cli.env import env
from memarena.cli.install import install
from memarena.errors import PluginError, UsageError

pytestmark = pytest.mark.usefixtures("envs")


def described(envs: Path, adapter: str = "mine") -> None:
    (envs / adapter).mkdir(parents=True)
    row = {"adapter": adapter, "distribution": "memarena-mine", "version": "1", "python": "/p/python", "source": "s"}
    (envs / adapter / "memarena-env.json").write_text(json.dumps(row), encoding="utf-8")


def test_an_environment_is_found_by_the_name_of_its_adapter(envs):
    described(envs)
    assert environments.find("mine") == Path("/p/python")
    assert environments.find("mine@memarena-mine") == Path("/p/python")
    assert environments.find("mine@other") is None
    assert environments.find("yours") is None


def test_a_half_made_environment_is_none(envs):
    (envs / "mine").mkdir(parents=True)
    assert environments.find("mine") is None
    assert environments.known() == []


def test_environments_are_listed_by_name(envs):
    described(envs, "b")
    described(envs, "a")
    shown = CliRunner().invoke(env, ["list"])
    assert shown.output == "a  memarena-mine 1  /p/python\nb  memarena-mine 1  /p/python\n"
    rows = json.loads(CliRunner().invoke(env, ["list", "--json"]).output)
    assert [row["adapter"] for row in rows] == ["a", "b"]


def test_an_environment_is_removed_once(envs):
    described(envs)
    environments.remove("mine")
    assert not (envs / "mine").exists()
    with pytest.raises(UsageError, match="mine has no environment below"):
        environments.remove("mine")


def test_without_a_setting_environments_stand_in_the_data_folder_of_the_user(monkeypatch, tmp_path):
    monkeypatch.delenv("MEMARENA_ENVS")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert environments.root() == tmp_path / "memarena" / "envs"


def test_a_second_environment_of_one_name_is_refused(envs):
    described(envs)
    with pytest.raises(UsageError, match=r"has an environment already: .*; memarena env remove mine"):
        environments.create("mine", source="mine")


@pytest.mark.parametrize("name", ["../x", "a/b", ""])
def test_a_name_that_is_no_folder_is_refused(name):
    with pytest.raises(UsageError):
        environments.create(name, source="mine")


def test_an_interpreter_that_is_not_there_is_refused():
    with pytest.raises(UsageError, match="--python nosuchpython: no such program"):
        environments.create("verbatim", python="nosuchpython")


def test_without_pip_and_uv_the_line_says_what_to_install(monkeypatch):
    monkeypatch.setattr(installing, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(PluginError, match="neither pip nor uv is here; install with a tool of yours: mine==1"):
        installing.install_into(Path(sys.executable), ["mine==1"])


def recorder(folder: Path, name: str) -> Path:
    """A program that writes down its arguments."""
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f'#!/bin/sh\necho "$@" > "{folder}/{name}.said"\n', encoding="utf-8")
    file.chmod(0o755)
    return folder / f"{name}.said"


def test_without_pip_uv_is_used(monkeypatch, tmp_path):
    said = recorder(tmp_path / "bin", "uv")
    monkeypatch.setattr(installing, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    installing.install_into(Path("/p/python"), ["-e", "here"])
    assert said.read_text(encoding="utf-8") == "pip install --python /p/python -e here\n"


def test_in_an_environment_of_pipx_it_is_pipx_that_installs(monkeypatch, tmp_path):
    said = recorder(tmp_path / "bin", "pipx")
    (tmp_path / "memarena").mkdir()
    (tmp_path / "memarena" / "pipx_metadata.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "memarena"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    installing.install_here(["mine==1"])
    assert said.read_text(encoding="utf-8") == "inject memarena mine==1\n"


def test_an_installed_adapter_is_not_installed_again():
    shown = CliRunner().invoke(install, ["verbatim"])
    assert shown.output.startswith("verbatim is installed: memarena ")
