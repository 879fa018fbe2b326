"""How commands print rows and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memarena.catalog import Entry


def print_json(value: Any) -> None:
    """`value` as indented JSON with the characters as they are."""
    import json

    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_columns(rows: Sequence[Sequence[str]]) -> None:
    """Rows of texts in aligned columns; the last one is as long as it is."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    for row in rows:
        head = "".join(f"{text:{width}}  " for text, width in zip(row, widths, strict=False))
        click.echo(f"{head}{row[-1]}".rstrip())


def row_of(row: Entry) -> dict[str, str]:
    """An installed plugin as `--json` prints it."""
    return {
        "name": row.name,
        "distribution": row.distribution,
        "version": row.version,
        "summary": row.summary,
        "target": row.target,
    }
