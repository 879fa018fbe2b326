"""What a message holds: words, thoughts, calls of tools, their results, pictures; as the APIs of models write them."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from memarena_builder.traces.log import Shown

TEXTS = ("text", "output_text", "input_text", "content", "value")
"""Keys under which a part has its words."""
THOUGHTS = frozenset({"thinking", "reasoning", "thought"})
CALLS = frozenset(
    {"tool_use", "tool_call", "tool-call", "function_call", "custom_tool_call", "server_tool_use", "mcp_tool_use"}
)
RESULTS = frozenset(
    {"tool_result", "tool_call_response", "tool-result", "function_call_output", "custom_tool_call_output",
     "web_search_tool_result", "mcp_tool_result"}
)  # fmt: skip
OUTPUT = ("content", "response", "result", "output", "text")
"""Keys under which a result of a tool has what came of it."""
UNSEEN = frozenset({"redacted_thinking", "refusal"})
"""Parts without anything to read."""
_DATA = re.compile(r"data:[\w.+/-]*(?:;[\w=.-]+)*;base64,")
_CODE = re.compile(r"exit code:? (-?\d+)", re.IGNORECASE)
DEPTH = 20
"""How deep parts stand in parts, at most."""


class Call(NamedTuple):
    """One call of a tool."""

    call_id: str
    text: str
    """`name(key=value)`."""


class Result(NamedTuple):
    """What a tool gave back."""

    call_id: str
    text: str
    failed: bool
    shown: tuple[Shown, ...] = ()


class Said:
    """All that the content of a message holds, by kind."""

    def __init__(self, content: object = None) -> None:
        self.words: list[str] = []
        self.thoughts: list[str] = []
        self.calls: list[Call] = []
        self.results: list[Result] = []
        self.shown: list[Shown] = []
        self.strange: list[str] = []
        """Kinds of parts of which nothing is known."""
        self.add(content)

    def add(self, content: object, depth: int = 0) -> None:
        """A text, a part, or a list of parts."""
        if isinstance(content, str):
            self.words += [content.strip()] if content.strip() else []
        elif isinstance(content, Mapping):
            self._part(content, depth)
        elif isinstance(content, Iterable) and depth < DEPTH:
            for part in content:
                self.add(part, depth + 1)

    def _part(self, part: Mapping[str, Any], depth: int) -> None:
        kind = str(part.get("type", ""))
        if kind in THOUGHTS:
            self.thoughts += Said(first(part, ("thinking", *TEXTS, "summary"))).words
        elif kind in RESULTS or "functionResponse" in part:
            self.results.append(result(part.get("functionResponse", part)))
        elif kind in CALLS or "functionCall" in part:
            self.calls.append(call(part.get("functionCall", part)))
        elif shown := picture(part):
            self.shown.append(shown)
        elif any(part.get(key) is not None for key in TEXTS) and depth < DEPTH:
            self.add(first(part, TEXTS), depth + 1)
        elif kind not in UNSEEN and not any(key in part for key in TEXTS):
            self.strange.append(kind or "without a type")


def first(row: Mapping[str, Any], keys: Iterable[str]) -> Any:
    """The value of the first key that is there and has one; None where none has."""
    return next((row[key] for key in keys if row.get(key) is not None), None)


def words(content: object) -> str:
    """The words of a content alone."""
    return "\n".join(Said(content).words)


def call(part: Mapping[str, Any]) -> Call:
    """A call of a tool, however it is written."""
    function = part.get("function")
    function = function if isinstance(function, Mapping) else part
    raw = first(function, ("arguments", "input", "args", "parameters", "action"))
    try:
        arguments = json.loads(raw) if isinstance(raw, str) else raw
    except (ValueError, RecursionError):
        arguments = raw
    if isinstance(arguments, Mapping):
        arguments = ", ".join(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in arguments.items())
    elif arguments is not None and not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    name = function.get("name") or function.get("toolName") or str(part.get("type", "tool")).removesuffix("_call")
    return Call(str(first(part, ("call_id", "id", "toolCallId")) or ""), f"{name}({arguments or ''})")


def result(part: Mapping[str, Any], call_id: object = None) -> Result:
    """What a tool gave back; whether it failed only where that is said, by a flag or an exit code."""
    output = first(part, OUTPUT)
    held: Any = output
    if isinstance(output, str) and output.lstrip().startswith("{"):
        try:
            held = json.loads(output)
        except (ValueError, RecursionError):
            held = output
    failed = bool(part.get("is_error"))
    if isinstance(held, Mapping):
        code = (held.get("metadata") or {}).get("exit_code") if isinstance(held.get("metadata"), Mapping) else None
        failed = failed or bool(code) or held.get("success") is False
        if isinstance(held.get("output"), str):
            output = held["output"]
    said = Said(output)
    text = "\n".join(said.words) or ("" if said.shown else _as_json(output))
    code_said = _CODE.search(text[:200])
    failed = failed or bool(code_said and int(code_said[1]))
    name = first(part, ("tool_use_id", "call_id", "tool_call_id", "id", "toolCallId")) if call_id is None else call_id
    return Result(str(name or ""), text, failed, tuple(said.shown))


def _as_json(value: object) -> str:
    return "" if value is None or value == [] else json.dumps(value, ensure_ascii=False)


def picture(part: Mapping[str, Any]) -> Shown | None:
    """The picture of a part; None where it is none."""
    kind = str(part.get("type", ""))
    source = first(part, ("image_url", "source", "inlineData", "inline_data", "image"))
    if isinstance(source, Mapping):
        held = first(source, ("url", "data", "path", "uri"))
        if source.get("data") is not None and "image" in str(first(source, ("media_type", "mimeType", "mime_type"))):
            return _bytes(str(held))
        return located(held) if kind != "document" else None
    if isinstance(source, str):
        return located(source)
    if part.get("modality") == "image" or kind in ("image", "input_image"):
        held = first(part, ("content", "data", "uri", "url", "path", "file_path"))
        if isinstance(held, str):
            return _bytes(held) if kind == "blob" or "data" in part else located(held)
    return None


def located(address: object) -> Shown | None:
    """The picture at an address: written out, a file, or on a network."""
    if not isinstance(address, str) or not address.strip():
        return None
    inline = _DATA.match(address)
    if inline:
        return _bytes(address[inline.end() :])
    if re.match(r"(?!file:)[A-Za-z][A-Za-z0-9+.-]+:", address):
        return Shown(address=address)
    return Shown(path=address.removeprefix("file://"))


def _bytes(text: str) -> Shown:
    """A picture in base 64. What is none is a path: some logs keep the path behind the words `base64`."""
    try:
        return Shown(data=base64.b64decode("".join(text.split()), validate=True)) if text else Shown(address="nothing")
    except (binascii.Error, ValueError):
        return Shown(path=text.removeprefix("file://")[:1000])
