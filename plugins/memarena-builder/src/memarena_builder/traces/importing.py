"""Logs become the samples of a new folder."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from memarena.errors import UsageError
from memarena_builder.traces.formats import Format, read
from memarena_builder.traces.log import Logged, Trace, in_order
from memarena_builder.traces.rows import Notes
from memarena_builder.traces.samples import AGENT, CHAT, Imported, write_trace

TOOLS = 0.2
"""Share of the turns that tools say, from which on a conversation is what an agent did."""


def import_logs(
    logs: Sequence[Path], out: Path, *, name: str = "", pictures: Path | None = None, join: str = ""
) -> Iterator[tuple[Imported, Notes]]:
    """Write the traces of `logs` below `out`, an empty folder, and tell of each what came of it.

    `name`: their format, found out where it is ""; `pictures`: where their pictures are, else each log's folder;
    `join`: the name of the one sample that all of them make. A log that cannot be read leaves nothing behind.
    """
    try:
        if join:
            yield _joined(logs, out, name, pictures, join)
            return
        for path in logs:
            found = read(path, name)
            for trace in found.traces:
                place = _place(found.kind, trace.sessions)
                yield write_trace(trace, place, out, pictures or path.parent, found.notes), found.notes
                found.notes.clear()
    except BaseException:
        for place in (CHAT, AGENT):
            shutil.rmtree(out / place, ignore_errors=True)
            if (out / place).parent.is_dir() and not any((out / place).parent.iterdir()):
                (out / place).parent.rmdir()
        raise


def _place(kind: Format, sessions: Sequence[Logged]) -> str:
    """Where a sample stands: among what agents did, where the log is of one, or tools have so much to say."""
    turns = [turn for session in sessions for turn in session.turns]
    share = sum(turn.role == "environment" for turn in turns) / len(turns)
    return AGENT if kind.agentic or share >= TOOLS else CHAT


def _joined(logs: Sequence[Path], out: Path, name: str, pictures: Path | None, join: str) -> tuple[Imported, Notes]:
    """All logs as one sample: their sessions in the order of their times, else in that of the logs."""
    folders = {path.parent for path in logs}
    if pictures is None and len(folders) > 1:
        raise UsageError("--join: say with --pictures where the pictures are, since the logs are in several folders")
    read_all = [read(path, name) for path in logs]
    if len({found.kind.agentic for found in read_all}) > 1:
        raise UsageError("--join: some logs are of agents and some of conversations")
    notes = Notes()
    sessions = []
    for found in read_all:
        notes.take(found.notes)
        sessions += [session for trace in found.traces for session in trace.sessions]
    trace = Trace(name=join, sessions=in_order(sessions))
    place = _place(read_all[0].kind, trace.sessions)
    return write_trace(trace, place, out, pictures or logs[0].parent, notes), notes
