"""Builds that are stopped, killed, crowded or robbed: what they leave, what they say, and how they go on."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import builder_held
import pytest

from memarena.errors import UsageError
from memarena_builder import build as building
from memarena_builder import dataset, manifest, progress, workers
from memarena_builder.build import JOURNAL, build
from memarena_builder.presets import orders

PATIENT = 300.0
"""Seconds that a busy machine may take."""
SCRIPT = """
import sys
from pathlib import Path
from memarena_builder.build import build
if __name__ == "__main__":
    print("begun", flush=True)
    build(Path(sys.argv[1]), "tiny", 7, jobs=2)
"""


@pytest.fixture(scope="module", autouse=True)
def two_samples():
    """In this process a preset has but its first two samples."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "orders", lambda *given: orders(*given)[:2])
        yield


@pytest.fixture(scope="module")
def tiny(tmp_path_factory, two_samples):
    root = tmp_path_factory.mktemp("tiny")
    build(root, "tiny", 7)
    return root


def content(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_a_build_that_is_stopped(tmp_path, by):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path / "out")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        restore_signals=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )  # fmt: skip
    until = time.monotonic() + PATIENT
    while not list((tmp_path / "out").rglob("*.png")) and time.monotonic() < until:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(by)
    told, _ = process.communicate(timeout=PATIENT)  # at an end only when nobody holds its output any more
    assert process.returncode != 0 and told == b"begun\n"
    assert (tmp_path / "out" / JOURNAL).is_file() and manifest.read(tmp_path / "out") is None


def test_a_worker_that_is_killed_is_told_in_one_line_and_the_rest_goes_on(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "make", builder_held.make)
    killed = []

    def kill(done, total, name):
        if not killed:
            children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text(encoding="utf-8").split()
            spawned = [each for each in children if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()]
            killed.extend(spawned)
            for each in spawned:
                os.kill(int(each), signal.SIGKILL)

    if not Path(f"/proc/{os.getpid()}/task").is_dir():
        pytest.skip("children are found by /proc")
    with pytest.raises(UsageError, match=r"--jobs 2: one of the processes was killed.*goes on where it stopped"):
        build(tmp_path, "tiny", 7, jobs=2, tell=kill)
    build(tmp_path, "tiny", 7)
    assert killed and content(tmp_path) == content(tiny)


def test_two_builds_do_not_work_in_one_folder(tmp_path):
    told = []

    def other(done, total, name):
        if done == 1:
            with pytest.raises(UsageError, match="another build is at work there") as error:
                build(tmp_path, "tiny", 7)
            told.append(str(error.value))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(tmp_path, "tiny", 7, tell=other)
    assert told


def test_a_run_waits_for_the_build_that_another_run_has_begun(tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("MEMARENA_CACHE", str(tmp_path))
    monkeypatch.setattr(dataset, "build", lambda folder, *_, **given: folders.append((folder, given)))
    folders: list[tuple[Path, dict[str, object]]] = []
    with pytest.raises(Exception, match="no such folder"):
        dataset.Sim().open("tiny@7")
    assert folders[0][1]["wait"] is True
    root = tmp_path / "held"
    root.mkdir()
    held = os.open(root, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    done = threading.Event()
    waiting = threading.Thread(target=lambda: (build(root, "tiny", 7, wait=True), done.set()))
    waiting.start()
    assert not done.wait(0.5) and not list(root.iterdir())
    for name, data in content(tiny).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    os.close(held)
    waiting.join(timeout=PATIENT)
    assert done.is_set() and content(root) == content(tiny)


@pytest.mark.parametrize("gone", ["*.png", "*.json", "*.jsonl", "build-report.json"])
def test_a_data_set_whose_files_are_gone_is_made_whole_again(tiny, tmp_path, gone, monkeypatch):
    for name, data in content(tiny).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    next(iter(sorted((tmp_path / "hidden" if gone == "*.jsonl" else tmp_path).rglob(gone)))).unlink()
    made = []
    real = building.make
    monkeypatch.setattr(building, "make", lambda order, root: made.append(order.sample_id) or real(order, root))
    build(tmp_path, "tiny", 7)
    assert content(tmp_path) == content(tiny)
    assert len(made) == (2 if gone in ("build-report.json", "*.json") else 1)


def test_a_data_set_that_is_whole_is_not_made_again(tiny, monkeypatch):
    monkeypatch.setattr(building, "make", lambda order, root: pytest.fail("made again"))
    before = {path: path.stat().st_mtime_ns for path in tiny.rglob("*")}
    build(tiny, "tiny", 7)
    assert {path: path.stat().st_mtime_ns for path in tiny.rglob("*")} == before


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_full_disk_is_told_with_the_folder_and_what_to_do(tiny, tmp_path, jobs):
    code = "import resource, signal, sys\n"
    code += "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\nresource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))\n"
    code += "from memarena.cli import main\nif __name__ == '__main__':\n    main()\n"
    script = tmp_path / "script.py"
    script.write_text(code, encoding="utf-8")
    out = tmp_path / "out"
    command = [sys.executable, "-B", str(script), "data", "build", "--preset", "tiny", "--seed", "7", "--out", str(out)]
    found = subprocess.run([*command, "--jobs", str(jobs)], capture_output=True, text=True, check=False)
    assert found.returncode == UsageError.exit_code
    said = f"memarena: --out {out}: File too large; once that is mended, the same command goes on"
    assert found.stderr.strip().splitlines()[-1] == said
    assert manifest.read(out) is None and (out / JOURNAL).is_file()
    build(out, "tiny", 7)
    assert content(out) == content(tiny)


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path):
    (tmp_path / "out").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match=r"--out .*out: File exists"):
        build(tmp_path / "out", "tiny", 7)


def test_a_build_that_was_killed_while_it_wrote_its_first_line_begins_anew(tmp_path, monkeypatch):
    (tmp_path / f"{JOURNAL}.part").write_bytes(b'{"type":"he')

    def stop(done, total, name):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(tmp_path, "tiny", 7, tell=stop)
    rows = [json.loads(line) for line in (tmp_path / JOURNAL).read_bytes().splitlines()]
    assert [row["type"] for row in rows] == ["head", "done"]
    assert not (tmp_path / f"{JOURNAL}.part").exists()


def test_a_log_has_a_line_for_each_tenth_of_a_build(capsys):
    for done in range(1, 41):
        progress.tell_all(done, 40, f"sample_{done}")
    said = capsys.readouterr().err.splitlines()
    assert said == [f"{done}/40 sample_{done}" for done in range(4, 41, 4)]
    for done in range(1, 7):
        progress.tell_all(done, 6, "one")
    assert len(capsys.readouterr().err.splitlines()) == 6


def test_a_build_that_goes_on_tells_once_how_far_it_was(tmp_path):
    def stop(done, total, name):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(tmp_path, "tiny", 7, tell=stop)
    told = []
    build(tmp_path, "tiny", 7, tell=lambda done, total, name: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]
