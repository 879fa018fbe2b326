"""Spans of OpenTelemetry by the conventions for generative AI, as OTLP in JSON.

The messages of a call stand in `gen_ai.input.messages` and `gen_ai.output.messages` of its span, or in older events
named `gen_ai.user.message`, `gen_ai.choice` and so on. Each call repeats what was said before: only what is new is
kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memarena_builder.traces.chats import call_text
from memarena_builder.traces.log import Logged, Trace, Uttered, moment, role, words

SCOPES = ("scopeSpans", "instrumentationLibrarySpans")
MESSAGES = ("gen_ai.system_instructions", "gen_ai.input.messages", "gen_ai.output.messages")
CONVERSATION = ("gen_ai.conversation.id", "session.id")


def is_spans(found: Sequence[Any]) -> bool:
    """Whether each object is an export of spans."""
    return all(isinstance(each, Mapping) and "resourceSpans" in each for each in found)


def read_spans(name: str, found: Sequence[Any]) -> Iterator[Trace]:
    """One trace: a conversation, or where none is named a trace of OpenTelemetry, is a session."""
    spans = [span for each in found for span in _spans(each)]
    spans.sort(key=lambda span: int(span.get("startTimeUnixNano") or 0))
    sessions: dict[str, dict[tuple[str, str], Uttered]] = {}
    for span in spans:
        attributes = _attributes(span)
        session = next((attributes[key] for key in CONVERSATION if key in attributes), span.get("traceId", ""))
        heard = sessions.setdefault(str(session), {})
        for turn in _turns(span, attributes):
            if turn.text:
                heard.setdefault((turn.role, turn.text), turn)
    yield Trace(
        name=name,
        sessions=tuple(Logged(name=key, turns=tuple(each.values())) for key, each in sessions.items() if each),
    )  # fmt: skip


def _spans(export: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for resource in export["resourceSpans"]:
        for key in SCOPES:
            for scope in resource.get(key, ()):
                yield from scope.get("spans", ())


def _attributes(holder: Mapping[str, Any]) -> dict[str, Any]:
    return {each["key"]: _value(each.get("value", {})) for each in holder.get("attributes", ())}


def _value(value: Mapping[str, Any]) -> Any:
    if "arrayValue" in value:
        return [_value(each) for each in value["arrayValue"].get("values", ())]
    if "kvlistValue" in value:
        return {each["key"]: _value(each.get("value", {})) for each in value["kvlistValue"].get("values", ())}
    return next(iter(value.values()), None)


def _turns(span: Mapping[str, Any], attributes: Mapping[str, Any]) -> Iterator[Uttered]:
    times = {"gen_ai.output.messages": span.get("endTimeUnixNano")}
    for key in MESSAGES:
        time = moment(times.get(key) or span.get("startTimeUnixNano"))
        for message in _parsed(attributes.get(key)):
            if isinstance(message, Mapping):
                who = "system" if key == MESSAGES[0] else message.get("role", "assistant")
                yield Uttered(role=role(who), text=_said(message), time=time)
    for event in span.get("events", ()):
        yield from _event(event)


def _event(event: Mapping[str, Any]) -> Iterator[Uttered]:
    kind = str(event.get("name", ""))
    if not kind.startswith("gen_ai."):
        return
    held = _attributes(event)
    if kind == "gen_ai.client.inference.operation.details":
        yield from _turns({"startTimeUnixNano": event.get("timeUnixNano")}, held)
        return
    who = "assistant" if kind == "gen_ai.choice" else kind.split(".")[1]
    (body,) = list(_parsed(held.get("message") or held.get("content") or ""))[:1] or [""]
    yield Uttered(role=role(who), text=words(body), time=moment(event.get("timeUnixNano")))


def _parsed(value: Any) -> list[Any]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return [value] if value else []
    return value if isinstance(value, list) else [] if value is None else [value]


def _said(message: Mapping[str, Any]) -> str:
    parts = message.get("parts")
    if not isinstance(parts, list):
        return words(message)
    found = []
    for part in parts:
        if isinstance(part, Mapping) and part.get("type") == "tool_call":
            found.append(call_text(part))
        elif isinstance(part, Mapping) and part.get("type") == "tool_call_response":
            found.append(words(part.get("response") or part.get("result")) or json.dumps(part.get("response")))
        else:
            found.append(words(part))
    return "\n".join(each for each in found if each)
