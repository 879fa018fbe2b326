"""The run folder: made once, locked, compared on resume, and read back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from memarena import scorefile
from memarena.cells import CellLabel, CellSpec
from memarena.errors import StoreError
from memarena.records import Label, Stat
from memarena.runheader import compare, fingerprint
from memarena.store import RunStore
from memarena.testing.tiny import tiny_samples

SAMPLE = tiny_samples()[1]


def header(**settings: Any) -> dict[str, Any]:
    return {
        "settings": {"top_k": 10, "repeats": 2, **settings},
        "adapters": [{"label": "a"}, {"label": "b"}],
        "data": {"samples": [{"sample_id": "s1"}, {"sample_id": "s2"}]},
    }


def stat(**more: Any) -> Stat:
    fields = {
        "sample_id": "s1",
        "unit": "S01",
        "scorer": "memory",
        "revision": 1,
        "metric": "recall",
        "n": 1.0,
        "d": 2.0,
    }
    return Stat(**{**fields, **more})


def test_a_folder_that_is_there_is_never_overwritten(tmp_path: Path) -> None:
    RunStore.create(tmp_path / "r", header()).close()
    with pytest.raises(StoreError, match="is there already; go on with --resume, or choose another folder"):
        RunStore.create(tmp_path / "r", header())


def test_an_empty_folder_may_become_a_run(tmp_path: Path) -> None:
    RunStore.create(tmp_path, header()).close()
    assert (tmp_path / "run.json").exists()


def test_a_run_that_was_killed_before_its_header_stood_can_be_begun_again(tmp_path: Path) -> None:
    RunStore.create(tmp_path / "r", header()).close()
    (tmp_path / "r" / "run.json").rename(tmp_path / "r" / ".run.json.part")
    RunStore.create(tmp_path / "r", header()).close()
    assert (tmp_path / "r" / "run.json").exists()


@pytest.mark.parametrize("file", ["notes.txt", "cells/notes.txt", "samples/s1.json"])
def test_a_folder_that_holds_anything_else_is_never_taken_for_a_run(file: str, tmp_path: Path) -> None:
    (tmp_path / "cells").mkdir()
    (tmp_path / "samples").mkdir()
    (tmp_path / file).touch()
    with pytest.raises(StoreError, match="is there already"):
        RunStore.create(tmp_path, header())


@pytest.mark.parametrize("name", ["x" * 300, "file/r", "file"])
def test_a_name_that_no_folder_can_have_is_one_line(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError) as caught:
        RunStore.create(tmp_path / name, header())
    assert "\n" not in str(caught.value)


def test_two_processes_cannot_write_one_run(tmp_path: Path) -> None:
    first = RunStore.create(tmp_path / "r", header())
    with pytest.raises(StoreError, match="in use by another memarena"):
        RunStore.resume(tmp_path / "r")
    first.close()
    RunStore.resume(tmp_path / "r").close()


def test_resume_with_other_settings_names_the_first_that_differs(tmp_path: Path) -> None:
    RunStore.create(tmp_path / "r", header()).close()
    with pytest.raises(StoreError, match=r"settings\.top_k was 10 and is now 5"):
        RunStore.resume(tmp_path / "r", header(top_k=5))


def test_a_folder_that_is_no_run_says_so(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is no run folder"):
        RunStore.open(tmp_path)


def test_a_header_that_lacks_a_part_says_so(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"format": 1, "settings": {}}', encoding="utf-8")
    with pytest.raises(StoreError, match=r"run\.json says nothing of 'adapters': it is damaged"):
        RunStore.open(tmp_path)


def test_other_adapters_are_told_by_their_labels_alone(tmp_path: Path) -> None:
    def rows(*labels: str) -> dict[str, object]:
        return {"adapters": [{"label": label, "options": {"top_k": 10}} for label in labels]}

    said = "other settings: adapters: missing b; new c, d; ask for the same"
    with pytest.raises(StoreError, match=said):
        compare(tmp_path, rows("a", "b"), rows("a", "c", "d"))
    with pytest.raises(StoreError, match=r"adapters\[0\]\.label was 'a' and is now 'b'"):
        compare(tmp_path, rows("a", "b"), rows("b", "a"))


def test_a_folder_of_a_later_format_says_so(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"format": 99}', encoding="utf-8")
    with pytest.raises(StoreError, match="format 99 is not known here"):
        RunStore.open(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match="choose another folder with --out"):
        RunStore.create(tmp_path / "r", header())


def test_cells_are_planned_by_adapter_sample_and_repeat(tmp_path: Path) -> None:
    store = RunStore.create(tmp_path / "r", header())
    store.close()
    ids = [spec.cell_id for spec in store.specs()]
    assert ids == ["a~s1", "a~s1~1", "a~s2", "a~s2~1", "b~s1", "b~s1~1", "b~s2", "b~s2~1"]
    assert {cell.status for cell in store.cells()} == {"planned"}


def test_a_sample_comes_back_as_it_was(tmp_path: Path) -> None:
    store = RunStore.create(tmp_path / "r", header())
    store.save_sample(SAMPLE)
    assert store.sample(SAMPLE.sample_id) == SAMPLE
    store.close()


def test_the_fingerprint_forgets_where_a_picture_lies_but_not_whether_it_is_there() -> None:
    session = SAMPLE.sessions[0]

    def moved(path: str | None) -> str:
        turns = tuple(
            replace(turn, attachments=tuple(replace(one, path=path) for one in turn.attachments))
            for turn in session.turns
        )
        return fingerprint(replace(SAMPLE, sessions=(replace(session, turns=turns), *SAMPLE.sessions[1:])))

    assert moved("/a/x.png") == moved("/b/x.png") == fingerprint(SAMPLE)
    assert moved(None) != fingerprint(SAMPLE)


def test_a_fingerprint_changes_with_one_letter_of_gold() -> None:
    assert fingerprint(replace(SAMPLE, domain=SAMPLE.domain + "x")) != fingerprint(SAMPLE)


def test_labels_come_back_by_unit_and_request(tmp_path: Path) -> None:
    store = RunStore.create(tmp_path / "r", header())
    (tmp_path / "r" / "cells" / "a~s1").mkdir()
    label = Label(verdicts=("yes", None))
    store.save_labels(
        "a~s1",
        [CellLabel(unit="S01", request="recall", label=label), CellLabel(unit="Q1", request="answer", label=None)],
    )
    assert store.labels("a~s1") == {"S01": {"recall": label}, "Q1": {"answer": None}}
    store.close()


def test_scores_are_sorted_and_come_back(tmp_path: Path) -> None:
    spec = CellSpec(label="a", sample_id="s1", repeat=1)
    rows = [
        stat(unit="S02"),
        stat(variant="paper", facets={"index": 0}),
        stat(metric="corr", n=None, d=None, invalid=1),
    ]
    lines = scorefile.lines(spec, rows)
    assert lines == scorefile.lines(spec, rows[::-1])
    (tmp_path / "scores.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    back = list(scorefile.read(tmp_path / "scores.jsonl"))
    assert {(row.label, row.repeat) for row in back} == {("a", 1)}
    assert sorted(map(str, (row.stat for row in back))) == sorted(map(str, rows))


def test_a_row_that_stands_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="twice"):
        scorefile.lines(CellSpec(label="a", sample_id="s1"), [stat(), stat(n=0.0)])
    line = scorefile.lines(CellSpec(label="a", sample_id="s1"), [stat()])[0]
    (tmp_path / "scores.jsonl").write_bytes((line + b"\n") * 2)
    with pytest.raises(StoreError, match="twice"):
        list(scorefile.read(tmp_path / "scores.jsonl"))


def test_a_run_without_scores_says_how_to_make_them(tmp_path: Path) -> None:
    store = RunStore.create(tmp_path / "r", header())
    with pytest.raises(StoreError, match="run `memarena score"):
        list(store.stats())
    with pytest.raises(StoreError, match="run `memarena score"):
        store.metrics()
    store.close()
