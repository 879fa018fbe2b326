"""What several tests of logs need: logs to write, turns to look at, the command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from memarena.cli import cli
from memarena_builder.traces.formats import read

PNG = b"\x89PNG\r\n\x1a\n"
"""How a picture begins."""
HI = {"role": "user", "content": "Hi."}
ANSWER = {"role": "assistant", "content": "Hello."}
CHAT = [
    ("a", "user", "Hello. I live in Porto. The budget is 400 euros.", "2026-03-01T09:00:00Z"),
    ("a", "assistant", "Noted.", "2026-03-01T09:01:00Z"),
    ("a", "user", "The red folder is in the attic. My dentist is Dr. Brown.", "2026-03-01T09:02:00Z"),
    ("b", "user", "The budget is now 650 euros. Maybe the red folder is in the cellar.", "2026-03-04T09:00:00Z"),
    ("b", "assistant", "I see.", "2026-03-04T09:01:00Z"),
    ("c", "user", "I moved to Lyon. The blue folder is in the garage.", "2026-03-09T09:00:00Z"),
]
"""A chat with facts, an update and a supposition: session, role, text, time."""


def writer(folder: Path) -> Callable[..., Path]:
    """Writes logs into a folder: objects a line, or bytes as they are."""

    def write(*found: Any, name: str = "log.jsonl", raw: bytes | None = None) -> Path:
        path = folder / name
        lines = "".join(json.dumps(each) + "\n" for each in found).encode()
        path.write_bytes(lines if raw is None else raw)
        return path

    return write


def told(path: Path, name: str = "") -> list[list[tuple[str, str]]]:
    """Role and words of all turns, session by session."""
    traces = read(path, name).traces
    return [[(turn.role, turn.text) for turn in session.turns] for trace in traces for session in trace.sessions]


def run(*words: object) -> Result:
    """`memarena data` with these words."""
    return CliRunner().invoke(cli, ["data", *map(str, words)])


def import_chat(root: Path) -> Path:
    """The folder of `CHAT` as it is imported."""
    keys = ("session", "role", "content", "timestamp")
    log = root / "mine.jsonl"
    log.write_text("\n".join(json.dumps(dict(zip(keys, row, strict=True))) for row in CHAT), encoding="utf-8")
    assert run("import", log, "--out", root / "set").exit_code == 0
    return root / "set"


def raw_of(folder: Path) -> dict[str, Any]:
    """The JSON of the only conversation of a folder."""
    made: dict[str, Any] = json.loads(next((folder / "lifelong").rglob("*.json")).read_text("utf-8"))
    return made
