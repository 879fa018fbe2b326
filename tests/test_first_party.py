"""The core knows the names and the variables of the project's own packages, and none that is not there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from memarena import catalog, config, processes, run_settings
from memarena.cli.data import BROUGHT, ELSEWHERE

REPO = Path(__file__).resolve().parents[1]
PROJECTS = sorted(path for room in ("adapters", "contrib", "plugins") for path in REPO.glob(f"{room}/*/pyproject.toml"))


def given(project: Path) -> dict[str, dict[str, str]]:
    """The names of the plugins of `project`, by group, each with the distribution that it comes with."""
    table = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    groups = table.get("entry-points", {})
    return {group: dict.fromkeys(names, table["name"]) for group, names in groups.items() if group in catalog.GROUPS}


def test_the_names_that_the_core_tells_how_to_install_are_those_that_are_given() -> None:
    found: dict[str, dict[str, str]] = {}
    for project in PROJECTS:
        for group, names in given(project).items():
            found.setdefault(group, {}).update(names)
    assert {group: dict(catalog.FIRST_PARTY[group]) for group in catalog.FIRST_PARTY} == {
        group: found[group] for group in found if group in catalog.FIRST_PARTY
    }


def test_every_command_on_data_of_the_project_has_a_line_where_it_is_not_installed() -> None:
    assert set(ELSEWHERE) == set(catalog.FIRST_PARTY[BROUGHT])


@pytest.mark.parametrize("room", ["core", "plugins", "adapters", "contrib"])
def test_a_variable_that_some_package_reads_is_no_unknown_setting(room: str) -> None:
    named = {
        name
        for path in REPO.glob(f"{room}/**/src/**/*.py")
        for name in re.findall(r'"(MEMARENA_[A-Z_]+)"', path.read_text(encoding="utf-8"))
    }
    assert named - {processes.MARKER} <= {setting.variable for setting in run_settings.SETTINGS} | config.NOT_SETTINGS
