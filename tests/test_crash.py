"""Whatever ends a run, what was recorded stays, and resuming gives the scores of an unbroken run."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from memarena.store import RunStore

RUN = [sys.executable, "-m", "memarena", "run", "-d", "mini", "-a", "verbatim", "-a", "last-session", "-a", "constant"]


PATIENT = 600.0
"""Seconds that a busy machine may take."""


def run(*more: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*RUN, "--quiet", *more],
        capture_output=True,
        text=True,
        timeout=PATIENT,
        check=False,
        encoding="utf-8",
        env=env,
    )


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unbroken") / "run"
    done = run("--out", str(folder))
    assert done.returncode == 0, done.stderr
    return folder


def started(folder: Path, *more: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
    words = [*RUN, *more, "--jobs", "2", "--quiet", "--out", str(folder)]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, env=env)
    while not (folder / "run.json").exists():
        assert process.poll() is None, process.stderr and process.stderr.read()
        time.sleep(0.005)
    return process


@pytest.mark.parametrize("seed", range(6))
def test_a_killed_run_that_is_resumed_has_the_scores_of_an_unbroken_one(
    seed: int, unbroken: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    draw = random.Random(seed)
    process = started(folder)
    time.sleep(draw.uniform(0, 0.8))
    process.kill()
    process.communicate()
    for _ in range(seed % 2):
        again = subprocess.Popen([*RUN, "--quiet", "--out", str(folder), "--resume"], stderr=subprocess.DEVNULL)
        time.sleep(draw.uniform(0.3, 1.0))
        again.kill()
        again.wait()
    done = run("--out", str(folder), "--resume")
    assert done.returncode == 0, done.stderr
    assert (folder / "scores.jsonl").read_bytes() == (unbroken / "scores.jsonl").read_bytes()
    assert (folder / "metrics.json").read_bytes() == (unbroken / "metrics.json").read_bytes()


def test_no_row_stands_twice_and_none_is_missing(unbroken: Path) -> None:
    store = RunStore.open(unbroken)
    keys = [
        (row.label, row.repeat, row.stat.sample_id, row.stat.unit, row.stat.metric, row.stat.variant)
        for row in store.stats()
    ]
    assert len(keys) == len(set(keys))
    asked = {
        (spec.label, spec.sample_id, question.question_id)
        for spec in store.specs()
        for checkpoint in store.sample(spec.sample_id).checkpoints
        if checkpoint.after_session is not None
        for question in checkpoint.questions
    }
    assert {(label, sample, unit) for label, _, sample, unit, metric, _ in keys if metric == "qa_c"} == asked


def test_resuming_needs_no_flags_but_the_folder(unbroken: Path) -> None:
    before = (unbroken / "scores.jsonl").read_bytes()
    again = subprocess.run(
        [sys.executable, "-m", "memarena", "run", "--resume", "--quiet", "--out", str(unbroken)],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert again.returncode == 0, again.stderr
    assert (unbroken / "scores.jsonl").read_bytes() == before


def test_resuming_with_other_settings_names_the_setting(unbroken: Path) -> None:
    refused = run("--out", str(unbroken), "--resume", "--top-k", "3")
    assert refused.returncode == 2
    assert "settings.top_k was 10 and is now 3" in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_the_same_folder_twice_is_refused(unbroken: Path) -> None:
    refused = run("--out", str(unbroken))
    assert refused.returncode == 2
    assert "--resume" in refused.stderr


HELD = """
import os
import time
from memarena.floors import Nothing

class Memory(Nothing):
    def end_session(self, session_id):
        while not os.path.exists(os.environ["GO"]):
            time.sleep(0.01)
        super().end_session(session_id)
"""
"""A system that goes on when a file is there: a run of it is not over before it is interrupted."""


def scores_but_for(label: str, folder: Path) -> list[str]:
    lines = (folder / "scores.jsonl").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if json.loads(line)["label"] != label]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_cancelled_run_says_so_keeps_what_was_finished_and_ends_with_130(
    number: signal.Signals, unbroken: Path, tmp_path: Path
) -> None:
    home = tmp_path / "site" / "memarena_held-0.1.dist-info"
    home.mkdir(parents=True)
    (home / "METADATA").write_text("Name: memarena-held\nVersion: 0.1\n", encoding="utf-8")
    (home / "entry_points.txt").write_text("[memarena.adapters]\nheld = held:Memory\n", encoding="utf-8")
    (tmp_path / "site" / "held.py").write_text(HELD, encoding="utf-8")
    search = os.pathsep.join(filter(None, (str(home.parent), os.environ.get("PYTHONPATH"))))
    env = {**os.environ, "PYTHONPATH": search, "GO": str(tmp_path / "go")}
    folder = tmp_path / "run"
    process = started(folder, "-a", "held", env=env)
    while not list(folder.glob("cells/held~*/memory.jsonl")) and process.poll() is None:
        time.sleep(0.002)
    process.send_signal(number)
    (tmp_path / "go").touch()
    _, errors = process.communicate(timeout=PATIENT)
    assert process.returncode == 130, errors
    assert json.loads((folder / "status.json").read_bytes())["status"] == "cancelled"
    assert run("-a", "held", "--out", str(folder), "--resume", env=env).returncode == 0
    assert scores_but_for("held", folder) == (unbroken / "scores.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    place = tmp_path / "disk"
    place.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(place)], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("this account may not mount a disk")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.skipif(os.name != "posix", reason="mounts a tmpfs")
def test_a_full_disk_is_one_line_and_the_run_goes_on_with_more_room(mounted: Path, unbroken: Path) -> None:
    full = run("--out", str(mounted / "run"))
    assert full.returncode == 2
    assert "the disk is full; free some space and go on with --resume" in full.stderr
    assert full.stderr.count("\n") == 1
    subprocess.run(["mount", "-o", "remount,size=20m", str(mounted)], check=True)
    assert run("--out", str(mounted / "run"), "--resume").returncode == 0
    assert (mounted / "run" / "scores.jsonl").read_bytes() == (unbroken / "scores.jsonl").read_bytes()


def test_a_disk_that_cannot_be_written_is_one_line(mounted: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(mounted)], check=True)
    refused = run("--out", str(mounted / "run"))
    assert refused.returncode == 2
    assert "choose another folder with --out" in refused.stderr
    assert refused.stderr.count("\n") == 1
