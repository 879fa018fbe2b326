"""Memory systems from packages of other people, good and bad, beside each other."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

WINDOW = '''"""The newest turns and nothing else: the floor for every memory system."""
from memarena import Capabilities, MemoryItem, Retrieval


class WindowMemory:
    def reset(self, context):
        self.items = []

    def ingest_turn(self, turn):
        self.items.append(MemoryItem(memory_id=turn.turn_id, text=turn.text, session_id=turn.session_id))

    def end_session(self, session_id):
        pass  # nothing is buffered

    def snapshot_memories(self):
        return tuple(self.items)

    def export_memory_delta(self, session_id):
        return tuple(m.added() for m in self.items if m.session_id == session_id)

    def retrieve(self, query, top_k):
        return Retrieval.of(query, self.items[::-1][:top_k])

    def get_capabilities(self):
        return Capabilities(delta=True)
'''
SLOW = "import time\n\ntime.sleep(3)\n" + WINDOW
GREEDY = WINDOW.replace("retrieve(self, query, top_k)", "retrieve(self, query, top_k=10)")


class Package(NamedTuple):
    """A package of one module."""

    entry: str
    target: str
    source: str
    failure: str
    """How its failure reads; "" where it works."""

    @property
    def module(self) -> str:
        return self.target.partition(":")[0].partition(".")[0]

    @property
    def distribution(self) -> str:
        return self.module.replace("_", "-")


PACKAGES = (
    Package("window", "memarena_window:WindowMemory", WINDOW, ""),
    Package("slow", "memarena_slow:WindowMemory", SLOW, ""),
    Package("broken", "memarena_broken:Memory", "raise RuntimeError('no libfoo')\n", "RuntimeError: no libfoo"),
    Package("dangling", "memarena_dangling.gone:Memory", "", "No module named 'memarena_dangling"),
    Package("verbatim", "memarena_thief:WindowMemory", WINDOW, ""),
    Package("greedy", "memarena_greedy:WindowMemory", GREEDY, "greedy.retrieve(top_k=10): give no default"),
)
BROKEN = [package for package in PACKAGES if package.failure]


def metadata_of(package: Package) -> str:
    return f"Metadata-Version: 2.1\nName: {package.distribution}\nVersion: 0.1\nSummary: A memory.\n"


def lay_out(site: Path) -> None:
    """All packages as an installer leaves them."""
    for package in PACKAGES:
        (site / f"{package.module}.py").write_text(package.source, encoding="utf-8")
        home = site / f"{package.module}-0.1.dist-info"
        home.mkdir()
        (home / "METADATA").write_text(metadata_of(package), encoding="utf-8")
        points = f"[memarena.adapters]\n{package.entry} = {package.target}\n"
        (home / "entry_points.txt").write_text(points, encoding="utf-8")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    lay_out(folder)
    return folder


def memarena(site: Path, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "memarena", *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_every_package_is_listed_and_none_is_imported(site: Path) -> None:
    code = (
        "import sys\nfrom memarena.cli import main\n"
        "try: main(['list-adapters', '--json'])\nexcept SystemExit: pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    listed = {(row["name"], row["distribution"]) for row in json.loads(done.stdout)}
    assert {(package.entry, package.distribution) for package in PACKAGES} <= listed
    assert ("verbatim", "memarena") in listed
    assert not {package.module for package in PACKAGES} & set(done.stderr.split())


def test_a_name_that_was_stolen_is_an_error_that_names_both(site: Path) -> None:
    done = memarena(site, "check", "verbatim")
    assert (done.returncode, done.stderr) == (
        2,
        "memarena: the adapter 'verbatim' is claimed by memarena 1.0.0 and memarena-thief 0.1: "
        "say verbatim@memarena or verbatim@memarena-thief\n",
    )


def test_each_broken_package_says_why_and_whose_it_is(site: Path) -> None:
    done = memarena(site, "list-adapters", "--check", "--json", "--timeout", "300")
    ours = {package.distribution for package in PACKAGES}
    rows = [row for row in json.loads(done.stdout) if row["distribution"] in ours]
    problems = {row["distribution"]: row["problem"] for row in rows if row["problem"]}
    assert set(problems) == {package.distribution for package in BROKEN}
    for package in BROKEN:
        assert f"from {package.distribution} 0.1 ({package.target})" in problems[package.distribution]
        assert package.failure in problems[package.distribution]


@pytest.mark.parametrize("name", ["window", "verbatim@memarena-thief"])
def test_a_good_package_passes_the_check(site: Path, name: str) -> None:
    done = memarena(site, "check", name)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 failed" in done.stdout


def test_a_method_with_a_default_fails_the_check(site: Path) -> None:
    done = memarena(site, "check", "greedy")
    assert done.returncode == 1
    assert "give no default" in done.stdout


@pytest.mark.parametrize("name", ["broken", "dangling"])
def test_the_check_of_a_package_that_cannot_be_loaded_is_one_line(site: Path, name: str) -> None:
    done = memarena(site, "check", name)
    assert done.returncode == 2
    assert done.stderr.startswith(f"memarena: {name!r} from memarena-{name} 0.1 (")
    assert done.stderr.count("\n") == 1


def test_a_run_goes_on_with_the_good_ones(site: Path, tmp_path: Path) -> None:
    pytest.importorskip("memarena_arena", reason="the scorers and the judge are in memarena-arena")
    picked = [f"--adapter={name}" for name in ("broken", "dangling", "greedy", "slow", "window", "nothing")]
    done = memarena(site, "run", "-d", "tiny", *picked, "--out", "R", cwd=tmp_path)
    header = json.loads((tmp_path / "R" / "run.json").read_text(encoding="utf-8"))
    assert len(header["adapters"]) == len(picked)
    scored = {json.loads(line)["label"] for line in (tmp_path / "R" / "scores.jsonl").read_text("utf-8").splitlines()}
    assert scored == {"slow", "window", "nothing"}
    assert done.returncode == 1
    for package in BROKEN:
        assert f"{package.distribution} 0.1" in done.stdout + done.stderr


PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "memarena-window"
version = "0.1"
dependencies = ["memarena>=1,<2"]

[project.entry-points."memarena.adapters"]
window = "memarena_window:WindowMemory"
"""


@pytest.mark.skipif(importlib.util.find_spec("hatchling") is None, reason="hatchling, which builds it, is not here")
def test_a_package_that_pip_installs_is_listed_checked_and_run(tmp_path: Path) -> None:
    source, site = tmp_path / "source", tmp_path / "site"
    source.mkdir()
    (source / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (source / "memarena_window.py").write_text(WINDOW, encoding="utf-8")
    pip = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index")
    installed = subprocess.run(
        [sys.executable, *pip, "--disable-pip-version-check", "--target", str(site), str(source)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert installed.returncode == 0, installed.stderr
    rows = json.loads(memarena(site, "list-adapters", "--json").stdout)
    assert [row["version"] for row in rows if row["name"] == "window"] == ["0.1"]
    assert memarena(site, "check", "window").returncode == 0
