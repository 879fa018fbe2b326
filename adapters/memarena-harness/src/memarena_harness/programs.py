"""The command-line agents: where they are, which version they are, and how npm installs them.

One is looked for where the user says, in the folder of its environment (`memarena env create`), and on the PATH.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

from memarena import environments
from memarena.errors import PluginError
from memarena.installing import run
from memarena.programs import Look
from memarena.records import Record
from memarena_harness.failures import HarnessFailure
from memarena_harness.jail import Jail
from memarena_harness.preflight import choose, system_bwrap

VERSION_SECONDS = 60.0
"""Seconds that a program gets to say its version."""
_NUMBER = re.compile(r"\d+\.\d+\.\d+\S*")
_NPM = ("npm", "install", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")


class Program(Record, frozen=True, kw_only=True):
    """A program that was found."""

    name: str
    version: str
    command: tuple[Path, ...]
    """The files that start it, absolute."""
    tools: Mapping[str, Path]
    """The folders that it has to see, and only to read, each under a name."""

    def __str__(self) -> str:
        return f"{self.name} {self.version} at {self.command[-1]}"

    def words(self, jail: Jail) -> list[str]:
        """The words that start it, as they are called in `jail`."""
        return [str(self._seen(file, jail)) for file in self.command]

    def _seen(self, file: Path, jail: Jail) -> Path:
        for name, folder in self.tools.items():
            if file.is_relative_to(folder):
                return jail.seen_tool(name, folder) / file.relative_to(folder)
        return file


class NpmProgram(ABC):
    """A program that npm installs."""

    name: ClassVar[str]
    package: ClassVar[str]
    tested: ClassVar[SpecifierSet]
    steps: ClassVar[tuple[str, ...]]
    """What npm is to install, one after the other: a later one may need an earlier one to be installed."""

    def install(self, folder: Path) -> Mapping[str, str]:
        """Install the tested version into `folder`; its version by name. Raises PluginError."""
        if shutil.which("npm") is None:
            raise PluginError(f"{self.name} is installed with npm, which is not here: install Node.js 16 or newer")
        folder.mkdir(parents=True, exist_ok=True)
        bins = folder / "node_modules" / ".bin"
        path = os.pathsep.join((str(bins), os.environ.get("PATH", os.defpath)))
        for step in self.steps:
            run(["env", f"PATH={path}", *_NPM, "--prefix", str(folder), step])
        return {self.name: self.at(bins / self.name).version}

    def look(self) -> Look:
        """What there is of it, and what would hold it."""
        try:
            found = self.find(any_version=True)
        except HarnessFailure as failure:
            return Look(advice=failure.problem)
        advice = [] if self.fits(found.version) else [self._advice()]
        try:
            jail = self.jail()
        except HarnessFailure as failure:
            return Look(found=str(found), advice="; ".join([*advice, str(failure)]))
        holder = f"bubblewrap ({jail.bwrap})" if jail.kind == "bubblewrap" else "its own sandbox"
        return Look(found=f"{found}, held by {holder}", advice="; ".join(advice))

    def find(self, chosen: str = "", *, any_version: bool = False) -> Program:
        """The program at the path `chosen`, or the first of the usual places.

        Raises HarnessFailure: `program missing`, or `wrong version` unless `any_version`.
        """
        place = self._place(chosen)
        found = self.at(place)
        if not (any_version or self.fits(found.version)):
            advice = f"{self._advice()}, or take it as it is with -o LABEL.any_version=true"
            raise HarnessFailure("wrong version", f"{found} was not tested: {advice}")
        return found

    def fits(self, version: str) -> bool:
        """Whether `version` is one of those that were tested."""
        try:
            return Version(version) in self.tested
        except InvalidVersion:
            return False

    @abstractmethod
    def jail(self) -> Jail:
        """What holds it here, if nobody says otherwise. Raises HarnessFailure where nothing does."""

    @abstractmethod
    def at(self, place: Path) -> Program:
        """The program that the file `place` starts, whatever its version. Raises HarnessFailure."""

    def _place(self, chosen: str) -> Path:
        if chosen:
            given = shutil.which(Path(chosen).expanduser())
            if given is None:
                raise HarnessFailure("program missing", f"{self.name}: there is no program at {chosen}")
            return Path(given).absolute()
        for folder in environments.program_folders(self.name):
            place = folder / "node_modules" / ".bin" / self.name
            if place.exists():
                return place
        found = shutil.which(self.name)
        if found is None:
            raise HarnessFailure("program missing", f"{self.name} is not here: memarena env create {self.name}")
        return Path(found).absolute()

    def _advice(self) -> str:
        return f"memarena env create {self.name} installs a tested one ({self.tested})"


class Codex(NpmProgram):
    """Codex CLI; its native binary is started, not the wrapper of npm, which would outlive it."""

    name = "codex"
    package = "@openai/codex"
    tested = SpecifierSet(">=0.171,<0.172")
    steps = ("@openai/codex@0.171.0",)

    def jail(self) -> Jail:
        """Bubblewrap, else its own sandbox."""
        from memarena_harness.codex import CodexHarness, CodexOptions

        return CodexHarness(CodexOptions(any_version=True)).jail()

    def at(self, place: Path) -> Program:
        """The native binary behind `place`."""
        file = place.resolve()
        root = _package_of(file, self.package)
        if root is None:
            return _alone(self.name, file)
        version = _version_of(root)
        patterns = ("vendor/*/bin/codex", "../codex-*/vendor/*/bin/codex", "node_modules/@openai/*/vendor/*/bin/codex")
        natives = [native for pattern in patterns for native in sorted(root.glob(pattern))]
        if not natives:
            raise HarnessFailure(
                "program missing", f"codex: {root} holds no binary for this machine: npm install {self.package}"
            )
        native = natives[0].resolve()
        return Program(
            name=self.name, version=version.split("-")[0], command=(native,), tools={self.name: native.parents[3]}
        )


class OpenClaw(NpmProgram):
    """OpenClaw, and a Node that is new enough for it."""

    name = "openclaw"
    package = "openclaw"
    tested = SpecifierSet(">=2026.9.6,<2026.10")
    steps = ("node@26.10.0", "openclaw@2026.9.6")
    nodes = (SpecifierSet(">=24.16,<25"), SpecifierSet(">=26.1"))

    def jail(self) -> Jail:
        """Bubblewrap: it has no sandbox of its own."""
        return choose(bubblewraps())

    def at(self, place: Path) -> Program:
        """Node and the script behind `place`."""
        file = place.resolve()
        root = _package_of(file, self.package)
        if root is None:
            return _alone(self.name, file)
        node = self._node(root.parent)
        return Program(
            name=self.name,
            version=_version_of(root),
            command=(node, file),
            tools={"node": node.parent, "node_modules": root.parent},
        )

    def _node(self, modules: Path) -> Path:
        """The Node beside it, else the one on the PATH."""
        found = shutil.which(modules / ".bin" / "node") or shutil.which("node")
        if found is None:
            raise HarnessFailure(
                "program missing", f"openclaw needs Node.js, which is not here: memarena env create {self.name}"
            )
        node = Path(found).resolve()
        version = Version(_said_version(node))
        if not any(version in wanted for wanted in self.nodes):
            needed = " or ".join(str(wanted) for wanted in self.nodes)
            raise HarnessFailure(
                "wrong version",
                f"openclaw needs Node.js {needed}; {node} is {version}: memarena env create {self.name} brings one",
            )
        return node


def bubblewraps() -> tuple[str, ...]:
    """The bubblewraps of this machine: its own, and the one that Codex brings."""
    try:
        codex = Codex().find(any_version=True).command[0]
    except HarnessFailure:
        return system_bwrap()
    brought = codex.parents[1] / "codex-resources" / "bwrap"
    return (*system_bwrap(), str(brought)) if brought.is_file() else system_bwrap()


def _alone(name: str, file: Path) -> Program:
    """A program that is in no package that is known."""
    return Program(name=name, version=_said_version(file), command=(file,), tools={name: file.parent})


def _package_of(file: Path, name: str) -> Path | None:
    """The folder of the npm package `name` that `file` is in; None where it is in none."""
    for folder in file.parents:
        description = folder / "package.json"
        if description.is_file():
            return folder if _description(folder).get("name") == name else None
    return None


def _version_of(root: Path) -> str:
    return str(_description(root).get("version", ""))


def _description(root: Path) -> Mapping[str, object]:
    try:
        found = json.loads((root / "package.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _said_version(program: Path) -> str:
    """What `program --version` says. Raises HarnessFailure where it says none."""
    try:
        done = subprocess.run(
            [str(program), "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env={"PATH": os.environ.get("PATH", os.defpath), "HOME": "/nonexistent", "LANG": "C.UTF-8"},
            timeout=VERSION_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HarnessFailure("program missing", f"{program} does not say its version: {error}") from error
    said = _NUMBER.search(done.stdout.decode("utf-8", "replace"))
    if said is None:
        raise HarnessFailure("program missing", f"{program} --version gives no version (exit code {done.returncode})")
    return said.group().removeprefix("v")
