"""The built-in data set: small, hand-written, with real pictures, in the layout of WorldMemArena."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from memarena.errors import UsageError
from memarena_arena.worldmemarena import FolderOptions, SampleFolder

LICENCE = "MIT"


class Mini:
    """Reads the data set that comes with this package."""

    name = "mini"
    revision = 1
    Options = FolderOptions

    def __init__(self, options: FolderOptions | None = None) -> None:
        self.options = options or FolderOptions()

    def open(self, source: str = "", options: FolderOptions | None = None) -> SampleFolder:
        """Open it; it lies in one place, so `source` is to be empty."""
        if source:
            raise UsageError(f"mini is built in and takes no path: write -d mini, or -d worldmemarena:{source}")
        opened = SampleFolder(Path(str(files("memarena_arena") / "mini_data")), options or self.options)
        opened.report.licence = LICENCE
        return opened
