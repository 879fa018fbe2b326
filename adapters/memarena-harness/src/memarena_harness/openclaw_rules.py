"""How the model `offline` plays OpenClaw: it writes to MEMORY.md with the tool `exec`, and looks there for answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memarena_harness.offline_rules import answers, asked, forgets, heard, look_up, notes_of, told, write_down

if TYPE_CHECKING:
    from memarena_models.offline_requests import Request
    from memarena_models.rules import Output

NOTES = "MEMORY.md"
SHELL = "exec"
_HARNESS = "running inside OpenClaw"
_CONTEXT = re.compile(r"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>.*?<<<END_OPENCLAW_INTERNAL_CONTEXT>>>", re.DOTALL)
"""What OpenClaw adds in the name of the user."""


class KeepMemory:
    """Calls `exec` at most once for each message of the user, then says that it is done, or what it found."""

    def matches(self, request: Request) -> bool:
        if _HARNESS not in request.system or all(tool.name != SHELL for tool in request.tools):
            return False
        plain = without_context(request)
        return told(plain) or bool(asked(plain))

    def reply(self, request: Request) -> Output:
        from memarena_models.rules import ToolCall

        plain = without_context(request)
        wanted = asked(plain)
        if not forgets(plain):
            return answers(wanted, heard(plain)) if wanted else "Noted."
        if plain.results:
            return answers(wanted, [(result,) for result in plain.results]) if wanted else "Noted."
        if wanted:
            commands = [look_up(question, NOTES) for question in wanted.values()]
        else:
            lines = notes_of(plain)
            commands = [write_down(lines, NOTES)] if lines else []
        calls = [ToolCall(name=SHELL, arguments={"command": command}) for command in commands]
        return calls or "There is nothing to note."


def without_context(request: Request) -> Request:
    """`request` without the messages that hold nothing but what OpenClaw says of itself."""
    from msgspec.structs import replace

    kept = [said for said in request.messages if said.role != "user" or _CONTEXT.sub("", said.text).strip()]
    return replace(request, messages=tuple(kept))
