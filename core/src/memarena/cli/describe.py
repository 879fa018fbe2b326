"""`memarena describe`."""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from itertools import pairwise
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import click

from memarena import catalog
from memarena.catalog import Entry, did_you_mean
from memarena.cli.output import print_columns, print_json, row_of
from memarena.errors import AdapterContractError, AdapterFailure, MemarenaError, PluginError, first_line
from memarena.metadata import normal


@click.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print a list with one object a plugin of this name.")
def describe(name: str, as_json: bool) -> None:
    """Show what the plugin NAME (or NAME@DISTRIBUTION) is, which options it takes, and what it can do or measures."""
    with redirect_stdout(sys.stderr):  # what a plugin prints is no part of the description
        found = [_described(row) for row in _rows(name)]
    if as_json:
        print_json(found)
        return
    for place, plugin in enumerate(found):
        if place:
            click.echo()
        _print(plugin)


def _rows(name: str) -> list[Entry]:
    bare, _, owner = name.partition("@")
    installed = catalog.scan()
    named = [row for row in installed if row.name == bare]
    owned = [row for row in named if not owner or normal(row.distribution) == normal(owner)]
    known = [group for group, names in catalog.FIRST_PARTY.items() if bare in names]
    groups = dict.fromkeys([row.group for row in owned or named] or known)
    if not groups:
        raise PluginError(f"no plugin {name!r}{did_you_mean(bare, (row.name for row in installed))}")
    return [catalog.find(group, name) for group in groups]


def _described(row: Entry) -> dict[str, Any]:
    target = row.load()
    return {
        "group": row.group.removeprefix("memarena."),
        **row_of(row),
        "about": target.help if isinstance(target, click.Command) else inspect.getdoc(target) or "",
        "revision": getattr(target, "revision", None),
        "options": _options(row, target),
        "metrics": _metrics(target),
        **_capabilities(row, target),
    }


def _options(row: Entry, target: Any) -> list[dict[str, Any]]:
    kind = getattr(target, "Options", None)
    if kind is None:
        return []
    from msgspec import NODEFAULT, Struct, structs, to_builtins

    if not (isinstance(kind, type) and issubclass(kind, Struct)):
        raise AdapterContractError(f"{row}: Options is to be a msgspec.Struct")
    docs = _field_docs(kind)
    rows = []
    for field in structs.fields(kind):
        made = field.default_factory() if field.default_factory is not NODEFAULT else field.default
        required = made is NODEFAULT
        rows.append(
            {
                "name": field.encode_name,
                "type": _type_name(field.type),
                "required": required,
                "default": None if required else to_builtins(made, enc_hook=str),
                "about": docs.get(field.name, ""),
            }
        )
    return rows


def _field_docs(kind: type) -> dict[str, str]:
    """The text under each field of a class and of its bases, as its source has it; nothing where there is no source."""
    docs: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        try:
            source = textwrap.dedent(inspect.getsource(base))
        except (OSError, TypeError):
            continue
        (tree,) = ast.parse(source).body
        body = tree.body if isinstance(tree, ast.ClassDef) else []
        for field, below in pairwise(body):
            text = _text(below)
            if text and isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                docs[field.target.id] = text
    return docs


def _text(node: ast.stmt) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return " ".join(node.value.value.split())
    return ""


_BOUNDS = (("ge", "≥"), ("gt", ">"), ("le", "≤"), ("lt", "<"))


def _type_name(kind: Any) -> str:
    """A type as a person writes its values: `int ≥ 1`, `round or turn`."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        bounds = [f"{sign} {value}" for name, sign in _BOUNDS if (value := _bound(arguments, name)) is not None]
        return " ".join([_type_name(arguments[0]), ", ".join(bounds)]).strip()
    if origin is Literal:
        return " or ".join(map(str, arguments))
    if origin in (Union, UnionType):
        return " or ".join("None" if argument is NoneType else _type_name(argument) for argument in arguments)
    if isinstance(kind, type) and not arguments:
        return kind.__name__
    return re.sub(r"\b(?:\w+\.)+", "", str(kind))


def _bound(arguments: Sequence[Any], name: str) -> Any:
    return next((value for each in arguments[1:] if (value := getattr(each, name, None)) is not None), None)


def _metrics(target: Any) -> list[dict[str, Any]]:
    metrics = getattr(target, "metrics", None)
    if not isinstance(metrics, Mapping):
        return []
    return [
        {"name": name, "title": metric.title, "stage": metric.stage, "unit": metric.unit, "about": metric.about}
        for name, metric in metrics.items()
    ]


def _capabilities(row: Entry, target: Any) -> dict[str, Any]:
    """What an adapter can do, or why it does not say so here (e.g. an option that it cannot be made without)."""
    if row.group != "memarena.adapters":
        return {}
    from msgspec import structs, to_builtins

    from memarena.instruments.boundary import Boundary
    from memarena.rig import Rig

    try:
        found = Rig(row.name, catalog.make(target, {}, who=str(row)), [Boundary()]).get_capabilities()
    except (MemarenaError, AdapterFailure) as error:
        return {"capabilities": None, "capabilities_problem": str(error)}
    except Exception as error:
        return {"capabilities": None, "capabilities_problem": first_line(error)}
    return {"capabilities": to_builtins(structs.asdict(found))}


def _print(plugin: Mapping[str, Any]) -> None:
    click.echo(f"{plugin['name']} ({plugin['group']}) from {plugin['distribution']} {plugin['version']}")
    click.echo(f"  {plugin['target']}" + (f", revision {plugin['revision']}" if plugin["revision"] is not None else ""))
    if plugin["about"]:
        click.echo(f"\n{textwrap.indent(plugin['about'], '  ')}")
    if plugin["options"]:
        click.echo("\n  options (-o LABEL.key=value):")
        print_columns([_option_row(option) for option in plugin["options"]])
    if plugin["metrics"]:
        click.echo("\n  metrics:")
        print_columns([(f"    {row['name']}", row["stage"], row["title"], row["about"]) for row in plugin["metrics"]])
    if plugin.get("capabilities"):
        click.echo("\n  capabilities:")
        print_columns([(f"    {name}", _shown(value)) for name, value in plugin["capabilities"].items()])
    if plugin.get("capabilities_problem"):
        click.echo(f"\n  capabilities are not known: {plugin['capabilities_problem']}")


def _option_row(option: Mapping[str, Any]) -> tuple[str, str, str, str]:
    default = "required" if option["required"] else f"default {_shown(option['default'])}"
    return f"    {option['name']}", option["type"], default, option["about"]


def _shown(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
