"""Where distributions came from, and how they are installed again: here, or in another environment."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from packaging.requirements import InvalidRequirement, Requirement

from memarena import catalog
from memarena.catalog import FIRST_PARTY, did_you_mean
from memarena.errors import PluginError, UsageError
from memarena.metadata import normal

_GROUP = "memarena.adapters"
_FOLDERS = ("adapters", "contrib", "plugins")
"""Beside the core in the repository: where the project's other distributions stand."""


def requirement_of_adapter(name: str, extras: Sequence[str] = ()) -> list[str]:
    """What brings the adapter `name` (or `name@distribution`), as words for an installer.

    An installed one is brought from where it was installed, with the extras that its entry point names; one of the
    project's own from the folder beside the core where that is a checkout, else from an index. Raises PluginError
    where the name is not known.
    """
    rows = [row for row in catalog.entries(_GROUP) if name in (row.name, row.selector)]
    if len(rows) == 1:
        return requirement_of(rows[0].distribution, [*_extras_of(rows[0].distribution, rows[0].name), *extras])
    if rows:
        catalog.find(_GROUP, name)  # says by whom the name is claimed
    distribution = FIRST_PARTY[_GROUP].get(name)
    if distribution is None:
        known = (*FIRST_PARTY[_GROUP], *(row.name for row in catalog.entries(_GROUP)))
        raise PluginError(f"unknown adapter {name!r}{did_you_mean(name, known)}; or say what brings it with --from")
    folder = _beside_core(distribution)
    return ["-e", f"{folder}{_bracketed(extras)}"] if folder else [f"{distribution}{_bracketed(extras)}"]


def requirement_of(distribution: str, extras: Sequence[str] = ()) -> list[str]:
    """What brings an installed distribution again: the folder or the URL that it came from, or its version."""
    found = metadata.distribution(distribution)
    named = f"{distribution}{_bracketed(extras)}"
    text = found.read_text("direct_url.json")
    if text is None:
        return [f"{named}=={found.version}"]
    origin = json.loads(text)
    folder = _folder_of(origin)
    if folder is not None and origin["dir_info"].get("editable"):
        return ["-e", f"{folder}{_bracketed(extras)}"]
    return [f"{named} @ {_address(origin)}"]


def requirement_from(source: str, extras: Sequence[str] = ()) -> list[str]:
    """What a person says: a folder (installed editable), a file, a URL, or a requirement such as `memarena-x>=2`.

    Raises UsageError where it is none of these.
    """
    place = Path(source).expanduser()
    if place.exists():
        words = [f"{place.resolve()}{_bracketed(extras)}"]
        return ["-e", *words] if place.is_dir() else words
    if "://" in source and " @ " not in source:
        if extras:
            raise UsageError(f"--from {source}: write NAME[{','.join(extras)}] @ URL in place of --extra")
        return [source]
    try:
        wanted = Requirement(source)
    except InvalidRequirement as error:
        why = str(error).splitlines()[0]
        raise UsageError(f"--from {source}: no such file or folder, and no requirement: {why}") from None
    wanted.extras.update(extras)
    return [str(wanted)]


def install_into(python: Path, words: Sequence[str]) -> None:
    """Install into the environment of `python`, with pip, or else with uv; what they say goes to standard error.

    Raises PluginError where neither is there, or where it fails.
    """
    if find_spec("pip"):
        run([sys.executable, "-m", "pip", "--python", str(python), "install", "--disable-pip-version-check", *words])
    elif uv := shutil.which("uv"):
        run([uv, "pip", "install", "--python", str(python), *words])
    else:
        raise PluginError(f"neither pip nor uv is here; install with a tool of yours: {' '.join(words)}")


def install_here(words: Sequence[str]) -> None:
    """Install into the environment that memarena runs in, with the tool that made it; raises PluginError."""
    pipx = shutil.which("pipx")
    if pipx and (Path(sys.prefix) / "pipx_metadata.json").is_file():
        run([pipx, "inject", Path(sys.prefix).name, *words])
    else:
        install_into(Path(sys.executable), words)


def run(words: Sequence[str]) -> None:
    """Run a command that talks to a person; raises PluginError where it fails."""
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=2, check=False)
    except OSError as error:
        raise PluginError(f"{words[0]} cannot be run: {error.strerror}") from None
    if done.returncode:
        raise PluginError(f"this failed with exit code {done.returncode}, see above: {' '.join(words)}")


def _extras_of(distribution: str, name: str) -> list[str]:
    points = metadata.distribution(distribution).entry_points.select(group=_GROUP, name=name)
    return [extra for point in points for extra in point.extras]


def _bracketed(extras: Iterable[str]) -> str:
    names = sorted(set(extras))
    return f"[{','.join(names)}]" if names else ""


def _folder_of(origin: dict[str, Any]) -> Path | None:
    """The folder that a distribution was installed from (`direct_url.json`)."""
    place = urlsplit(origin["url"])
    return Path(url2pathname(place.path)) if place.scheme == "file" and "dir_info" in origin else None


def _address(origin: dict[str, Any]) -> str:
    url, version_control = str(origin["url"]), origin.get("vcs_info")
    if version_control:
        url = f"{version_control['vcs']}+{url}@{version_control['commit_id']}"
    folder = origin.get("subdirectory")
    return f"{url}#subdirectory={folder}" if folder else url


def _beside_core(distribution: str) -> Path | None:
    """The folder of a distribution in the checkout that the core was installed from."""
    text = metadata.distribution("memarena").read_text("direct_url.json")
    core = _folder_of(json.loads(text)) if text else None
    for folder in _projects(core.parent) if core else ():
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8")).get("project", {})
        if normal(project.get("name", "")) == normal(distribution):
            return folder
    return None


def _projects(root: Path) -> Iterator[Path]:
    for name in _FOLDERS:
        for file in sorted((root / name).glob("*/pyproject.toml")):
            yield file.parent
