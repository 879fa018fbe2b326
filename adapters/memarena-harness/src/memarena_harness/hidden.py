"""What stays hidden in all that an agent is shown: the packages of memarena, which hold gold, solutions and solvers."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator
from pathlib import Path

_PACKAGES = "memarena_*"
_LIBRARIES = ("site-packages", "dist-packages")
_SYSTEM = Path("/usr")
_SYSTEM_LIBRARIES = ("lib*/python3*/*-packages", "local/lib*/python3*/*-packages")
_SKIPPED = frozenset({".git", "__pycache__", "node_modules"})


@functools.cache
def own_packages(shown: Path) -> tuple[Path, ...]:
    """The packages of memarena below `shown`, relative to it: those of this interpreter, wherever they were imported
    from, and those in the library folders of any other.
    """
    root = shown.resolve()
    found = [place.relative_to(root) for place in _of_this_interpreter() if place.is_relative_to(root)]
    for library in _libraries(root):
        found += [place.relative_to(root) for place in _packages_in(library)]
    return tuple(sorted(set(found)))


def _of_this_interpreter() -> Iterator[Path]:
    for entry in sys.path:
        yield from (place.resolve() for place in _packages_in(Path(entry or ".")))


def _packages_in(library: Path) -> list[Path]:
    found = (place for place in library.glob(_PACKAGES) if not place.suffix)
    return [place for place in found if place.is_dir() and not place.is_symlink()]


def _libraries(root: Path) -> Iterator[Path]:
    """The folders of installed Python packages in `root`; what lies in one of them is not looked through."""
    if root == _SYSTEM:  # it is large, and its libraries have their places
        for pattern in _SYSTEM_LIBRARIES:
            yield from root.glob(pattern)
        return
    for folder, below, _ in os.walk(root):
        place = Path(folder)
        if place.name in _LIBRARIES:
            yield place
            below.clear()
        below[:] = [name for name in below if name not in _SKIPPED]
