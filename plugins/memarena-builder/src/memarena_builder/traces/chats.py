"""Conversations: a message a line, or lists of messages as the APIs of models have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Any

from msgspec.structs import replace

from memarena_builder.traces.conversations import items_of
from memarena_builder.traces.heard import Heard
from memarena_builder.traces.log import Logged, Trace, is_role, moment
from memarena_builder.traces.parts import Said, call, first, result
from memarena_builder.traces.rows import Notes, Row
from memarena_builder.traces.thread import Message, Thread

SESSION = ("session", "session_id", "sessionId", "conversation_id", "conversationId", "conversation", "thread",
           "thread_id", "thread_ts", "chat_id", "channel_id", "ticket_id")  # fmt: skip
TIME = ("timestamp", "time", "created_at", "createdAt", "create_time", "created", "date", "datetime", "ts", "sent_at")
OWNER = ("user_id", "userId", "customer_id", "customerId", "account_id")
"""Whose conversation it is: everybody's are a sample of their own."""
SPEAKER = ("role", "author", "speaker", "sender", "from", "user", "username")
TEXT = ("content", "text", "message", "body", "value", "parts", "data")
CALLED = ("tool_calls", "function_call")
LISTS = ("messages", "conversations", "conversation", "dialogue", "dialog")
"""Keys under which an object has its messages."""
HELD = ("body", "request", "kwargs", "params")
"""Keys under which what was sent to a model may have them."""
PAUSE = timedelta(hours=4)
"""After such a silence another session begins, where a log names none."""


def is_chat(row: object) -> bool:
    """Whether an object is a message."""
    return isinstance(row, Mapping) and bool(_speaker(row)) and any(key in row for key in (*TEXT, *CALLED))


def is_openai(row: object) -> bool:
    """Whether an object has a list of messages."""
    return _messages(row) is not None and not (isinstance(row, Mapping) and items_of(row))


def read_chat(name: str, found: Iterable[Row], notes: Notes) -> Iterator[Trace]:
    """A message a line: one trace, or one for each who speaks with the assistant."""
    threads: dict[str, Thread] = {}
    owners: dict[str, str] = {}
    number, last = 0, None
    for row in found:
        if not is_chat(row.value):
            notes.add("objects left out that are no messages", row.where)
            continue
        made = _message(row.value, row.where, notes)
        named = first(row.value, SESSION)
        if named is None and made.time and last and made.time - last > PAUSE:
            number += 1
        last = made.time or last
        key = str(number if named is None else named)
        threads.setdefault(key, Thread(notes)).add(made)
        if threads[key].turns and threads[key].turns[-1].role == "user":
            owners.setdefault(key, str(first(row.value, OWNER) or ""))
    yield from _by_owner(name, {key: _logged(key, thread) for key, thread in threads.items()}, owners)


def read_openai(name: str, found: Iterable[Row], notes: Notes) -> Iterator[Trace]:
    """A list of messages is a session; lists of one session each repeat what came before."""
    sessions: dict[str, Heard] = {}
    owners: dict[str, str] = {}
    for number, row in enumerate(found):
        messages = _messages(row.value)
        if messages is None:
            notes.add("objects left out that have no messages", row.where)
            continue
        held = row.value if isinstance(row.value, Mapping) else {}
        thread = Thread(notes)
        for each in messages:
            if is_chat(each) or (isinstance(each, Mapping) and each.get("type")):
                thread.add(_message(each, row.where, notes))
            else:
                notes.add("objects left out that are no messages", row.where)
        time = _time(held, row.where, notes)
        if time and thread.turns and all(turn.time is None for turn in thread.turns):
            thread.turns[0] = replace(thread.turns[0], time=time)
        named = first(held, (*SESSION, "id", "custom_id"))
        key = f"{number}" if named is None or isinstance(named, (list, dict)) else str(named)
        sessions.setdefault(key, Heard()).add(thread.turns)
        owners.setdefault(key, str(first(held, OWNER) or ""))
    made = {key: Logged(name=key, turns=tuple(each.turns)) for key, each in sessions.items()}
    yield from _by_owner(name, made, owners)


def _by_owner(name: str, sessions: Mapping[str, Logged], owners: Mapping[str, str]) -> Iterator[Trace]:
    """A trace for each owner, or one where there is no other."""
    several = len(set(owners.values())) > 1
    by_owner: dict[str, list[Logged]] = {}
    for key, session in sessions.items():
        by_owner.setdefault(owners.get(key, "") if several else "", []).append(session)
    for owner, each in by_owner.items():
        yield Trace(name=f"{name}-{owner}" if owner else name, sessions=tuple(each))


