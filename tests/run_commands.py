"""The command line as a person uses it, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def memarena(
    *words: str, path: Path | None = None, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """`memarena WORDS` in the folder `cwd`; `path`: a folder with further packages."""
    search = os.pathsep.join(filter(None, [str(path) if path else "", os.environ.get("PYTHONPATH", "")]))
    return subprocess.run(
        [sys.executable, "-m", "memarena", *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": search, **(env or {})},
    )


def run(out: Path, *words: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    return memarena("run", "-d", "tiny", "--quiet", "--out", str(out), *words, path=path)


def one_line(result: subprocess.CompletedProcess[str], *parts: str) -> None:
    """It was refused with one line that holds `parts`, and exit code 2."""
    assert result.returncode == 2, result.stderr
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    assert "Traceback" not in result.stderr
    for part in parts:
        assert part in lines[0]
