"""`memarena run` and `score` as a person uses them: flags, refusals, failing rows, oracles, what stays on disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path

import pytest

from memarena.store import RunStore


def memarena(
    *words: str, path: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    search = os.pathsep.join(filter(None, [str(path) if path else "", os.environ.get("PYTHONPATH", "")]))
    return subprocess.run(
        [sys.executable, "-m", "memarena", *words],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": search, **(env or {})},
    )


def run(out: Path, *words: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    return memarena("run", "-d", "tiny", "--quiet", "--out", str(out), *words, path=path)


def package(folder: Path, name: str, code: str, group: str = "adapters", entry: str = "Memory") -> None:
    """An installed distribution with one module and one entry point, without pip."""
    module = f"m_{name.replace('-', '_')}"
    (folder / f"{module}.py").write_text(code, encoding="utf-8")
    info = folder / f"memarena_{name}-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: memarena-{name}\nVersion: 0.1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[memarena.{group}]\n{name} = {module}:{entry}\n", encoding="utf-8")


def one_line(result: subprocess.CompletedProcess[str], *parts: str) -> None:
    """It was refused with one line that holds `parts`, and exit code 2."""
    assert result.returncode == 2, result.stderr
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    assert "Traceback" not in result.stderr
    for part in parts:
        assert part in lines[0]


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["run", "-d", "mini"], ["no memory system was chosen", "-a"]),
        (["run", "-a", "bm25"], ["no data set was chosen", "-d mini"]),
        (["run", "-d", "mini", "-a", "bm52"], ["unknown adapter 'bm52'", "did you mean 'bm25'"]),
        (["run", "-d", "no/such/folder", "-a", "bm25"], ["no/such/folder", "there is no such file"]),
        (["run", "-d", "minni", "-a", "bm25"], ["minni", "did you mean 'mini'"]),
        (["run", "-d", "mini", "-a", "bm25", "-a", "bm25"], ["labelled 'bm25'", "-a bm25-2=bm25"]),
        (["run", "-d", "mini", "-a", "bm25", "-o", "bm25.rounds=1"], ["no option 'rounds'"]),
        (["run", "-d", "mini", "-a", "bm25", "-o", "other.k1=1"], ["other.k1"]),
        (["run", "-d", "mini", "-a", "bm25", "-o", "bm25.k1=high"], ["k1"]),
        (["run", "-d", "mini", "-a", "bm25", "--answerer", "gpt"], ["unknown answerer 'gpt'"]),
        (["run", "-d", "mini", "-a", "bm25", "--judge", "llm"], ["llm needs a model", "--model judge=NAME"]),
        (["run", "-d", "mini", "-a", "bm25", "--sample", "software_1"], ["software_1", "software_01"]),
        (["run", "-d", "mini", "-a", "bm25", "--overlay", "no.json"], ["no.json"]),
        (["run", "-d", "tiny", "-a", "verbatim", "--split", "small"], ["--split", "tiny"]),
        (["run", "-d", "mini", "-a", "bm25", "--top-k", "0"], ["--top-k", "at least 1"]),
        (["run", "-d", "mini", "-a", "bm25", "--repeats", "-1"], ["--repeats"]),
        (
            ["run", "-d", "tiny", "-a", "gold-evidence=verbatim", "--oracle", "retrieve"],
            ["LABEL=NAME"],
        ),
        (["run", "--resume", "-d", "mini"], ["--out"]),
        (["score", "no-run"], ["no-run is no run folder"]),
        (["report", "no-run"], ["no-run is no run folder"]),
    ],
)
def test_a_persons_mistake_is_one_line_before_anything_is_written(
    words: list[str], parts: list[str], tmp_path: Path
) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "memarena", *words],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
        encoding="utf-8",
    )
    one_line(result, *parts)
    assert list(tmp_path.iterdir()) == []


def test_a_run_ends_with_a_table_and_a_report(tmp_path: Path) -> None:
    result = run(tmp_path / "r", "-a", "verbatim", "-a", "nothing")
    assert result.returncode == 0, result.stderr
    assert "verbatim" in result.stdout
    assert (tmp_path / "r" / "report.html").stat().st_size > 10_000


def test_a_dry_run_says_what_would_be_run_and_writes_nothing(tmp_path: Path) -> None:
    result = run(tmp_path / "r", "-a", "verbatim", "-a", "nothing", "--oracle", "retrieve", "--dry-run")
    assert result.returncode == 0, result.stderr
    assert "2 samples, 3 sessions" in result.stdout
    assert "3 rows (verbatim, nothing, gold-evidence), 6 cells, 15 answers" in result.stdout
    assert "at most 72 judgements" in result.stdout
    assert list(tmp_path.iterdir()) == []


def test_limit_and_sample_choose_exactly_what_is_run(tmp_path: Path) -> None:
    run(tmp_path / "a", "-a", "nothing", "--limit", "1")
    run(tmp_path / "b", "-a", "nothing", "--sample", "tiny-work")
    assert [spec.sample_id for spec in RunStore.open(tmp_path / "a").specs()] == ["tiny-home"]
    assert [spec.sample_id for spec in RunStore.open(tmp_path / "b").specs()] == ["tiny-work"]


def test_the_oracle_row_hands_the_evidence_to_the_answerer(tmp_path: Path) -> None:
    result = run(tmp_path / "r", "-a", "nothing", "--oracle", "retrieve")
    assert result.returncode == 0, result.stderr
    store = RunStore.open(tmp_path / "r")
    history = store.history("gold-evidence~tiny-home")
    asked = next(one for one in history.questions if one.question.type == "DU")
    assert [item.memory_id for item in asked.retrieval.items] == [one.evidence_id for one in asked.question.evidence]
    labels = {row.label for row in store.stats()}
    assert labels == {"nothing", "gold-evidence"}


def test_the_oracle_write_tells_gold_points_in_place_of_turns(tmp_path: Path) -> None:
    result = run(tmp_path / "r", "-a", "verbatim", "--oracle", "write")
    assert result.returncode == 0, result.stderr
    store = RunStore.open(tmp_path / "r")
    assert [row["label"] for row in store.header["adapters"]] == ["verbatim", "verbatim+write"]
    for session in store.history("verbatim+write~tiny-home").sessions:
        told = [change.text for change in session.changes]
        points = session.session.gold("new", "update")
        assert len(told) >= len(points)
        assert all(point.content in text for point, text in zip(points, told, strict=False))


def test_the_oracle_maintain_asks_a_memory_that_was_told_only_what_is_true_now(tmp_path: Path) -> None:
    result = run(tmp_path / "r", "-a", "verbatim", "--oracle", "maintain")
    assert result.returncode == 0, result.stderr
    store = RunStore.open(tmp_path / "r")
    last = store.history("verbatim+maintain~tiny-home").sessions[-1]
    kept = " ".join(item.text for item in last.snapshot)
    (update,) = last.session.gold("update")
    assert update.content in kept
    assert not any(old in kept for old in update.replaces)


def test_an_oracle_that_needs_gold_points_is_refused_where_there_are_none(tmp_path: Path) -> None:
    data = Path(__file__).parents[1] / "plugins/memarena-arena/tests/locomo_garden.json"
    result = memarena(
        "run", "-d", f"locomo:{data}", "-a", "verbatim", "--oracle", "write", "--out", str(tmp_path / "r")
    )
    assert result.returncode == 2
    assert "--oracle write" in result.stderr.splitlines()[-1]
    assert "this data set has none" in result.stderr.splitlines()[-1]
    assert not (tmp_path / "r").exists()


def test_a_run_with_oracles_goes_on_where_it_stopped(tmp_path: Path) -> None:
    words = ("-a", "verbatim", "--oracle", "maintain", "--oracle", "retrieve")
    assert run(tmp_path / "r", *words).returncode == 0
    again = memarena("run", "--resume", "--quiet", "--out", str(tmp_path / "r"))
    assert again.returncode == 0, again.stderr


WINDOW = """
from memarena import Capabilities, MemoryItem, Retrieval

