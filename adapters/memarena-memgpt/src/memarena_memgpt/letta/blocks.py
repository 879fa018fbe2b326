"""Blocks of an agent on a server as lines that keep their ids while the text changes."""

from __future__ import annotations

from difflib import SequenceMatcher

from memarena.records import MemoryChange, RetrievedItem
from memarena_memgpt.core_memory import Block, Line
from memarena_memgpt.stores import Origin


class ServerBlock(Block):
    """A block whose text the server tells."""

    def __init__(self, name: str) -> None:
        super().__init__(name, limit=0)

    def take(self, text: str, origin: Origin) -> list[MemoryChange]:
        """Make `text` the text of the block; what was done to its lines. Empty lines are none."""
        old, new = [line.text for line in self.lines], [line for line in text.splitlines() if line.strip()]
        kept: list[Line] = []
        changes: list[MemoryChange] = []
        for _, start, end, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            before, after = self.lines[start:end], new[first:last]
            if [line.text for line in before] == after:
                kept += before
                continue
            changed = [self._changed(line, text, origin) for line, text in zip(before, after, strict=False)]
            added = [self._added(text, origin) for text in after[len(before) :]]
            changes += [
                MemoryChange(op="update", memory_id=line.memory_id, text=line.text, previous=(was.text,))
                for was, line in zip(before, changed, strict=False)
            ]
            changes += [MemoryChange(op="add", memory_id=line.memory_id, text=line.text) for line in added]
            changes += [
                MemoryChange(op="delete", memory_id=line.memory_id, text=line.text) for line in before[len(after) :]
            ]
            kept += [*changed, *added]
        self.lines = kept
        return changes

    def whole(self) -> RetrievedItem:
        """The block as the agent sees it: one text; the lines of the snapshot name it as their `backend_id`."""
        turn_ids = dict.fromkeys(turn_id for line in self.lines for turn_id in line.turn_ids)
        return RetrievedItem(
            memory_id=self.backend_id,
            text=self.text,
            session_id=self.lines[-1].session_id,
            turn_ids=tuple(turn_ids),
            backend_id=self.backend_id,
            metadata={"store": "core", "block": self.name},
        )

    def _added(self, text: str, origin: Origin) -> Line:
        return Line(
            memory_id=f"{self.backend_id}:{next(self._numbers)}",
            text=text,
            session_id=origin.session_id,
            turn_ids=origin.turn_ids,
        )

    def _changed(self, line: Line, text: str, origin: Origin) -> Line:
        turn_ids = tuple(dict.fromkeys((*line.turn_ids, *origin.turn_ids)))
        return Line(memory_id=line.memory_id, text=text, session_id=origin.session_id, turn_ids=turn_ids)
