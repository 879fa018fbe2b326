"""Where schema packs are found, in this package and in folders of one's own, and how their files are read."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from memarena.catalog import did_you_mean
from memarena.errors import DataError, UsageError

VARIABLE = "MEMARENA_PACKS"
"""The environment variable that names folders of one's own packs, parted like those of `PATH`."""

DOMAINS = ("academic", "software", "health", "finance", "education", "startup", "personal")
"""The domains that come with this package; a language has those for which there is a file."""
SHARED = ("asking", "chat", "common", "formal", "halves", "pools", "scripts", "wording", "writing")
"""The other files of a language, which all its domains share."""

_NAME, _TWINS = re.compile(r"[a-z][a-z0-9_]*"), re.compile(r"twins\d+")
_OURS = files("memarena_builder.packs")
_ONLY: ContextVar[Path | None] = ContextVar("_ONLY", default=None)
"""The one folder in which packs are looked for, whatever the variable says."""


class Place(NamedTuple):
    """A place in a file of a pack, for what is said of it."""

    file: str
    path: str = ""

    def at(self, *steps: str | int) -> Place:
        """A place below: a key, or the place of an entry in a list, counted from 0 as in JSON paths."""
        path = self.path
        for step in steps:
            path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
        return Place(self.file, path)

    def entry(self, name: str) -> Place:
        """The entry of a list of tables that is called so."""
        return Place(self.file, f"{self.path}[{name!r}]")

    def wrong(self, problem: str) -> DataError:
        """The error for what is wrong here."""
        return DataError(problem, file=self.file, path=self.path)


@cache
def languages() -> tuple[str, ...]:
    """The languages that have schema packs, in alphabetical order."""
    folders = (each for each in _OURS.iterdir() if each.is_dir())
    return tuple(sorted(each.name for each in folders if (each / "common.toml").is_file()))


@cache
def domains_of(language: str) -> tuple[str, ...]:
    """The domains that a language has: those of this package, then one's own by their names.

    Raises UsageError where `MEMARENA_PACKS` names what is no folder of packs, DataError for a file in one that cannot
    be a pack.
    """
    folder = _OURS / language
    ours = tuple(domain for domain in DOMAINS if (folder / f"{domain}.toml").is_file())
    return (*ours, *sorted(outside(language)))


@cache
def outside(language: str) -> Mapping[str, Path]:
    """The files of one's own packs in a language, by domain; raises as `domains_of`."""
    found: dict[str, Path] = {}
    for folder in _folders():
        for of, file in packs_in(folder):
            if of == language and found.setdefault(file.stem, file) != file:
                raise DataError(f"{found[file.stem]} is a pack of the same name: rename one of them", file=str(file))
    return found


@contextmanager
def only(folder: Path | None) -> Iterator[None]:
    """Look for packs of one's own in `folder` alone; None: where `MEMARENA_PACKS` says."""
    before = _ONLY.set(folder)
    try:
        yield
    finally:
        _ONLY.reset(before)


def _folders() -> list[Path]:
    folder = _ONLY.get()
    return [folder] if folder else [Path(each) for each in os.environ.get(VARIABLE, "").split(os.pathsep) if each]


def packs_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """The packs in a folder of one's own, `LANGUAGE/DOMAIN.toml`, each with its language; raises as `domains_of`."""
    if not folder.is_dir():
        raise UsageError(f"{folder}: there is no such folder of packs{_named()}")
    if lying := sorted(folder.glob("*.toml")):
        raise DataError(f"belongs into the folder of its language, e.g. {folder / 'en'}", file=str(lying[0]))
    made = sorted(folder.glob("[!.]*/*.toml"))
    if not made:
        raise UsageError(f"{folder}: there are no packs; one is a file such as {folder / 'en/bakery.toml'}{_named()}")
    for file in made:
        language = file.parent.name
        if language not in languages():
            known = did_you_mean(language, languages())
            raise DataError(f"there is no language {language!r} for its folder{known}", file=str(file))
        if file.stem in (*DOMAINS, *SHARED):
            raise DataError("memarena-builder has a file of this name: rename yours", file=str(file))
        if not _NAME.fullmatch(file.stem):
            raise DataError("a pack is called by small letters, digits and _: rename the file", file=str(file))
        if file.stem in languages() or _TWINS.fullmatch(file.stem):
            raise DataError(f"`sim:tiny+{file.stem}` means something else: rename the file", file=str(file))
        yield language, file


def _named() -> str:
    """Where a folder was named, if not by who asks."""
    return "" if _ONLY.get() else f" ({VARIABLE})"


def require_domain(domain: str, language: str) -> None:
    """Raise DataError where a language has no such domain."""
    if domain not in domains_of(language):
        near = did_you_mean(domain, domains_of(language))
        raise DataError(
            f"there is no such schema pack{near}; one's own are looked for in the folders of {VARIABLE}",
            file=f"{language}/{domain}.toml",
        )


def called(name: str, language: str) -> str:
    """What a file of packs is called in messages: `en/health.toml`, or the path of one's own."""
    own = outside(language).get(name) if name not in (*DOMAINS, *SHARED) else None
    return str(own) if own else f"{language}/{name}.toml"


def read(name: str, language: str) -> dict[str, Any]:
    """A file of packs as it is; raises DataError where there is none, and where it is no TOML in UTF-8."""
    place = outside(language).get(name) or _OURS / language / f"{name}.toml"
    file = called(name, language)
    if not place.is_file():
        require_domain(name, language)
        raise DataError("is no file", file=file)
    try:
        return parsed(place.read_bytes(), file)
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", file=file) from None


def parsed(raw: bytes, file: str) -> dict[str, Any]:
    """TOML from its bytes; raises DataError with the line that is wrong."""
    try:
        if raw.startswith(b"\xef\xbb\xbf"):
            raise DataError("begins with a byte order mark: save it as UTF-8 without one", file=file)
        return tomllib.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DataError(f"is not in UTF-8 (at line {line}): save it as UTF-8", file=file) from None
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"is no TOML: {error}", file=file) from None
    except RecursionError:
        raise DataError("is no TOML that can be read: it is nested too deeply", file=file) from None
