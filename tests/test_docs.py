"""The docs can be followed: their code runs, their links lead somewhere, their commands exist.

A page is played from top to bottom in an empty folder, as a reader would:

* a block with a file name behind its language is written to that file, with ` +` added to it;
* a ```python block without one is run;
* each `$` line of a ```console block is run; lines below it must come out in that order (`...` stands for anything).

A page that installs distributions of this repository has the plugins of no other one.

`<!-- exit 2 -->` above a block expects another exit code than 0; `<!-- not run: why -->` leaves it out.

Programs run as forks of `warm_python.py`, which saves each the time of importing; a line that needs a shell gets one.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import click
import pytest

from memarena.catalog import scan
from memarena.cli import cli
from memarena.store import RunStore

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SNIPPETS = Path(__file__).with_name("docs_snippets")
PAGES = {
    file.relative_to(ROOT).as_posix(): file
    for pattern in ("README.md", "docs/**/*.md", "core/README.md", "plugins/*/README.md", "adapters/*/README.md")
    for file in sorted(ROOT.glob(pattern))
}
PROJECTS = {
    file.parent: tomllib.loads(file.read_text(encoding="utf-8"))["project"]
    for pattern in ("core", "plugins/*", "adapters/*")
    for file in ROOT.glob(f"{pattern}/pyproject.toml")
}
DISTRIBUTIONS = {project["name"]: project["dependencies"] for project in PROJECTS.values()}
BLOCK = re.compile(
    r"(?:^<!-- (?P<note>[^>]*) -->\n+)?^```(?P<language>\w+)(?: (?P<file>\S+))?(?P<more> \+)?\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


class Block(NamedTuple):
    """A fenced block of a page."""

    note: str
    """The comment above it: `not run: why`, `exit 2`, or ""."""
    language: str
    file: str
    more: str
    """Not empty: the block is added to the file."""
    body: str

    @property
    def is_run(self) -> bool:
        known = self.file or self.language in ("python", "toml", "console")
        return bool(known) and not self.note.startswith("not run")

    @property
    def code(self) -> int:
        return int(self.note.removeprefix("exit ")) if self.note.startswith("exit ") else 0


def blocks(page: str) -> list[Block]:
    text = PAGES[page].read_text(encoding="utf-8")
    return [Block(*(found[name] or "" for name in Block._fields)) for found in BLOCK.finditer(text)]


def commands(body: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of a console block, and the lines shown below it."""
    for part in re.split(r"^\$ ", body.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
        command, *shown = part.rstrip("\n").split("\n")
        yield command, shown


PLAYED = [page for page in PAGES if any(block.is_run for block in blocks(page))]
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


@pytest.fixture(scope="session")
def warm() -> Iterator[WarmPython]:
    started = WarmPython()
    yield started
    started.close()


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


@pytest.mark.parametrize("page", PLAYED)
def test_a_page_can_be_followed_to_its_end(page: str, tmp_path: Path, warm: WarmPython) -> None:
    reader = Reader(tmp_path, warm)
    name = Path(page).stem
    if (SNIPPETS / name).is_dir():
        shutil.copytree(SNIPPETS / name, reader.folder, dirs_exist_ok=True)
    if name == "run-worldmemarena":
        shutil.copytree(str(files("memarena_arena") / "mini_data"), reader.folder / "worldmemarena")
    for block in blocks(page):
        if block.is_run:
            reader.play(block)
    if name in AFTERWARDS:
        AFTERWARDS[name](reader.folder)


def _gains_are_as_told(work: Path) -> None:
    assert (_mean(work / "small", "window", "update"), _mean(work / "small", "tidy", "update")) == (0.5, 1.0)
    gain = _mean(work / "second", "tidy", "ndcg@10") - _mean(work / "second", "window", "ndcg@10")
    assert 0.2 < gain < 0.35


def _each_file_is_told(work: Path) -> None:
    page = PAGES["docs/reference/run-folder.md"].read_text(encoding="utf-8")
    made = {file.relative_to(work / "tiny-run") for file in (work / "tiny-run").rglob("*") if file.is_file()}
    names = {str(Path(*file.parts[:1], *(file.parts[2:] if file.parts[0] == "cells" else ()))) for file in made}
    for name in names:
        shown = name.replace("cells/", "cells/<cell>/").replace("samples", "samples/").replace("texts", "texts/")
        assert f"| `{shown}" in page, name


AFTERWARDS: Mapping[str, Callable[[Path], None]] = {
    "first-adapter": _gains_are_as_told,
    "run-folder": _each_file_is_told,
}
"""What must hold of what a page has left in its folder."""


def _mean(run: Path, label: str, metric: str) -> float:
    """The mean over samples of the mean over units."""
    found: dict[str, list[float]] = {}
    for row in RunStore.open(run).stats():
        stat = row.stat
        if row.label == label and stat.metric == metric and stat.variant in ("", "paper") and stat.n is not None:
            found.setdefault(stat.sample_id, []).append(stat.n / (stat.d or 1.0))
    return fmean(fmean(units) for units in found.values())


@pytest.mark.parametrize("page", PAGES)
def test_what_is_not_run_says_why(page: str) -> None:
    for block in blocks(page):
        if block.note.startswith("not run"):
            assert block.note.partition(": ")[2]


# -- links and words --------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES)
def test_every_relative_link_leads_to_a_file_and_a_heading(page: str) -> None:
    file = PAGES[page]
    for target in re.findall(r"\]\(([^)\s]+)\)", _prose(page)):
        if not re.match(r"[a-z]+:", target):
            path, _, anchor = target.partition("#")
            linked = (file.parent / path).resolve() if path else file
            assert linked.exists(), f"{page}: {target}"
            assert not anchor or anchor in _anchors(linked), f"{page}: {target}"


@pytest.mark.parametrize("page", PAGES)
def test_no_page_names_a_place_on_one_machine(page: str) -> None:
    text = PAGES[page].read_text(encoding="utf-8")
    assert not re.search(r"(?<![\w.])/(work|home|Users|root|tmp|mnt)/|[A-Z]:\\\\", text)


def test_every_page_can_be_reached_from_the_index() -> None:
    reached = {DOCS / "index.md"}
    waiting = list(reached)
    while waiting:
        file = waiting.pop()
        text = file.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#\s]+\.md)[^)]*\)", text):
            linked = (file.parent / target).resolve()
            if linked not in reached and linked.is_relative_to(DOCS):
                reached.add(linked)
                waiting.append(linked)
    assert reached == set(DOCS.rglob("*.md"))


def test_every_memarena_command_in_the_docs_has_only_flags_that_exist() -> None:
    for page in PAGES:
        for block in blocks(page):
            for command, _ in commands(block.body) if block.language == "console" else ():
                words = shlex.split(command, comments=True)
                if words and words[0] == "memarena":
                    given = {word.partition("=")[0] for word in words if word.startswith("-")}
                    assert given <= _flags_of(words[1:]), f"{page}: {command}"


def _prose(page: str) -> str:
    """A page without its blocks and code spans."""
    text = BLOCK.sub("", PAGES[page].read_text(encoding="utf-8"))
    return re.sub(r"`[^`\n]*`", "``", text)


def _anchors(file: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    heads = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def _flags_of(words: list[str]) -> set[str]:
    command: click.Command = cli
    flags = {"--help", "-h", "--debug", "--version"}
    for word in words:
        if not isinstance(command, click.Group):
            break
        found = command.get_command(click.Context(command), word)
        if found is None:
            break
        command = found
    return flags | {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
