"""A suite that is a plugin: what it plans, runs and scores in the same folder, with the same rules, as `arena`."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from click.testing import CliRunner
from runner_plans import Quiet

from memarena import Metric, Stat
from memarena.catalog import Entry
from memarena.cells import CellSpec
from memarena.cli import cli
from memarena.config import Settings, settings
from memarena.errors import MemarenaError, UsageError
from memarena.floors import Nothing
from memarena.journal import CellEnded, CellStarted
from memarena.mounting import PlannedAdapter
from memarena.records import Record
from memarena.runner import run
from memarena.store import RunStore
from memarena.suites import Layout, Seat, plan_suite


class Counting:
    """Counts what a memory holds after it heard nothing; one row has no memory at all."""

    class Options(Record, frozen=True, kw_only=True):
        """What is counted."""

        samples: int = 2

    name, revision = "counting", 1
    defaults: ClassVar[Mapping[str, Any]] = {"top_k": 3}
    labels: ClassVar[Sequence[str]] = ("things",)
    metrics: ClassVar[Mapping[str, Metric]] = {"held": Metric(title="Held", stage="use", unit="items")}

    def __init__(self, options: Options | None = None) -> None:
        self.options = options or self.Options()

    def layout(self, settings: Settings, options: Mapping[str, Mapping[str, Any]]) -> Layout:
        if options["things"].get("broken"):
            raise UsageError("things.broken: no")
        entry = Entry("control:own", "memarena.floors:Nothing", "toys", "1", "", "memarena.adapters")
        bare = {"label": "bare", "name": "oracle:bare", "distribution": "toys", "version": "1", "options": {}}
        return Layout(
            samples=[{"sample_id": f"s{n}", "fingerprint": str(n)} for n in range(self.options.samples)],
            rows=[bare, PlannedAdapter("own", entry, {}, cls=Nothing)],
            data={"what": "counts"},
            plugins={"counter": {"name": "by hand"}},
            needs={},
            about=["counts up to three"],
        )

    def plan(self, run: RunStore) -> Iterator[CellSpec]:
        yield from run.specs()

    def run_cell(self, seat: Seat) -> None:
        journal, _ = seat.store.begin(seat.spec)
        spec = seat.spec
        journal.write(CellStarted(cell_id=spec.cell_id, label=spec.label, sample_id=spec.sample_id))
        held = -1
        if seat.planned is not None:
            with seat.rig() as rig:
                rig.reset(seat.context())
                held = len(rig.snapshot_memories())
        (seat.store.path / "cells" / spec.cell_id / "held.txt").write_text(str(held), encoding="utf-8")
        journal.write(CellEnded(status="done"))
        journal.close()
        seat.clear_workspace()

    def score(self, run: RunStore) -> Iterable[tuple[CellSpec, Sequence[Stat]]]:
        for spec in sorted(run.specs(), key=lambda spec: (spec.label, spec.sample_id, spec.repeat)):
            file = run.path / "cells" / spec.cell_id / "held.txt"
            if run.cell(spec).status == "done":
                told = float(file.read_text(encoding="utf-8"))
                row = Stat(
                    sample_id=spec.sample_id, unit=spec.sample_id, scorer="counting", revision=1, metric="held", n=told
                )
                yield spec, [row]


class Unmade:
    """An adapter whose instance cannot be made a second time."""

    made: ClassVar[int] = 0

    def __init__(self) -> None:
        Unmade.made += 1
        if Unmade.made > 1:
            raise RuntimeError("only once")

    reset, ingest_turn, end_session = Nothing.reset, Nothing.ingest_turn, Nothing.end_session
    snapshot_memories, export_memory_delta = Nothing.snapshot_memories, Nothing.export_memory_delta
    retrieve, get_capabilities = Nothing.retrieve, Nothing.get_capabilities


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "site" / "toys-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1\n", encoding="utf-8")
    points = "[memarena.suites]\ncounting = test_suites:Counting\n[memarena.adapters]\nunmade = test_suites:Unmade\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    monkeypatch.chdir(tmp_path)
    Unmade.made = 0


def execute(folder: Path, **flags: Any) -> tuple[RunStore, Any, Quiet]:
    plan = plan_suite(settings({"suite": "counting", "jobs": 1, **flags}))
    store = RunStore.resume(folder, plan.header) if folder.exists() else RunStore.create(folder, plan.header)
    quiet = Quiet()
    try:
        outcome = run(plan, store, quiet, threading.Event())
    finally:
        store.close()
    return RunStore.open(folder), outcome, quiet


def test_the_header_has_the_rows_of_the_suite_before_those_that_were_chosen(tmp_path: Path) -> None:
    store, _, _ = execute(tmp_path / "run", adapters=("verbatim",), options=("counting.samples=1", "things.size=4"))
    header = store.header
    assert [(row["label"], row.get("own", False)) for row in header["adapters"]] == [
        ("bare", True),
        ("own", True),
        ("verbatim", False),
    ]
    assert header["suite"] == "counting"
    assert (header["settings"]["top_k"], header["settings"]["repeats"]) == (3, 1)
    assert "judge" not in header["settings"]
    assert header["plugins"]["suite"]["options"] == {"samples": 1}
    assert header["data"]["options"] == {"things": {"size": 4}}


def test_every_cell_is_run_and_scored(tmp_path: Path) -> None:
    store, outcome, quiet = execute(tmp_path / "run", adapters=("verbatim",))
    assert not outcome.failed
    assert quiet.phases == [("cells", 6), ("scores", 6)]
    assert [(row.label, row.stat.sample_id, row.stat.n) for row in store.stats()] == [
        ("bare", "s0", -1.0),
        ("bare", "s1", -1.0),
        ("own", "s0", 0.0),
        ("own", "s1", 0.0),
        ("verbatim", "s0", 0.0),
        ("verbatim", "s1", 0.0),
    ]
    assert store.metrics()["held"].title == "Held"


def test_an_adapter_that_cannot_be_made_fails_its_cells_and_no_others(tmp_path: Path) -> None:
    store, outcome, _ = execute(tmp_path / "run", adapters=("unmade",))
    assert {(cell.label, cell.status) for cell in outcome.cells} == {
        ("bare", "done"),
        ("own", "done"),
        ("unmade", "failed"),
    }
    assert "only once" in outcome.failed[0].error
    assert {row.label for row in store.stats()} == {"bare", "own"}


def test_a_resume_runs_what_is_not_done(tmp_path: Path) -> None:
    store, _, _ = execute(tmp_path / "run")
    before = (store.path / "scores.jsonl").read_bytes()
    for file in (store.path / "cells" / "own~s1").iterdir():
        file.unlink()
    (store.path / "scores.jsonl").unlink()
    _, _, quiet = execute(tmp_path / "run")
    assert quiet.phases[0] == ("cells", 1)
    assert (store.path / "scores.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"data": "mini"}, "-d: it means nothing in the suite counting"),
        ({"answerer": "extractive"}, "--answerer: it means nothing"),
        ({"agent": "somebody"}, "--agent: it means nothing"),
        ({"preset": "paper"}, "--preset: it means nothing"),
        ({"adapters": ("OWN=verbatim",)}, "the label 'OWN' is that of a row of the suite"),
        ({"options": ("counting.size=2",)}, "no option 'size'"),
        ({"options": ("things.broken=true",)}, "things.broken: no"),
        ({"options": ("other.size=2",)}, "nothing in this run is labelled 'other'"),
    ],
)
def test_what_means_nothing_is_refused(flags: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        plan_suite(settings({"suite": "counting", **flags}))


def test_a_suite_that_is_not_installed_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMARENA_DISABLE", "aha")
    with pytest.raises(MemarenaError, match="switched off"):
        plan_suite(settings({"suite": "aha"}))
    with pytest.raises(MemarenaError, match="unknown suite 'nowhere'"):
        plan_suite(settings({"suite": "nowhere"}))


def test_the_command_line_runs_resumes_describes_and_scores_it(tmp_path: Path) -> None:
    runner, out = CliRunner(), str(tmp_path / "run")
    words = ["run", "--suite", "counting", "-a", "verbatim", "-o", "counting.samples=1", "--quiet", "--out", out]
    described = runner.invoke(cli, [*words, "--dry-run"])
    assert "counts up to three\n3 rows (bare, own, verbatim), 3 cells\nnothing was written" in described.output
    assert runner.invoke(cli, words).exit_code == 0
    header = (tmp_path / "run" / "run.json").read_bytes()
    resumed = runner.invoke(cli, ["run", "--resume", "--quiet", "--out", out])
    assert (resumed.exit_code, resumed.exception) == (0, None)
    assert (tmp_path / "run" / "run.json").read_bytes() == header
    scored = runner.invoke(cli, ["score", out, "--json"])
    assert [row["label"] for row in json.loads(scored.output)] == ["bare", "own", "verbatim"]


def test_a_grid_of_such_runs_is_refused() -> None:
    result = CliRunner().invoke(cli, ["run", "--suite", "counting", "--sweep", "top_k=1,2"])
    assert isinstance(result.exception, UsageError)
    assert "only runs of the suite arena can be swept" in str(result.exception)


def test_an_agent_means_nothing_in_arena() -> None:
    result = CliRunner().invoke(cli, ["run", "-d", "tiny", "-a", "verbatim", "--agent", "somebody"])
    assert isinstance(result.exception, UsageError)
    assert "--agent: in the suite arena nobody acts" in str(result.exception)
