"""Makes the helpers beside the tests importable, and installs a tiny part where a test asks for it."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pytest

HERE = str(Path(__file__).parent)
sys.path.insert(0, HERE)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this process makes its temporary files in this test, and no other test does."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def tiny_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny part stands where the puzzles stand; its agents and memories are installed, for child processes too."""
    from aha_runs import install

    from memarena_aha.suite import options

    install(tmp_path / "site")
    search = [str(tmp_path / "site"), HERE, os.environ.get("PYTHONPATH", "")]
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, search)))
    monkeypatch.setitem(options.PARTS, "puzzle", "aha_tiny")
    monkeypatch.chdir(tmp_path)
