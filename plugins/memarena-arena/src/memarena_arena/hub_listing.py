"""What a Hugging Face hub has of a data set at one commit: names, sizes, hashes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from errno import EACCES, EDQUOT, ENOSPC, EROFS
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path
from typing import Any

from memarena.errors import DataError, MemarenaError, PluginError, StoreError
from memarena_arena import manifest

ENDPOINT_VARIABLE = "HF_ENDPOINT"
"""Environment variable with the address of another hub, the one that huggingface_hub reads too."""
PATTERNS = ("agent/**", "lifelong/**", "WorldMemArena/agent/**", "WorldMemArena/lifelong/**", "*.json")
"""What is fetched of the repository; `*` spans folders, as it does in huggingface_hub."""
COMMIT = re.compile(r"[0-9a-f]{40}")

_DISK_ERRORS = frozenset({EACCES, EDQUOT, ENOSPC, EROFS})


@dataclass(frozen=True, kw_only=True)
class RemoteFile:
    """A file as the hub lists it."""

    name: str
    size: int
    sha256: str
    """"" where the hub knows only the git hash."""
    git_sha1: str
    """Of the git blob; "" where `sha256` is known."""


@dataclass(frozen=True, kw_only=True)
class Listing:
    """A data set at one commit."""

    repo: str
    commit: str
    files: tuple[RemoteFile, ...]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


def library() -> Any:
    """huggingface_hub; raises PluginError where it is not installed."""
    try:
        return import_module("huggingface_hub")
    except ImportError:
        raise PluginError("needs huggingface_hub: pip install 'memarena-arena[fetch]'") from None


def endpoint() -> str | None:
    """The hub to ask, or None for the public one."""
    return os.environ.get(ENDPOINT_VARIABLE) or None


@contextmanager
def explained(repo: str, to: Path | None = None) -> Iterator[None]:
    """Whatever the library raises, as an error in one line."""
    try:
        yield
    except MemarenaError:
        raise
    except OSError as error:
        if error.errno in _DISK_ERRORS:
            raise StoreError(f"{to or ''}: cannot be written: {error.strerror}; what came is kept") from error
        raise DataError(_first_line(error), file=repo) from error
    except Exception as error:  # the classes of its transport change from version to version
        raise DataError(_first_line(error), file=repo) from error


def may_pass(error: Exception) -> bool:
    """Whether a download that failed so is worth another try: not with a full disk, nor with a refusal (HTTP 4xx)."""
    status = getattr(getattr(error, "response", None), "status_code", None)
    if isinstance(status, int) and 400 <= status < 500 and status not in (408, 425, 429):
        return False
    return getattr(error, "errno", None) not in _DISK_ERRORS


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = next((line for line in lines if not line.startswith("Got:")), type(error).__name__)
    return f"could not be fetched: {said}"


def list_files(repo: str, revision: str) -> Listing:
    """What the hub has at `revision`, with sizes and hashes."""
    hub = library()
    with explained(repo):
        info = hub.HfApi(endpoint=endpoint(), library_name="memarena").repo_info(
            repo, repo_type="dataset", revision=revision, files_metadata=True
        )
    if not isinstance(info.sha, str) or not COMMIT.fullmatch(info.sha):
        raise DataError(f"the hub names no commit for {revision}", file=repo)
    files = tuple(_remote(sibling, repo) for sibling in info.siblings or () if _wanted(sibling.rfilename))
    if not files:
        raise DataError(f"holds neither agent/ nor lifelong/ at {revision}", file=repo)
    return Listing(repo=repo, commit=info.sha, files=files)


def _wanted(name: str) -> bool:
    return name != manifest.FILE_NAME and any(fnmatchcase(name, pattern) for pattern in PATTERNS)


def _remote(sibling: Any, repo: str) -> RemoteFile:
    manifest.require_inside(sibling.rfilename, repo)
    if not isinstance(sibling.size, int) or sibling.size < 0:
        raise DataError(f"the hub does not say how large {sibling.rfilename} is", file=repo)
    return RemoteFile(
        name=sibling.rfilename,
        size=sibling.size,
        sha256=sibling.lfs.sha256 if sibling.lfs else "",
        git_sha1="" if sibling.lfs else sibling.blob_id or "",
    )
