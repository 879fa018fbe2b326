"""Brings one pinned file over HTTP: says the cost first, resumes, checks size and hash, and renames at the end.

The bytes go to `<name>.part`, beside it `<name>.part.etag` with the version that the server named. A cut stream is
taken up where it ended (`Range`, with `If-Range`), also by a later call; where the server ignores that, it starts
anew.
"""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from memarena.errors import DataError, StoreError, UsageError

ATTEMPTS = 5
"""Tries before a download is given up."""
TIMEOUT = 30.0
"""Seconds without a byte after which a try is given up."""
SPARE = 64 * 1024 * 1024
"""Bytes that must stay free on the disk."""

_CHUNK = 256 * 1024
_TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})

Confirm = Callable[[str], bool]
"""Is told the cost in one line and says whether to go on."""
Progress = Callable[[int, int], None]
"""Is told the bytes that are here and the bytes in all."""


@dataclass(frozen=True, kw_only=True)
class Remote:
    """A file of which size and hash are known before it is fetched."""

    url: str
    size: int
    sha256: str


def download(remote: Remote, target: Path, confirm: Confirm, progress: Progress, *, pause: float = 1.0) -> Path:
    """Bring `remote` to `target` and return it; nothing is done where it is already there.

    `pause` is the wait in seconds before the second try; it doubles from try to try. Raises UsageError where
    `confirm` says no, StoreError where the disk is too full or cannot be written, DataError where the file cannot be
    had or is another one.
    """
    if urlsplit(remote.url).scheme not in ("http", "https"):
        raise UsageError(f"{remote.url}: an address begins with https:// or http://")
    try:
        if target.exists():
            if digest(target) == remote.sha256:
                return target
            raise DataError("is another file than the one to fetch: move it away first", file=str(target))
        target.parent.mkdir(parents=True, exist_ok=True)
        transfer = _Transfer(remote, target.with_name(target.name + ".part"), progress, pause)
        agree(remote.url, remote.size, transfer.held(), target.parent, confirm)
        transfer.run()
        transfer.part.replace(target)
        transfer.etag.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{target}: cannot be read or written: {error.strerror or error}") from None
    return target


def agree(what: str, size: int, held: int, folder: Path, confirm: Confirm) -> None:
    """Say what `what` costs, in one line, and return only with room on the disk and a yes.

    `size` and `held` are bytes: in all, and already in `folder`. Raises StoreError or UsageError.
    """
    free = shutil.disk_usage(folder).free
    need = max(size - held, 0)
    if free < need + SPARE:
        raise StoreError(
            f"{folder}: {megabytes(need)} are needed and {megabytes(SPARE)} must stay free, "
            f"but only {megabytes(free)} are free: make room or choose another folder"
        )
    here = f", of which {megabytes(held)} are here already," if held else ""
    if not confirm(f"{what}: {megabytes(size)}{here} into {folder}, where {megabytes(free)} are free"):
        raise UsageError("nothing was fetched, since it was not confirmed")


def megabytes(size: int) -> str:
    """`size` bytes for people, e.g. `2.8 MB`."""
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{size / 1e6:,.1f} MB"


