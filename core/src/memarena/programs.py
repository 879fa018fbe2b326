"""Programs that an adapter drives and that no Python package brings, e.g. from npm.

A package offers them under the name of the adapter, by the entry-point group `memarena.programs`; the target is a class
without arguments that does what `Programs` says:

    [project.entry-points."memarena.programs"]
    mine = "memarena_mine.programs:MyPrograms"

`memarena env create mine` installs them into the adapter's environment, `memarena doctor` looks for them. Both ask by
`python -m memarena.programs`, so that an interpreter speaks for its own packages.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from memarena import catalog, codec
from memarena.errors import MemarenaError, PluginError
from memarena.records import Record

GROUP = "memarena.programs"

T = TypeVar("T")


class Look(Record, frozen=True, kw_only=True):
    """What there is of the programs of one adapter."""

    found: str = ""
    """Names, versions and places in words; "" where something is missing."""
    advice: str = ""
    """What is missing or not tested, and what to do; "" where all is well."""


class Programs(Protocol):
    """The programs of one adapter."""

    def install(self, folder: Path) -> Mapping[str, str]:
        """Install into `folder`, which is new, and return version by name; raises PluginError.

        Standard output is not a terminal's: what installers say belongs on standard error.
        """
        ...

    def look(self) -> Look:
        """Find them without starting anything that lasts; raises nothing where they are missing."""
        ...


def install(python: Path, adapter: str, folder: Path) -> dict[str, str]:
    """Have the interpreter `python` install the programs of `adapter`: version by name, empty where it needs none.

    Raises PluginError where that fails; what installers say goes to standard error.
    """
    return _ask(python, ["install", adapter, str(folder)], dict[str, str])


def look(python: Path, adapter: str, timeout: float) -> Look:
    """What the interpreter `python` finds of the programs of `adapter` within `timeout` seconds."""
    try:
        return _ask(python, ["look", adapter], Look, timeout)
    except subprocess.TimeoutExpired:
        return Look(advice=f"not found out after {timeout:g} s")
    except PluginError as error:
        return Look(advice=str(error))


def _ask(python: Path, words: Sequence[str], kind: type[T], timeout: float | None = None) -> T:
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    if python == Path(sys.executable):
        environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    else:
        environment.pop("PYTHONPATH", None)
    done = subprocess.run(
        [str(python), "-m", "memarena.programs", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=None if words[0] == "install" else subprocess.PIPE,
        env=environment,
        timeout=timeout,
        check=False,
    )
    if done.returncode:
        said = (done.stderr or b"").decode("utf-8", "replace").strip().splitlines()
        raise PluginError(said[-1] if said else f"the programs of {words[1]} cannot be installed, see above")
    return codec.decode(done.stdout, kind, "what it found")


def main(task: str, adapter: str, folder: str = "") -> None:
    """Do one task of `install` and `look` and write what came of it to standard output as JSON."""
    report = os.dup(1)
    os.dup2(2, 1)
    rows = [row for row in catalog.entries(GROUP) if row.name == adapter]
    programs: Programs | None = rows[0].load()() if rows else None
    result: object
    if task == "install":
        result = {} if programs is None else programs.install(Path(folder))
    else:
        result = Look() if programs is None else programs.look()
    os.write(report, codec.encode(result))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except MemarenaError as error:
        sys.exit(str(error))
