"""Writes the parts of the docs that come from the code: `python docs/generate.py` from anywhere.

A part stands between `<!-- generated: NAME ARGUMENT -->` and `<!-- end -->`; everything around it is written by hand.
A test compares.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args, get_type_hints

import click
from msgspec import NODEFAULT, Struct, structs

from memarena import catalog, errors
from memarena.cli import COMMANDS, cli
from memarena.records import Metric, Record
from memarena.run_settings import SETTINGS
from memarena.testing.checks import checks_of

DOCS = Path(__file__).parent
PART = re.compile(r"<!-- generated: (?P<name>\w+)(?: (?P<argument>\S+))? -->\n.*?<!-- end -->", re.DOTALL)
DEFAULT = re.compile(r"\s*\[default: ([^\]]*)\]\.?$")
"""How a help text states a default."""
ROOMS = ("dialogue", "memory", "answers", "data", "history", "judging", "scores")
"""The modules of `memarena.records`, in the order of their page."""
MACHINE = {"jobs": "the cores there are, at most 8"}
"""Settings whose default depends on the machine."""


# -- the command line -------------------------------------------------------------------------


def commands(_: str) -> Iterator[str]:
    """Each command of the project with its arguments and flags."""
    own = {row.name for row in catalog.entries("commands") if row.distribution.startswith("memarena")}
    context = click.Context(cli, info_name="memarena")
    for name in sorted({*COMMANDS, *own}):
        command = cli.get_command(context, name)
        if command is not None:
            yield from _command(command, click.Context(command, parent=context, info_name=name))


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    usage = " ".join(command.collect_usage_pieces(context))
    yield from (f"## `{context.command_path}`", "", f"`{context.command_path} {usage}`", "")
    yield from (inspect.cleandoc(command.help or ""), "")
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    if options:
        yield from table(("flag", "default", "what it does"), [_flag(option, context) for option in options])
        yield ""
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                yield from _command(inner, click.Context(inner, parent=context, info_name=name))


def _flag(option: click.Option, context: click.Context) -> tuple[str, str, str]:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    value = "" if option.is_flag else f" `{option.make_metavar(context)}`"
    about, stated = DEFAULT.sub("", option.help or ""), DEFAULT.search(option.help or "")
    default = stated[1] if stated else _default(option)
    if context.info_name == "run":
        default = MACHINE.get(option.name or "", default)
    again = " May be given several times." if option.multiple else ""
    return names + value, default, sentence(about) + again


def _default(option: click.Option) -> str:
    if option.is_flag or not isinstance(option.default, str | int | float | tuple) or option.default == ():
        return ""
    return " ".join(option.default) if isinstance(option.default, tuple) else str(option.default)


# -- settings, metrics, errors ----------------------------------------------------------------


def settings(_: str) -> Iterator[str]:
    """Each setting of a run."""
    rows = [
        (
            f"`{setting.name}`",
            f"`{setting.flag}`",
            f"`{setting.variable}`",
            setting.kind.expects,
            MACHINE.get(setting.name, _setting(setting.default)),
            sentence(setting.about),
        )
        for setting in SETTINGS
    ]
    return table(("in memarena.toml", "flag", "variable", "value", "default", "what it does"), rows)


def _setting(value: Any) -> str:
    return ("off", "on")[value] if isinstance(value, bool) else _value(value)


def metrics(scorer: str) -> Iterator[str]:
    """The metrics of one scorer, or of a suite (`suites:aha`)."""
    group, _, name = scorer.rpartition(":")
    found: Mapping[str, Metric] = catalog.load(group or "scorers", name).metrics
    rows = [
        (
            f"`{name}`",
            metric.title,
            metric.stage,
            metric.unit,
            {"high": "up", "low": "down", "neither": "–"}[metric.better],
            "pooled" if metric.pooled else "mean",
            metric.about,
        )
        for name, metric in found.items()
    ]
    return table(("metric", "title", "stage", "unit", "better", "in a sample", "formula and source"), rows)


def error_classes(_: str) -> Iterator[str]:
    """Each error, what it is a kind of, and when it is raised."""
    found: Sequence[type[Exception]] = [getattr(errors, name) for name in errors.__all__]
    found = sorted(found, key=lambda kind: inspect.getsourcelines(kind)[1])
    rows = [
        (f"`{kind.__name__}`", f"`{kind.__base__.__name__ if kind.__base__ else ''}`", _about(kind)) for kind in found
    ]
    return table(("class", "kind of", "when"), rows)


# -- plugins ----------------------------------------------------------------------------------


def groups(_: str) -> Iterator[str]:
    """The groups of entry points, and what the project itself has in each."""
    rows = []
    for group, kind in catalog.GROUPS.items():
        own = [row.name for row in catalog.entries(group) if row.distribution.startswith("memarena")]
        rows.append((f"`{group}`", kind, ", ".join(f"`{name}`" for name in own) or "–"))
    return table(("group", "one of it is", "what comes with the project"), rows)


def options(selector: str) -> Iterator[str]:
    """The options of one plugin, `GROUP:NAME`; with `/FIELD/...` behind it, those of a table in them."""
    plugin, *path = selector.split("/")
    group, _, name = plugin.partition(":")
    kind: Any = catalog.load(group, name).Options
    for field in path:
        found = get_type_hints(kind)[field]
        kind = get_args(found)[-1] if get_args(found) else found
    return _fields(("option", "type", "default", "what it does"), kind)


def checks(kind: str) -> Iterator[str]:
    """The checks of the contract of one kind of plugin."""
    return table(("check", "what holds"), [(f"`{check.name}`", check.about) for check in checks_of(kind)])


# -- records ----------------------------------------------------------------------------------


def all_records(_: str) -> Iterator[str]:
    """Each record with its fields, in the order of the rooms of `memarena.records`."""
    for room in ROOMS:
        module = import_module(f"memarena.records.{room}")
        yield from (f"## {(inspect.getdoc(module) or '').rstrip('.')}", "")
        for kind in vars(module).values():
            if _is_record(kind) and kind.__module__ == module.__name__:
                yield from (f"### `{kind.__name__}`", "", _described(kind), "")
                yield from (*_fields(("field", "type", "default", "meaning"), kind), "")


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Record) and kind is not Record


def _described(kind: type) -> str:
    """The text of a record; a table in it stands as it is."""
    text, rule, rows = (inspect.getdoc(kind) or "").partition("\n\n===")
    return f"{text}\n\n```text\n==={rows}\n```" if rule else text


def _fields(head: Sequence[str], kind: type[Struct]) -> Iterator[str]:
    texts = _texts_below(kind)
    rows = []
    for field in structs.fields(kind):
        made = field.default_factory() if field.default_factory is not NODEFAULT else field.default
        default = "required" if made is NODEFAULT else _value(made)
        about = texts.get(field.name) or (_about(field.type) if _is_described(field.type) else "")
        rows.append((f"`{field.name}`", f"`{_type(field.type)}`", default, about))
    return table(head, rows)


def _is_described(kind: Any) -> bool:
    """Whether it is a record, or a table of options, with a text of its own."""
    return isinstance(kind, type) and issubclass(kind, Struct) and bool(vars(kind).get("__doc__"))


def _texts_below(kind: type) -> dict[str, str]:
    """The text under each field of a class and of its bases."""
    found: dict[str, str] = {}
    for base in reversed([base for base in kind.__mro__ if base.__module__.startswith("memarena")]):
        (tree,) = ast.parse(inspect.getsource(base)).body
        for field, below in pairwise(tree.body if isinstance(tree, ast.ClassDef) else ()):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                match below:
                    case ast.Expr(value=ast.Constant(value=str(text))):
                        found[field.target.id] = " ".join(text.split())
    return found


def _type(kind: Any) -> str:
    name = kind.__name__ if isinstance(kind, type) and not hasattr(kind, "__args__") else str(kind)
    return re.sub(r"\b(typing|collections\.abc|memarena\w*(\.\w+)*)\.(?=[A-Z])", "", name)


# -- Markdown ---------------------------------------------------------------------------------


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A Markdown table; `|` in a cell is escaped."""
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def sentence(text: str) -> str:
    """`text` with a capital at its start and a full stop at its end."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else ""


def _about(kind: type) -> str:
    return " ".join((inspect.getdoc(kind) or "").split())


def _value(value: Any) -> str:
    if value is None or value == ():
        return "–"
    if isinstance(value, Struct):
        return f"`{type(value).__name__}()`"
    return f"`{value}`" if value != "" else '""'


PARTS: Mapping[str, Callable[[str], Iterable[str]]] = {
    "checks": checks,
    "commands": commands,
    "errors": error_classes,
    "groups": groups,
    "metrics": metrics,
    "options": options,
    "records": all_records,
    "settings": settings,
}


def fresh(page: str) -> str:
    """`page` with each generated part as the code has it now."""

    def part(found: re.Match[str]) -> str:
        opening = found[0].partition("\n")[0]
        lines = "\n".join(PARTS[found["name"]](found["argument"] or "")).strip()
        return f"{opening}\n\n{lines}\n\n<!-- end -->"

    return PART.sub(part, page)


def main() -> None:
    """Bring every page up to date."""
    for file in sorted(DOCS.rglob("*.md")):
        text = file.read_text(encoding="utf-8")
        file.write_text(fresh(text), encoding="utf-8")


if __name__ == "__main__":
    main()
