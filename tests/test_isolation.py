"""Adapters in interpreters of their own: rival versions of a library, and cells that fail while the others go on."""

from __future__ import annotations

import json
import os
import site
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from memarena.cells import CellInfo
from memarena.hosted import HostedAdapter
from memarena.store import RunStore
from memarena.testing import AdapterContract

pytest.importorskip("memarena_rag", reason="bm25 is in memarena-rag")
pytest.importorskip("memarena_longcontext", reason="longcontext is in memarena-longcontext")


class TestBm25Hosted(AdapterContract):
    def make(self) -> HostedAdapter:
        return HostedAdapter("bm25", "bm25")


class TestLongcontextHosted(AdapterContract):
    def make(self) -> HostedAdapter:
        return HostedAdapter("longcontext", "longcontext")


ADAPTERS = """
import ctypes
import os
import subprocess
import time
from importlib.metadata import version

import tinylib
from memarena.floors import Verbatim
from memarena.records import Capabilities


class Rival(Verbatim):
    def get_capabilities(self):
        return Capabilities(versions={"tinylib": version("tinylib"), "says": tinylib.SAYS})

    def end_session(self, session_id):
        self.be_odd()
        super().end_session(session_id)

    def be_odd(self):
        pass


class Prints(Rival):
    def be_odd(self):
        print("hello from the adapter")
        subprocess.run(["echo", "hello from its child"], check=True)
        os.write(1, b"{broken")


class Segfaults(Rival):
    def be_odd(self):
        ctypes.string_at(0)


class Hangs(Rival):
    def be_odd(self):
        time.sleep(3600)


class ForksAndDies(Rival):
    def be_odd(self):
        if os.fork() == 0:
            os.setsid()
            time.sleep(3600)
        os._exit(0)


class Exits(Rival):
    def be_odd(self):
        os._exit(7)


class EatsMemory(Rival):
    def be_odd(self):
        held = [bytearray(b"x" * (8 << 20)) for _ in range(64)]
        time.sleep(3600)
        del held
"""
POINTS = """
[memarena.adapters]
rival = memarena_odd:Rival
prints = memarena_odd:Prints
segfaults = memarena_odd:Segfaults
hangs = memarena_odd:Hangs
forks = memarena_odd:ForksAndDies
exits = memarena_odd:Exits
eats = memarena_odd:EatsMemory
"""
PICKED = {
    "old": ("rival", ""),
    "prints": ("prints", ""),
    "segfaults": ("segfaults", "killed by signal 11 (SIGSEGV)"),
    "hangs": ("hangs", "no answer within 8 s"),
    "forks": ("forks", "ended with exit code 0"),
    "exits": ("exits", "ended with exit code 7"),
    "eats": ("eats", "over the limit of 200 MiB"),
    "new": ("rival", ""),
}
"""Label -> name of the adapter, and how its cells end; "": well."""


def environment(folder: Path, version: str) -> Path:
    """An interpreter with everything that is here, one version of `tinylib`, and adapters that need it."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    place = next((folder / "lib").glob("python*")) / "site-packages"
    parts = {
        "here.pth": "".join(f"import site; site.addsitedir({path!r})\n" for path in site.getsitepackages()),
        "tinylib.py": f"SAYS = 'I am {version}'\n",
        f"tinylib-{version}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: tinylib\nVersion: {version}\n",
        "memarena_odd.py": ADAPTERS,
        "memarena_odd-0.1.dist-info/METADATA": "Metadata-Version: 2.1\nName: memarena-odd\nVersion: 0.1\n",
        "memarena_odd-0.1.dist-info/entry_points.txt": POINTS,
    }
    for name, text in parts.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    return folder / "bin" / "python"


class Run(NamedTuple):
    """One command, done."""

    folder: Path
    code: int
    output: str
    left: list[int]
    """Processes that it left behind."""

    def cells(self, label: str) -> list[CellInfo]:
        return [cell for cell in RunStore.open(self.folder).cells() if cell.label == label]

    def starts(self, label: str) -> list[dict[str, object]]:
        """The first entry of each cell."""
        files = sorted(self.folder.glob(f"cells/{label}~*/memory.jsonl"))
        return [json.loads(file.read_text(encoding="utf-8").splitlines()[0]) for file in files]


def with_mark(mark: str) -> list[int]:
    """The processes whose environment holds `mark`."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and mark.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """All of them in one command, each with an interpreter of its own."""
    pytest.importorskip("memarena_arena", reason="the scorers and the judge are in memarena-arena")
    folder = tmp_path_factory.mktemp("isolation")
    pythons = {version: environment(folder / version, version) for version in ("1.0", "2.0")}
    words = [sys.executable, "-m", "memarena", "run", "-d", "tiny", "--out", str(folder / "R")]
    words += ["--time-limit", "8", "--memory-limit", "200"]
    for label, (name, _) in PICKED.items():
        words += ["-a", f"{label}={name}", "--python", f"{label}={pythons['2.0' if label == 'new' else '1.0']}"]
    settings = {name: value for name, value in os.environ.items() if not name.startswith("MEMARENA_")}
    path = os.pathsep.join((str(folder / "mark"), os.environ["PATH"]))
    done = subprocess.run(
        words,
        cwd=folder,
        env={**settings, "PATH": path, "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    until = time.monotonic() + 120
    while with_mark(str(folder / "mark")) and time.monotonic() < until:
        time.sleep(0.05)
    return Run(folder / "R", done.returncode, done.stdout, with_mark(str(folder / "mark")))


def test_two_rival_versions_of_a_library_are_used_in_one_command(run: Run) -> None:
    for label, version in (("old", "1.0"), ("new", "2.0")):
        for start in run.starts(label):
            assert start["capabilities"]["versions"] == {"tinylib": version, "says": f"I am {version}"}  # type: ignore[index]


@pytest.mark.parametrize("label", PICKED)
def test_each_cell_ends_for_its_own_reason_and_the_others_go_on(run: Run, label: str) -> None:
    reason = PICKED[label][1]
    for cell in run.cells(label):
        assert cell.status == ("failed" if reason else "done"), run.output
        assert reason in cell.error
        assert cell.error.startswith(f"{label}.end_session: " if reason else "")


def test_only_cells_that_ended_well_have_scores(run: Run) -> None:
    lines = (run.folder / "scores.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["label"] for line in lines} == {
        label for label, (_, reason) in PICKED.items() if not reason
    }
    assert run.code == 1


def test_no_process_is_left_over(run: Run) -> None:
    assert run.left == []


def test_what_an_adapter_prints_is_the_log_of_its_cell(run: Run) -> None:
    logs = [file.read_text(encoding="utf-8") for file in run.folder.glob("cells/prints~*/adapter.log")]
    assert len(logs) == len(run.cells("prints"))
    for log in logs:
        assert log.startswith("hello from the adapter\nhello from its child\n{broken")
    assert "hello from" not in run.output


def test_an_adapter_in_another_interpreter_is_known_by_its_distribution_there(run: Run) -> None:
    rows = json.loads((run.folder / "run.json").read_text(encoding="utf-8"))["adapters"]
    assert {(row["distribution"], row["version"]) for row in rows} == {("memarena-odd", "0.1")}
