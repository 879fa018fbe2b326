"""Logs of coding agents: what Codex and Claude Code write while they work, a JSON object a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from memarena_builder.traces.log import Logged, Trace, moment
from memarena_builder.traces.parts import Call, Result, Said, call
from memarena_builder.traces.rows import Notes, Row
from memarena_builder.traces.thread import Message, Thread

ITEMS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "web_search_call"})
BACK = frozenset({"function_call_output", "custom_tool_call_output"})
PUT_IN = ("<environment_context", "<user_instructions", "<permissions", "# AGENTS.md instructions")
"""How texts begin that the program says in the place of its user."""
SIDE = "side agent"


def is_codex(row: object) -> bool:
    """Whether an object is of a rollout of Codex, or of what `codex exec --json` prints."""
    if not isinstance(row, Mapping):
        return False
    kind = str(row.get("type"))
    return (
        (kind in ("response_item", "session_meta") and isinstance(row.get("payload"), Mapping))
        or (kind == "item.completed" and isinstance(row.get("item"), Mapping))
        or kind == "thread.started"
        or (kind in (*ITEMS, *BACK) and "call_id" in row)
    )


def is_claude(row: object) -> bool:
    """Whether an object is of a transcript of Claude Code."""
    return isinstance(row, Mapping) and "sessionId" in row and isinstance(row.get("message"), Mapping)


def read_codex(name: str, found: Iterable[Row], notes: Notes) -> Iterator[Trace]:
    """One trace; a session begins with each beginning of the program."""
    threads: dict[str, Thread] = {}
    current = name
    for row in found:
        held = row.value if isinstance(row.value, Mapping) else {}
        payload = held.get("payload")
        if held.get("type") in ("session_meta", "thread.started"):
            opened = payload if isinstance(payload, Mapping) else held
            current = str(opened.get("id") or opened.get("thread_id") or name)
            continue
        item = payload if held.get("type") == "response_item" else held.get("item", held)
        made = _item(item, row, moment(held.get("timestamp"))) if isinstance(item, Mapping) else ()
        for message in made:
            threads.setdefault(current, Thread(notes)).add(message)
    yield Trace(name=name, sessions=tuple(Logged(name=key, turns=tuple(each.turns)) for key, each in threads.items()))


def read_claude(name: str, found: Iterable[Row], notes: Notes) -> Iterator[Trace]:
    """One trace: a session by its id; what an agent beside the first one did is a session of its own."""
    threads: dict[str, Thread] = {}
    for row in found:
        if not is_claude(row.value) or row.value.get("isMeta"):
            continue
        held = row.value
        if held.get("isCompactSummary"):
            notes.add("summaries left out of what was said before", row.where)
            continue
        session = str(held["sessionId"])
        if held.get("isSidechain"):
            session += f", {SIDE} {held.get('agentId', '')}".rstrip()
        message = held["message"]
        same = f"message {message['id']}" if message.get("id") else ""
        said = Said(message.get("content"))
        threads.setdefault(session, Thread(notes)).add(
            Message(message.get("role") or held.get("type"), said, moment(held.get("timestamp")), row.where, same)
        )
    yield Trace(name=name, sessions=tuple(Logged(name=key, turns=tuple(each.turns)) for key, each in threads.items()))


def _item(item: Mapping[str, Any], row: Row, time: Any) -> Iterator[Message]:
    """The messages of one item of a rollout, older or newer, or of one that `codex exec --json` prints."""
    kind = str(item.get("type"))
    who: object = "assistant"
    if kind == "message":
        said, who = Said(item.get("content")), item.get("role")
        if who == "user" and any(text.startswith(PUT_IN) for text in said.words[:1]):
            who = "system"
    elif kind in ("reasoning", "agent_message"):
        said = Said(item.get("summary") or item.get("text") or item.get("content"))
        if not said.words:
            return
    elif kind in ITEMS:
        said = Said()
        said.calls = [call(item)]
    elif kind in BACK:
        said, who = Said(item), "tool"
    elif kind in DONE and row.value.get("type") == "item.completed":
        said = Said()
        made = Call(str(item.get("id", "")), DONE[kind](item))
        said.calls = [made]
        yield Message(who, said, time, row.where)
        said, who = Said(), "tool"
        said.results = [_done(item, made)]
        if not said.results[0].text:
            return
    else:
        return
    yield Message(who, said, time, row.where)


DONE = {
    "command_execution": lambda item: f"shell({item.get('command', '')})",
    "mcp_tool_call": lambda item: call({"name": item.get("tool"), "arguments": item.get("arguments")}).text,
    "web_search": lambda item: f"web_search({item.get('query', '')})",
    "file_change": lambda item: f"edit({', '.join(_paths(item.get('changes')))})",
}
"""By kind of an item that is done: what was done, in words."""


def _paths(changes: object) -> Iterator[str]:
    rows = changes if isinstance(changes, list) else []
    yield from (str(each.get("path", "")) for each in rows if isinstance(each, Mapping))


def _done(item: Mapping[str, Any], made: Call) -> Result:
    output = Said(item.get("aggregated_output") or item.get("result") or item.get("error"))
    return Result(made.call_id, "\n".join(output.words), bool(item.get("exit_code")) or item.get("status") == "failed")
