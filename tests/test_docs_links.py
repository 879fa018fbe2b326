"""The links of the docs lead somewhere, and the commands in them exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from docs_pages import BLOCK, DOCS, PAGES, blocks, commands

from memarena.cli import cli


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
