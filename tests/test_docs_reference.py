"""The reference equals the code: hooks, commands, settings, metrics, errors, findings."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from types import ModuleType

import click

from memarena import errors, hookspecs, records
from memarena.catalog import entries, load
from memarena.cli import cli
from memarena.config import NOT_SETTINGS
from memarena.datachecks import CHECKS, OF_A_BUILD
from memarena.run_settings import SETTINGS

DOCS = Path(__file__).resolve().parents[1] / "docs"


def _reference(name: str) -> str:
    return (DOCS / "reference" / name).read_text(encoding="utf-8")


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_is_generated_is_what_the_code_says() -> None:
    fresh = _generator().fresh
    stale = [page for page in DOCS.rglob("*.md") if fresh(page.read_text(encoding="utf-8")) != page.read_text("utf-8")]
    assert not stale, "run: python docs/generate.py"


def test_each_hook_has_a_heading_equal_to_its_signature() -> None:
    headings = re.findall(r"^### `(.*)`$", _reference("hooks.md"), re.MULTILINE)
    specs = (hookspecs.AdapterSpec, hookspecs.ScorerSpec, hookspecs.RunSpec)
    assert headings == [_signature(hook) for spec in specs for hook in vars(spec).values() if inspect.isfunction(hook)]


def _signature(hook: object) -> str:
    signature = inspect.signature(hook)  # type: ignore[arg-type]
    parameters = list(signature.parameters.values())[1:]
    taken = ", ".join(f"{parameter.name}: {parameter.annotation}" for parameter in parameters)
    return f"{hook.__name__}({taken}) -> {signature.return_annotation}".replace("r.", "")  # type: ignore[attr-defined]


def test_each_command_and_flag_stands_in_the_reference() -> None:
    page = _reference("cli.md")
    for name in cli.list_commands(click.Context(cli)):
        command = cli.get_command(click.Context(cli), name)
        assert f"## `memarena {name}`" in page
        for option in command.params if command else ():
            if isinstance(option, click.Option):
                assert all(f"`{flag}`" in page for flag in option.opts), option.opts


def test_each_setting_metric_and_error_stands_in_the_reference() -> None:
    metrics = [name for scorer in entries("scorers") for name in load("scorers", scorer.selector).metrics]
    assert all(f"| `{setting.name}` |" in _reference("settings.md") for setting in SETTINGS)
    assert all(f"| `{name}` |" in _reference("metrics.md") for name in metrics)
    assert all(f"| `{name}` |" in _reference("errors.md") for name in errors.__all__)


def test_each_variable_that_is_no_setting_stands_in_the_reference() -> None:
    assert set(re.findall(r"^\| `(MEMARENA_\w+)` \|", _reference("settings.md"), re.MULTILINE)) >= NOT_SETTINGS


def test_each_record_stands_in_the_reference() -> None:
    page = _reference("records.md")
    kinds = [name for name, kind in vars(records).items() if isinstance(kind, type) and name in records.__all__]
    assert [name for name in kinds if f"### `{name}`" not in page] == ["Record"]


def test_each_error_of_the_gateway_stands_in_its_reference() -> None:
    rows = re.findall(r"^\| [\d, ]+ \| (.*?) \|", _reference("gateway.md"), re.MULTILINE)
    codes = {code for row in rows for code in re.findall(r"`(\w+)`", row)}
    sources = [
        file.read_text(encoding="utf-8") for file in files("memarena_models").iterdir() if file.name.endswith(".py")
    ]
    assert {code for source in sources for code in _error_codes(source)} <= codes
    assert [code for code in codes if not any(f'"{code}"' in source for source in sources)] == []


def _error_codes(source: str) -> Iterator[str]:
    """The codes that `source` states in one place with the status of their error."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refusal":
            yield from (str(part.value) for part in node.args[1:2] if isinstance(part, ast.Constant))


# -- findings ---------------------------------------------------------------------------------

LEVELS = {"note": "note", "warn": "warning", "refuse": "refused"}
"""Functions of the loaders whose first argument is the code of a finding."""


def test_each_finding_of_the_loaders_stands_in_the_reference_with_its_level() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (note|warning|refused) \|", _reference("data-report.md"), re.MULTILINE)
    sources = [file.read_text(encoding="utf-8") for file in Path(str(files("memarena_arena"))).glob("*.py")]
    stated = {pair for source in sources for pair in _findings(source)}
    assert stated <= set(rows)
    assert [code for code, _ in rows if not any(f'"{code}"' in source for source in sources)] == []


def _findings(source: str) -> Iterator[tuple[str, str]]:
    """Code and level of each finding that `source` states in one place."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            texts = [str(part.value) if isinstance(part, ast.Constant) else "" for part in node.args]
            level = LEVELS.get(name) or (texts[1] if name in ("_add", "_finding") and len(texts) > 1 else "")
            if level and texts and texts[0]:
                yield texts[0], level


# -- checks of data ---------------------------------------------------------------------------


def test_every_check_of_data_stands_on_the_page_with_what_it_looks_at() -> None:
    rows = re.findall(r"^\| `(V\d+)` \| .+ \| (all|logs) \|$", _reference("data-report.md"), re.MULTILINE)
    assert rows == sorted(rows, key=lambda row: int(row[0][1:]))
    assert {name for name, where in rows if where == "all"} == set(CHECKS)
    assert {name for name, where in rows if where == "logs"} == set(OF_A_BUILD)
