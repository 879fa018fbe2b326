"""The data set `sim`: built on first use into a cache, then read like any folder of its layout."""

from __future__ import annotations

import os
from functools import cache as cache_result
from hashlib import blake2b
from pathlib import Path

from memarena.errors import UsageError
from memarena_arena.worldmemarena import FolderOptions, SampleFolder
from memarena_builder.build import build
from memarena_builder.manifest import generator, own_packs
from memarena_builder.presets import PARTS, PRESETS, Variant
from memarena_builder.progress import tell

LICENCE = "MIT"


class Sim:
    """`-d sim:PRESET@SEED`, e.g. `sim:tiny@7`; `sim:tiny` has the seed 0. `sim:small/agentic@7` is a part of one,
    `sim:tiny+zh+twins3@7` is in Chinese and has three pairs of twin worlds,
    `sim:tiny+bakery@7` is of a pack of one's own."""

    name = "sim"
    revision = 1
    Options = FolderOptions

    def __init__(self, options: FolderOptions | None = None) -> None:
        self.options = options or FolderOptions()

    def open(self, source: str = "", options: FolderOptions | None = None) -> SampleFolder:
        """Open it; builds it first where it is not in the cache (`MEMARENA_CACHE`, else the user's cache folder)."""
        whole, _, seed = (source or "tiny").partition("@")
        chosen, *words = whole.split("+")
        preset, _, part = chosen.partition("/")
        part = part or "all"
        if preset not in PRESETS or part not in PARTS or not (seed or "0").isdecimal():
            presets = ", ".join(PRESETS)
            raise UsageError(f"sim:{source}: say PRESET@SEED: one of {presets}, and a whole number of at least 0")
        number, variant = int(seed or 0), Variant.read(words)
        name = (preset if part == "all" else f"{preset}-{part}") + str(variant)
        folder = cache() / f"{generator().replace(' ', '-')}-{state()}-{name}-{number}{_packs(variant)}"
        build(folder, preset, number, jobs=os.cpu_count() or 1, tell=tell, part=part, variant=variant, wait=True)
        opened = SampleFolder(folder, options or self.options)
        opened.report.licence = LICENCE
        return opened


@cache_result
def state() -> str:
    """A hash of this package as it is installed: what another state of it built is another data set."""
    package = Path(__file__).parent
    hashed = blake2b(digest_size=6)
    for file in sorted(path for path in package.rglob("*") if path.is_file() and path.suffix != ".pyc"):
        hashed.update(f"{file.relative_to(package).as_posix()}\n".encode() + file.read_bytes())
    return hashed.hexdigest()


def _packs(variant: Variant) -> str:
    """A hash of the packs of one's own that a variant takes; "" where it takes none."""
    found = own_packs((variant.language, domain) for domain in variant.domains)
    return "-" + blake2b("".join(found.values()).encode(), digest_size=6).hexdigest() if found else ""


def cache() -> Path:
    """The folder for data sets that are built on use."""
    given = os.environ.get("MEMARENA_CACHE", "")
    base = Path(given) if given else Path(os.environ.get("XDG_CACHE_HOME", "") or Path.home() / ".cache") / "memarena"
    return base / "sim"
