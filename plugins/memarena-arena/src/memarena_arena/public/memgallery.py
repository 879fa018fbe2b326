"""Mem-Gallery: 20 dialogues in which pictures are shared, 1,711 questions, 487 of them with a picture (MIT).

A file becomes a sample, and so does any file of the same shape (MemEye). A round `D1:3` becomes two turns, `D1:3u` with
its picture and `D1:3a`; evidence names rounds, and means both turns. Ids of pictures (`D1:IMG_002`) are kept, since
answers name them. Of the profile only the name of the person is read, whom questions call by it: the user's turns have
it as their speaker. The rest is no part of the dialogue.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from memarena.errors import DataError, UsageError
from memarena.records import Checkpoint, Finding, Sample
from memarena_arena.faults import Faults
from memarena_arena.public import fields
from memarena_arena.public.memgallery_questions import read_questions
from memarena_arena.public.memgallery_rounds import Gallery, read_sessions
from memarena_arena.public.opened import PublicOptions, PublicSamples, files_of, sample_id
from memarena_arena.public.stream import Item, head_of, opened, whole

LICENCE = "MIT"

_FILES = {"dialog": re.compile(r"\.json$")}
_FILE = frozenset({"character_profile", "multi_session_dialogues", "human-annotated QAs"})


class MemGalleryOptions(PublicOptions, frozen=True, kw_only=True):
    """What is read, and where the pictures lie."""

    image_root: str = ""
    """Folder that stands for the `../image` of the files; "": the folder `image` beside theirs."""
    check_pictures: bool = True
    """Read the header of each picture: what is no picture (a Git LFS pointer, say) counts as missing."""
    max_pixels: int = 50_000_000
    """A picture that claims more counts as missing."""


class MemGallery:
    """Data set `memgallery`: the folder with `dialog/*.json`, that folder itself, or one of its files."""

    name = "memgallery"
    revision = 1
    Options = MemGalleryOptions

    def __init__(self, options: MemGalleryOptions | None = None) -> None:
        self._options = options or MemGalleryOptions()

    def accepts(self, path: Path) -> bool:
        """Whether the first bytes of `path`, or of a file in it or in its `dialog`, are those of Mem-Gallery."""
        if path.is_dir():
            files = [*sorted(path.glob("*.json")), *sorted(path.glob("dialog/*.json"))]
            return any(self.accepts(file) for file in files[:3])
        head = head_of(path)
        return head[:1] == b"{" and (b'"multi_session_dialogues"' in head or b'"character_profile"' in head)

    def open(self, source: str, options: MemGalleryOptions | None = None) -> PublicSamples:
        """Open a file or a folder; raises UsageError or DataError where there is nothing to read."""
        if not source:
            raise UsageError("memgallery needs a folder or a file: -d memgallery:PATH")
        chosen = options or self._options
        place = Path(source)
        files = files_of(place / "dialog" if (place / "dialog").is_dir() else place, "", _FILES, (".json",))
        if chosen.image_root and not Path(chosen.image_root).is_dir():
            raise DataError("there is no such folder (image_root)", file=chosen.image_root)
        for file in files:
            opened(file, chosen).close()
        return PublicSamples(chosen, LICENCE, lambda: _Pass(files, chosen))


class _Pass:
    """One pass over the files."""

    def __init__(self, files: list[Path], options: MemGalleryOptions) -> None:
        self._files = files
        self._options = options
        self._unread = fields.Unread()
        self._galleries: dict[Path, Gallery] = {}

    def items(self) -> Iterable[Item]:
        return (whole(file, self._options) for file in self._files)

    def finish(self) -> Iterable[Finding]:
        return ()

    def build(self, item: Item) -> Sample | None:
        faults = item.faults
        raw = fields.an_object(item.value, "dialogue file", item.path, faults)
        if raw is None:
            return None
        self._unread.tell(raw, _FILE, "file", item.path, faults)
        name = sample_id(item.file.stem, item.path, faults)
        gallery = self._gallery(item.file.parent, faults)
        sessions = read_sessions(raw, gallery, self._unread, faults, _name_of(raw, faults))
        questions = read_questions(raw, sessions, gallery, self._unread, faults)
        if faults.refused:
            return None
        covered = tuple(session.session_id for session in sessions)
        asked = Checkpoint(checkpoint_id="end", covered=covered, after_session=covered[-1], questions=questions)
        checkpoints = (asked,) if questions else ()
        return Sample(sample_id=name, domain="memgallery", sessions=sessions, checkpoints=checkpoints)

    def _gallery(self, folder: Path, faults: Faults) -> Gallery:
        """The pictures of the files in `folder`; says once where there is no folder of pictures."""
        known = self._galleries.get(folder)
        if known is None:
            root = Path(self._options.image_root) if self._options.image_root else folder.parent / "image"
            if not root.is_dir():
                problem = f"there is no folder {root}: every picture is missing (image_root names another)"
                faults.warn("no_picture_folder", problem, "$")
            known = self._galleries[folder] = Gallery(
                root, check=self._options.check_pictures, max_pixels=self._options.max_pixels
            )
        return known


def _name_of(raw: Mapping[str, Any], faults: Faults) -> str:
    """What questions call the person; "" with a note where the profile does not say."""
    profile = raw.get("character_profile")
    name = fields.a_text(profile, "name", "$.character_profile", faults) if isinstance(profile, dict) else ""
    if not name.strip():
        faults.note("no_name", "no name in it: the user's turns have no speaker", "$.character_profile")
    return name.strip()
