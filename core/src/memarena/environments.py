"""Virtual environments of adapters, one each, so that systems with rival dependencies run side by side.

They stand below `MEMARENA_ENVS`, or else in `memarena/envs` of the user's data folder (`XDG_DATA_HOME`).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from memarena import codec, programs
from memarena.errors import PluginError, UsageError
from memarena.installing import install_into, requirement_from, requirement_of, requirement_of_adapter, run
from memarena.records import Record
from memarena.selectors import check_label

_DESCRIPTION = "memarena-env.json"
"""Written last: a folder without it is no finished environment."""
_PROGRAMS = "programs"
"""Where an environment keeps what is no Python package."""


class Environment(Record, frozen=True, kw_only=True):
    """A virtual environment for one adapter."""

    adapter: str
    distribution: str
    version: str
    python: str
    """Absolute path of its interpreter."""
    source: str
    """What was installed, as its installer was told."""
    programs: Mapping[str, str] = {}
    """Version by name of each program that was installed beside the packages (`memarena.programs`)."""


def root() -> Path:
    """The folder of all environments."""
    chosen = os.environ.get("MEMARENA_ENVS")
    if chosen:
        return Path(chosen).expanduser().absolute()
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(data).expanduser() / "memarena" / "envs"


def known() -> list[Environment]:
    """All environments, by adapter."""
    files = sorted(root().glob(f"*/{_DESCRIPTION}"))
    return [codec.decode(file.read_bytes(), Environment, str(file)) for file in files]


def find(adapter: str) -> Path | None:
    """The interpreter of an adapter's environment; None where it has none. `NAME@DISTRIBUTION` must match both."""
    name, _, distribution = adapter.partition("@")
    file = root() / name / _DESCRIPTION
    if not name or not file.is_file():
        return None
    made = codec.decode(file.read_bytes(), Environment, str(file))
    return Path(made.python) if distribution in ("", made.distribution) else None


def program_folders(adapter: str) -> list[Path]:
    """Where the programs of an adapter may be: in the environment at work, and in the one that has its name."""
    return [Path(sys.prefix) / _PROGRAMS, root() / adapter / _PROGRAMS]


def create(adapter: str, *, source: str = "", python: str = "", extras: Sequence[str] = ()) -> Environment:
    """Make the environment of an adapter: the adapter's distribution with `extras`, and the core, each from where it
    was installed, and the programs that it drives. `source` says where the adapter is brought from instead, `python`
    with which interpreter.

    Raises UsageError where there is one already, PluginError where something cannot be installed or does not bring
    the adapter.
    """
    name = check_label(adapter.partition("@")[0], f"env create {adapter}")
    folder = root() / name
    if (folder / _DESCRIPTION).is_file():
        raise UsageError(f"{adapter} has an environment already: {folder}; memarena env remove {name}")
    words = requirement_from(source, extras) if source else requirement_of_adapter(adapter, extras)
    core = requirement_of("memarena")
    interpreter = _interpreter(python)
    try:
        shutil.rmtree(folder, ignore_errors=True)
        with codec.storing(folder):
            folder.parent.mkdir(parents=True, exist_ok=True)
        run([interpreter, "-m", "venv", "--without-pip", str(folder)])
        own = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        install_into(own, [*core, *words])
        distribution, version = _brings(own, adapter)
        made = Environment(
            adapter=name,
            distribution=distribution,
            version=version,
            python=str(own),
            source=" ".join(words),
            programs=programs.install(own, name, folder / _PROGRAMS),
        )
        codec.write_whole(folder / _DESCRIPTION, codec.encode(made))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return made


def remove(adapter: str) -> None:
    """Remove the environment of an adapter; raises UsageError where it has none."""
    name = check_label(adapter.partition("@")[0], f"env remove {adapter}")
    folder = root() / name
    if not folder.is_dir():
        raise UsageError(f"{adapter} has no environment below {root()}")
    with codec.storing(folder):
        shutil.rmtree(folder)


def _interpreter(python: str) -> str:
    if not python:
        return sys.executable
    found = shutil.which(python)
    if found is None:
        raise UsageError(f"--python {python}: no such program")
    return found


def _brings(python: Path, adapter: str) -> tuple[str, str]:
    """Distribution and version of an adapter as `python` knows them."""
    listed = subprocess.run(
        [str(python), "-m", "memarena", "list-adapters", "--json"],
        capture_output=True,
        encoding="utf-8",
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        check=False,
    )
    if listed.returncode:
        raise PluginError(f"memarena does not work in the new environment: {listed.stderr.strip()}")
    name, _, distribution = adapter.partition("@")
    rows = json.loads(listed.stdout)
    for row in rows:
        if row["name"] == name and distribution in ("", row["distribution"]):
            return row["distribution"], row["version"]
    others = ", ".join(sorted({row["name"] for row in rows}))
    raise PluginError(f"what was installed brings no adapter {adapter!r}; there is: {others}")
