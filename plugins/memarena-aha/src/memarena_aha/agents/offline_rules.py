"""How the model `offline` plays the parts: so that an agent with a model runs from end to end with no key.

It knows this package's own prompts, and decides from what stands in the request.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from memarena_aha.agents.offline_puzzle import next_question
from memarena_aha.agents.offline_vending import next_call
from memarena_aha.agents.prompts import prompts

if TYPE_CHECKING:
    from memarena_models.offline_requests import Request
    from memarena_models.rules import Output

_BEGINNING = 300
"""Characters in which the task of a session begins; some agents put the date before it."""


class PlayParts:
    """Plays vending and puzzle by calls of tools; of a task with numbers it says that it does not know."""

    def matches(self, request: Request) -> bool:
        return _is_play(request) or request.system.strip() == prompts().reflect.strip()

    def reply(self, request: Request) -> Output:
        from memarena_models.rules import ToolCall

        if not _is_play(request):
            return _reflection(request)
        known = {_plain(tool.name): tool.name for tool in request.tools}
        history = [(name, text) for name, text in _history(request) if name in known]
        if _is_over(history):
            return "It is over."
        if "end_day" in known:
            name, arguments = next_call(history, _memory(request, history))
        elif "give_up" in known:
            name, arguments = next_question(_latest(request, history), known, _memory(request, history))
        elif "abstain" in known:
            name, arguments = "abstain", {}
        else:
            return "I do not know what to do here."
        return [ToolCall(name=known[name], arguments=arguments)]


def _is_play(request: Request) -> bool:
    if request.system.strip() == prompts().system.strip():
        return True
    opening = prompts().session.strip().partition("\n")[0]
    return any(said.role == "user" and opening in said.text[:_BEGINNING] for said in request.messages)


def _history(request: Request) -> Iterator[tuple[str, str]]:
    """The calls that were made, by the plain names of their tools, and what came of each."""
    name = ""
    for said in request.messages:
        if said.calls:
            name = _plain(said.calls[0])
        elif said.role == "tool" and name:
            yield name, _unwrapped(said.text)
            name = ""


def _plain(name: str) -> str:
    """The name of a tool without that of its server."""
    return name.rpartition("__")[2]


def _unwrapped(text: str) -> str:
    """The text of a result of an MCP server, which some agents pass on as JSON."""
    start = min((place for place in (text.find("{"), text.find("[")) if place >= 0), default=-1)
    try:
        found: Any = json.loads(text[start:]) if start >= 0 else None
    except ValueError:
        return text
    content = found.get("content") if isinstance(found, dict) else found
    if not isinstance(content, list) or not all(isinstance(part, dict) for part in content):
        return text
    return "\n".join(str(part.get("text", "")) for part in content)


def _is_over(history: Sequence[tuple[str, str]]) -> bool:
    return bool(history) and ("The run has ended:" in history[-1][1] or "It is over" in history[-1][1])


def _latest(request: Request, history: Sequence[tuple[str, str]]) -> str:
    """What was seen last: the answer to a call, or the briefing."""
    users = [said.text for said in request.messages if said.role == "user" and "<memory>" not in said.text[:100]]
    return history[-1][1] if history else "\n".join(users)


def _memory(request: Request, history: Sequence[tuple[str, str]]) -> str:
    """What stands in the newest block of memory."""
    texts = [*(said.text for said in request.messages if said.role == "user"), *(text for _, text in history)]
    found = next((text for text in reversed(texts) if "<memory>" in text), "")
    return found.partition("<memory>")[2].partition("</memory>")[0]


def _reflection(request: Request) -> str:
    """The lessons that the conversation holds already: it makes none of its own."""
    taught = [line.strip() for said in request.messages for line in said.text.splitlines() if "Lesson: " in line]
    return " ".join(dict.fromkeys(taught)) or "Nothing to note."
