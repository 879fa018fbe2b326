"""`memarena config`."""

from __future__ import annotations

from typing import Any

import click

from memarena.cli.output import print_json
from memarena.config import Settings, masked, settings, unknown_variables
from memarena.run_settings import SETTINGS


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
def config(as_json: bool) -> None:
    """Show each setting of `run`, its value and where it comes from: default, memarena.toml, environment.

    Flags of `run` come before all of these. Secrets are never shown.
    """
    found = settings({})
    unknown = unknown_variables()
    if as_json:
        print_json({**_as_object(found), "unknown_variables": unknown})
        return
    for setting in SETTINGS:
        value = _shown(masked(found.values[setting.name]))
        click.echo(f"{setting.name:14} {value:24} {found.origin[setting.name]}")
    for label, declared in found.declared.items():
        options = masked(declared.options)
        click.echo(f"adapter {label}: {declared.choice.selector} {_shown(options) if options else ''}".rstrip())
    for name in unknown:
        click.echo(f"{name} is set, yet it is no setting of memarena", err=True)


def _as_object(found: Settings) -> dict[str, Any]:
    return {
        "file": str(found.file) if found.file else None,
        "settings": {
            setting.name: {
                "value": masked(found.values[setting.name]),
                "origin": found.origin[setting.name],
                "flag": setting.flag,
                "variable": setting.variable,
                "about": setting.about,
            }
            for setting in SETTINGS
        },
        "adapters": {
            label: {"name": declared.choice.selector, "options": masked(declared.options)}
            for label, declared in found.declared.items()
        },
    }


def _shown(value: Any) -> str:
    if value is None or value == []:
        return "-"
    if isinstance(value, list):
        return " ".join(map(str, value))
    if isinstance(value, dict):
        return " ".join(f"{key}={_shown(item)}" for key, item in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)
