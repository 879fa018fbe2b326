"""The text of a turn as every system sees it: what was said, then a block for each picture."""

from __future__ import annotations

from collections.abc import Sequence

from memarena.records import Attachment


def picture_block(attachment: Attachment) -> str:
    """The lines that stand for a picture: `image:`, its id, its caption; "" where it has neither."""
    lines = []
    if attachment.image_id:
        lines.append(f"image_id: {attachment.image_id}")
    if attachment.caption:
        lines.append(f"image_caption: {attachment.caption}")
    return "\n".join(["image:", *lines]) if lines else ""


def whole_text(body: str, attachments: Sequence[Attachment]) -> str:
    """`body`, a blank line, and the block of each picture, one below the other.

    Without pictures it is `body` as it is; without a body it is the blocks alone.
    """
    if not attachments:
        return body
    blocks = "\n".join(block for block in map(picture_block, attachments) if block)
    return "\n\n".join(part for part in (body, blocks) if part)
