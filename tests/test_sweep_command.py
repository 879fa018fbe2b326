"""`memarena run --sweep`: a run for each point, the memory phase shared where it may be, one table at the end."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from run_commands import memarena

from memarena.store import RunStore

pytest.importorskip("memarena_report", reason="memarena-report is not installed")
pytest.importorskip("memarena_rag", reason="memarena-rag is not installed")

SYSTEMS = ("-d", "tiny", "-a", "verbatim", "-a", "nothing", "--quiet")


def in_folder(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return memarena(*words, cwd=folder)


def scores(folder: Path) -> bytes:
    return (folder / "scores.jsonl").read_bytes()


def test_a_point_that_shares_the_memory_has_the_scores_of_a_run_of_its_own(tmp_path: Path) -> None:
    swept = in_folder(
        tmp_path, "run", *SYSTEMS, "--sweep", "top_k=1,3", "--sweep", "evidence_mode=memory,session", "--out", "s"
    )
    assert swept.returncode == 0, swept.stderr
    own = in_folder(tmp_path, "run", *SYSTEMS, "--top-k", "1", "--evidence-mode", "session", "--out", "own")
    assert own.returncode == 0, own.stderr
    point = tmp_path / "s" / "top_k=1,evidence_mode=session"
    assert scores(point) == scores(tmp_path / "own")
    assert RunStore.open(point).header["derived"]["from"] == "top_k=3,evidence_mode=memory"
    assert (point / "report.html").exists()
    assert "top_k: shares the memory phase: fewer items are the first of more" in swept.stdout
    assert "verbatim" in swept.stdout
    assert "top_k=1,evidence_mode=session" in "".join(swept.stdout.split())


def test_a_sweep_that_was_stopped_goes_on(tmp_path: Path) -> None:
    words = ("run", *SYSTEMS, "--sweep", "captions=none,given", "--sweep", "max_pictures=0,1", "--out", "s")
    assert in_folder(tmp_path, *words).returncode == 0
    points = sorted(path.name for path in (tmp_path / "s").iterdir() if path.is_dir())
    before = {name: scores(tmp_path / "s" / name) for name in points}
    assert len(before) == 4
    refused = in_folder(tmp_path, *words)
    assert (refused.returncode, "go on with --resume" in refused.stderr) == (2, True)
    (tmp_path / "s" / points[0] / "scores.jsonl").unlink()
    shutil.rmtree(tmp_path / "s" / points[1])
    again = in_folder(tmp_path, *words, "--resume")
    assert again.returncode == 0, again.stderr
    assert {name: scores(tmp_path / "s" / name) for name in points} == before
    other = in_folder(tmp_path, "run", *SYSTEMS, "--sweep", "max_pictures=0,2", "--out", "s", "--resume")
    assert (other.returncode, "ask for the same --sweep" in other.stderr) == (2, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("topk=1,2", "cannot be swept"),
        ("top_k=1,many", "expected a whole number"),
        ("answerer=extractive,magic", "magic"),
        ("bm25.colour=1,2", "colour"),
    ],
)
def test_what_is_wrong_is_refused_before_anything_is_written(tmp_path: Path, text: str, message: str) -> None:
    refused = in_folder(tmp_path, "run", *SYSTEMS, "-a", "bm25", "--sweep", text, "--out", "s")
    assert refused.returncode == 2
    assert message in refused.stderr
    assert not (tmp_path / "s").exists()


def test_a_dry_run_says_what_would_share_a_memory(tmp_path: Path) -> None:
    told = in_folder(tmp_path, "run", *SYSTEMS, "--sweep", "top_k=1,3", "--sweep", "captions=none,given", "--dry-run")
    assert told.stdout.splitlines() == [
        "4 points, 2 memory phases, 2 rows each",
        "top_k: shares the memory phase: fewer items are the first of more",
        "captions: no shared memory phase: the memory hears captions",
        "top_k=1,captions=none: from the memory of top_k=3,captions=none",
        "top_k=1,captions=given: from the memory of top_k=3,captions=given",
        "nothing was written",
    ]
    assert list(tmp_path.iterdir()) == []
