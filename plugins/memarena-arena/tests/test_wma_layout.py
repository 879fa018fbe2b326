"""Where samples are looked for, in which order, and which files are not read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from memarena.errors import DataError, UsageError
from memarena_arena.worldmemarena import FolderOptions, WorldMemArena

if TYPE_CHECKING:
    from wma_folder import Folder


def names(folder: Folder, **options: object) -> list[str]:
    return [sample.sample_id for sample in folder.load(**options)[0]]


def write_three(folder: Folder) -> None:
    for place, name in (
        ("lifelong/personal", "personal_2"),
        ("lifelong/personal", "personal_10"),
        ("agent/gui/excel", "excel_1"),
    ):
        folder.write(folder.good(name), place, name)


def test_samples_come_sorted_by_the_parts_of_their_paths(folder: Folder) -> None:
    write_three(folder)
    assert names(folder) == ["excel_1", "personal_10", "personal_2"]


def test_a_folder_sorts_before_a_longer_name_that_begins_with_it(folder: Folder) -> None:
    folder.write(folder.good("a"), "lifelong/work", "a")
    folder.write(folder.good("b"), "lifelong/work-2", "b")
    folder.write(folder.good("c"), "lifelong", "work")
    assert names(folder) == ["a", "b", "c"]


def test_a_doubled_root_folder_is_entered(folder: Folder) -> None:
    write_three(folder)
    outer = folder.root.parent
    assert [sample.sample_id for sample in WorldMemArena().open(str(outer))] == names(folder)


def test_the_folder_says_regime_and_domain(folder: Folder) -> None:
    write_three(folder)
    folder.write(folder.good("mine"), "traces/2025", "mine")
    samples, _ = folder.load()
    assert [(sample.regime, sample.domain) for sample in samples] == [
        ("agentic", "agent/gui/excel"),
        ("lifelong", "lifelong/personal"),
        ("lifelong", "lifelong/personal"),
        ("external", "traces/2025"),
    ]


def test_a_json_file_in_the_root_is_never_a_sample(folder: Folder) -> None:
    write_three(folder)
    folder.write_bytes(b"not even json", "dataset-manifest.json")
    samples, report = folder.load()
    assert (len(samples), report.findings) == (3, [])


def test_a_json_file_that_is_no_sample_is_reported_and_skipped(folder: Folder) -> None:
    write_three(folder)
    folder.write_bytes(b'{"loss": 0.5}', "lifelong/personal/out/metrics.json")
    folder.write_bytes(b"[1, 2]", "lifelong/personal/out/list.json")
    samples, report = folder.load()
    assert (len(samples), report.counts) == (3, {"stray_file": 2})
    assert [finding.file for finding in report.findings] == [
        "lifelong/personal/out/list.json",
        "lifelong/personal/out/metrics.json",
    ]
    assert not report.refused


def test_hidden_files_and_folders_are_not_read(folder: Folder) -> None:
    write_three(folder)
    folder.write_bytes(b"\0\0", "lifelong/._personal_2.json")
    folder.write_bytes(b"\0\0", ".cache/huggingface/x.json")
    samples, report = folder.load()
    assert (len(samples), report.counts) == (3, {"hidden_file": 2})


def test_a_folder_that_is_a_link_is_not_followed(folder: Folder, tmp_path: Path) -> None:
    write_three(folder)
    (folder.root / "lifelong" / "again").symlink_to(folder.root / "lifelong" / "personal")
    samples, report = folder.load()
    assert (len(samples), report.counts) == (3, {"linked_folder": 1})


def test_the_small_split_needs_its_file(folder: Folder) -> None:
    write_three(folder)
    with pytest.raises(DataError, match=r"small_ids\.json: is missing"):
        folder.load(split="small")


def test_the_small_split_reports_an_id_that_no_sample_has(folder: Folder) -> None:
    write_three(folder)
    folder.write_bytes(json.dumps(["personal_2", "gone"]).encode(), "small_ids.json")
    samples, report = folder.load(split="small")
    assert [sample.sample_id for sample in samples] == ["personal_2"]
    assert report.counts == {"unknown_sample": 1}


@pytest.mark.parametrize("ids", ["[]", "{}", "[1]", '"personal_2"'])
def test_a_small_split_that_names_no_sample_is_refused(folder: Folder, ids: str) -> None:
    write_three(folder)
    folder.write_bytes(ids.encode(), "small_ids.json")
    with pytest.raises(DataError, match=r"small_ids\.json: \$.*: a (list of sample ids|sample id) is needed"):
        folder.load(split="small")


def test_another_split_is_refused(folder: Folder) -> None:
    write_three(folder)
    with pytest.raises(UsageError, match="all and small"):
        folder.load(split="medium")


def test_asking_for_one_sample_reads_no_other_file(folder: Folder) -> None:
    write_three(folder)
    folder.write_bytes(b"{", "lifelong/personal/broken.json")
    samples, report = folder.load(samples=("personal_10",))
    assert ([sample.sample_id for sample in samples], report.findings) == (["personal_10"], [])


def test_a_sample_whose_file_has_another_name_is_found_all_the_same(folder: Folder) -> None:
    write_three(folder)
    folder.write(folder.good("odd"), name="other")
    assert names(folder, samples=("odd",)) == ["odd"]


def test_an_unknown_sample_is_an_error_that_names_a_close_one(folder: Folder) -> None:
    write_three(folder)
    with pytest.raises(UsageError, match="did you mean 'personal_10'"):
        folder.load(samples=("personal_11",))


def test_an_overlay_marks_the_questions_whose_gold_is_wrong(folder: Folder) -> None:
    write_three(folder)
    entries = [
        {"sample_id": "personal_2", "question_id": "QA00:Q001", "known_wrong": "it was Hull"},
        {"sample_id": "gone", "question_id": "QA00:Q001", "known_wrong": "no"},
    ]
    path = folder.write_bytes(json.dumps(entries).encode(), "overlay.json")
    samples, report = folder.load(overlay=str(path))
    questions = [question for sample in samples for question in sample.checkpoints[0].questions]
    assert [question.known_wrong for question in questions if question.known_wrong] == ["it was Hull"]
    assert report.counts == {"known_wrong": 1, "overlay_unmatched": 1}
    assert folder.load(overlay=str(path), samples=("personal_2",))[1].counts == {"known_wrong": 1}


def test_samples_are_read_one_at_a_time(folder: Folder) -> None:
    write_three(folder)
    folder.write_bytes(b"{", "lifelong/project/zzz.json")
    opened = WorldMemArena().open(str(folder.root), FolderOptions())
    assert next(iter(opened)).sample_id == "excel_1"
    assert opened.report.findings == []


def test_a_second_pass_gives_the_same_samples_and_the_same_report(folder: Folder) -> None:
    write_three(folder)
    folder.write_bytes(b"{}", "lifelong/stray.json")
    opened = WorldMemArena().open(str(folder.root))
    first, counts = list(opened), dict(opened.report.counts)
    assert list(opened) == first
    assert opened.report.counts == counts


@pytest.mark.parametrize("name", ["", "missing", "file"])
def test_a_source_that_is_no_folder_is_refused(folder: Folder, name: str) -> None:
    folder.write_bytes(b"{}", "file")
    with pytest.raises((DataError, UsageError)):
        WorldMemArena().open(str(folder.root / name) if name else "")


def test_a_folder_without_json_files_is_refused(folder: Folder) -> None:
    folder.write_bytes(b"{}", "only_in_the_root.json")
    with pytest.raises(DataError, match="holds no sample"):
        WorldMemArena().open(str(folder.root))


def test_a_folder_of_this_layout_is_known_by_its_folders(folder: Folder) -> None:
    write_three(folder)
    assert WorldMemArena.accepts(folder.root)
    assert WorldMemArena.accepts(folder.root.parent)
    assert not WorldMemArena.accepts(folder.root / "lifelong")
    assert not WorldMemArena.accepts(folder.root / "no" / "such")


def test_a_split_of_its_own_is_named_in_splits_json(folder: Folder) -> None:
    for name in ("personal_01", "personal_02"):
        folder.write(folder.good(name), name=name)
    folder.write_bytes(b'{"dev": ["personal_02"], "test": ["personal_01"], "odd": [1], "none": []}', "splits.json")
    samples, _ = folder.load(split="dev")
    assert [sample.sample_id for sample in samples] == ["personal_02"]
    for split, kind, told in (
        ("train", UsageError, "names dev, none, odd, test"),
        ("odd", DataError, r"\$\.odd\[0\]: a sample id is needed"),
        ("none", DataError, r"\$\.none: a list of sample ids is needed"),
    ):
        with pytest.raises(kind, match=told):
            folder.load(split=split)


def test_a_sample_is_told_the_splits_and_the_twin_that_the_data_set_says_it_has(folder: Folder) -> None:
    write_three(folder)
    folder.write_bytes(b'{"dev": ["excel_1"], "test": ["personal_2"], "hard": ["personal_2"]}', "splits.json")
    folder.write_bytes(b'{"personal_2": {"pair": "personal_2"}}', "twins.json")
    notes = {sample.sample_id: sample.meta for sample in folder.load()[0]}
    assert notes == {
        "excel_1": {"split": "dev"},
        "personal_10": {},
        "personal_2": {"split": "test, hard", "twin": {"pair": "personal_2"}},
    }


@pytest.mark.parametrize(("name", "text"), [("splits.json", b"[]"), ("twins.json", b'{"a": []}')])
def test_a_file_beside_the_samples_that_says_nothing_of_them_is_refused(folder: Folder, name: str, text: bytes) -> None:
    write_three(folder)
    folder.write_bytes(text, name)
    with pytest.raises(DataError, match="is needed"):
        folder.load()
