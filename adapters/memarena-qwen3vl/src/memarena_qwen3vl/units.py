"""Pictures as items of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from memarena.floors import turn_line
from memarena.memory import whole_text
from memarena.records import MemoryItem, Turn

ERRORS = "picture_errors"
"""Name in the metadata of an item: why each of its pictures that cannot be read cannot, by id."""


def picture_items(turn: Turn) -> list[MemoryItem]:
    """An item for each picture of `turn` that has a file; its text is the line of the turn with that picture alone."""
    return [
        MemoryItem(
            memory_id=f"{turn.turn_id}#picture{number}",
            text=turn_line(replace(turn, text=whole_text("", (picture,)) or "image:")),
            session_id=turn.session_id,
            turn_ids=(turn.turn_id,),
            image_id=picture.image_id,
            image_path=picture.path,
        )
        for number, picture in enumerate(turn.attachments, 1)
        if picture.path
    ]


def marked(item: MemoryItem, unreadable: Sequence[tuple[MemoryItem, str]]) -> MemoryItem:
    """`item` with what is wrong with pictures of its turns."""
    found: Mapping[str, str] = {
        lost.image_id or lost.memory_id: why for lost, why in unreadable if lost.turn_ids[0] in item.turn_ids
    }
    return replace(item, metadata={**item.metadata, ERRORS: found}) if found else item