class Memory:
    def reset(self, context): self.items = []
    def ingest_turn(self, turn):
        self.items.append(MemoryItem(memory_id=turn.turn_id, text=turn.text, session_id=turn.session_id))
    def end_session(self, session_id): pass
    def snapshot_memories(self): return tuple(self.items)
    def export_memory_delta(self, session_id):
        return tuple(m.added() for m in self.items if m.session_id == session_id)
    def retrieve(self, query, top_k): return Retrieval.of(query, self.items[::-1][:top_k])
    def get_capabilities(self): return Capabilities(delta=True)
"""


def test_a_broken_adapter_is_a_failed_row_that_names_its_distribution_and_the_others_run(tmp_path: Path) -> None:
    place = tmp_path / "site"
    place.mkdir()
    package(place, "raises", "raise RuntimeError('no libfoo')")
    package(place, "default", WINDOW.replace("def retrieve(self, query, top_k)", "def retrieve(self, query, top_k=10)"))
    package(place, "window", WINDOW)
    result = run(tmp_path / "r", "-a", "raises", "-a", "default", "-a", "window", path=place)
    assert result.returncode == 1
    assert "memarena-raises 0.1" in result.stderr
    assert "no libfoo" in result.stderr
    assert "memarena-default 0.1" in result.stderr
    assert "top_k=10" in result.stderr
    store = RunStore.open(tmp_path / "r")
    assert {(cell.label, cell.status) for cell in store.cells()} == {
        ("raises", "failed"),
        ("default", "failed"),
        ("window", "done"),
    }
    assert {row.label for row in store.stats()} == {"window"}


def test_a_run_of_which_nothing_can_work_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "site"
    place.mkdir()
    package(place, "raises", "raise RuntimeError('no libfoo')")
    one_line(run(tmp_path / "r", "-a", "raises", path=place), "memarena-raises 0.1", "no libfoo")
    assert not (tmp_path / "r").exists()


SPY = (
    WINDOW
    + """
