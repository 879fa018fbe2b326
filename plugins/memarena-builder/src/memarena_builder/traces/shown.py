"""The pictures of a trace, taken along: from the log itself, or from files in one folder and nowhere else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from memarena_builder.layout import put
from memarena_builder.traces.log import Shown
from memarena_builder.traces.rows import Notes

KINDS = (
    (b"\x89PNG\r\n\x1a\n", ".png"),
    (b"\xff\xd8\xff", ".jpg"),
    (b"GIF87a", ".gif"),
    (b"GIF89a", ".gif"),
    (b"RIFF", ".webp"),
    (b"BM", ".bmp"),
)
"""How files of pictures begin, and how they are named."""
CAPTION = "picture that came with this turn"


class Album:
    """Takes the pictures of one sample."""

    def __init__(self, folder: Path, name: str, pictures: Path, notes: Notes) -> None:
        self.taken = self.missing = 0
        self._folder = folder
        self._name = name
        self._pictures = pictures.resolve()
        self._notes = notes

    def take(self, shown: Shown, image_id: str, where: str) -> dict[str, str] | None:
        """The attachment of a picture; None where there never was one. One that is not there is counted as missing."""
        data = shown.data or self._file(shown, where)
        if not data and shown.guesses:
            return None
        suffix = _suffix(data)
        if data and not suffix:
            self._notes.add("files left out that are no pictures", where)
        elif shown.address:
            self._notes.add("pictures on a network, which are not fetched", where)
        file = f"images/{self._name}/{image_id}{suffix or '.png'}"
        if suffix:
            put(self._folder / file, data)
            self.taken += 1
        else:
            self.missing += 1
        return {"type": "image_caption", "caption": CAPTION, "image_id": image_id, "file_path": file}

    def _file(self, shown: Shown, where: str) -> bytes:
        """What stands in the file of a picture; b"" where there is none in the folder of pictures."""
        found = next(self._candidates(shown), None)
        if found is None:
            return b""
        if not found.resolve().is_relative_to(self._pictures):
            self._notes.add("links left out that lead out of the folder of pictures", where)
            return b""
        return found.read_bytes()

    def _candidates(self, shown: Shown) -> Iterator[Path]:
        """Files that may be it: the whole path below the folder, or its end, whatever it begins in."""
        for pattern in shown.guesses:
            yield from sorted(each for each in self._pictures.glob(pattern) if each.is_file())
        parts = [each for each in PurePosixPath(shown.path.replace("\\", "/")).parts if each not in ("/", "..", ".")]
        for begin in range(len(parts)):
            path = self._pictures.joinpath(*parts[begin:])
            if "\0" not in shown.path and len(os.fspath(path)) < 4000 and _is_file(path):
                yield path


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _suffix(data: bytes) -> str:
    found = next((suffix for begin, suffix in KINDS if data.startswith(begin)), "")
    return "" if found == ".webp" and data[8:12] != b"WEBP" else found
