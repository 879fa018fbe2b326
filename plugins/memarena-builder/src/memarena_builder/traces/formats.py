"""Which format a log has. To add one, add its line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from memarena.catalog import did_you_mean
from memarena.errors import DataError, UsageError
from memarena_builder.traces.agents import is_claude, is_codex, read_claude, read_codex
from memarena_builder.traces.chats import is_chat, is_openai, read_chat, read_openai
from memarena_builder.traces.episodes import is_episodes, read_episodes
from memarena_builder.traces.log import Trace, in_order
from memarena_builder.traces.rows import Notes, Row, rows
from memarena_builder.traces.spans import is_spans, read_spans

LOOKED_AT = 100
"""Objects at the beginning of a file that tell its format."""


class Format(NamedTuple):
    """One kind of log."""

    fits: Callable[[object], bool]
    """Whether an object is of it."""
    read: Callable[[str, Iterable[Row], Notes], Iterator[Trace]]
    """The name of the log and its objects -> its traces; what is left out goes to the notes."""
    agentic: bool
    """It tells what an agent did."""


FORMATS: Mapping[str, Format] = {
    "otel": Format(is_spans, read_spans, agentic=False),
    "codex": Format(is_codex, read_codex, agentic=True),
    "claude-code": Format(is_claude, read_claude, agentic=True),
    "openai": Format(is_openai, read_openai, agentic=False),
    "episodes": Format(is_episodes, read_episodes, agentic=True),
    "chat": Format(is_chat, read_chat, agentic=False),
}
"""By name; the first that fits one of the first objects is taken where none is named."""


class Found(NamedTuple):
    """What a file holds."""

    traces: list[Trace]
    kind: Format
    notes: Notes


def read(path: Path, name: str = "") -> Found:
    """The traces of a file; `name`: its format, found out where it is "". Raises UsageError for a name that is none,
    DataError for a file that no format fits, or that has nothing in it."""
    if name and name not in FORMATS:
        raise UsageError(f"--format {name}: there is no such format{did_you_mean(name, FORMATS)}")
    found = rows(path)
    begin = list(islice(found, LOOKED_AT))
    if not begin:
        raise DataError("has no turns", file=str(path))
    kinds = [FORMATS[name]] if name else FORMATS.values()
    kind = next((each for each in kinds if any(each.fits(row.value) for row in begin)), None)
    if kind is None and name:
        raise DataError(f"is not of the format {name}", file=str(path))
    if kind is None:
        raise DataError(f"is of no format that is known: {', '.join(FORMATS)}; say --format", file=str(path))
    notes = Notes()
    try:
        traces = list(kind.read(path.stem, chain(begin, found), notes))
    except RecursionError:
        raise DataError("is nested too deeply", file=str(path)) from None
    except DataError as error:
        if error.file:
            raise
        raise DataError(str(error), file=str(path)) from None
    kept = [
        trace
        for trace in (
            Trace(name=each.name, sessions=in_order(session for session in each.sessions if session.turns))
            for each in traces
        )
        if trace.sessions
    ]
    if not kept:
        raise DataError("has no turns", file=str(path))
    return Found(kept, kind, notes)
