"""The page on public data sets tells every finding with its level, and every set with its options."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from memarena.catalog import FIRST_PARTY, entries

PAGE = Path(__file__).resolve().parents[3] / "docs" / "how-to" / "other-public-sets.md"
LEVELS = {"note": "note", "warn": "warning", "refuse": "refused"}
OF_PICTURES = {("broken_picture", "warning"), ("missing_picture", "warning")}


def _findings(source: str) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            texts = [str(part.value) for part in node.args if isinstance(part, ast.Constant)]
            level = LEVELS.get(node.func.attr) if isinstance(node.func, ast.Attribute) else None
            if level and isinstance(node.args[0], ast.Constant):
                yield texts[0], level
            if getattr(node.func, "id", "") == "Finding":
                told = {part.arg: str(getattr(part.value, "value", "")) for part in node.keywords}
                yield told["code"], told["level"]


def test_each_finding_stands_on_the_page_with_its_level() -> None:
    rows = set(re.findall(r"^\| `(\w+)` \| (note|warning|refused) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    sources = Path(str(files("memarena_arena") / "public")).glob("*.py")
    assert {pair for file in sources for pair in _findings(file.read_text(encoding="utf-8"))} | OF_PICTURES == rows


def test_each_set_of_the_page_is_installed_and_known_to_the_core() -> None:
    names = re.findall(r"^\| `(\w+)` \| .*`", PAGE.read_text(encoding="utf-8").partition("## Look")[0], re.MULTILINE)
    of_public = [row.name for row in entries("datasets") if row.target.startswith("memarena_arena.public.")]
    assert sorted(names) == sorted(of_public)
    assert {FIRST_PARTY["memarena.datasets"][name] for name in names} == {"memarena-arena"}
