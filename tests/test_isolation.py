"""Adapters in interpreters of their own: rival versions of a library, and cells that fail while the others go on."""

from __future__ import annotations

import site
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from memarena import processes
from memarena.cell import ArenaSuite
from memarena.hosted import HostedAdapter, Limits
from memarena.instruments.boundary import Boundary
from memarena.instruments.timing import Timing
from memarena.rig import Rig
from memarena.store import RunStore
from memarena.testing import AdapterContract
from memarena.testing.tiny import tiny_samples

pytest.importorskip("memarena_rag", reason="bm25 is in memarena-rag")
pytest.importorskip("memarena_longcontext", reason="longcontext is in memarena-longcontext")


class TestBm25Hosted(AdapterContract):
    def make(self) -> HostedAdapter:
        return HostedAdapter("bm25", "bm25")


class TestLongcontextHosted(AdapterContract):
    def make(self) -> HostedAdapter:
        return HostedAdapter("longcontext", "longcontext")


# -- rival versions ---------------------------------------------------------------------------

RIVAL = """
from importlib.metadata import version

import tinylib
from memarena.floors import Verbatim
from memarena.records import Capabilities


class Rival(Verbatim):
    def get_capabilities(self):
        return Capabilities(versions={"tinylib": version("tinylib"), "says": tinylib.SAYS})
"""


def environment(folder: Path, version: str) -> Path:
    """An interpreter with everything that is here, one version of `tinylib`, and the adapter `rival` that needs it."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    place = next((folder / "lib").glob("python*")) / "site-packages"
    here = "".join(f"import site; site.addsitedir({path!r})\n" for path in site.getsitepackages())
    parts = {
        "here.pth": here,
        "tinylib.py": f"SAYS = 'I am {version}'\n",
        f"tinylib-{version}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: tinylib\nVersion: {version}\n",
        "memarena_rival.py": RIVAL,
        "memarena_rival-0.1.dist-info/METADATA": "Metadata-Version: 2.1\nName: memarena-rival\nVersion: 0.1\n",
        "memarena_rival-0.1.dist-info/entry_points.txt": "[memarena.adapters]\nrival = memarena_rival:Rival\n",
    }
    for name, text in parts.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    return folder / "bin" / "python"


def test_two_adapters_that_need_rival_versions_of_a_library_work_side_by_side(tmp_path: Path) -> None:
    old = HostedAdapter("old", "rival", python=environment(tmp_path / "old", "1.0"))
    new = HostedAdapter("new", "rival", python=environment(tmp_path / "new", "2.0"))
    for adapter, version in ((old, "1.0"), (new, "2.0"), (old, "1.0")):
        can = Rig("rival", adapter).get_capabilities()
        assert can.versions == {"tinylib": version, "says": f"I am {version}"}
    old.close()
    new.close()


# -- one run ----------------------------------------------------------------------------------

ODD = """
import ctypes, os, time
from memarena.floors import Verbatim


class Odd(Verbatim):
    def end_session(self, session_id):
        self.be_odd()
        super().end_session(session_id)


class Prints(Odd):
    def be_odd(self):
        print("hello from the adapter")
        os.write(1, b"{broken")


class Segfaults(Odd):
    def be_odd(self):
        ctypes.string_at(0)


class Hangs(Odd):
    def be_odd(self):
        time.sleep(3600)


class ForksAndDies(Odd):
    def be_odd(self):
        if os.fork() == 0:
            time.sleep(3600)
        os._exit(0)


class Exits(Odd):
    def be_odd(self):
        os._exit(7)


class EatsMemory(Odd):
    def be_odd(self):
        held = []
        while True:
            held.append(bytearray(b"x" * (8 << 20)))
"""
ODDITIES = {
    "Prints": "",
    "Segfaults": "killed by signal 11 (SIGSEGV)",
    "Hangs": "no answer within 1 s",
    "ForksAndDies": "ended with exit code 0",
    "Exits": "ended with exit code 7",
    "EatsMemory": "over the limit of 200 MiB",
}
"""How the cell of each ends; "": well."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    """A run of all of them, one after the other, on one sample."""
    folder = tmp_path_factory.mktemp("odd")
    (folder / "odd.py").write_text(dedent(ODD), encoding="utf-8")
    sample = tiny_samples()[0]
    header = {
        "settings": {"top_k": 10, "pictures": True, "captions": "given", "repeats": 1, "seed": 0},
        "adapters": [{"label": name, "options": {}} for name in ODDITIES],
        "data": {"samples": [{"sample_id": sample.sample_id}]},
    }
    store = RunStore.create(folder / "run", header)
    store.save_sample(sample)
    limits = Limits(by_method={"end_session": 1.0}, memory_mib=200)
    markers = []
    for spec in store.specs():
        adapter = HostedAdapter(
            spec.label,
            f"odd:{spec.label}",
            limits=limits,
            log=folder / f"{spec.label}.log",
            environment={"PYTHONPATH": str(folder)},
        )
        markers.append(adapter.marker)
        ArenaSuite().run_cell(spec, Rig(spec.label, adapter, (Timing(), Boundary())), store)
        adapter.close()
    assert [marker for marker in markers if processes.marked(marker)] == []
    yield store
    store.close()


@pytest.mark.parametrize("name", ODDITIES)
def test_each_cell_ends_for_its_own_reason_and_the_others_go_on(store: RunStore, name: str) -> None:
    cell = next(store.cell(spec) for spec in store.specs() if spec.label == name)
    assert ODDITIES[name] in cell.error
    assert cell.status == ("failed" if ODDITIES[name] else "done")
    if ODDITIES[name]:
        assert cell.error.startswith(f"{name}.end_session: ")


def test_what_a_cell_printed_is_in_its_log(store: RunStore) -> None:
    log = (store.path.parent / "Prints.log").read_text(encoding="utf-8")
    assert "hello from the adapter\n{broken" in log
