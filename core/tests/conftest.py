"""What these tests share stands beside them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from hosted_rig import PLACE
from toy_data import TOY

from memarena.hosted import HostedAdapter


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Callable[..., HostedAdapter]]:
    """`host("Hazard", ...)`: a hazard in a process of its own, closed at the end, its log in `tmp_path/log`."""
    made: list[HostedAdapter] = []

    def make(name: str = "Hazard", **settings: Any) -> HostedAdapter:
        settings = {"environment": PLACE, "log": tmp_path / "log", **settings}
        made.append(HostedAdapter("x", f"hosted_hazards:{name}", **settings))
        return made[-1]

    yield make
    for adapter in made:
        adapter.kill()


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two installed data sets, `toy` (with options, reads *.toy) and `plain` (without), and a working folder."""
    home = tmp_path / "toys-1.0.dist-info"
    home.mkdir()
    (home / "METADATA").write_text("Name: toys\nVersion: 1.0\nSummary: Toys.\n", encoding="utf-8")
    points = "toy = memarena_toy_data:Toy\nplain = memarena_toy_data:Plain"
    (home / "entry_points.txt").write_text(f"[memarena.datasets]\n{points}\n", encoding="utf-8")
    (tmp_path / "memarena_toy_data.py").write_text(TOY, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    work = tmp_path / "work"
    work.mkdir()
    (work / "a.toy").touch()
    (work / "bad.toy").touch()
    monkeypatch.chdir(work)
    return work


@pytest.fixture
def envs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of environments, empty."""
    monkeypatch.setenv("MEMARENA_ENVS", str(tmp_path / "envs"))
    return tmp_path / "envs"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path, into which `install` puts distributions."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    return folder
