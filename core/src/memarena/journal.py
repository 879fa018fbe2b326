"""The records that a cell writes as it happens, and how they are kept: texts by reference.

`memory.jsonl` holds one CellStarted, then SessionEnded, Retrieved, Leaked and (agents) Answered in the order in which
they happened, then one CellEnded. `answers.jsonl` holds Answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec.structs import replace

from memarena import codec
from memarena.memory import SnapshotChange
from memarena.meter import Usage
from memarena.records import Answer, Capabilities, MemoryChange, Record, Retrieval, Shown
from memarena.texts import Texts

CellStatus = Literal["done", "failed", "cancelled"]


class CellStarted(Record, frozen=True, kw_only=True, tag="started", tag_field="kind"):
    cell_id: str
    label: str
    sample_id: str
    repeat: int = 0
    attempt: int = 1
    namespace: str = ""
    """Under which the adapter knows the cell; its private folder is called so."""
    capabilities: Capabilities | None = None
    """None where the adapter could not even be mounted."""
    honours: Mapping[str, list[str]] = {}
    """The arguments that each method of the adapter takes."""


class SessionEnded(Record, frozen=True, kw_only=True, tag="session", tag_field="kind"):
    session_id: str
    index: int
    turns: int
    changes: tuple[MemoryChange, ...] = ()
    told: bool = False
    """The adapter told the changes itself; otherwise they were derived from snapshots."""
    snapshot: SnapshotChange = SnapshotChange()
    seconds: Mapping[str, float] = {}


class Retrieved(Record, frozen=True, kw_only=True, tag="retrieved", tag_field="kind"):
    checkpoint_id: str
    question_id: str
    session_index: int
    retrieval: Retrieval
    sources: tuple[tuple[str, ...], ...] = ()
    held_in: tuple[str | None, ...] = ()
    surplus: int = 0
    """Items beyond top_k that were left out."""
    store_size: int | None = None
    """Items kept at that time; None where the state is not visible."""
    seconds: float = 0.0


class Leaked(Record, frozen=True, kw_only=True, tag="leaked", tag_field="kind"):
    """Asking changed the store."""

    checkpoint_id: str
    snapshot: SnapshotChange


class Answered(Record, frozen=True, kw_only=True, tag="answered", tag_field="kind"):
    question_id: str
    answer: Answer
    shown: Shown = Shown()
    seconds: float = 0.0


class CellEnded(Record, frozen=True, kw_only=True, tag="ended", tag_field="kind"):
    status: CellStatus
    error: str = ""
    """One line; "" where the cell is done."""
    recent: tuple[tuple[str, str], ...] = ()
    """The newest calls of a failed cell, oldest first: method and subject."""
    seconds: Mapping[str, float] = {}
    calls: Mapping[str, int] = {}
    usage: Mapping[str, Usage] | None = None
    """By stage; None: not measured."""


Entry = CellStarted | SessionEnded | Retrieved | Leaked | Answered | CellEnded


class Journal:
    """Writes one stream of entries."""

    def __init__(self, path: Path, texts: Texts) -> None:
        self._texts = texts
        self._lines = codec.LineWriter(path)

    def write(self, entry: Entry) -> None:
        self._lines.write(codec.encode(_map_texts(entry, self._texts.put)))

    def close(self) -> None:
        self._lines.close()


def read(path: Path, text: Callable[[str], str]) -> Iterator[Entry]:
    """The entries of a stream, with their texts looked up; nothing where the file is not there."""
    if path.exists():
        entries: Iterator[Entry] = codec.read_lines(path, Entry)  # type: ignore[arg-type]
        for entry in entries:
            yield _map_texts(entry, text)


def ends(file: Path) -> tuple[CellStarted | None, CellEnded | None]:
    """The first and the last entry of a stream where they are a start and an end."""
    if not file.exists():
        return None, None
    with file.open("rb") as stream:
        first = stream.readline()
        size = stream.seek(0, 2)
        stream.seek(max(0, size - (1 << 16)))
        last = stream.read()
    if not first.endswith(b"\n"):
        return None, None
    started = codec.decode(first, CellStarted, str(file))
    tail = last[: last.rfind(b"\n")] if last.endswith(b"\n") else b""
    line = tail[tail.rfind(b"\n") + 1 :]
    return started, codec.decode(line, CellEnded, str(file)) if line.startswith(b'{"kind":"ended"') else None


def _map_texts(entry: Any, change: Callable[[str], str]) -> Any:
    """`entry` with each text of memories, changes, retrievals and what was shown replaced by `change` of it."""

    def each(items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple([replace(item, text=change(item.text)) for item in items])

    match entry:
        case SessionEnded():
            changes = tuple(
                replace(item, text=change(item.text), previous=tuple(map(change, item.previous)))
                for item in entry.changes
            )
            return replace(entry, changes=changes, snapshot=replace(entry.snapshot, put=each(entry.snapshot.put)))
        case Leaked():
            return replace(entry, snapshot=replace(entry.snapshot, put=each(entry.snapshot.put)))
        case Retrieved():
            return replace(entry, retrieval=replace(entry.retrieval, items=each(entry.retrieval.items)))
        case Answered() if entry.shown.items:
            return replace(entry, shown=replace(entry.shown, items=each(entry.shown.items)))
    return entry
