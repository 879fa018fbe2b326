"""What a system keeps, followed from session to session by comparing snapshots; and turns as an adapter sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from memarena.records import Attachment, MemoryChange, MemoryItem, Op, Record, RetrievedItem, Turn

Captions = Literal["none", "given", "full"]


class SnapshotChange(Record, frozen=True, kw_only=True):
    """A snapshot as the change against the one before."""

    put: tuple[MemoryItem, ...] = ()
    """Items that are new or not equal to what they were."""
    gone: tuple[str, ...] = ()
    order: tuple[str, ...] | None = None
    """All ids in order, where it is not: what stayed, then what is new."""

    def apply(self, before: dict[str, MemoryItem]) -> dict[str, MemoryItem]:
        """The snapshot after this change; `before` is left as it is."""
        after = dict(before)
        for memory_id in self.gone:
            del after[memory_id]
        for item in self.put:
            after[item.memory_id] = item
        return after if self.order is None else {memory_id: after[memory_id] for memory_id in self.order}


class MemoryState:
    """The items of one cell up to now, and where each comes from.

    An item comes from the sessions in which it appeared or its text changed, up to now; where the adapter names its
    turns, from their sessions.
    """

    def __init__(self) -> None:
        self.items: dict[str, MemoryItem] = {}
        self._session = ""
        self._sessions: dict[str, tuple[str, ...]] = {}
        self._left: dict[str, str] = {}
        self._turns: dict[str, str] = {}

    def heard(self, turns: Sequence[Turn]) -> None:
        """Remember to which session these turns belong."""
        self._turns.update((turn.turn_id, turn.session_id) for turn in turns)

    def advance(
        self, session_id: str, snapshot: Sequence[MemoryItem]
    ) -> tuple[SnapshotChange, tuple[MemoryChange, ...]]:
        """Take in the snapshot after `session_id`: the change against the one before, and what it says was done."""
        before, after = self.items, {item.memory_id: item for item in snapshot}
        put: list[MemoryItem] = []
        changes: list[MemoryChange] = []
        for memory_id, item in after.items():
            old = before.get(memory_id)
            if old is item or old == item:
                continue
            put.append(item)
            if old is None or old.text != item.text:
                known = self._sessions.get(memory_id, ())
                self._sessions[memory_id] = (*known, session_id) if session_id not in known else known
            change = _change(old, item)
            if change is not None:
                changes.append(change)
        gone = tuple(memory_id for memory_id in before if memory_id not in after)
        for memory_id in gone:
            self._left[memory_id] = self._session
            changes.append(MemoryChange(op="delete", memory_id=memory_id, text=before[memory_id].text))
        usual = [memory_id for memory_id in before if memory_id in after]
        usual += [memory_id for memory_id in after if memory_id not in before]
        order = None if usual == list(after) else tuple(after)
        self.items, self._session = after, session_id
        return SnapshotChange(put=tuple(put), gone=gone, order=order), tuple(changes)

    def sources(self, item: RetrievedItem) -> tuple[str, ...]:
        """The sessions that a retrieved item comes from; never one that has not been heard yet."""
        if item.turn_ids:
            named = dict.fromkeys(self._turns[turn] for turn in item.turn_ids if turn in self._turns)
            if named:
                return tuple(named)
        return self._sessions.get(item.memory_id, ())

    def held_in(self, item: RetrievedItem) -> str | None:
        """The latest session whose snapshot held the item; None where none did."""
        return self._session if item.memory_id in self.items else self._left.get(item.memory_id)


_STATUS_OPS: dict[str, Op] = {"active": "add", "archived": "archive", "suppressed": "suppress"}


def _change(old: MemoryItem | None, new: MemoryItem) -> MemoryChange | None:
    if old is None:
        return new.added()
    if old.status != new.status:
        return MemoryChange(op=_STATUS_OPS[new.status], memory_id=new.memory_id, text=new.text, previous=(old.text,))
    if old.text != new.text:
        return MemoryChange(op="update", memory_id=new.memory_id, text=new.text, previous=(old.text,))
    return None


def whole_text(body: str, attachments: Sequence[Attachment]) -> str:
    """`body` and, after a blank line, a block a picture: `image:`, its id and its caption, each where it has one."""
    if not attachments:
        return body
    blocks = []
    for picture in attachments:
        lines = ["image:"]
        if picture.image_id:
            lines.append(f"image_id: {picture.image_id}")
        if picture.caption:
            lines.append(f"image_caption: {picture.caption}")
        if len(lines) > 1:
            blocks.append("\n".join(lines))
    shown = "\n".join(blocks)
    return f"{body}\n\n{shown}" if body and shown else body or shown


def present(turn: Turn, *, pictures: bool, captions: Captions) -> Turn:
    """`turn` as an adapter sees it: with pictures or without, with no captions, those given, or the fullest."""
    if not turn.attachments:
        return turn
    attachments = present_pictures(turn.attachments, pictures=pictures, captions=captions)
    if attachments == turn.attachments:
        return turn
    return replace(turn, text=whole_text(turn.body, attachments), attachments=attachments)


def present_pictures(
    attachments: Sequence[Attachment], *, pictures: bool, captions: Captions
) -> tuple[Attachment, ...]:
    """`attachments` as an adapter sees them."""
    return tuple(
        replace(
            picture,
            path=picture.path if pictures else None,
            caption={"none": "", "given": picture.caption, "full": picture.caption_full or picture.caption}[captions],
            caption_full="",
        )
        for picture in attachments
    )
