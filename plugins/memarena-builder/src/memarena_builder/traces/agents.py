"""Logs of coding agents: what Codex and Claude Code write while they work, a JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memarena_builder.traces.chats import call_text
from memarena_builder.traces.log import Logged, Trace, Uttered, moment, role, words

FAILED = ("error", "failed", "exception", "traceback", "not found", "denied", "no such")
"""Words that tell that an action had no effect."""
LONGEST = 2000
"""Characters of a result of a tool that are kept."""


def is_codex(found: Sequence[Any]) -> bool:
    """Whether it is a rollout of Codex."""
    return any(isinstance(each, Mapping) and each.get("type") == "response_item" for each in found)


def is_claude(found: Sequence[Any]) -> bool:
    """Whether it is a transcript of Claude Code."""
    return any(isinstance(each, Mapping) and "sessionId" in each and "message" in each for each in found)


def read_codex(name: str, found: Sequence[Any]) -> Iterator[Trace]:
    """One trace of one session."""
    turns = []
    for row in found:
        if isinstance(row, Mapping) and row.get("type") == "response_item":
            turn = _item(row.get("payload") or {})
            if turn and turn.text:
                turns.append(_at(turn, row))
    yield Trace(name=name, sessions=(Logged(name=name, turns=tuple(turns)),))


def read_claude(name: str, found: Sequence[Any]) -> Iterator[Trace]:
    """One trace: a session by its id."""
    sessions: dict[str, list[Uttered]] = {}
    for row in found:
        if isinstance(row, Mapping) and isinstance(row.get("message"), Mapping) and not row.get("isMeta"):
            for turn in _parts(row["message"]):
                if turn.text:
                    sessions.setdefault(str(row.get("sessionId", name)), []).append(_at(turn, row))
    yield Trace(name=name, sessions=tuple(Logged(name=key, turns=tuple(each)) for key, each in sessions.items()))


def _at(turn: Uttered, row: Mapping[str, Any]) -> Uttered:
    from msgspec.structs import replace

    return replace(turn, time=moment(row.get("timestamp")))


def _item(payload: Mapping[str, Any]) -> Uttered | None:
    kind = payload.get("type")
    if kind == "message":
        return Uttered(role=role(payload.get("role")), text=words(payload.get("content")))
    if kind in ("function_call", "custom_tool_call", "local_shell_call"):
        return Uttered(role="assistant", text=call_text(payload))
    if kind in ("function_call_output", "custom_tool_call_output"):
        return result(payload.get("output"))
    return None


def _parts(message: Mapping[str, Any]) -> Iterator[Uttered]:
    content = message.get("content")
    said = []
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, Mapping) and part.get("type") == "tool_result":
            yield result(part.get("content"), failed=bool(part.get("is_error")))
        elif isinstance(part, Mapping) and part.get("type") == "tool_use":
            said.append(call_text(part))
        else:
            said.append(words(part))
    text = "\n".join(each for each in said if each)
    if text:
        yield Uttered(role=role(message.get("role")), text=text)


def result(output: object, *, failed: bool = False) -> Uttered:
    """What a tool gave back, as feedback of the environment."""
    if isinstance(output, str):
        try:
            held = json.loads(output)
        except ValueError:
            held = None
        if isinstance(held, Mapping):
            failed = failed or bool((held.get("metadata") or {}).get("exit_code"))
            output = held.get("output", output)
    text = words(output)[:LONGEST]
    told = any(word in text.lower() for word in FAILED)
    return Uttered(role="environment", text=f"Feedback: {text}" if text else "", failed=failed or told)
