"""Conversations: a message a line, or lists of messages as the API of OpenAI has them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

from memarena_builder.traces.log import Logged, Trace, Uttered, moment, picture, role, words

SESSION = ("session", "session_id", "conversation_id", "conversation", "thread", "thread_id", "chat_id")
TIME = ("timestamp", "time", "created_at", "create_time", "date", "ts")
SPEAKER = ("role", "author", "speaker", "sender", "from", "type")
TEXT = ("content", "text", "message", "body", "value")
PAUSE = timedelta(hours=4)
"""After such a silence another session begins, where a log names none."""


def is_chat(found: Sequence[Any]) -> bool:
    """Whether each object is a message."""
    return all(isinstance(each, Mapping) and first(each, SPEAKER) and first(each, TEXT) is not None for each in found)


def is_openai(found: Sequence[Any]) -> bool:
    """Whether each object has a list of messages."""
    return all(isinstance(each, Mapping) and isinstance(each.get("messages"), list) for each in found)


def first(row: Mapping[str, Any], keys: Sequence[str]) -> Any:
    """The value of the first key that is there; None where none is."""
    return next((row[key] for key in keys if key in row), None)


def read_chat(name: str, found: Sequence[Any]) -> Iterator[Trace]:
    """One trace: a message a line."""
    sessions: dict[str, list[Uttered]] = {}
    number, last = 0, None
    for row in found:
        turn = _turn(row)
        named = first(row, SESSION)
        if named is None and turn.time and last and turn.time - last > PAUSE:
            number += 1
        last = turn.time or last
        sessions.setdefault(str(number if named is None else named), []).append(turn)
    yield Trace(name=name, sessions=tuple(Logged(name=key, turns=tuple(each)) for key, each in sessions.items()))


def read_openai(name: str, found: Sequence[Any]) -> Iterator[Trace]:
    """One trace: a list of messages is a session."""
    sessions = []
    for number, row in enumerate(found):
        turns = tuple(_message(each) for each in row["messages"])
        named = first(row, (*SESSION, "id", "custom_id"))
        sessions.append(Logged(name=str(number if named is None else named), turns=turns))
    yield Trace(name=name, sessions=tuple(sessions))


def _turn(row: Mapping[str, Any]) -> Uttered:
    content = first(row, TEXT)
    speaker = first(row, SPEAKER)
    who = speaker.get("role") if isinstance(speaker, Mapping) else speaker
    return Uttered(
        role=role(who), text=words(content), time=moment(first(row, TIME)), picture=picture(content)
    )  # fmt: skip


def _message(row: Mapping[str, Any]) -> Uttered:
    said = words(row.get("content"))
    calls = [call_text(call.get("function") or {}) for call in row.get("tool_calls") or ()]
    return Uttered(
        role=role(row.get("role")),
        text="\n".join(part for part in (said, *calls) if part),
        time=moment(first(row, TIME)),
        picture=picture(row.get("content")),
    )


def call_text(function: Mapping[str, Any]) -> str:
    """A call of a tool as an action: `name(key=value)`."""
    raw: Any = next((function[key] for key in ("arguments", "input", "action") if key in function), {})
    try:
        arguments = json.loads(raw) if isinstance(raw, str) else raw
    except ValueError:
        arguments = raw
    if isinstance(arguments, Mapping):
        arguments = ", ".join(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in arguments.items())
    return f"Action: {function.get('name', 'tool')}({arguments or ''})"
