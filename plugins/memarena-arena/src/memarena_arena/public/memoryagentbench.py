"""MemoryAgentBench: long contexts, each with up to a hundred questions (arXiv 2507.05257, MIT).

A row becomes a sample `<split>_<place>`; its context is cut into chunks (see `chunks`), a turn each, and so many chunks
are a session. All questions are asked at the end. Any of several answers is right: the first is the reference, the
others are its aliases.

Evidence exists only in the rows of `longmemeval_s*`, whose flagged turns are looked for in the context, and for
summaries, whose key points say what a good one holds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from memarena.errors import UsageError
from memarena.records import Checkpoint, Finding, Sample
from memarena_arena.faults import quoted
from memarena_arena.public import fields
from memarena_arena.public.chunks import Context
from memarena_arena.public.memoryagentbench_questions import QuestionReader
from memarena_arena.public.opened import PublicOptions, PublicSamples, files_of, split_of
from memarena_arena.public.parquet import arrow, has_columns, rows
from memarena_arena.public.stream import Item, head_of, opened, records

LICENCE = "MIT"
SPLITS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(rf"{name}(?:[-._][^/]*)?$")
    for name in ("Accurate_Retrieval", "Test_Time_Learning", "Long_Range_Understanding", "Conflict_Resolution")
}
REVISIONS: Mapping[str, Mapping[int, str]] = {
    "Accurate_Retrieval": {22: "the current revision", 112: "an older revision"},
    "Test_Time_Learning": {6: "both revisions"},
    "Long_Range_Understanding": {110: "the current revision", 100: "an older revision"},
    "Conflict_Resolution": {8: "the current revision", 2: "an older revision"},
}
"""Split -> rows -> which published revision has so many."""

_PARQUET = (".parquet",)
_SUFFIXES = (*_PARQUET, ".json", ".jsonl")
_ROW = frozenset({"context", "questions", "answers", "metadata"})


class MemoryAgentBenchOptions(PublicOptions, frozen=True, kw_only=True):
    """Which rows are read, and how their contexts become sessions."""

    split: str = ""
    """`Accurate_Retrieval`, `Test_Time_Learning`, `Long_Range_Understanding` or `Conflict_Resolution`; "": all."""
    chunk_tokens: int = 512
    """A chunk has at most so many tokens of four letters; the official runner takes 512 or 4,096."""
    chunks: int = 20
    """So many chunks are a session."""


class MemoryAgentBench:
    """Data set `memoryagentbench`: the published parquet files (extra `parquet`), or the same rows as JSON."""

    name = "memoryagentbench"
    revision = 1
    Options = MemoryAgentBenchOptions

    def __init__(self, options: MemoryAgentBenchOptions | None = None) -> None:
        self._options = options or MemoryAgentBenchOptions()

    def accepts(self, path: Path) -> bool:
        """Whether `path` is a file with the columns of MemoryAgentBench, or a folder with files of its splits."""
        if path.is_dir():
            files = [*path.iterdir(), *path.glob("data/*.parquet")]
            return any(file.suffix in _SUFFIXES and split_of(file, SPLITS) for file in files)
        if path.suffix == ".parquet":
            return has_columns(path, ("haystack_sessions", "qa_pair_ids", "questions"))
        head = head_of(path)
        if head[:1] not in (b"{", b"["):
            return False
        told = all(name in head for name in (b'"qa_pair_ids"', b'"questions"'))
        # A context is often longer than what is looked at; then the name of the split tells.
        return told or (b'"context"' in head and bool(split_of(path, SPLITS)))

    def open(self, source: str, options: MemoryAgentBenchOptions | None = None) -> PublicSamples:
        """Open a file or a folder; raises UsageError or DataError where there is nothing to read."""
        if not source:
            raise UsageError("memoryagentbench needs a folder or a file: -d memoryagentbench:PATH")
        chosen = options or self._options
        for key in ("chunk_tokens", "chunks"):
            if getattr(chosen, key) < 1:
                raise UsageError(f"memoryagentbench.{key}={getattr(chosen, key)}: at least 1 is needed")
        files = files_of(Path(source), chosen.split, SPLITS, _SUFFIXES)
        for file in files:
            opened(file, chosen).close()
            if file.suffix in _PARQUET:
                arrow(file)
        return PublicSamples(chosen, LICENCE, lambda: _Pass(files, chosen))


class _Pass:
    """One pass over the files."""

    def __init__(self, files: list[Path], options: MemoryAgentBenchOptions) -> None:
        self._files = files
        self._options = options
        self._unread = fields.Unread()
        self._rows: Counter[str] = Counter()

    def items(self) -> Iterator[Item]:
        """The rows; their numbers go on from file to file of a split."""
        for file in self._files:
            split = split_of(file, SPLITS) or file.stem
            for item in (rows if file.suffix in _PARQUET else records)(file, self._options):
                yield item._replace(number=self._rows[split])
                self._rows[split] += 1

    def finish(self) -> Iterable[Finding]:
        for split, count in self._rows.items():
            told = REVISIONS.get(split, {}).get(count, "no published revision that is known here")
            message = f"{quoted(split)} has {count} rows: {told}"
            yield Finding(code="rows", level="note", message=message, file=str(self._files[0].parent), path="$")

    def build(self, item: Item) -> Sample | None:
        faults, path = item.faults, item.path
        raw = fields.an_object(item.value, "row", path, faults)
        if raw is None:
            return None
        self._unread.tell(raw, _ROW, "row", path, faults)
        split = split_of(item.file, SPLITS)
        text = raw.get("context")
        if not isinstance(text, str) or not text.strip():
            faults.refuse("no_context", "a row needs a context", f"{path}.context")
            return None
        context = Context(text, self._options.chunk_tokens, self._options.chunks)
        reader = QuestionReader(raw, split, context, path, self._unread, faults)
        questions = reader.questions()
        if faults.refused:
            return None
        sessions = context.sessions
        covered = tuple(session.session_id for session in sessions)
        asked = Checkpoint(checkpoint_id="end", covered=covered, after_session=covered[-1], questions=questions)
        meta: dict[str, Any] = {"explanations": reader.explanations} if reader.explanations else {}
        return Sample(
            sample_id=f"{split or 'row'}_{item.number:03}",
            domain=f"memoryagentbench/{reader.source}" if reader.source else "memoryagentbench",
            sessions=sessions,
            checkpoints=(asked,),
            meta=meta,
        )