_ingest, _retrieve, _reset = Memory.ingest_turn, Memory.retrieve, Memory.reset

def _log(what):
    import os
    with open(os.environ["SPY"], "a", encoding="utf-8") as stream:
        stream.write(repr(what) + "\\n")

def reset(self, context): _log(context); _reset(self, context)
def ingest_turn(self, turn): _log(turn); _ingest(self, turn)
def retrieve(self, query, top_k, time, attachments, budget_tokens):
    _log((query, top_k, time, attachments, budget_tokens))
    return _retrieve(self, query, top_k)

Memory.reset, Memory.ingest_turn, Memory.retrieve = reset, ingest_turn, retrieve
"""
)


def test_an_adapter_that_records_all_it_is_given_holds_no_gold(tmp_path: Path) -> None:
    place, log = tmp_path / "site", tmp_path / "spy.log"
    place.mkdir()
    package(place, "spy", SPY)
    result = memarena(
        "run", "-d", "mini", "-a", "spy", "--quiet", "--jobs", "1", "--out", str(tmp_path / "r"),
        path=place, env={"SPY": str(log)},
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    given = log.read_text(encoding="utf-8")
    store = RunStore.open(tmp_path / "r")
    for spec in store.specs():
        sample = store.sample(spec.sample_id)
        said = "\n".join(turn.text for session in sample.sessions for turn in session.turns)
        for session in sample.sessions:
            for point in session.points:
                assert point.memory_id not in given
                assert point.content not in given or point.content in said
        for stop in sample.checkpoints:
            for question in stop.questions:
                assert question.text in given
                assert question.question_id not in given
                assert question.raw_type not in given


def test_an_api_key_among_the_options_reaches_the_adapter_and_no_file(tmp_path: Path) -> None:
    place, log = tmp_path / "site", tmp_path / "spy.log"
    place.mkdir()
    package(place, "spy", SPY)
    secret = "sk-very-secret-1234"
    result = memarena(
        "run", "-d", "tiny", "-a", "spy", "-o", f"spy.api_key={secret}", "--quiet", "--out", str(tmp_path / "r"),
        path=place, env={"SPY": str(log)},
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert secret in log.read_text(encoding="utf-8")
    files = [file for file in (tmp_path / "r").rglob("*") if file.is_file()]
    assert all(secret.encode() not in file.read_bytes() for file in files)
    assert secret not in result.stdout + result.stderr


def test_scoring_again_costs_no_judgement_and_gives_the_same_bytes(tmp_path: Path) -> None:
    run(tmp_path / "r", "-a", "verbatim")
    before = (tmp_path / "r" / "scores.jsonl").read_bytes()
    again = memarena("score", str(tmp_path / "r"))
    assert again.returncode == 0, again.stderr
    assert "0 judgements made" in again.stdout
    assert (tmp_path / "r" / "scores.jsonl").read_bytes() == before


def test_scores_as_json_hold_no_path_and_no_time(tmp_path: Path) -> None:
    run(tmp_path / "one", "-a", "verbatim")
    run(tmp_path / "two", "-a", "verbatim")
    one, two = (memarena("score", str(tmp_path / name), "--json").stdout for name in ("one", "two"))
    assert one == two
    assert str(tmp_path) not in one
    rows = json.loads(one)
    assert {row["label"] for row in rows} == {"verbatim"}


def test_settings_come_from_file_environment_and_flag(tmp_path: Path) -> None:
    (tmp_path / "memarena.toml").write_text(
        '[run]\ndata = "tiny"\ntop_k = 3\nadapters = ["nothing"]\n', encoding="utf-8"
    )
    result = subprocess.run(
        [sys.executable, "-m", "memarena", "run", "--out", "r", "--quiet", "--seed", "9"],
        cwd=tmp_path,
        env={**os.environ, "MEMARENA_TOP_K": "4"},
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert result.returncode == 0, result.stderr
    settings = RunStore.open(tmp_path / "r").header["settings"]
    assert (settings["top_k"], settings["seed"]) == (4, 9)


def test_a_platform_encoding_other_than_utf8_changes_nothing(tmp_path: Path) -> None:
    env = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    result = memarena(
        "run", "-d", "mini", "-a", "verbatim", "--quiet", "--limit", "1", "--out", str(tmp_path / "r"), env=env
    )
    assert result.returncode == 0, result.stderr


PICKY = """
import sys
from memarena.floors import Verbatim

