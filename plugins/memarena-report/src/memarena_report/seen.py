"""What the gateway saw of a run: the models that each system asked, and how they were told to decode."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Collection, Iterator
from contextlib import closing
from typing import TYPE_CHECKING

import msgspec

from memarena import codec
from memarena.errors import StoreError
from memarena.meter import UsageRow

if TYPE_CHECKING:
    from memarena.store import RunStore

DECODING = (
    *("temperature", "top_p", "top_k", "frequency_penalty", "presence_penalty"),
    *("max_tokens", "max_completion_tokens", "max_output_tokens", "reasoning_effort", "dimensions"),
)
"""The fields of a request that say how to decode; its seed is that of the run, which may differ."""
OWN = ("write", "retrieve")
"""The stages in which a model works for the memory system."""


def own_models(store: RunStore, labels: Collection[str]) -> set[str]:
    """The models that systems of these labels asked while they wrote and retrieved; empty where nothing was counted."""
    file = store.path / "usage.jsonl"
    if not file.exists():
        return set()
    rows = codec.read_lines(file, UsageRow)
    return {row.model for row in rows if row.stage in OWN and row.calls and _label(row.cell_id) in labels}


def decodings(store: RunStore, labels: Collection[str]) -> dict[str, set[str]]:
    """How models were told to decode: `LABEL.STAGE` (`answer` and `judge` over all labels) -> e.g. `temperature=0`.

    Empty where no exchange was kept. Raises StoreError for a record that is damaged.
    """
    file = store.path / "exchanges.sqlite"
    found: dict[str, set[str]] = {}
    if not file.exists():
        return found
    try:
        for owner, stage, body in _requests(str(file)):
            label = _label(owner)
            if stage in OWN and label in labels:
                found.setdefault(f"{label}.{stage}", set()).add(_decoding(body))
            elif stage == "judge" or (stage == "answer" and label in labels):
                found.setdefault(stage, set()).add(_decoding(body))
    except (sqlite3.Error, zlib.error, msgspec.DecodeError) as error:
        raise StoreError(f"{file}: {error}; it is damaged") from error
    return found


def _requests(file: str) -> Iterator[tuple[str, str, bytes]]:
    """Owner, stage and body of each request, each once."""
    label = "CASE stage WHEN 'judge' THEN '' ELSE substr(e.owner, 1, instr(e.owner || '~', '~') - 1) END"
    query = (
        f"SELECT DISTINCT {label}, e.stage, r.request, r.body FROM exchanges e JOIN requests r ON r.request = e.request"
    )
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
        for owner, stage, _, body in database.execute(query):
            yield owner, stage, body


def _label(cell_id: str) -> str:
    return cell_id.partition("~")[0]


def _decoding(body: bytes) -> str:
    told = msgspec.json.decode(zlib.decompress(body))
    return " ".join(f"{name}={told[name]}" for name in DECODING if told.get(name) is not None) or "as the model does"
