"""Planted faults: known by construction, and found by the diagnosis."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from memarena import hookimpl
from memarena.datasets import open_data
from memarena.errors import UsageError
from memarena.records import Sample
from memarena.testing.tiny import DOG, NEW_PHONE, PHONE, PICTURE_ID, tiny_samples
from memarena_arena.scorers.diagnosis import DiagnosisScorer
from memarena_arena.selftest import (
    LEAST_RIGHT,
    MIXTURES,
    MOST_BLAMED,
    PLANTED,
    STAGES,
    Confusion,
    Entry,
    Fault,
    Moment,
    Outcome,
    Planting,
    Truth,
    World,
    plantings,
    run,
    spoiling,
)
from memarena_arena.selftest.command import selftest
from memarena_arena.selftest.faults import maintaining

HOME, WORK = tiny_samples()
PAGE = Path(__file__).resolve().parents[3] / "docs" / "explanation" / "how-sure-is-a-diagnosis.md"
NEAR = 0.01
"""How far a share may be from the one that the page shows."""


@pytest.fixture(scope="module")
def on_mini() -> Confusion:
    """All planted memories on `mini`."""
    return Confusion(run(open_data("mini")))


def test_the_diagnosis_finds_what_is_planted_on_mini_and_blames_nobody_else(on_mini: Confusion) -> None:
    assert on_mini.right is not None
    assert on_mini.right >= LEAST_RIGHT
    assert on_mini.blamed is not None
    assert on_mini.blamed <= MOST_BLAMED
    assert on_mini.passes
    assert on_mini.losses > 3000
    assert on_mini.healthy > 4000


def test_every_fault_loses_something_at_its_own_stage_on_mini(on_mini: Confusion) -> None:
    rows = {row.memory: row for row in on_mini.rows}
    for name in PLANTED:
        assert rows[name].losses, name


def test_each_stage_is_found_on_mini(on_mini: Confusion) -> None:
    for stage in STAGES:
        planted = sum(count for (each, _), count in on_mini.counts.items() if each == stage)
        assert on_mini.counts[stage, stage] >= 0.9 * planted, stage


def test_the_matrix_in_the_docs_is_that_of_mini(on_mini: Confusion) -> None:
    if not PAGE.exists():
        pytest.skip("the docs are not here")
    shown = {
        found[1]: [int(count.replace(",", "")) for count in found[2].split()]
        for found in re.finditer(r"^(write|maintain|retrieve|show|use|made up|nothing) +([\d, ]+)$", _block(), re.M)
    }
    _, *rows = on_mini.matrix()
    assert list(shown) == [name for name, *_ in rows]
    for name, *counts in rows:
        now = [int(count.replace(",", "")) for count in counts]
        assert sum(shown[name]) == sum(now), name
        # A better reading of texts may move a few from one column to another.
        assert max(abs(a - b) for a, b in zip(shown[name], now, strict=True)) <= max(NEAR * sum(now), 1), name


def _block() -> str:
    """The first block of text of the page: what the command prints."""
    return PAGE.read_text(encoding="utf-8").split("```text\n")[1].split("```")[0]


def test_the_bars_hold_on_built_data(tmp_path: Path) -> None:
    build = pytest.importorskip("memarena_builder.build").build
    build(tmp_path / "built", "tiny", 1, 1, lambda *_: None)
    names = [*list(PLANTED)[::4], " + ".join(MIXTURES[-1])]
    chosen = [planting for planting in plantings() if planting.name in names or not planting.faults]
    found = Confusion(run(open_data(str(tmp_path / "built"), limit=1), chosen))
    assert found.passes
    assert found.losses > 150


def test_there_are_at_least_thirty_kinds_over_the_stages_alone_and_mixed() -> None:
    stages = [fault.stage for fault in PLANTED.values()]
    assert len(stages) >= 30
    assert set(STAGES) == set(stages)
    assert all(PLANTED[name] for names in MIXTURES for name in names)
    assert len({planting.name for planting in plantings()}) == len(plantings())


@pytest.mark.parametrize("style", ["plain", "dated", "listed", "notes"])
def test_a_memory_without_a_fault_loses_nothing(style: str) -> None:
    outcomes = run([HOME, WORK], [Planting("healthy", (), style)])  # type: ignore[arg-type]
    assert len(outcomes) == 5
    assert {(each.planted.stage, each.stage) for each in outcomes} == {("", "")}


def _outcome(fault: Fault | str, question: str, sample: Sample = HOME) -> tuple[str, str, str]:
    """Planted stage, diagnosed stage and diagnosed reason of one question."""
    planted = PLANTED[fault] if isinstance(fault, str) else fault
    (found,) = [each for each in run([sample], [Planting("x", (planted,))]) if each.question_id == question]
    return found.planted.stage, found.stage, found.reason


@pytest.mark.parametrize(
    ("fault", "stage", "reason"),
    [
        (Fault("no-news", "write", "", write=lambda news, now: news if now.session == 0 else []), "write", ""),
        (Fault("cleared", "maintain", "", keep=lambda store, now: []), "maintain", "gone"),
        (Fault("undone", "maintain", "", keep=lambda store, now: _undone(store)), "maintain", "stale version"),
        (Fault("empty", "retrieve", "", rank=lambda listed, store, now, question: []), "retrieve", ""),
        (PLANTED["cut-by-items"]._replace(show=None, rank=lambda *_: []), "retrieve", ""),
        (Fault("mute", "use", "", answer=lambda now, question, shown: ""), "use", "evidence ignored"),
        (Fault("stale", "use", "", answer=lambda now, question, shown: "555-0101"), "use", "stale value"),
    ],
    ids=lambda value: value.name if isinstance(value, Fault) else str(value),
)
def test_a_fault_of_ones_own_is_known_and_found_at_its_place(fault: Fault, stage: str, reason: str) -> None:
    assert _outcome(fault, "C02:Q001") == (stage, stage, reason)


def _undone(store: list[Entry]) -> list[Entry]:
    """The new number goes, the old one is believed again."""
    return [entry._replace(status="active") for entry in store if NEW_PHONE not in entry.about]


def test_what_is_told_together_with_its_picture_is_one_item() -> None:
    world = World(WORK)
    assert [fact.key for fact in world.told[0] if fact.picture is not None] == [PICTURE_ID]


def test_a_world_knows_what_is_superseded_and_when() -> None:
    world = World(HOME)
    assert world.over(0) == frozenset()
    assert world.over(1) == {PHONE}
    assert world.rivals(world.questions["C02:Q001"]) == (PHONE,)
    assert world.tells(DOG) == {DOG}


def test_a_coin_falls_the_same_way_for_the_same_seed() -> None:
    one, other = Moment(World(HOME), 0, 1), Moment(World(HOME), 0, 2)
    names = [f"item {number}" for number in range(200)]
    assert [one.picks(name) for name in names] == [one.picks(name) for name in names]
    assert [one.picks(name) for name in names] != [other.picks(name) for name in names]
    assert 70 < sum(one.picks(name) for name in names) < 130


@pytest.mark.parametrize(
    ("spoil", "text", "spoilt"),
    [
        (spoiling.other_numbers, "The lesson is on Thursday at 17:30.", "The lesson is on Thursday at 06:21."),
        (spoiling.other_numbers, "Ana likes tea.", None),
        (spoiling.no_values, "Ana Lind lives in Leeds since 2024.", "Ana Lind lives in something since some."),
        (spoiling.no_values, "Ana likes tea.", None),
        (spoiling.of_another, "Ana's dog is called Bruno.", "Gwendolyn Abernathy's dog is called Bruno."),
        (spoiling.of_another, "The dog is called Bruno.", None),
        (spoiling.denied, "Ana is in Leeds.", "Ana is not in Leeds."),
        (spoiling.denied, "Ana likes tea.", None),
        (spoiling.begun, "Ana lives in Leeds with Bruno.", "Ana lives"),
        (spoiling.topic, "Ana lives in Leeds.", "Something was said about Ana."),
    ],
)
def test_a_spoilt_text_no_longer_tells_what_it_told(spoil, text, spoilt) -> None:
    assert spoil(text) == spoilt


def test_a_confusion_counts_what_is_right_and_what_is_blamed() -> None:
    outcomes = [
        Outcome("m", "s", "q1", Truth("write"), "write", ""),
        Outcome("m", "s", "q2", Truth("maintain", "gone"), "use", ""),
        Outcome("m", "s", "q3", Truth(""), "", ""),
        Outcome("m", "s", "q4", Truth(""), "retrieve", ""),
    ]
    found = Confusion(outcomes)
    assert (found.losses, found.right, found.healthy, found.blamed) == (2, 0.5, 2, 0.5)
    assert not found.passes
    assert found.counts["maintain", "use"] == 1
    (row,) = found.rows
    assert row.astray == (("maintain", "use", 1), ("nothing", "retrieve", 1))
    assert Confusion([]).passes


class Blind(DiagnosisScorer):
    """A scorer that puts everything at the answer."""

    @hookimpl
    def score(self, record, labels):  # type: ignore[no-untyped-def]
        rows = super().score(record, labels)
        return [replace(row, facets={**row.facets, "lost_at": "use"}) for row in rows if "lost_at" in row.facets]


def test_a_scorer_that_is_wrong_is_found_out() -> None:
    found = Confusion(run([HOME], [Planting("x", (PLANTED["empty-list"], PLANTED["late-start"]))], scorer=Blind()))
    assert found.right == 0
    assert not found.passes


def test_the_command_prints_the_matrix_and_says_by_its_exit_code_whether_the_bars_hold() -> None:
    done = CliRunner().invoke(selftest, ["--limit", "1", "--memory", "empty-list", "--memory", "healthy"])
    assert done.exit_code == 0, done.output
    assert "planted \\ diagnosed" in done.output
    assert "planted losses at their stage: 100.0% (at least 95%)" in done.output
    assert "right answers blamed: 0.0%" in done.output


def test_the_command_prints_one_object() -> None:
    done = CliRunner().invoke(selftest, ["--limit", "1", "--memory", "window", "--json", "--seed", "3"])
    found = json.loads(done.output)
    assert (found["data"], found["samples"], found["seed"], found["judge"]) == ("mini", 1, 3, "lexical")
    assert found["losses"] == sum(cell["count"] for cell in found["stages"] if cell["planted"] != "nothing")
    assert found["memories"][0]["memory"] == "window"


def test_an_unknown_memory_is_refused_with_the_nearest_name() -> None:
    done = CliRunner().invoke(selftest, ["--memory", "windw"])
    assert isinstance(done.exception, UsageError)
    assert "did you mean 'window'" in str(done.exception)


def test_a_memory_of_some_capacity_keeps_the_newest() -> None:
    entries = [Entry(f"m{place}", (), place) for place in range(maintaining.CAPACITY + 3)]
    keep = PLANTED["capacity"].keep
    assert keep is not None
    assert keep(entries, Moment(World(HOME), 0, 0)) == entries[3:]
