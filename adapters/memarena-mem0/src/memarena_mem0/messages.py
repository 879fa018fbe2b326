"""Turns -> what `Memory.add` takes."""

from __future__ import annotations

import base64
import mimetypes
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from memarena.records import Attachment, Turn

Message = dict[str, Any]

_ROLES = frozenset({"user", "assistant", "system"})
"""The roles that mem0 takes in; it drops messages of any other."""
_NO_NAMES = _ROLES | {"agent", "environment", "tool"}


def messages_of(turns: Sequence[Turn], *, longest: int, pictures: bool) -> Iterator[list[Message]]:
    """The messages of a group: one list, or several where a turn is longer than `longest` characters.

    A picture becomes a message of its own with a data URL. Turns that say and show nothing have no message.
    """
    ready: list[Message] = []
    for turn in turns:
        role, text = _role_and_text(turn)
        first, *others = pieces(text, longest)
        ready += [{"role": role, "content": first}] if first else []
        for piece in others:
            yield ready
            ready = [{"role": role, "content": piece}]
        if pictures:
            ready += [_picture(role, picture.path, picture) for picture in turn.attachments if picture.path]
    if ready:
        yield ready


def pieces(text: str, longest: int) -> list[str]:
    """`text` in pieces of at most `longest` characters, cut at blanks where there are some; at least one piece."""
    found = []
    rest = text.strip()
    while len(rest) > longest:
        cut = max(rest.rfind(blank, 1, longest + 1) for blank in "\n ")
        cut = longest if cut < 1 else cut
        found.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    return [*found, rest] if rest or not found else found


def _role_and_text(turn: Turn) -> tuple[str, str]:
    """A named speaker is a user, whose name stands before the text: mem0-classic learns from users only."""
    name = turn.speaker.strip()
    if name and name.casefold() not in _NO_NAMES:
        return "user", f"{name}: {turn.text}" if turn.text.strip() else ""
    if turn.role in _ROLES:
        return turn.role, turn.text
    return ("assistant" if turn.role == "agent" else "user"), turn.text


def _picture(role: str, path: str, picture: Attachment) -> Message:
    kind = picture.media_type or mimetypes.guess_type(path)[0] or "image/png"
    data = base64.b64encode(Path(path).read_bytes()).decode("ascii")
    return {"role": role, "content": {"type": "image_url", "image_url": {"url": f"data:{kind};base64,{data}"}}}
