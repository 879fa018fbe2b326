"""The private root of one conversation: home, state, workspace and temp. Only the workspace is memory that counts."""

from __future__ import annotations

import shutil
from pathlib import Path

from memarena.records import Record

FOLDERS = ("home", "state", "workspace", "temp")
MEDIA = "media"
"""Folder of the workspace that holds the pictures of the session or of the questions at hand."""


class Root(Record, frozen=True, kw_only=True):
    """Where an agent lives, as somebody sees it: the host, or the agent in its jail."""

    home: Path
    state: Path
    """Configuration and whatever the harness itself keeps."""
    workspace: Path
    """The agent's own files."""
    temp: Path

    @classmethod
    def below(cls, folder: Path) -> Root:
        """The root in `folder`, whether it is there or not."""
        return cls(**{name: folder / name for name in FOLDERS})

    @property
    def folder(self) -> Path:
        return self.workspace.parent

    @property
    def media(self) -> Path:
        return self.workspace / MEDIA

    def make(self) -> None:
        """Make it empty: nothing of before is left."""
        remove(self.folder)
        for name in FOLDERS:
            getattr(self, name).mkdir(parents=True, mode=0o700)

    def empty(self, *names: str) -> None:
        """Leave nothing in these folders: what an agent keeps there would reach its next process past its workspace.

        The folders themselves stay, for a process that still sees them.
        """
        for name in names:
            folder = getattr(self, name)
            folder.chmod(0o700)
            for place in folder.iterdir():
                remove(place)

    def copy_to(self, other: Root, *names: str) -> None:
        """Put copies of these folders into `other`, in place of what is there."""
        for name in names:
            copied = getattr(other, name)
            remove(copied)
            shutil.copytree(getattr(self, name), copied, symlinks=True, ignore=_special)


def remove(folder: Path) -> None:
    """Remove a folder with all in it, also where an agent took its own right to write away."""
    if not folder.is_dir() or folder.is_symlink():
        folder.unlink(missing_ok=True)
        return
    try:
        shutil.rmtree(folder)
    except PermissionError:
        for place in [folder, *(found for found in folder.rglob("*") if found.is_dir() and not found.is_symlink())]:
            place.chmod(0o700)
        shutil.rmtree(folder)


def _special(folder: str, names: list[str]) -> list[str]:
    """What is neither a file, a folder nor a link: a pipe would keep the copy waiting for ever."""
    places = [Path(folder) / name for name in names]
    return [one.name for one in places if not (one.is_symlink() or one.is_file() or one.is_dir())]