class Memory(Verbatim):
    def __init__(self):
        if "memarena.host" not in sys.orig_argv:
            raise RuntimeError("its library is of another version here")
"""


def test_an_adapter_that_cannot_be_made_here_runs_in_its_environment(tmp_path: Path) -> None:
    package(tmp_path, "picky", PICKY)
    envs = tmp_path / "envs"
    venv.create(envs / "picky")
    (packages,) = (envs / "picky" / "lib").glob("*/site-packages")
    (packages / "all.pth").write_text("\n".join([str(tmp_path), *filter(None, sys.path)]), encoding="utf-8")
    python = str(envs / "picky" / "bin" / "python")
    made = {"adapter": "picky", "distribution": "memarena-picky", "version": "0.1", "source": "", "python": python}
    (envs / "picky" / "memarena-env.json").write_text(json.dumps(made), encoding="utf-8")
    words = ("run", "-d", "tiny", "--quiet", "-a", "picky", "-a", "verbatim", "--out", str(tmp_path / "r"))
    without = memarena(*words, path=tmp_path, env={"MEMARENA_ENVS": str(tmp_path / "none")})
    assert without.returncode == 1
    assert "its library is of another version here" in without.stderr
    result = memarena(*words[:-1], str(tmp_path / "s"), path=tmp_path, env={"MEMARENA_ENVS": str(envs)})
    assert result.returncode == 0, result.stderr
    isolated = {row["label"]: row["isolated"] for row in RunStore.open(tmp_path / "s").header["adapters"]}
    assert isolated == {"picky": True, "verbatim": False}
