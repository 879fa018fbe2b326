"""`memarena run` with adapters that are broken, spy, have secrets or cannot be made here."""

from __future__ import annotations

import json
import sys
import venv
from pathlib import Path

from run_commands import memarena, one_line, run

from memarena.store import RunStore


def package(folder: Path, name: str, code: str, group: str = "adapters", entry: str = "Memory") -> None:
    """An installed distribution with one module and one entry point, without pip."""
    module = f"m_{name.replace('-', '_')}"
    (folder / f"{module}.py").write_text(code, encoding="utf-8")
    info = folder / f"memarena_{name}-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: memarena-{name}\nVersion: 0.1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[memarena.{group}]\n{name} = {module}:{entry}\n", encoding="utf-8")


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
