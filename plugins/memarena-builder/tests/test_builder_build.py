from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from builder_orders import order
from msgspec.structs import replace

from memarena.datasets import open_data
from memarena.errors import UsageError
from memarena_builder import build as building
from memarena_builder import manifest
from memarena_builder.build import JOURNAL, build
from memarena_builder.dataset import Sim
from memarena_builder.layout import as_json
from memarena_builder.lifelong import build_sample
from memarena_builder.order import LifelongOrder, PlayedOrder
from memarena_builder.presets import PRESETS, orders


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    root = tmp_path_factory.mktemp("tiny")
    build(root, "tiny", 7)
    return root


def hashes(root: Path) -> dict[str, str]:
    files = (path for path in sorted(root.rglob("*")) if path.is_file())
    return {path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_the_loader_reads_a_build_without_a_finding(tiny):
    opened = open_data(str(tiny))
    samples = list(opened)
    assert len(samples) == 6 and opened.report.findings == []
    kinds = {question.type for sample in samples for stop in sample.checkpoints for question in stop.questions}
    assert len(kinds) == 11


def test_nothing_that_a_validator_refused_is_left(tiny):
    found = json.loads((tiny / "build-report.json").read_text(encoding="utf-8"))
    assert [row["left"] + row["dropped"] for row in found["problems"].values()] == [0] * len(found["problems"])
    assert found["dropped"] == []


def test_another_process_with_another_hash_seed_makes_the_same_bytes(tiny, tmp_path):
    code = "import sys; from pathlib import Path; from memarena_builder.build import build; "
    code += "build(Path(sys.argv[1]), 'tiny', 7, jobs=2)"
    script = tmp_path / "script.py"
    script.write_text(code.replace("; build(", "\nif __name__ == '__main__':\n    build("), encoding="utf-8")
    environment = {**os.environ, "PYTHONHASHSEED": "4242", "LC_ALL": "C"}
    subprocess.run([sys.executable, str(script), str(tmp_path / "out")], check=True, env=environment)
    assert hashes(tmp_path / "out") == hashes(tiny)


def test_another_seed_makes_another_world():
    one, other = (json.dumps(as_json(build_sample(order("health", seed)))) for seed in (1, 2))
    assert one != other


def test_a_build_that_was_stopped_goes_on_and_makes_the_same(tiny, tmp_path, monkeypatch):
    def stop(done, total, name):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(tmp_path, "tiny", 7, tell=stop)
    journal = tmp_path / JOURNAL
    journal.write_bytes(journal.read_bytes() + b'{"type":"done","made":{"sam')
    made = []
    real = building.make
    monkeypatch.setattr(building, "make", lambda order, root: made.append(order.sample_id) or real(order, root))
    build(tmp_path, "tiny", 7)
    assert len(made) == 4
    assert hashes(tmp_path) == hashes(tiny)


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no process groups here")
def test_a_build_that_is_killed_goes_on_and_makes_the_same(tiny, tmp_path):
    out = tmp_path / "out"
    code = "import sys; from pathlib import Path; from memarena_builder.build import build\n"
    code += "if __name__ == '__main__':\n    build(Path(sys.argv[1]), 'tiny', 7, jobs=2)\n"
    script = tmp_path / "script.py"
    script.write_text(code, encoding="utf-8")
    process = subprocess.Popen([sys.executable, str(script), str(out)], start_new_session=True)
    until = time.monotonic() + 300
    while not list((out / "lifelong").rglob("*.json")) and time.monotonic() < until:
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert (out / JOURNAL).is_file() and manifest.read(out) is None
    build(out, "tiny", 7)
    assert hashes(out) == hashes(tiny)


def test_a_sample_whose_files_are_gone_is_made_again(tiny, tmp_path):
    def stop(done, total, name):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(tmp_path, "tiny", 7, tell=stop)
    next(tmp_path.rglob("*.png")).unlink()
    build(tmp_path, "tiny", 7)
    assert hashes(tmp_path) == hashes(tiny)


def test_a_folder_of_another_build_is_left_alone(tiny):
    with pytest.raises(UsageError, match="holds another data set"):
        build(tiny, "tiny", 8)


def test_a_folder_of_somebody_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("precious", encoding="utf-8")
    with pytest.raises(UsageError, match="is not empty"):
        build(tmp_path, "tiny", 7)


def test_an_unknown_preset_is_named_with_its_neighbour(tmp_path):
    with pytest.raises(UsageError, match="did you mean 'small'"):
        build(tmp_path / "out", "smal", 7)


def test_a_build_that_is_there_is_told_as_it_was_made(tiny):
    assert [made.sample_id for made in build(tiny, "tiny", 7)] == [each.sample_id for each in orders("tiny", 7)]


def test_every_sample_names_its_split_and_both_splits_are_there(tiny):
    splits = json.loads((tiny / "splits.json").read_text(encoding="utf-8"))
    assert sorted(splits["dev"] + splits["test"]) == sorted(each.sample_id for each in orders("tiny", 7))
    assert splits["dev"] and splits["test"]


def test_a_fifth_of_each_sub_category_is_of_dev():
    made = orders("paper", 7)
    strata = {order.place: [each.split for each in made if each.place == order.place] for order in made}
    assert strata["lifelong/project/finance"] == ["test", "test", "dev"]
    assert [number for number, split in enumerate(strata["lifelong/personal"], 1) if split == "dev"] == [3, 8, 13, 18]
    assert all(abs(splits.count("dev") - len(splits) / 5) < 1 for splits in strata.values())
    assert 461 * 0.19 < sum(splits.count("dev") for splits in strata.values()) < 461 * 0.21


def test_what_no_system_may_see_is_named_in_no_sample_file(tiny):
    for path in tiny.glob("lifelong/**/*.json"):
        assert "fact_id" not in path.read_text(encoding="utf-8")


def test_the_paper_preset_has_the_samples_sessions_and_questions_of_the_paper():
    wanted = orders("paper", 0)
    dialogue = [each for each in wanted if isinstance(each, LifelongOrder)]
    work = [each for each in wanted if isinstance(each, PlayedOrder)]
    assert (len(dialogue), len(work), len(wanted)) == (38, 423, 461)
    assert {each.quota.sessions for each in dialogue} == {30} and sum(each.sessions for each in work) == 7349
    assert sum(each.questions for each in work) == 22_168
    assert set(PRESETS) == {"tiny", "small", "paper", "stress"}


PUBLISHED = {
    "lifelong/project/academic": 3, "lifelong/project/education": 3, "lifelong/project/finance": 3,
    "lifelong/project/health": 3, "lifelong/project/software": 3, "lifelong/project/startup": 3,
    "lifelong/personal": 20,
    "agent/gui/excel": 24, "agent/gui/file_mgmt": 19, "agent/gui/image_edit": 30, "agent/gui/web": 27,
    "agent/gui/word_docs": 25, "agent/gui/css": 20, "agent/gui/mobile": 19, "agent/gui/webarena_lite": 39,
    "agent/embodied/eb_alfred_base": 15, "agent/embodied/eb_alfred_common_sense": 14,
    "agent/embodied/eb_alfred_complex_instruction": 14, "agent/embodied/eb_alfred_long_horizon": 14,
    "agent/embodied/eb_alfred_visual_appearance": 12, "agent/embodied/eb_nav_base": 16,
    "agent/embodied/eb_nav_common_sense": 15, "agent/embodied/eb_nav_complex_instruction": 17,
    "agent/embodied/eb_nav_long_horizon": 18, "agent/embodied/eb_nav_visual_appearance": 13,
    "agent/embodied/minecraft": 32, "agent/embodied/omnigibson": 40,
}  # fmt: skip
"""Samples of each sub-category of the published set."""


def test_the_paper_preset_has_the_sub_categories_of_the_published_set():
    assert Counter(each.place for each in orders("paper", 0)) == PUBLISHED


def test_verify_tells_what_is_missing_changed_and_new(tiny):
    found = manifest.read(tiny)
    assert found is not None and list(manifest.faults(tiny, found)) == []
    changed, gone = tiny / "splits.json", tiny / "build-report.json"
    before = changed.read_bytes(), gone.read_bytes()
    extra = tiny / "extra.txt"
    try:
        changed.write_bytes(before[0] + b" ")
        gone.unlink()
        extra.write_bytes(b"")
        assert dict(manifest.faults(tiny, found)) == {
            "splits.json": "changed", "build-report.json": "missing", "extra.txt": "new",
        }  # fmt: skip
    finally:
        changed.write_bytes(before[0])
        gone.write_bytes(before[1])
        extra.unlink()


@pytest.mark.parametrize(
    "edit",
    [
        {"seed": 8},
        {"preset": "small"},
        {"generator": "x"},
        {"libraries": {}},
        {"fonts": {}},
        {"seal": ""},
        {"packs": {"en/x": "0"}},
    ],
    ids=lambda edit: next(iter(edit)),
)
def test_verify_tells_a_manifest_that_was_edited(tiny, edit):
    found = manifest.read(tiny)
    assert found is not None
    assert list(manifest.faults(tiny, replace(found, **edit))) == [("manifest.json", "changed")]


def test_verify_tells_what_a_build_that_began_anew_has_left(tiny):
    (tiny / "build.jsonl").write_bytes(b"{}")
    try:
        assert list(manifest.faults(tiny, manifest.read(tiny))) == [("build.jsonl", "new")]
    finally:
        (tiny / "build.jsonl").unlink()


def test_verify_tells_which_libraries_and_fonts_are_others_here(tiny):
    found = manifest.read(tiny)
    assert found is not None and list(manifest.elsewhere(found)) == []
    face = next(iter(found.fonts))
    other = replace(
        found,
        generator="memarena-builder 0.1",
        libraries={**found.libraries, "pillow": "1.7.8", "crayon": "2"},
        fonts={**found.fonts, face: "0" * 64},
    )
    assert list(manifest.elsewhere(other)) == [
        f"built by memarena-builder 0.1, here is {found.generator}",
        "crayon: built with 2, here is none",
        f"pillow: built with 1.7.8, here is {found.libraries['pillow']}",
        f"font {face}: built with 000000000000, here is {found.fonts[face][:12]}",
    ]


def test_sim_is_built_on_first_use_and_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("MEMARENA_CACHE", str(tmp_path))
    monkeypatch.setattr("memarena_builder.dataset.os.cpu_count", lambda: 1)
    assert len(list(Sim().open("tiny@3"))) == 6
    folder = next((tmp_path / "sim").iterdir())
    stamp = (folder / "manifest.json").stat().st_mtime_ns
    assert len(list(Sim().open("tiny@3"))) == 6
    assert (folder / "manifest.json").stat().st_mtime_ns == stamp


@pytest.mark.parametrize("source", ["huge", "tiny@x", "tiny@-1"])
def test_sim_says_what_it_takes(source):
    with pytest.raises(UsageError, match="PRESET@SEED"):
        Sim().open(source)
