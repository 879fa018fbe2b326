"""Flags that set an option of everything in a run that has it, and mean nothing where nothing has."""

from __future__ import annotations

import json
import sys
import venv
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest
from click.testing import CliRunner
from test_suites import Counting

from memarena.cli import cli
from memarena.config import Settings, settings
from memarena.errors import UsageError
from memarena.floors import Nothing
from memarena.mounting import Host
from memarena.option_flags import options_of_adapter
from memarena.records import Capabilities, Record
from memarena.run_settings import BY_NAME, OPTION_FLAGS
from memarena.selectors import AdapterChoice
from memarena.suites import Layout, plan_suite


class Held(Nothing):
    """An agent that can be run unheld, and whose conversation can go on."""

    class Options(Record, frozen=True, kw_only=True):
        """What it is told."""

        allow_unsandboxed: bool = False
        context: bool = False

    def __init__(self, options: Options) -> None:
        self._options = options

    def get_capabilities(self) -> Capabilities:
        said = f"unsandboxed {self._options.allow_unsandboxed}, context {self._options.context}"
        return Capabilities(modalities=("text",), versions={"told": said})


class Player:
    """Somebody who acts."""

    class Options(Record, frozen=True, kw_only=True):
        """What it is told."""

        allow_unsandboxed: bool = False


class Played(Counting):
    """A suite in which somebody acts."""

    name = "played"
    labels: ClassVar[tuple[str, ...]] = ("things", "agent")
    defaults: ClassVar[Mapping[str, Any]] = {"agent": "player"}

    def layout(self, settings: Settings, options: Mapping[str, Mapping[str, Any]]) -> Layout:
        made = super().layout(settings, options)
        return Layout(
            samples=made.samples,
            rows=made.rows,
            data=made.data,
            plugins={"agent": {"name": settings["agent"], "options": options["agent"]}},
            needs={},
            about=made.about,
        )


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which these plugins are installed."""
    info = tmp_path / "site" / "toys-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1\n", encoding="utf-8")
    groups = {
        "suites": {"counting": "test_suites:Counting", "played": "test_option_flags:Played"},
        "adapters": {"held": "test_option_flags:Held", "broken": "no_such_module:Broken"},
        "agents": {"player": "test_option_flags:Player"},
    }
    points = "".join(
        f"[memarena.{group}]\n" + "".join(f"{name} = {target}\n" for name, target in rows.items())
        for group, rows in groups.items()
    )
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "site"


def rows(*adapters: str, suite: str = "counting", **flags: Any) -> dict[str, dict[str, Any]]:
    """The options of the adapters in the header of a run, by label."""
    plan = plan_suite(settings({"suite": suite, "adapters": adapters, **flags}))
    return {row["label"]: row["options"] for row in plan.header["adapters"] if not row.get("own")}


def test_the_flag_sets_the_option_of_every_adapter_that_has_it_and_of_no_other() -> None:
    assert rows("held", "verbatim", "b=held", allow_unsandboxed=True) == {
        "held": {"allow_unsandboxed": True},
        "verbatim": {},
        "b": {"allow_unsandboxed": True},
    }


def test_an_adapter_is_made_with_what_the_flags_stand_for() -> None:
    plan = plan_suite(settings({"suite": "counting", "adapters": ("held",), "harness_context": True}))
    assert plan.adapters["held-context"].capabilities.versions == {"told": "unsandboxed False, context True"}


def test_a_baseline_of_another_kind_has_a_label_of_its_own() -> None:
    assert rows("held", "verbatim", harness_context=True, allow_unsandboxed=True) == {
        "held-context": {"allow_unsandboxed": True, "context": True},
        "verbatim": {},
    }


def test_what_is_said_of_one_adapter_holds_for_it() -> None:
    options = ("held.context=false", "b.context=true")
    assert rows("held", "b=held", "c=held", harness_context=True, options=options) == {
        "held": {"context": False},
        "b": {"context": True},
        "c-context": {"context": True},
    }


def test_a_label_that_is_taken_is_refused() -> None:
    with pytest.raises(UsageError, match="two adapters are labelled held-context"):
        rows("held", "Held-context=verbatim", harness_context=True)


def test_the_agent_of_a_suite_has_options_too() -> None:
    plan = plan_suite(settings({"suite": "played", "adapters": ("verbatim",), "allow_unsandboxed": True}))
    assert plan.header["plugins"]["agent"] == {"name": "player", "options": {"allow_unsandboxed": True}}


@pytest.mark.parametrize("name", OPTION_FLAGS)
def test_where_nothing_has_the_option_the_flag_is_refused_by_its_name(name: str) -> None:
    said = rf"^{BY_NAME[name].flag}: nothing in this run has the option '{OPTION_FLAGS[name].option}'; leave it out$"
    with pytest.raises(UsageError, match=said):
        rows("verbatim", **{name: True})


def test_the_environment_may_say_it_of_every_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMARENA_ALLOW_UNSANDBOXED", "true")
    assert rows("verbatim") == {"verbatim": {}}
    assert rows("held") == {"held": {"allow_unsandboxed": True}}


def test_of_an_adapter_that_cannot_be_loaded_nothing_is_said_but_that() -> None:
    plan = plan_suite(settings({"suite": "counting", "adapters": ("broken", "verbatim"), "allow_unsandboxed": True}))
    assert "no_such_module" in plan.adapters["broken"].failure


def test_the_options_of_an_adapter_are_known_where_only_another_interpreter_has_it(site: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "other", symlinks=True)
    (library,) = (tmp_path / "other").glob("lib/python*/site-packages")
    here = [str(Path(entry).resolve()) for entry in sys.path if entry]
    (library / "here.pth").write_text("\n".join([str(site), *here]), encoding="utf-8")
    host = Host(python=str(tmp_path / "other" / "bin" / "python"))
    assert options_of_adapter(AdapterChoice("x", "held"), host) == {"allow_unsandboxed", "context"}
    assert options_of_adapter(AdapterChoice("x", "verbatim"), host) == frozenset()
    assert options_of_adapter(AdapterChoice("x", "not-there"), host) is None


def test_a_run_with_the_flags_goes_on_with_the_same_command_and_without_them(tmp_path: Path) -> None:
    runner, out = CliRunner(), str(tmp_path / "run")
    words = ["--quiet", "--out", out]
    flags = [
        "--suite",
        "counting",
        "-a",
        "held",
        "-o",
        "counting.samples=1",
        "--harness-context",
        "--allow-unsandboxed",
    ]
    assert runner.invoke(cli, ["run", *flags, *words]).exit_code == 0
    header = (tmp_path / "run" / "run.json").read_bytes()
    for again in ([], ["--harness-context"], flags):
        resumed = runner.invoke(cli, ["run", "--resume", *again, *words])
        assert (resumed.exit_code, resumed.exception) == (0, None)
        assert (tmp_path / "run" / "run.json").read_bytes() == header
    scored = runner.invoke(cli, ["score", out, "--json"])
    assert [row["label"] for row in json.loads(scored.output)] == ["bare", "held-context", "own"]
