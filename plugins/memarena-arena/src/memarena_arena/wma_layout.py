"""Where the samples of a WorldMemArena folder lie, and in which order they are read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from memarena.errors import DataError, UsageError
from memarena_arena.faults import printable
from memarena_arena.jsonfile import Limits, read_json

REGIMES: Mapping[str, str] = {"agent": "agentic", "lifelong": "lifelong"}
"""By the first folder; a sample that lies elsewhere is `external`."""

SMALL, SMALL_IDS = "small", "small_ids.json"
SPLITS = "splits.json"
TWINS = "twins.json"


class SampleFile(NamedTuple):
    """A JSON file that may be a sample."""

    path: str
    """Absolute, with the root resolved; no folder in it is a link."""
    name: str
    """POSIX path relative to the root."""
    inside: bool
    """Its real place is below the root."""

    @property
    def folder(self) -> str:
        """The absolute path of its folder."""
        return self.path[: -len(self.name.rpartition("/")[2]) - 1]

    @property
    def domain(self) -> str:
        """Its folder, relative to the root."""
        return self.name.rpartition("/")[0]

    @property
    def regime(self) -> str:
        """`lifelong`, `agentic` or `external`."""
        return REGIMES.get(self.name.partition("/")[0], "external")

    @property
    def stem(self) -> str:
        """Its name without folder and `.json`: in the published data the id of its sample."""
        return self.name.rpartition("/")[2].removesuffix(".json")


def root_of(source: Path) -> Path:
    """The folder that holds `agent` and `lifelong`: `source`, or its only child that has them (a doubled folder).

    Where neither has them it is `source`. Raises DataError where `source` is no folder.
    """
    if not source.is_dir():
        problem = "is a file; name the folder of the data set" if source.exists() else "there is no such folder"
        raise DataError(problem, file=str(source))
    root = source.resolve()
    if _has_regime(root):
        return root
    try:
        children = [child for child in root.iterdir() if child.is_dir() and not child.name.startswith(".")]
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror})", file=str(source)) from None
    fitting = [child for child in children if _has_regime(child)]
    return fitting[0].resolve() if len(fitting) == 1 else root


def has_samples(source: Path) -> bool:
    """Whether `source` looks like a folder of this layout. Reads no file."""
    return source.is_dir() and _has_regime(root_of(source))


class Listing(NamedTuple):
    """The JSON files below a root."""

    files: tuple[SampleFile, ...]
    """In the order of the published loader: sorted by the parts of their paths."""
    hidden: tuple[str, ...]
    """Never read: a leading dot in the name or in a folder."""
    links: tuple[str, ...]
    """Folders that are links; they are not followed."""


def list_samples(root: Path) -> Listing:
    """All that may be a sample below `root` (a file directly in it never is). Raises DataError for a folder that
    cannot be read."""
    found: list[SampleFile] = []
    hidden: list[str] = []
    links: list[str] = []
    folders = [""]
    while folders:
        place = folders.pop()
        for entry in _entries(root, place):
            if entry.is_file(follow_symlinks=False):
                if not entry.name.endswith(".json"):
                    continue
            elif entry.is_dir(follow_symlinks=False):
                folders.append(f"{place}{entry.name}/")
                continue
            elif _is_folder(entry):
                links.append(place + entry.name)
                continue
            if place and entry.name.endswith(".json") and entry.name != SMALL_IDS:
                name = place + entry.name
                if name.startswith(".") or "/." in name:
                    hidden.append(name)
                else:
                    found.append(SampleFile(entry.path, name, not entry.is_symlink() or _is_inside(entry.path, root)))
    found.sort(key=lambda file: file.name.split("/"))
    return Listing(tuple(found), tuple(sorted(hidden)), tuple(sorted(links)))


def _entries(root: Path, place: str) -> list[os.DirEntry[str]]:
    folder = f"{root}{os.sep}{place}" if place else os.fspath(root)
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror})", file=printable(folder)) from None


def _is_folder(link: os.DirEntry[str]) -> bool:
    try:
        return link.is_dir()
    except OSError:
        return False  # a link to itself


def _is_inside(path: str, root: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(root)


def split_ids(root: Path, split: str, limits: Limits) -> tuple[str, ...]:
    """The ids of a split: `small` from `small_ids.json`, any other from `splits.json` (name -> ids).

    Raises UsageError where there is no such split, DataError where the file is missing or holds no list of texts, or an
    empty one.
    """
    named = split != SMALL
    path = root / (SPLITS if named else SMALL_IDS)
    if not path.exists():
        if named:
            raise UsageError(f"--split {split}: this data set has all and {SMALL}")
        raise DataError("is missing, and --split small needs it: a JSON list of sample ids", file=str(path))
    ids, where = read_json(path, limits), "$"
    if named:
        if not isinstance(ids, dict) or split not in ids:
            known = ", ".join(sorted(ids)) if isinstance(ids, dict) else "none"
            raise UsageError(f"--split {split}: {path} names {known}")
        ids, where = ids[split], f"$.{split}"
    if not isinstance(ids, list) or not ids:
        raise DataError("a list of sample ids is needed", file=str(path), path=where)
    for index, name in enumerate(ids):
        if not isinstance(name, str):
            raise DataError("a sample id is needed", file=str(path), path=f"{where}[{index}]")
    return tuple(ids)


def _has_regime(folder: Path) -> bool:
    return any((folder / name).is_dir() for name in REGIMES)


def sample_notes(root: Path, limits: Limits) -> dict[str, dict[str, Any]]:
    """What the data set says of its samples beside them, by sample id: `split`, from `splits.json`, and `twin`, from
    `twins.json`. Raises DataError for a file that does not map names to lists of ids, and ids to objects."""
    notes: dict[str, dict[str, Any]] = {}
    for split, ids in _object(root / SPLITS, limits, list).items():
        for name in filter(lambda each: isinstance(each, str), ids):
            note = notes.setdefault(name, {})
            note["split"] = f"{note['split']}, {split}" if "split" in note else split
    for name, twin in _object(root / TWINS, limits, dict).items():
        notes.setdefault(name, {})["twin"] = twin
    return notes


def _object(path: Path, limits: Limits, kind: type) -> dict[str, Any]:
    if not path.exists():
        return {}
    found = read_json(path, limits)
    if not isinstance(found, dict):
        raise DataError("an object is needed", file=str(path), path="$")
    for name, value in found.items():
        if not isinstance(value, kind):
            raise DataError(f"{'a list' if kind is list else 'an object'} is needed", file=str(path), path=f"$.{name}")
    return found
