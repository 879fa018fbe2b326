"""`manifest.json`: what a data set is made of, file by file, so that a later look tells whether it is still so."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import msgspec
from msgspec.structs import replace

from memarena.errors import DataError
from memarena.records import Record
from memarena_builder.packs.places import outside

NAME = "manifest.json"
JOURNAL = "build.jsonl"
"""What a build has done so far; gone when the data set is complete."""
SCHEMA = 1
LIBRARIES = ("pillow", "minigrid", "gymnasium", "crafter", "opensimplex", "numpy", "playwright")
"""What a build may depend on; those that are installed are noted."""


class File(Record, frozen=True, kw_only=True):
    """One file."""

    size: int
    """Bytes."""
    sha256: str


class Manifest(Record, frozen=True, kw_only=True):
    """What a data set is."""

    name: str = "memarena-sim"
    schema: int = SCHEMA
    generator: str
    """Distribution and version."""
    preset: str
    seed: int
    libraries: dict[str, str]
    """What pictures and environments depend on; the facts in pictures do not."""
    fonts: dict[str, str]
    """SHA-256 of each face of type that pictures are written in."""
    packs: Mapping[str, str] = {}
    """SHA-256 of each schema pack of somebody's own that it is built from, by language and domain."""
    files: dict[str, File]
    """By POSIX path."""
    seal: str = ""
    """SHA-256 of all the rest."""


def generator() -> str:
    """The name and version of this distribution."""
    return f"memarena-builder {version('memarena-builder')}"


def write(root: Path, made_by: str, preset: str, seed: int, packs: Mapping[str, str] = {}) -> None:
    """Write the manifest of all files below `root`; `packs`: as `own_packs` finds them."""
    from memarena_builder.layout import put
    from memarena_builder.pictures.fonts import hashes

    files = {path.relative_to(root).as_posix(): _facts(path) for path in _files(root)}
    made = Manifest(
        generator=made_by,
        preset=preset,
        seed=seed,
        libraries=_libraries(),
        fonts=hashes(),
        packs=dict(packs),
        files=dict(sorted(files.items())),
    )
    made = replace(made, seal=_sealed(made))
    put(root / NAME, msgspec.json.format(_encoded(made), indent=1) + b"\n")


def _encoded(made: Manifest) -> bytes:
    raw = {"name": made.name, "schema": made.schema, **msgspec.to_builtins(made)}
    return msgspec.json.encode(raw, order="sorted")


def _sealed(made: Manifest) -> str:
    return hashlib.sha256(_encoded(replace(made, seal=""))).hexdigest()


def own_packs(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """By `language/domain` the SHA-256 of those packs among `pairs` that did not come with this package."""
    found = {f"{language}/{domain}": outside(language).get(domain) for language, domain in pairs}
    return {name: _facts(path).sha256 for name, path in sorted(found.items()) if path}


def read(root: Path) -> Manifest | None:
    """The manifest of the data set in `root`; None where there is none.

    Raises DataError where it cannot be read, or names a file outside of `root`.
    """
    path = root / NAME
    if not path.is_file():
        return None
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except msgspec.MsgspecError as error:
        raise DataError(f"is no manifest of a data set that was built ({error})", file=str(path)) from None
    for name in found.files:
        if not (root / name).resolve().is_relative_to(root.resolve()):
            raise DataError(f"names {name!r}, which lies outside of the data set", file=str(path), path="$.files")
    return found


def faults(root: Path, manifest: Manifest) -> Iterator[tuple[str, str]]:
    """What is not as it was built: path, and `missing`, `changed` or `new`; the manifest itself among it."""
    if manifest.seal != _sealed(manifest):
        yield NAME, "changed"
    if (root / JOURNAL).exists():
        yield JOURNAL, "new"
    for name, facts in manifest.files.items():
        path = root / name
        if not path.is_file():
            yield name, "missing"
        elif path.stat().st_size != facts.size or _facts(path) != facts:
            yield name, "changed"
    for path in _files(root):
        name = path.relative_to(root).as_posix()
        if name not in manifest.files:
            yield name, "new"


def lost(root: Path, manifest: Manifest) -> list[str]:
    """The files that are gone, or of another size: what can be told without reading them."""
    return [name for name, facts in manifest.files.items() if _size(root / name) != facts.size]


def _size(path: Path) -> int | None:
    """Bytes of a file; None where there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return None


def elsewhere(manifest: Manifest) -> Iterator[str]:
    """In what this machine differs from the one that built the data set, so that it would build other bytes."""
    from memarena_builder.pictures.fonts import hashes

    if manifest.generator != generator():
        yield f"built by {manifest.generator}, here is {generator()}"
    packs = own_packs((language, domain) for language, _, domain in (name.partition("/") for name in manifest.packs))
    every = (
        ("", manifest.libraries, _libraries()),
        ("font ", manifest.fonts, hashes()),
        ("pack ", manifest.packs, packs),
    )
    for kind, then, now in every:
        for name in sorted({*then, *now}):
            if then.get(name) != now.get(name):
                yield f"{kind}{name}: built with {_short(then.get(name))}, here is {_short(now.get(name))}"


def _short(version_or_hash: str | None) -> str:
    return version_or_hash[:12] if version_or_hash else "none"


def _libraries() -> dict[str, str]:
    from PIL import features

    found = {name: version(name) for name in LIBRARIES if find_spec(name.replace("pillow", "PIL"))}
    return {**found, "freetype": features.version("freetype2") or ""}


def _files(root: Path) -> list[Path]:
    here = (path for path in root.rglob("*") if path.is_file())
    return sorted(path for path in here if path.relative_to(root).as_posix() not in (NAME, JOURNAL))


def _facts(path: Path) -> File:
    return File(size=path.stat().st_size, sha256=hashlib.sha256(path.read_bytes()).hexdigest())
