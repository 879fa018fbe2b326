"""The docs can be followed: their code runs, and shows what they say.

A page is played from top to bottom in an empty folder, as a reader would:

* a block with a file name behind its language is written to that file, with ` +` added to it;
* a ```python block without one is run;
* each `$` line of a ```console block is run; lines below it must come out in that order (`...` stands for anything).

A page that installs distributions of this repository has the plugins of no other one.

`<!-- exit 2 -->` above a block expects another exit code than 0; `<!-- not run: why -->` leaves it out.

Programs run as forks of `warm_python.py`, which saves each the time of importing; a line that needs a shell gets one.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from statistics import fmean

import pytest
from docs_pages import PAGES, blocks
from docs_reader import Reader, WarmPython

from memarena.store import RunStore

SNIPPETS = Path(__file__).with_name("docs_snippets")
PLAYED = [page for page in PAGES if any(block.is_run for block in blocks(page))]


@pytest.fixture(scope="session")
def warm() -> Iterator[WarmPython]:
    started = WarmPython()
    yield started
    started.close()


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
