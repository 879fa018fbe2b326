"""The HTML report: one file that opens from disk, loads nothing, and stays below 10 MB."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memarena import codec
from memarena_report.page import context
from memarena_report.scores import Scores
from memarena_report.traces import Packed, pack, squeeze

if TYPE_CHECKING:
    from rich.console import Console

    from memarena.store import RunStore

LARGEST = 10_000_000
"""Bytes that a report may have at most."""


class HtmlReport:
    """Writes `report.html` into the run folder (reporter `html`)."""

    name = "html"
    revision = 1

    def __init__(self) -> None:
        self._scores: Scores | None = None

    def write(self, store: RunStore) -> Path:
        """Write the report of `store` and return its path; raises StoreError where the run is not scored."""
        return self.write_to(store.path / "report.html", self._of(store))

    def write_to(self, path: Path, scores: Scores) -> Path:
        """Write the report of `scores` to `path`."""
        packed = pack(scores)
        page = render(scores, packed)
        if len(page) > LARGEST:
            page = render(scores, pack(scores, packed.size - (len(page) - LARGEST)))
        codec.write_whole(path, page)
        return path

    def print_summary(self, store: RunStore, console: Console) -> None:
        """Print what the run of `store` comes to: the main table, the flags, and how to see the rest."""
        from memarena_report.summary import short_summary, where_all

        for renderable in short_summary(self._of(store), console.width):
            console.print(renderable)
        # A command that is broken into lines cannot be copied.
        console.print(where_all(self._of(store)), soft_wrap=True, markup=False, highlight=False)

    def print_grid(self, stores: Mapping[str, RunStore], console: Console) -> None:
        """Print one table over the runs of a sweep."""
        from memarena_report.grid import grid_table
        from memarena_report.judging import judging
        from memarena_report.summary import grid_summary

        judges = ", ".join(dict.fromkeys(judging(store.header).mark for store in stores.values()))
        for renderable in grid_summary(grid_table(stores), console.width, judges):
            console.print(renderable)

    def _of(self, store: RunStore) -> Scores:
        if self._scores is None or self._scores.store is not store:
            self._scores = Scores(store)
        return self._scores


def render(scores: Scores, packed: Packed) -> bytes:
    """The whole page in UTF-8."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("memarena_report", "page_files"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, script = (_asset(name) for name in ("report.css", "report.js"))
    traces = {"index": squeeze(packed.index), "blobs": packed.blobs, "systems": [s.label for s in scores.systems]}
    page = environment.get_template("report.html.j2").render(
        **context(scores, packed),
        style=Markup(style),
        script=Markup(script),
        policy=f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}",
        island=Markup(_island(traces)),
    )
    return page.encode("utf-8", errors="replace")


def _asset(name: str) -> str:
    return files("memarena_report").joinpath("page_files", name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """The source of a content security policy that allows exactly `text`."""
    return f"'sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def _island(value: Any) -> str:
    """`value` as JSON that can stand in a script element: no character there can end it."""
    text = codec.encode(value).decode("utf-8")
    for mark in "<>&\u2028\u2029":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text
