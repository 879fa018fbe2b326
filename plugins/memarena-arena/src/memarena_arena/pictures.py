"""Finds the pictures that a data set names, and lets none lie outside it.

Each folder is listed once, so that a picture costs no system call of its own.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from memarena_arena.faults import quoted
from memarena_arena.pictureheader import read_header

MEDIA_TYPES: Mapping[str, str] = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".bmp": "image/bmp",
}
"""By the ending of a name, in lower case."""

_OUTWARD = re.compile(r"[\\/]|[A-Za-z]:|(?:.*[\\/])?\.\.(?:[\\/]|\Z)", re.DOTALL)
"""Absolute in some system, or a step up. A drive letter needs no slash to be absolute."""

_FOLDERS = 16
"""So many listings are kept: samples may share a folder, and a data set may have thousands of them."""


class Picture(Struct, frozen=True, gc=False):
    """What became of a path that a data set names."""

    path: str | None
    """Absolute; None where there is no usable picture."""
    media_type: str = ""
    code: str = ""
    """`missing_picture`, `broken_picture` or `outside_picture`; "" where all is well."""
    problem: str = ""


class Pictures:
    """The pictures below one folder.

    With `check`, the header of each is read: what is no picture, or claims more than `max_pixels`, is broken.
    """

    def __init__(self, root: Path, *, check: bool, max_pixels: int, links: Collection[str] | None = None) -> None:
        """`links`: the folders below `root` that are links, as POSIX paths relative to it; None: not known."""
        self._root = os.path.realpath(root)
        self._links = links
        self._check = check
        self._max_pixels = max_pixels
        self._base = self._root
        self._folders: dict[tuple[str, str], _Folder] = {}
        self._known: dict[str, Picture] = {}

    def relative_to(self, folder: str) -> None:
        """Paths are relative to `folder` from now on: an absolute one below the root, without links."""
        self._base = folder
        self._known = {}

    def find(self, name: str) -> Picture:
        """The picture that the data set calls `name`, a POSIX path."""
        picture = self._known.get(name)
        if picture is None:
            picture = self._known[name] = self._find(name)
        return picture

    def _find(self, name: str) -> Picture:
        place, _, last = name.rpartition("/")
        folder = self._folders.get((self._base, place))
        if folder is None:
            if not name or "\0" in name:
                return Picture(None, code="missing_picture", problem="the attachment names no file")
            if _OUTWARD.match(name):
                return _outside(name, "is absolute or has '..'")
            folder = self._enter(place)
        if last not in folder.files:
            return self._strange(name, last, folder)
        return self._found(name, f"{folder.path}/{last}")

    def _found(self, name: str, path: str) -> Picture:
        return self._opened(name, path) if self._check else Picture(path, media_type_of(path))

    def _strange(self, name: str, last: str, folder: _Folder) -> Picture:
        """A picture that is not there, or that is a link."""
        if _OUTWARD.match(name):
            return _outside(name, "is absolute or has '..'")
        if folder.outside:
            return _outside(name, "leaves the data set by a link")
        if last in folder.links:
            path = os.path.realpath(f"{folder.path}/{last}")
            if not self._holds(path):
                return _outside(name, "is a link that leaves the data set")
            if _is_file(path):
                return self._found(name, path)
        return Picture(None, code="missing_picture", problem=f"{quoted(name)} {folder.why_not(last)}")

    def _enter(self, place: str) -> _Folder:
        """The listing of a folder, kept for those that share it."""
        if len(self._folders) >= _FOLDERS:
            del self._folders[next(iter(self._folders))]
        folder = self._folders[self._base, place] = self._list(place)
        return folder

    def _list(self, place: str) -> _Folder:
        real = f"{self._base}/{place}"
        if self._links is None or self._links:
            real = os.path.realpath(real)
        if not self._holds(real):
            return _Folder(real, outside=True)
        files: set[str] = set()
        links: set[str] = set()
        others: set[str] = set()
        try:
            with os.scandir(real) as entries:
                for entry in entries:
                    if entry.is_file(follow_symlinks=False):
                        files.add(entry.name)
                    else:
                        (links if entry.is_symlink() else others).add(entry.name)
        except (OSError, ValueError):
            return _Folder(real)
        return _Folder(real, files, links, others)

    def _holds(self, real: str) -> bool:
        return real == self._root or real.startswith(self._root.rstrip(os.sep) + os.sep)

    def _opened(self, name: str, path: str) -> Picture:
        try:
            header = read_header(path)
        except OSError as error:
            return Picture(None, code="broken_picture", problem=f"{quoted(name)} cannot be read ({error.strerror})")
        except ValueError as error:
            return Picture(None, code="broken_picture", problem=f"{quoted(name)} {error}")
        if header.width * header.height > self._max_pixels:
            problem = (
                f"{quoted(name)} claims {header.width:,} x {header.height:,} pixels; "
                f"at most {self._max_pixels:,} are opened (max_pixels)"
            )
            return Picture(None, code="broken_picture", problem=problem)
        return Picture(path, header.media_type)


class _Folder(NamedTuple):
    """The names of the files in a folder, of what is a link there, and of what is neither."""

    path: str
    files: Collection[str] = ()
    links: Collection[str] = ()
    others: Collection[str] = ()
    outside: bool = False

    def why_not(self, name: str) -> str:
        """`does not exist`, with the file that is probably meant, or what is there in its place."""
        if name in self.others:
            return "is no file"
        wanted = _folded(name)
        close = [other for other in self.files if _folded(other) == wanted]
        return f"does not exist; there is {quoted(min(close))}" if close else "does not exist"


def media_type_of(name: str) -> str:
    """The media type by the ending of `name`; "" where it is not one of a picture."""
    return MEDIA_TYPES.get(name[-4:]) or MEDIA_TYPES.get(name[name.rfind(".") :].lower(), "")


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except OSError:
        return False


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _outside(name: str, how: str) -> Picture:
    problem = f"{quoted(name)} {how}: pictures lie below the folder of the data set"
    return Picture(None, code="outside_picture", problem=problem)
