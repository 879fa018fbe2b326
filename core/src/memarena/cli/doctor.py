"""`memarena doctor`."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from typing import Any

import click
from packaging.requirements import InvalidRequirement, Requirement

from memarena import __version__, environments, programs
from memarena.catalog import Entry, clashes, scan
from memarena.cli.output import print_columns, print_json
from memarena.cli.probe import probe_all
from memarena.hookspecs import HOOK_API


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
@click.option("--timeout", type=float, default=30.0, show_default=True, help="Seconds that each plugin gets to load.")
def doctor(as_json: bool, timeout: float) -> int:
    """Examine this installation: versions, requirements, doubled names, and every plugin, each in its own process.

    Also looks for the programs that adapters drive; one that is missing is no fault. Exits with 1 where something is
    wrong.
    """
    rows = scan()
    owners = sorted({(row.distribution, row.version) for row in rows})
    found: dict[str, Any] = {
        **_surroundings(),
        "distributions": [{"name": name, "version": version} for name, version in owners],
        "plugins": len(rows),
        "programs": _programs(rows, timeout),
        "problems": [
            *_double_names(rows),
            *(line for name, _ in owners for line in unmet(name)),
            *(result.problem for result in probe_all(rows, timeout) if result.state != "ok"),
        ],
    }
    if as_json:
        print_json(found)
    else:
        _print(found)
    return int(bool(found["problems"]))


def _surroundings() -> dict[str, Any]:
    return {
        "memarena": __version__,
        "hook_api": ".".join(map(str, HOOK_API)),
        "python": platform.python_version(),
        "executable": sys.executable,
        "platform": platform.platform(),
        "terminal": sys.stdout.isatty(),
        "encoding": {"output": sys.stdout.encoding, "files": sys.getfilesystemencoding()},
        "free_disk_bytes": shutil.disk_usage(Path.cwd()).free,
    }


def _programs(rows: Sequence[Entry], timeout: float) -> list[dict[str, str]]:
    """What there is of each adapter's programs: as its own environment knows them, else as this one does."""
    own = {one.adapter: Path(one.python) for one in environments.known() if one.programs}
    here = {row.name: Path(sys.executable) for row in rows if row.group == programs.GROUP}
    pythons = sorted({**here, **own}.items())
    with ThreadPoolExecutor(max_workers=4) as pool:
        looks = list(pool.map(lambda pair: programs.look(pair[1], pair[0], timeout), pythons))
    return [
        {"adapter": adapter, "found": look.found, "advice": look.advice}
        for (adapter, _), look in zip(pythons, looks, strict=True)
    ]


def _double_names(rows: Sequence[Entry]) -> Iterator[str]:
    for rivals in clashes(rows):
        group = rivals[0].group.removeprefix("memarena.")
        owners = " and ".join(f"{row.distribution} {row.version}" for row in rivals)
        yield f"{group}: {rivals[0].name!r} is claimed by {owners}: say {' or '.join(row.selector for row in rivals)}"


def unmet(distribution: str) -> Iterator[str]:
    """One line for each requirement of an installed distribution that is missing or has another version."""
    try:
        lines = metadata.requires(distribution) or ()
    except metadata.PackageNotFoundError:
        yield f"{distribution}: its metadata cannot be read; install it again"
        return
    for line in lines:
        try:
            wanted = Requirement(line)
        except InvalidRequirement:
            yield f"{distribution}: its requirement {line!r} cannot be read"
            continue
        if wanted.marker is not None and not wanted.marker.evaluate({"extra": ""}):
            continue
        try:
            version = metadata.version(wanted.name)
        except metadata.PackageNotFoundError:
            yield f"{distribution} requires {wanted}, which is not installed: pip install '{wanted}'"
            continue
        if not wanted.specifier.contains(version, prereleases=True):
            yield f"{distribution} requires {wanted}, yet {wanted.name} {version} is installed: pip install '{wanted}'"


def _print(found: dict[str, Any]) -> None:
    encoding = found["encoding"]
    print_columns(
        [
            ("memarena", f"{found['memarena']}, hook API {found['hook_api']}"),
            ("python", f"{found['python']} at {found['executable']}"),
            ("platform", found["platform"]),
            ("output", f"{'terminal' if found['terminal'] else 'no terminal'}, {encoding['output']}"),
            ("file names", encoding["files"]),
            ("free disk", f"{found['free_disk_bytes'] / 2**30:.1f} GiB"),
            ("plugins", f"{found['plugins']} of {len(found['distributions'])} distributions"),
            *(("", f"{owner['name']} {owner['version']}") for owner in found["distributions"]),
            *((one["adapter"], "; ".join(filter(None, (one["found"], one["advice"])))) for one in found["programs"]),
        ]
    )
    for problem in found["problems"]:
        click.echo(f"problem: {problem}")
    if not found["problems"]:
        click.echo("no problem found")