def _logged(name: str, thread: Thread) -> Logged:
    """A session in the order of its times, where every turn has one."""
    turns = thread.turns
    if all(turn.time for turn in turns):
        turns = sorted(turns, key=lambda turn: turn.time)  # type: ignore[arg-type, return-value]
    return Logged(name=name, turns=tuple(turns))


def _messages(row: object) -> list[Any] | None:
    """The messages of an object, with the answer that a model gave to them; None where it has none."""
    if isinstance(row, list):
        return row if row and all(is_chat(each) for each in row) else None
    if not isinstance(row, Mapping):
        return None
    if isinstance(row.get("mapping"), Mapping):
        return list(_branch(row))
    asked = next((row[key] for key in LISTS if isinstance(row.get(key), list)), None)
    held = next((row[key] for key in HELD if isinstance(row.get(key), Mapping)), row)
    if asked is None:
        asked = next((held[key] for key in (*LISTS, "input") if isinstance(held.get(key), list)), None)
    if asked is None and isinstance(held.get("input"), str):
        asked = [{"role": "user", "content": held["input"]}]
    if asked is None or not any(is_chat(each) for each in asked):
        return None
    instructions = first(held, ("instructions", "system"))
    opening = [{"role": "system", "content": instructions}] if instructions else []
    return [*opening, *asked, *_answer(row)]


def _answer(row: Mapping[str, Any]) -> Iterator[Any]:
    """What a model answered, beside what it was asked."""
    held: Any = first(row, ("response", "completion", "choices", "output"))
    for _ in range(2):
        if isinstance(held, Mapping):
            held = first(held, ("body", "choices", "output", "message")) or held
    if isinstance(held, str):
        yield {"role": "assistant", "content": held}
    elif isinstance(held, Mapping) and any(key in held for key in ("content", *CALLED)):
        yield {"role": "assistant", **held}
    elif isinstance(held, list) and held and isinstance(held[0], Mapping):
        choice = held[0].get("message")
        yield from [choice] if isinstance(choice, Mapping) else held


def _branch(row: Mapping[str, Any]) -> Iterator[Any]:
    """The messages that lead to the current one, where an export keeps all versions as a tree."""
    nodes = row["mapping"]
    name = row.get("current_node") or next(reversed(nodes), None)
    path: list[Any] = []
    seen: set[Any] = set()
    while isinstance(name, str) and name in nodes and name not in seen:
        seen.add(name)
        node = nodes[name] if isinstance(nodes[name], Mapping) else {}
        message = node.get("message")
        path += [message] if isinstance(message, Mapping) and _speaker(message) else []
        name = node.get("parent")
    yield from reversed(path)


def _speaker(row: Mapping[str, Any]) -> object:
    """The role or the name of who speaks; "" where nobody does."""
    found = first(row, SPEAKER)
    if isinstance(found, Mapping):
        found = first(found, ("role", "name", "username", "id"))
    kind = row.get("type")
    if found is None and is_role(kind):
        return kind
    return found if isinstance(found, str) else ""


def _time(row: Mapping[str, Any], where: str, notes: Notes) -> Any:
    raw = first(row, TIME)
    found = moment(raw)
    if raw not in (None, "") and found is None:
        notes.add("times that nobody understands", where)
    return found


def _message(row: Mapping[str, Any], where: str, notes: Notes) -> Message:
    who = _speaker(row)
    content = first(row, TEXT)
    if isinstance(content, Mapping) and isinstance(content.get("parts"), list):
        content = content["parts"]
    said = Said(row if not who and row.get("type") else content)
    calls = row.get("tool_calls")
    said.calls += [call(each) for each in calls if isinstance(each, Mapping)] if isinstance(calls, list) else []
    if isinstance(row.get("function_call"), Mapping):
        said.calls.append(call(row["function_call"]))
    attached = row.get("images") or row.get("attachments")
    said.add([{"type": "image", "image": each} if isinstance(each, str) else each for each in attached]
             if isinstance(attached, list) else None)  # fmt: skip
    if str(who).lower() in ("tool", "function"):
        back = result({"content": content}, first(row, ("tool_call_id", "call_id", "name")))
        said.words, said.results, said.shown = [], [back], []
    return Message(who or "assistant", said, _time(row, where, notes), where)
