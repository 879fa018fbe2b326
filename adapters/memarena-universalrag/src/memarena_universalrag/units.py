"""What a session adds to the corpora of whole sessions and of pictures."""

from __future__ import annotations

from collections.abc import Sequence

from memarena.floors import turn_line
from memarena.memory import whole_text
from memarena.records import Attachment, MemoryItem, Turn
from memarena_rag.documents import Document


def session_document(turns: Sequence[Turn]) -> Document:
    """A whole session as one document, a line `[time] speaker: text` a turn."""
    text = "\n".join(turn_line(turn) for turn in turns)
    item = MemoryItem(
        memory_id=f"session:{turns[0].session_id}",
        text=text,
        session_id=turns[0].session_id,
        turn_ids=tuple(turn.turn_id for turn in turns),
        metadata={"corpus": "session"},
    )
    return Document(item, text)


def picture_documents(turns: Sequence[Turn]) -> list[Document]:
    """Each picture of a session, found by its caption ("" where it has none)."""
    return [
        _picture_document(turn, picture, number) for turn in turns for number, picture in enumerate(turn.attachments, 1)
    ]


def _picture_document(turn: Turn, picture: Attachment, number: int) -> Document:
    when = f"[{turn.time}] " if turn.time else ""
    item = MemoryItem(
        memory_id=f"{turn.turn_id}#picture{number}",
        text=f"{when}{turn.speaker or turn.role} showed\n{whole_text('', (picture,)) or 'image:'}",
        session_id=turn.session_id,
        turn_ids=(turn.turn_id,),
        image_id=picture.image_id,
        image_path=picture.path or "",
        metadata={"corpus": "picture"},
    )
    return Document(item, picture.caption)
