"""Rules that call tools: write down what is to be remembered, look up what is asked, and then say something."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from typing import Any

from memarena_models.offline_requests import Request, Tool
from memarena_models.offline_schema import Filler
from memarena_models.offline_text import facts, question_of, subject
from memarena_models.rules import Output, ToolCall
from memarena_models.rules_text import spoken

NOTES = "MEMORY.md"
"""The file in which notes are kept where a tool needs one."""
LONGEST = 60_000
"""Characters of an argument: a shell takes no longer ones."""

_SAY = re.compile(r"send_message|respond|reply|final|finish|submit|answer")
_WRITE = re.compile(r"write|append|insert|store|save|remember|add_|note|upsert")
_SEARCH = re.compile(r"search|recall|retriev|query|find|lookup|read|get")
_SHELL = re.compile(r"exec|shell|bash|terminal|run_command")
_MEMORY = re.compile(r"memor|archiv|note|knowledge")
_NEVER = re.compile(r"stdin|image|plan|patch|process|input")
_ASKING = re.compile(r"\banswer\b.{0,80}\bquestions?\b|^\W*Q\d+\s*[:.)]", re.IGNORECASE | re.MULTILINE | re.DOTALL)
_REMEMBERING = re.compile(
    r"\b(?:remember|memori[sz]e|store|save|note|keep in mind|write down|session)\b", re.IGNORECASE
)

_CONTENT = re.compile(r"content|text|fact|memory|message|value|note|data|body")
_QUERY = re.compile(r"query|question|search|pattern")
_PATH = re.compile(r"path|file")
_COMMAND = re.compile(r"^(?:cmd|command|script|code)$")


class UseTools:
    """Calls one tool a turn: a memory's own before a shell, a shell before a plain file; after results, it speaks."""

    def matches(self, request: Request) -> bool:
        return bool(request.tools) and (bool(request.forced) or _call(request) is not None)

    def reply(self, request: Request) -> Output:
        call = _call(request)
        if call is None or (request.forced not in ("", "*", call.name)):
            named = [tool for tool in request.tools if tool.name == request.forced] or list(request.tools)
            call = ToolCall(name=named[0].name, arguments=_arguments(named[0], request, writing=True))
        return [call]


def _call(request: Request) -> ToolCall | None:
    """The next call; None where it is time to speak."""
    writing = _writes(request)
    if not request.results:
        tool = _writer(request.tools) if writing else _searcher(request.tools) if question_of(request.asked) else None
        if tool is not None and (not writing or facts(subject(request.asked))):
            return ToolCall(name=tool.name, arguments=_arguments(tool, request, writing=writing))
    voice = _first(request.tools, _SAY)
    if voice is not None and voice.name not in request.called:
        return ToolCall(name=voice.name, arguments=_arguments(voice, request, writing=False))
    return None


def _writes(request: Request) -> bool:
    """Whether the user tells something to be kept, and asks nothing."""
    if _ASKING.search(request.asked):
        return False
    if _REMEMBERING.search(request.asked[:400]):
        return True
    memory = _first(request.tools, _WRITE, _MEMORY)
    return memory is not None and not question_of(request.asked[-300:])


def _writer(tools: Iterable[Tool]) -> Tool | None:
    return _first(tools, _WRITE, _MEMORY) or _first(tools, _SHELL) or _first(tools, _WRITE)


def _searcher(tools: Iterable[Tool]) -> Tool | None:
    return _first(tools, _SEARCH, _MEMORY) or _first(tools, _SHELL) or _first(tools, _SEARCH)


def _first(tools: Iterable[Tool], *patterns: re.Pattern[str]) -> Tool | None:
    """The first tool whose name all `patterns` are in."""
    usable = (tool for tool in tools if not _NEVER.search(tool.name.lower()))
    return next((tool for tool in usable if all(each.search(tool.name.lower()) for each in patterns)), None)


def _arguments(tool: Tool, request: Request, *, writing: bool) -> dict[str, Any]:
    """The arguments that are needed or understood; what is needed and not understood is filled by its schema."""
    properties = tool.parameters.get("properties") or {}
    needed = set(tool.parameters.get("required") or ())
    found: dict[str, Any] = {}
    for name, schema in properties.items():
        value = _argument(tool, name, request, writing=writing) if schema.get("type", "string") == "string" else None
        if value is not None and "enum" not in schema:
            found[name] = value
        elif name in needed:
            whole = {**tool.parameters, "properties": {name: schema}, "required": [name]}
            found[name] = Filler(whole, subject(request.asked), question_of(request.asked)).value()[name]
    return found


def _argument(tool: Tool, name: str, request: Request, *, writing: bool) -> str | None:
    plain = name.lower()
    if _COMMAND.search(plain):
        return _command(request, writing=writing)
    if _PATH.search(plain):
        return NOTES
    if _QUERY.search(plain):
        return question_of(request.asked) or subject(request.asked)[:300]
    if _CONTENT.search(plain):
        return spoken(request) if _SAY.search(tool.name.lower()) else _notes(request)
    return None


def _command(request: Request, *, writing: bool) -> str:
    if writing:
        return f"printf '%s\\n' {shlex.quote(_notes(request))} >> {NOTES}"
    return f"cat {NOTES} 2>/dev/null || true"


def _notes(request: Request) -> str:
    return "\n".join(f"- {fact}" for fact in facts(subject(request.asked)))[:LONGEST]
