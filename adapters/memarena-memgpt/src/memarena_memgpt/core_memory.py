"""Working context: blocks of text that stand in every prompt, limited, and edited by functions only."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from memarena.records import MemoryChange, MemoryItem, Record


class FunctionFailed(Exception):
    """A function could not do what the model asked; the message is what the model is told."""


class Line(Record, frozen=True, kw_only=True):
    """What one call wrote into a block."""

    memory_id: str
    text: str
    session_id: str
    turn_ids: tuple[str, ...] = ()


class Block:
    """One block; its lines keep their ids when they are edited."""

    def __init__(self, name: str, limit: int) -> None:
        self.name = name
        self.limit = limit
        self.lines: list[Line] = []
        self._numbers = count(1)

    @property
    def backend_id(self) -> str:
        """The id of the block as a whole."""
        return f"core:{self.name}"

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(line.text for line in self.lines)

    def append(self, content: str, session_id: str, turn_ids: Sequence[str]) -> list[MemoryChange]:
        """Add a line. Raises FunctionFailed where it is empty or does not fit."""
        content = content.strip()
        if not content:
            raise FunctionFailed("content is empty")
        self._check(len(self.text) + len(content) + bool(self.lines))
        line = Line(
            memory_id=f"{self.backend_id}:{next(self._numbers)}",
            text=content,
            session_id=session_id,
            turn_ids=tuple(turn_ids),
        )
        self.lines.append(line)
        return [MemoryChange(op="add", memory_id=line.memory_id, text=content)]

    def replace(self, old: str, new: str, session_id: str, turn_ids: Sequence[str]) -> list[MemoryChange]:
        """Replace the first place where `old` stands; lines that it runs across become one, an empty one goes.

        Raises FunctionFailed where `old` is empty or not there, or where `new` does not fit.
        """
        whole = self.text
        start = whole.find(old) if old else -1
        if start < 0:
            raise FunctionFailed(f"old_content is not in the block {self.name}: {old[:80]!r}; copy it exactly")
        self._check(len(whole) - len(old) + len(new))
        first, last = whole.count("\n", 0, start), whole.count("\n", 0, start + len(old))
        first, last = self._line_at(first), self._line_at(last)
        touched = self.lines[first : last + 1]
        before = "\n".join(line.text for line in touched)
        offset = start - sum(len(line.text) + 1 for line in self.lines[:first])
        after = (before[:offset] + new + before[offset + len(old) :]).strip()
        kept = Line(
            memory_id=touched[0].memory_id,
            text=after,
            session_id=session_id,
            turn_ids=tuple(dict.fromkeys((*(turn for line in touched for turn in line.turn_ids), *turn_ids))),
        )
        self.lines[first : last + 1] = [kept] if after else []
        if not after:
            return [MemoryChange(op="delete", memory_id=line.memory_id, text=line.text) for line in touched]
        return [
            MemoryChange(
                op="update" if len(touched) == 1 else "merge",
                memory_id=kept.memory_id,
                text=after,
                previous=tuple(line.text for line in touched),
                replaces=tuple(line.memory_id for line in touched[1:]),
            )
        ]

    def items(self) -> list[MemoryItem]:
        """A memory item a line."""
        return [
            MemoryItem(
                memory_id=line.memory_id,
                text=line.text,
                session_id=line.session_id,
                turn_ids=line.turn_ids,
                backend_id=self.backend_id,
                metadata={"store": "core", "block": self.name},
            )
            for line in self.lines
        ]

    def _check(self, size: int) -> None:
        if size > self.limit:
            raise FunctionFailed(
                f"the block {self.name} would have {size} characters, its limit is {self.limit}; "
                "replace something in it, or use archival_memory_insert"
            )

    def _line_at(self, newlines: int) -> int:
        """The place of the line that holds the text after so many newlines; a line may hold newlines itself."""
        for place, line in enumerate(self.lines):
            newlines -= line.text.count("\n") + 1
            if newlines < 0:
                return place
        return len(self.lines) - 1


class CoreMemory:
    """The blocks `human` and `persona`."""

    def __init__(self, limit: int) -> None:
        self.blocks = {name: Block(name, limit) for name in ("human", "persona")}

    def render(self) -> str:
        """How the blocks stand in the prompt."""
        return "\n".join(
            f'<{block.name} characters="{len(block.text)}/{block.limit}">\n{block.text}\n</{block.name}>'
            for block in self.blocks.values()
        )

    def items(self) -> list[MemoryItem]:
        """A memory item a line of each block."""
        return [item for block in self.blocks.values() for item in block.items()]