def digest(path: Path) -> str:
    """The sha256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class _InterruptedError(Exception):
    """A try failed in a way that may pass."""


class _Transfer:
    """One download into `part`."""

    def __init__(self, remote: Remote, part: Path, progress: Progress, pause: float) -> None:
        self.part = part
        self.etag = part.with_name(part.name + ".etag")
        self._remote = remote
        self._progress = progress
        self._pause = pause

    def held(self) -> int:
        """Bytes that are here."""
        return self.part.stat().st_size if self.part.exists() else 0

    def run(self) -> None:
        """Bring all bytes and check them. What an earlier call left may be damaged: it gets a second chance."""
        resumed = self.held() > 0
        self._bring()
        if resumed and digest(self.part) != self._remote.sha256:
            self._drop()
            self._bring()
        found = digest(self.part)
        if found != self._remote.sha256:
            self._drop()
            raise DataError(
                f"came with sha256 {found}, not {self._remote.sha256}: "
                "the file there is another one now, or was damaged on its way; it was thrown away",
                file=self._remote.url,
            )

    def _bring(self) -> None:
        for attempt in range(ATTEMPTS):
            if self.held() > self._remote.size:
                self._drop()
            if self.held() == self._remote.size:
                break
            try:
                self._try()
                break
            except _InterruptedError as error:
                problem = str(error)
            if attempt + 1 < ATTEMPTS:
                time.sleep(self._pause * 2**attempt)
        else:
            kept = megabytes(self.held())
            raise DataError(
                f"gave up after {ATTEMPTS} tries ({problem}); {kept} are kept, the same command goes on from there",
                file=self._remote.url,
            )
        self._progress(self._remote.size, self._remote.size)

    def _try(self) -> None:
        held = self.held()
        headers = {"Accept-Encoding": "identity", "User-Agent": "memarena"}
        if held:
            headers["Range"] = f"bytes={held}-"
            if self.etag.exists():
                headers["If-Range"] = self.etag.read_text(encoding="utf-8")
        try:
            with urlopen(Request(self._remote.url, headers=headers), timeout=TIMEOUT) as response:
                self._receive(response, held)
        except HTTPError as error:
            self._explain(error, held)
        except URLError as error:
            if isinstance(error.reason, TimeoutError | ConnectionResetError):
                raise _InterruptedError(str(error.reason)) from None
            raise DataError(f"cannot be reached ({error.reason}): is there a network?", file=self._remote.url) from None
        except (HTTPException, TimeoutError, ConnectionError) as error:
            raise _InterruptedError(str(error) or type(error).__name__) from None

    def _explain(self, error: HTTPError, held: int) -> None:
        """Raise what the status means."""
        error.close()
        if error.code == 416 and held:
            self._drop()
            raise _InterruptedError("the server has no bytes after those that are here")
        if error.code in _TRANSIENT:
            raise _InterruptedError(f"HTTP {error.code} {error.reason}")
        raise DataError(f"HTTP {error.code} {error.reason}: is the address right?", file=self._remote.url)

    def _receive(self, response: HTTPResponse, held: int) -> None:
        """Write the body after the first `held` bytes, or over them where the server sends all."""
        if response.status != 206 or not response.headers.get("Content-Range", "").startswith(f"bytes {held}-"):
            if response.status == 206:
                self._drop()
                raise _InterruptedError("the server sent another range than it was asked for")
            held = 0
        announced = response.headers.get("Content-Length")
        expected = self._remote.size - held
        if announced is not None and announced != str(expected):
            raise DataError(
                f"announces {announced[:20]} bytes where {expected} are expected: the file there is another one",
                file=self._remote.url,
            )
        self._remember(response.headers.get("ETag", ""))
        with self.part.open("r+b" if held else "wb") as stream:
            stream.seek(held)
            while chunk := _read(response, min(_CHUNK, self._remote.size - held + 1)):
                held += len(chunk)
                if held > self._remote.size:
                    stream.truncate(0)
                    raise DataError(f"sends more than {self._remote.size} bytes", file=self._remote.url)
                stream.write(chunk)
                self._progress(held, self._remote.size)
        if held < self._remote.size:
            raise _InterruptedError(f"the stream ended after {held} of {self._remote.size} bytes")

    def _remember(self, etag: str) -> None:
        """Keep a strong ETag: a weak one (`W/...`) may not be used with `If-Range`."""
        if etag.startswith('"'):
            self.etag.write_text(etag, encoding="utf-8")
        else:
            self.etag.unlink(missing_ok=True)

    def _drop(self) -> None:
        self.part.unlink(missing_ok=True)
        self.etag.unlink(missing_ok=True)


def _read(response: HTTPResponse, size: int) -> bytes:
    """At most `size` bytes, as they come, so that what came before a cut is kept."""
    try:
        return response.read1(size)
    except (HTTPException, OSError) as error:
        raise _InterruptedError(str(error) or type(error).__name__) from None
