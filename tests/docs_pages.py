"""The pages of the docs, and the fenced blocks in them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
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
