"""Somebody who types what a page of the docs shows, and looks at what comes."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

from docs_pages import DISTRIBUTIONS, PROJECTS, ROOT, Block, commands

from memarena.catalog import scan

NEEDS_SHELL = re.compile(r"[|&;<>$`*?~#()]")
INTO_FILE = re.compile(r"(?P<command>[^>]+) > (?P<file>\S+)")
VARIABLE = re.compile(r"[A-Z_]+=")


class WarmPython:
    """Runs Python programs one by one, each in a process of its own."""

    def __init__(self) -> None:
        self._server = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("warm_python.py"))],
            env={**_plain(), "PYTHONIOENCODING": "utf-8", "PYTHONWARNINGS": "default"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def run(self, words: list[str], folder: Path, environment: Mapping[str, str], output: Path, errors: Path) -> int:
        """Run `-c CODE`, or a module with its arguments; returns the exit code. Both files are added to."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        files = {"output": str(output), "errors": str(errors)}
        asked = {"words": words, "folder": str(folder), "environment": environment, **files}
        self._server.stdin.write(json.dumps(asked) + "\n")
        self._server.stdin.flush()
        code = self._server.stdout.readline()
        assert code, "warm_python.py has ended: its stderr says why"
        return int(code)

    def close(self) -> None:
        self._server.communicate()


def _plain() -> dict[str, str]:
    """The environment without settings of memarena."""
    return {name: value for name, value in os.environ.items() if not name.startswith("MEMARENA_")}


class Reader:
    """Somebody who types a page into an empty folder."""

    def __init__(self, folder: Path, warm: WarmPython) -> None:
        self.warm = warm
        self.folder = folder / "work"
        self.site = folder / "site"
        self.folder.mkdir()
        self.site.mkdir()
        self.editable: list[Path] = []
        self.installed: set[str] = set()
        """Distributions of this repository; empty: all."""

    def play(self, block: Block) -> None:
        if block.file:
            file = self.folder / block.file
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a" if block.more else "w", encoding="utf-8") as stream:
                stream.write(block.body)
        elif block.language == "toml":
            tomllib.loads(block.body)
        elif block.language == "python":
            self.run(["-c", block.body], block.code)
        else:
            for command, shown in commands(block.body):
                self.type(command, shown, block.code)

    def type(self, command: str, shown: list[str], code: int) -> None:
        words = shlex.split(command)
        if words[0] == "cd":
            self.folder = (self.folder / words[1]).resolve()
        elif words[:2] == ["pip", "install"]:
            self.install(words[2:])
        else:
            # The report of a run takes as long as the run: it is made where a page shows it.
            hidden = [*self.strangers(), *([] if any(line.startswith("report:") for line in shown) else ["html"])]
            output = self.shell(command, code, MEMARENA_DISABLE=",".join(hidden))
            assert _shows(output, shown), f"$ {command}\n{output}\n\ndoes not show, in this order:\n" + "\n".join(shown)

    def install(self, words: list[str]) -> None:
        """A project is installed by pip, without network; anything else must be a distribution of this repository."""
        for word in words:
            name = word.partition("[")[0]
            if ROOT / name in PROJECTS:
                self.bring(PROJECTS[ROOT / name]["name"])
            elif name == ".":
                place = self.folder / "src" if (self.folder / "src").is_dir() else self.folder
                self.editable.append(place)
                flags = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--upgrade"]
                self.run(["pip", "install", *flags, "--target", str(self.site), "."], 0)
            elif not name.startswith("-"):
                assert name in DISTRIBUTIONS, f"pip install {word}: there is no such distribution here"
                self.bring(name)

    def bring(self, name: str) -> None:
        """Install a distribution of this repository with those that it needs."""
        self.installed.add(name)
        for line in DISTRIBUTIONS[name]:
            needed = re.split(r"[^\w-]", line)[0]
            if needed in DISTRIBUTIONS and needed not in self.installed:
                self.bring(needed)

    def strangers(self) -> list[str]:
        """Plugins of this repository that come with nothing that the page installs."""
        absent = DISTRIBUTIONS.keys() - self.installed if self.installed - {"memarena"} else set()
        return [row.selector for row in scan() if row.distribution in absent]

    def shell(self, command: str, code: int, **variables: str) -> str:
        """What a line shows: of a program of ours, or of anything that a shell can run."""
        into = INTO_FILE.fullmatch(command)
        plain, file = (into["command"], self.folder / into["file"]) if into else (command, None)
        words = shlex.split(plain)
        while words and VARIABLE.match(words[0]):
            name, _, value = words.pop(0).partition("=")
            variables[name] = value
        if words[0] in ("memarena", "pytest") and not NEEDS_SHELL.search(plain):
            return self.run(words, code, file, **variables)
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment(variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        return _checked(command, done.stdout, done.returncode, code)

    def run(self, words: list[str], code: int, file: Path | None = None, **variables: str) -> str:
        """What a Python program shows; `words` as for `WarmPython.run`. Its output goes into a new `file`, if given."""
        shown = self.site.parent / "shown"
        for old in filter(None, (shown, file)):
            old.unlink(missing_ok=True)
        found = self.warm.run(words, self.folder, self.environment(variables), file or shown, shown)
        return _checked(words[-1], shown.read_text(encoding="utf-8"), found, code)

    def environment(self, variables: Mapping[str, str]) -> dict[str, str]:
        return {
            **_plain(),
            **variables,
            "COLUMNS": "140",
            "NO_COLOR": "1",
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "TMPDIR": str(self.site.parent),
            "PYTHONPATH": os.pathsep.join(map(str, [*self.editable, self.site])),
        }


def _checked(command: str, output: str, found: int, wanted: int) -> str:
    assert found == wanted, f"{command}\nexit code {found}, not {wanted}\n{output}"
    return output


def _shows(output: str, lines: list[str]) -> bool:
    """Whether the lines come in this order; white space counts as one blank, `...` as anything."""
    left = iter([" ".join(line.split()) for line in output.splitlines()])
    wanted = [" ".join(line.split()) for line in lines if line.strip() not in ("", "...")]
    patterns = [re.compile(".*".join(re.escape(part.strip()) for part in line.split("..."))) for line in wanted]
    return all(any(pattern.fullmatch(line) for line in left) for pattern in patterns)
