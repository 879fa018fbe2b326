"""Spans and events of OpenTelemetry by the conventions for generative AI, as OTLP in JSON or as an SDK prints them.

The messages of a call stand in `gen_ai.input.messages` and `gen_ai.output.messages` of its span, in events or log
records of these or older names, or one by one in numbered attributes. Each call repeats what was said before: only
what is new is kept. A span around calls, such as that of an agent, repeats theirs and is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from memarena.errors import DataError
from memarena_builder.traces.heard import Heard
from memarena_builder.traces.log import Logged, Trace, Uttered, moment
from memarena_builder.traces.numbered import numbered
from memarena_builder.traces.parts import Said, call, result
from memarena_builder.traces.rows import Notes, Row
from memarena_builder.traces.thread import Message, Thread

SCOPES = ("scopeSpans", "instrumentationLibrarySpans", "scopeLogs", "instrumentationLibraryLogs")
HELD = ("spans", "logRecords", "logs")
MESSAGES = ("gen_ai.system_instructions", "gen_ai.input.messages", "gen_ai.output.messages")
CONVERSATION = (
    "gen_ai.conversation.id", "session.id", "traceloop.association.properties.session_id", "langfuse.session.id",
    "thread.id",
)  # fmt: skip
DETAILS = "gen_ai.client.inference.operation.details"
FRAMES = frozenset({"invoke_agent", "create_agent", "invoke_workflow"})
"""Operations that are a frame around calls."""
DEEPEST = 50
"""How deep values stand in values, at most."""


class _Span(NamedTuple):
    where: str
    trace: str
    name: str
    parent: str
    begin: int
    end: int
    held: Mapping[str, Any]
    """Attributes."""
    events: tuple[tuple[str, int, Mapping[str, Any]], ...]
    """Name, time and attributes."""


def is_spans(row: object) -> bool:
    """Whether an object is an export of spans or log records, or one span as an SDK prints it."""
    if not isinstance(row, Mapping):
        return False
    return "resourceSpans" in row or "resourceLogs" in row or _is_printed(row)


def _is_printed(row: Mapping[str, Any]) -> bool:
    return isinstance(row.get("context"), Mapping) and isinstance(row.get("attributes"), Mapping)


def read_spans(name: str, found: Iterable[Row], notes: Notes) -> Iterator[Trace]:
    """One trace: a conversation, or where none is named a trace of OpenTelemetry, is a session."""
    spans = [span for row in found for span in _spans(row, notes)]
    spans.sort(key=lambda span: (span.begin, span.end))
    around = _around(spans)
    names = {span.trace: named for span in spans if (named := _conversation(span))}
    sessions: dict[str, Heard] = {}
    tools: dict[str, list[_Span]] = {}
    for span in spans:
        session = _conversation(span) or names.get(span.trace) or span.trace
        if span.name not in around and (turns := _turns(span, notes)):
            sessions.setdefault(session, Heard()).add(turns)
        elif span.held.get("gen_ai.operation.name") == "execute_tool":
            tools.setdefault(session, []).append(span)
    for session, heard in sessions.items():
        if all(turn.role != "environment" for turn in heard.turns):
            heard.turns += [turn for span in tools.get(session, ()) for turn in _tool(span, notes)]
            heard.turns.sort(key=lambda turn: turn.time.timestamp() if turn.time else 0)
    if not sessions:
        problem = (
            "no span has messages: let the instrumentation record the content of messages, which most do not by default"
        )
        raise DataError(problem)
    yield Trace(
        name=name,
        sessions=tuple(Logged(name=key, turns=tuple(each.turns)) for key, each in sessions.items() if each.turns),
    )  # fmt: skip


def _conversation(span: _Span) -> str:
    return str(next((span.held[key] for key in CONVERSATION if span.held.get(key)), ""))


def _around(spans: Iterable[_Span]) -> set[str]:
    """Names of the frames around calls that have messages of their own."""
    by_name = {span.name: span for span in spans if span.name}
    around: set[str] = set()
    for span in by_name.values():
        seen: set[str] = set()
        parent = span.parent if any(key in span.held for key in MESSAGES[1:]) else ""
        while parent in by_name and parent not in seen:
            seen.add(parent)
            parent = by_name[parent].parent
        around |= {name for name in seen if by_name[name].held.get("gen_ai.operation.name") in FRAMES}
        around -= {span.name} if span.name in seen else set()
    return around


def _spans(row: Row, notes: Notes) -> Iterator[_Span]:
    if not is_spans(row.value):
        notes.add("objects left out that have no spans", row.where)
        return
    if _is_printed(row.value):
        yield _printed(row)
        return
    for resource in _all(row.value, "resourceSpans", "resourceLogs"):
        for scope in _all(resource, *SCOPES):
            for span in _all(scope, *HELD):
                yield _exported(span, row.where)


def _all(holder: Mapping[str, Any], *keys: str) -> Iterator[Mapping[str, Any]]:
    for key in keys:
        held = holder.get(key)
        yield from (each for each in (held if isinstance(held, list) else ()) if isinstance(each, Mapping))


def _exported(span: Mapping[str, Any], where: str) -> _Span:
    held = _attributes(span)
    begin = _number(span.get("startTimeUnixNano") or span.get("timeUnixNano") or span.get("observedTimeUnixNano"))
    events = [
        (str(event.get("name", "")), _number(event.get("timeUnixNano")), _attributes(event))
        for event in _all(span, "events")
    ]
    name, parent = str(span.get("spanId", "")), str(span.get("parentSpanId", ""))
    if "startTimeUnixNano" not in span:  # a log record: it is an event of the span that it names
        body = _value(span.get("body"))
        kind = str(span.get("eventName") or held.get("event.name") or "")
        held_by_event = {**held, **(body if isinstance(body, Mapping) else {"content": body} if body else {})}
        events, name, parent = [(kind, begin, held_by_event)], "", ""
        held = {key: held[key] for key in CONVERSATION if key in held}
    return _Span(
        where, str(span.get("traceId", "")), name, parent, begin, _number(span.get("endTimeUnixNano")) or begin, held,
        tuple(events),
    )  # fmt: skip


def _printed(row: Row) -> _Span:
    """A span as an SDK prints it: plain attributes, times as ISO 8601."""
    span = row.value
    events = tuple(
        (str(event.get("name", "")), _nanoseconds(event.get("timestamp")), event.get("attributes") or {})
        for event in _all(span, "events")
    )
    context = span["context"]
    begin = _nanoseconds(span.get("start_time"))
    return _Span(
        row.where, str(context.get("trace_id", "")), str(context.get("span_id", "")), str(span.get("parent_id") or ""),
        begin, _nanoseconds(span.get("end_time")) or begin, span["attributes"], events,
    )  # fmt: skip


def _nanoseconds(value: object) -> int:
    found = moment(value)
    return int(found.timestamp() * 1e9) if found else 0


def _number(value: object) -> int:
    text = str(value or "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else 0


def _attributes(holder: Mapping[str, Any]) -> dict[str, Any]:
    return {str(each.get("key", "")): _value(each.get("value")) for each in _all(holder, "attributes")}


def _value(value: Any, depth: int = 0) -> Any:
    """What a typed value of OTLP holds."""
    if not isinstance(value, Mapping) or depth > DEEPEST:
        return None
    if isinstance(value.get("arrayValue"), Mapping):
        return [_value(each, depth + 1) for each in _all(value["arrayValue"], "values")]
    if isinstance(value.get("kvlistValue"), Mapping):
        pairs = _all(value["kvlistValue"], "values")
        return {str(each.get("key", "")): _value(each.get("value"), depth + 1) for each in pairs}
    return next(iter(value.values()), None)


def _turns(span: _Span, notes: Notes) -> list[Uttered]:
    """All that the call of a span heard and said, in order."""
    thread = Thread(notes)
    _messages(thread, span, span.held, span.begin, span.end)
    for kind, time, held in span.events:
        if kind == DETAILS:
            _messages(thread, span, held, span.begin or time, time)
        elif kind.startswith("gen_ai."):
            who = "assistant" if kind == "gen_ai.choice" else kind.split(".")[1]
            body = _parsed(held.get("message")) or [held]
            for message in body if isinstance(body, list) else [body]:
                _add(thread, message, who, time or span.begin, span.where)
    return thread.turns


def _messages(thread: Thread, span: _Span, held: Mapping[str, Any], begin: int, end: int) -> None:
    for key in MESSAGES:
        time = end if key == MESSAGES[2] else begin
        if key == MESSAGES[0] and held.get(key):
            _add(thread, {"parts": _parsed(held[key])}, "system", time, span.where)
            continue
        for message in _parsed(held.get(key)):
            _add(thread, message, "assistant" if key == MESSAGES[2] else "user", time, span.where)
    for who, message, answers in numbered(held):
        _add(thread, message, who, end if answers else begin, span.where)


def _add(thread: Thread, message: object, who: str, time: int, where: str) -> None:
    row = message if isinstance(message, Mapping) else {"content": message}
    content = row.get("parts") or row.get("content") or row.get("message")
    said = Said(_parsed(content) if isinstance(content, str) and content.startswith("[{") else content)
    calls = row.get("tool_calls")
    said.calls += [call(each) for each in _parsed(calls) if isinstance(each, Mapping)]
    role = row.get("role") or who
    if role == "tool" and not said.results:
        said.results, said.words = [result({"content": content}, row.get("id") or row.get("tool_call_id"))], []
    thread.add(Message(role, said, moment(time), where))


def _tool(span: _Span, notes: Notes) -> list[Uttered]:
    """A call of a tool that no message tells: what was done and what came of it."""
    thread = Thread(notes)
    arguments, back = (span.held.get(f"gen_ai.tool.call.{key}") for key in ("arguments", "result"))
    said = Said()
    said.calls = [call({"name": span.held.get("gen_ai.tool.name") or "tool", "arguments": arguments, "id": "1"})]
    thread.add(Message("assistant", said, moment(span.begin), span.where))
    if back is not None:
        given = Said()
        given.results = [result({"content": back}, "1")]
        thread.add(Message("tool", given, moment(span.end), span.where))
    return thread.turns


def _parsed(value: Any) -> list[Any]:
    """A list that may be written as JSON; a single thing as a list of it."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return [value] if value else []
    return value if isinstance(value, list) else [] if value is None else [value]
