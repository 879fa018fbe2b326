"""A note: what was said, and what the model made of it (arXiv 2502.12110, 3.1)."""

from __future__ import annotations

from collections.abc import Sequence

from memarena.floors import turn_line
from memarena.records import MemoryItem, Record, Turn


class Note(Record, frozen=True, kw_only=True):
    """One note. Its content and its time never change; the rest may."""

    note_id: str
    content: str
    """The turns, a line each."""
    time: str | None
    turn_ids: tuple[str, ...]
    session_id: str
    image_id: str = ""
    image_path: str = ""
    keywords: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    context: str = ""
    """One sentence on what the content is about."""
    links: tuple[str, ...] = ()
    """Ids of other notes, in the order in which they were linked."""

    @classmethod
    def of(cls, note_id: str, turns: Sequence[Turn]) -> Note:
        """The note of some turns of one session, not yet analysed."""
        pictures = [picture for turn in turns for picture in turn.attachments]
        return cls(
            note_id=note_id,
            content="\n".join(map(turn_line, turns)),
            time=turns[0].time,
            turn_ids=tuple(turn.turn_id for turn in turns),
            session_id=turns[0].session_id,
            image_id=pictures[0].image_id if pictures else "",
            image_path=(pictures[0].path or "") if pictures else "",
        )

    @property
    def text(self) -> str:
        """Content and attributes: what is embedded, and what the answerer sees."""
        attributes = (
            ("context", self.context),
            ("keywords", ", ".join(self.keywords)),
            ("tags", ", ".join(self.tags)),
        )
        return "\n".join((self.content, *(f"{name}: {value}" for name, value in attributes if value)))

    @property
    def item(self) -> MemoryItem:
        """The note as a memory item: its text is the content, which never changes."""
        return MemoryItem(
            memory_id=self.note_id,
            text=self.content,
            session_id=self.session_id,
            turn_ids=self.turn_ids,
            image_id=self.image_id,
            image_path=self.image_path,
            metadata={
                "time": self.time,
                "context": self.context,
                "keywords": list(self.keywords),
                "tags": list(self.tags),
                "links": list(self.links),
            },
        )
