"""`memarena new`."""

from __future__ import annotations

import re
from pathlib import Path
from string import Template

import click

from memarena.catalog import scan
from memarena.errors import UsageError
from memarena.metadata import normal

TEMPLATES = Path(__file__).parent.parent / "templates"
KINDS = {"adapter": "a memory system", "scorer": "a scorer", "dataset": "a data set"}
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@click.command()
@click.argument("kind", type=click.Choice(tuple(KINDS)))
@click.argument("name")
@click.option("--to", "folder", type=click.Path(path_type=Path), help="Where to put it; the default is memarena-NAME.")
def new(kind: str, name: str, folder: Path | None) -> None:
    """Start a package of your own around a KIND of plugin called NAME: it installs and passes its contract."""
    name = name.removeprefix("memarena-")
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r}: a name has small letters and digits, with '-' between words, e.g. my-memory")
    for row in scan():
        if normal(row.distribution) == f"memarena-{name}" or (row.group, row.name) == (f"memarena.{kind}s", name):
            raise UsageError(f"{name!r} is taken by {row.distribution} {row.version}: choose another name")
    target = folder or Path(f"memarena-{name}")
    for path in render(kind, name, target):
        click.echo(path)
    click.echo(f"next: cd {target} && pip install -e '.[test]' && pytest")


def render(kind: str, name: str, target: Path) -> list[Path]:
    """Write the package into `target`, which is made, and return its files.

    Raises UsageError where `target` holds something already or cannot be written.
    """
    words = {
        "name": name,
        "distribution": f"memarena-{name}",
        "package": f"memarena_{name.replace('-', '_')}",
        "class_name": "".join(part.capitalize() for part in name.split("-")),
        "summary": f"{name}: {KINDS[kind]} for memarena",
    }
    written = []
    try:
        if target.exists() and any(target.iterdir()):
            raise UsageError(f"{target} is not empty: say --to with an empty or a new folder")
        for template in sorted((TEMPLATES / kind).rglob("*.tmpl")):
            place = template.relative_to(TEMPLATES / kind).with_suffix("")
            file = target / str(place).replace("PACKAGE", words["package"])
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(Template(template.read_text(encoding="utf-8")).substitute(words), encoding="utf-8")
            written.append(file)
    except OSError as error:
        raise UsageError(f"{error.filename or target}: {error.strerror}") from None
    return written
