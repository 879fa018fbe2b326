"""Packs that are no part of the package, as somebody writes them who has read the how-to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memarena_builder.packs import load as loading
from memarena_builder.packs import places
from memarena_builder.reader import notebook, patterns

FOLDER = Path(__file__).with_name("own_packs")
"""Has one pack, `kennels`."""
TEXT = (FOLDER / "en" / "kennels.toml").read_text(encoding="utf-8")
_KEPT = (
    places.outside, places.domains_of, loading.load, loading.in_register, loading.owners, loading.things,
    loading.writing, patterns.grammar, notebook.question_grammar,
)  # fmt: skip
"""What is read once a process, as packs do not change meanwhile; here they do."""


def forget() -> None:
    for each in _KEPT:
        each.cache_clear()


@contextmanager
def found(*folders: Path) -> Iterator[None]:
    """The packs of `folders` are found, as where `MEMARENA_PACKS` names them."""
    before = os.environ.get(places.VARIABLE)
    os.environ[places.VARIABLE] = os.pathsep.join(map(str, folders))
    forget()
    try:
        yield
    finally:
        os.environ.pop(places.VARIABLE)
        if before is not None:
            os.environ[places.VARIABLE] = before
        forget()


def written(root: Path, text: str | bytes, name: str = "kennels", language: str = "en") -> Path:
    """A folder of packs with one of `text`."""
    file = root / language / f"{name}.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def changed(old: str, new: str) -> str:
    """The pack with one piece of its text changed."""
    assert TEXT.count(old) >= 1, old
    return TEXT.replace(old, new, 1)
