"""Distributions as if they were installed, and the command line that finds them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path


def memarena(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`memarena WORDS` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "memarena", *words],
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def install(
    folder: Path,
    distribution: str,
    points: str = "",
    group: str = "adapters",
    *,
    origin: dict[str, object] | None = None,
    version: str = "0.1",
) -> Path:
    """Put metadata of `distribution` into `folder`: entry points of one group, and where pip had it from."""
    home = folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
    home.mkdir(parents=True)
    about = f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\nSummary: A system.\n"
    (home / "METADATA").write_text(about, encoding="utf-8")
    (home / "entry_points.txt").write_text(f"[memarena.{group}]\n{points}\n", encoding="utf-8")
    if origin is not None:
        (home / "direct_url.json").write_text(json.dumps(origin), encoding="utf-8")
    return home
