"""Which format a log has. To add one, add its line here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from memarena.catalog import did_you_mean
from memarena.errors import DataError, UsageError
from memarena_builder.traces.agents import is_claude, is_codex, read_claude, read_codex
from memarena_builder.traces.chats import is_chat, is_openai, read_chat, read_openai
from memarena_builder.traces.episodes import is_episodes, read_episodes
from memarena_builder.traces.log import Trace, rows
from memarena_builder.traces.spans import is_spans, read_spans


class Format(NamedTuple):
    """One kind of log."""

    fits: Callable[[Sequence[Any]], bool]
    """Whether the objects of a file are of it."""
    read: Callable[[str, Sequence[Any]], Iterator[Trace]]
    agentic: bool
    """It tells what an agent did."""


FORMATS: Mapping[str, Format] = {
    "otel": Format(is_spans, read_spans, agentic=False),
    "openai": Format(is_openai, read_openai, agentic=False),
    "codex": Format(is_codex, read_codex, agentic=True),
    "claude-code": Format(is_claude, read_claude, agentic=True),
    "episodes": Format(is_episodes, read_episodes, agentic=True),
    "chat": Format(is_chat, read_chat, agentic=False),
}
"""By name; the first that fits is taken where none is named."""


def read(path: Path, name: str = "") -> tuple[list[Trace], Format]:
    """The traces of a file; `name`: its format, found out where it is "". Raises UsageError for a name that is none,
    DataError for a file that no format fits, or that has nothing in it."""
    if name and name not in FORMATS:
        raise UsageError(f"--format {name}: there is no such format{did_you_mean(name, FORMATS)}")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"is no text in UTF-8 ({error.reason} at byte {error.start})", file=str(path)) from None
    found = rows(text, str(path))
    kind = FORMATS[name] if name else next((each for each in FORMATS.values() if found and each.fits(found)), None)
    if kind is None:
        raise DataError(f"is of no format that is known: {', '.join(FORMATS)}; say --format", file=str(path))
    if not kind.fits(found):
        raise DataError(f"is not of the format {name}", file=str(path))
    traces = [trace for trace in kind.read(path.stem, found) if any(session.turns for session in trace.sessions)]
    if not traces:
        raise DataError("has no turns", file=str(path))
    return traces, kind
