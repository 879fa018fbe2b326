"""What was fetched, file by file, so that a later look can tell whether it is still the same.

`memarena-manifest.json` lies in the root of the data set, where no JSON file is ever a sample:
`{"repo": ..., "revision": <commit>, "files": {name: {"size": bytes, "sha256": hexadecimal}}}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

import msgspec

from memarena.errors import DataError
from memarena.records import Record
from memarena_arena.fetch import digest

FILE_NAME = "memarena-manifest.json"


class FileFacts(Record, frozen=True, kw_only=True):
    """What one file must be."""

    size: int
    """Bytes."""
    sha256: str


class Manifest(Record, frozen=True, kw_only=True):
    """What a folder must hold."""

    repo: str
    revision: str
    """Commit."""
    files: Mapping[str, FileFacts]
    """By path below the root, with `/`."""


def read(root: Path) -> Manifest | None:
    """The manifest of a data set, or None where it has none; raises DataError where it cannot be understood."""
    path = root / FILE_NAME
    if not path.is_file():
        return None
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        problem = f"is no manifest ({error}): remove it and fetch again"
        raise DataError(problem, file=str(path)) from None
    for name in manifest.files:
        require_inside(name, str(path))
    return manifest


def write(root: Path, manifest: Manifest) -> Path:
    """Write `manifest` into `root` in one step and return its path."""
    path = root / FILE_NAME
    draft = path.with_name(path.name + ".part")
    draft.write_bytes(msgspec.json.format(msgspec.json.encode(manifest, order="sorted"), indent=1) + b"\n")
    draft.replace(path)
    return path


def faults(
    root: Path, manifest: Manifest, progress: Callable[[int, int], None] = lambda done, total: None
) -> dict[str, str]:
    """What is not as it was fetched: name -> `missing` or `changed`. Reads every byte; `progress` counts them."""
    found: dict[str, str] = {}
    total, done = sum(facts.size for facts in manifest.files.values()), 0
    for name, facts in manifest.files.items():
        path = root / name
        if not path.is_file():
            found[name] = "missing"
        elif path.stat().st_size != facts.size or digest(path) != facts.sha256:
            found[name] = "changed"
        done += facts.size
        progress(done, total)
    return found


def require_inside(name: str, file: str) -> None:
    """Raise DataError unless `name` is a path below the root that means the same on every system."""
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or any(mark in name for mark in "\\:\0"):
        raise DataError(f"{name[:200]!r} does not stay inside the data set", file=file)


def named(faults: Mapping[str, str], most: int = 5) -> str:
    """The faults in one line, the first few by name."""
    shown = ", ".join(f"{name} ({fault})" for name, fault in list(faults.items())[:most])
    return f"{shown} and {len(faults) - most:,} more" if len(faults) > most else shown
