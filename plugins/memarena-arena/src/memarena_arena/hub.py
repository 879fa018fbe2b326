"""Brings the WorldMemArena data set at one commit from a Hugging Face hub, and checks it file by file.

`WorldMemArena.fetch` calls `fetch_worldmemarena`. The download itself is huggingface_hub's, which resumes; what is
added here: the commit is pinned and said, the cost is told first, and a manifest of hashes tells later what changed.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from pathlib import Path
from typing import Any

from memarena.errors import DataError, UsageError
from memarena_arena import manifest
from memarena_arena.fetch import Confirm, Progress, agree
from memarena_arena.hub_listing import COMMIT, PATTERNS, Listing, endpoint, explained, library, list_files, may_pass
from memarena_arena.manifest import FileFacts, Manifest

REPO = "WorldMemArena/WorldMemArena"
REPO_VARIABLE = "MEMARENA_WORLDMEMARENA_REPO"
"""Environment variable with another repository (a mirror or a copy)."""

ATTEMPTS = 3
"""Times that a download is begun before it is given up."""

_CHUNK = 1024 * 1024
_TICK_SECONDS = 2.0


def fetch_worldmemarena(to: Path, revision: str | None, confirm: Confirm, progress: Progress) -> Path:
    """Bring the data set at `revision` into the folder `to`, write its manifest, and return the folder.

    `revision` is a commit, or a tag or branch, which is resolved to one; the line that `confirm` is told says which,
    and what it costs in disk. Where the folder holds that commit already, it is checked instead, and only what is
    missing is brought. `progress` is told the bytes as they come, then anew as they are checked.

    Raises UsageError (no revision, another one is there, not confirmed), PluginError (huggingface_hub is not
    installed), StoreError (the disk) or DataError (the hub, or files that changed).
    """
    if not revision:
        raise UsageError("--revision: name a commit, tag or branch of the data set, e.g. --revision main")
    repo = os.environ.get(REPO_VARIABLE) or REPO
    known = manifest.read(to)
    listing = None
    if known is None or not COMMIT.fullmatch(revision):
        listing = list_files(repo, revision)
    commit = listing.commit if listing else revision
    if known is not None:
        if (known.repo, known.revision) != (repo, commit):
            raise UsageError(f"{to} holds {known.repo} at {known.revision}: choose another folder for {commit}")
        if not _missing(to, known, progress):
            return to
    listing = listing or list_files(repo, commit)
    named = f"{repo} at {commit}" + (f" (now {revision})" if revision != commit else "")
    with explained(repo, to):
        to.mkdir(parents=True, exist_ok=True)
        agree(f"{named}, {len(listing.files):,} files", listing.size, _held(to, listing), to, confirm)
        _snapshot(listing, to, progress)
        found = _checked(to, listing, progress)
        if known is None:
            manifest.write(to, found)
        else:
            _missing(to, known, progress)
    return to


def _missing(to: Path, known: Manifest, progress: Progress) -> list[str]:
    """The files that are not there; raises DataError where one is there but changed."""
    faults = manifest.faults(to, known, progress)
    changed = {name: fault for name, fault in faults.items() if fault == "changed"}
    if changed:
        problem = f"not as it was fetched: {manifest.named(faults)}; remove what changed and fetch again"
        raise DataError(problem, file=str(to))
    return list(faults)


def _held(to: Path, listing: Listing) -> int:
    """Bytes of the files that are there in their full size."""
    return sum(file.size for file in listing.files if _size(to / file.name) == file.size)


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def _snapshot(listing: Listing, to: Path, progress: Progress) -> None:
    """Download what is not there; not every version of the library takes up a broken stream by itself."""
    bar = _ticking(listing, to, progress)
    for attempt in range(1, ATTEMPTS + 1):
        try:
            library().snapshot_download(
                listing.repo,
                repo_type="dataset",
                revision=listing.commit,
                local_dir=to,
                allow_patterns=list(PATTERNS),
                ignore_patterns=[manifest.FILE_NAME],
                endpoint=endpoint(),
                library_name="memarena",
                tqdm_class=bar,
            )
            return
        except Exception as error:
            if attempt == ATTEMPTS or not may_pass(error):
                raise
            time.sleep(attempt)


def _ticking(listing: Listing, to: Path, progress: Progress) -> type:
    """A silent bar for huggingface_hub that tells `progress` from time to time what is on the disk."""
    bar = library().utils.tqdm
    lock = threading.Lock()
    last = time.monotonic()

    def start(self: Any, *args: Any, **kwargs: Any) -> None:
        bar.__init__(self, *args, **{**kwargs, "disable": True})

    def update(self: Any, n: float | None = 1) -> None:
        nonlocal last
        with lock:
            if time.monotonic() - last >= _TICK_SECONDS:
                progress(_held(to, listing), listing.size)
                last = time.monotonic()

    return type("Ticking", (bar,), {"__init__": start, "update": update})


def _checked(to: Path, listing: Listing, progress: Progress) -> Manifest:
    """The manifest of what came. A file that is not what the hub listed is removed, and a DataError names it."""
    files: dict[str, FileFacts] = {}
    faults: dict[str, str] = {}
    done = 0
    for file in listing.files:
        path = to / file.name
        if not path.is_file():
            faults[file.name] = "missing"
            continue
        sha256, git_sha1 = _hashes(path)
        expected = (file.size, file.sha256 or sha256, file.git_sha1 or git_sha1)
        if (path.stat().st_size, sha256, git_sha1) != expected:
            faults[file.name] = "damaged, removed"
            path.unlink()
        files[file.name] = FileFacts(size=file.size, sha256=sha256)
        done += file.size
        progress(done, listing.size)
    if faults:
        raise DataError(f"not what the hub lists: {manifest.named(faults)}; fetch again", file=str(to))
    return Manifest(repo=listing.repo, revision=listing.commit, files=files)


def _hashes(path: Path) -> tuple[str, str]:
    """The sha256 of a file and the sha1 that git gives it, in one reading."""
    sha256 = hashlib.sha256()
    git_sha1 = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            sha256.update(chunk)
            git_sha1.update(chunk)
    return sha256.hexdigest(), git_sha1.hexdigest()
