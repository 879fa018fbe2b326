"""Messages in numbered attributes of a span: `gen_ai.prompt.0.content`, `llm.input_messages.0.message.role`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_KEY = re.compile(
    r"(?P<where>gen_ai\.(?:prompt|completion)|llm\.(?:input|output)_messages|llm\.(?:prompts|completions))\."
    r"(?P<number>\d{1,6})\.(?:message\.)?(?P<rest>.+)"
)
_CALL = re.compile(r"tool_calls\.(?P<number>\d{1,6})\.(?:tool_call\.)?(?:function\.)?(?P<field>name|arguments|id)")
_PART = re.compile(r"contents\.\d{1,6}\.message_content\.(?P<field>type|text|image\.image\.url)")
ANSWERS = ("completion", "output_messages", "completions")


def numbered(held: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """The role, the message, and whether the model said it, of each; first what it was asked."""
    messages: dict[tuple[bool, int], dict[str, Any]] = {}
    for key, value in held.items():
        found = _KEY.fullmatch(key)
        if found:
            place = found["where"].rpartition(".")[2] in ANSWERS, int(found["number"])
            _take(messages.setdefault(place, {}), found["rest"], value)
    for (answers, _), message in sorted(messages.items(), key=lambda each: each[0]):
        message["tool_calls"] = [each for _, each in sorted(message.pop("calls", {}).items())]
        yield "assistant" if answers else "user", message, answers


def _take(message: dict[str, Any], field: str, value: Any) -> None:
    called, part = _CALL.fullmatch(field), _PART.fullmatch(field)
    if called:
        message.setdefault("calls", {}).setdefault(int(called["number"]), {})[called["field"]] = value
    elif part and part["field"] == "text":
        message["content"] = f"{message.get('content', '')}\n{value}".strip()
    elif field in ("role", "content", "tool_call_id"):
        message[field] = value
