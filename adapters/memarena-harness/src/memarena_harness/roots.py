"""The private root of one conversation: home, state, workspace and temp. Only the workspace is memory that counts."""

from __future__ import annotations

import shutil
import stat
import subprocess
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

    def unlock(self) -> None:
        """Let its owner read all of the workspace again, whatever rights an agent took away."""
        self.workspace.chmod(0o700)
        waiting = [self.workspace]
        while waiting:
            for place in waiting.pop().iterdir():
                mode = place.lstat().st_mode
                least = 0o700 if stat.S_ISDIR(mode) else 0o400
                if not stat.S_ISLNK(mode) and mode & least != least:
                    place.chmod(stat.S_IMODE(mode) | least)
                if stat.S_ISDIR(mode):
                    waiting.append(place)

    def copy_to(self, other: Root, *names: str) -> None:
        """Put copies of these folders into `other`, in place of what is there."""
        for name in names:
            copied = getattr(other, name)
            remove(copied)
            copy_folder(getattr(self, name), copied)

    def clear_media(self) -> None:
        """Make room for pictures: what an agent put in the folder's place is no folder of ours to write to."""
        if self.media.is_symlink() or not self.media.is_dir():
            remove(self.media)


def remove(place: Path) -> None:
    """Remove a file, a link, or a folder with all in it, however deep and whatever rights an agent gave it."""
    if place.is_symlink() or not place.is_dir():
        place.unlink(missing_ok=True)
        return
    try:
        shutil.rmtree(place)
    except (OSError, RecursionError):
        for words in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
            subprocess.run([*words, "--", str(place)], capture_output=True, check=False)
        if place.exists():
            raise


def copy_folder(source: Path, target: Path) -> None:
    """Copy files, folders and links (as links), however deep; not pipes and devices, which would keep us waiting."""
    waiting = [(source, target)]
    while waiting:
        here, there = waiting.pop()
        there.mkdir(mode=0o700)
        for place in here.iterdir():
            copied = there / place.name
            if place.is_symlink():
                copied.symlink_to(place.readlink())
            elif place.is_dir():
                waiting.append((place, copied))
            elif place.is_file():
                shutil.copy2(place, copied)
