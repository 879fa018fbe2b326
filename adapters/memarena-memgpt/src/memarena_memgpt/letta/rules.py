"""How the model `offline` plays an agent of Letta, one call of a tool a reply.

Of each turn it replaces in the block `human` what the turn supersedes, adds what else the user told, and puts what
others told into one passage of archival memory; facts, and what supersedes what, are as for `memgpt`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from memarena_memgpt.letta.server import ALERT, TASK_TEXT
from memarena_memgpt.offline_rules import DOUBTED, SPOKEN, superseded

if TYPE_CHECKING:
    from memarena_models.offline_requests import Request
    from memarena_models.rules import Output, ToolCall

INSERT, REPLACE, ARCHIVE = "memory_insert", "memory_replace", "archival_memory_insert"
MOST = 10
"""Facts of one message that are stored."""

_HUMAN = re.compile(r"<human>\n.*?- chars_limit=(\d+)\n.*?<value>\n(.*?)\n?</value>\n</human>", re.DOTALL)


class LettaRule:
    """Plays the agent."""

    def matches(self, request: Request) -> bool:
        offered = {tool.name for tool in request.tools}
        return TASK_TEXT[:60] in request.system and offered >= {INSERT, REPLACE, ARCHIVE}

    def reply(self, request: Request) -> Output:
        call = next(_calls(request), None)
        return "Done." if call is None else [call]


def _calls(request: Request) -> Iterator[ToolCall]:
    """What is still to be done, in order."""
    from memarena_models.offline_text import facts
    from memarena_models.rules import ToolCall

    if request.asked.startswith(ALERT):
        return
    found = [fact for fact in facts(request.asked)[:MOST] if not DOUBTED.search(fact)]
    if not SPOKEN.match(request.asked):
        if found and ARCHIVE not in request.called:
            yield ToolCall(name=ARCHIVE, arguments={"content": "\n".join(found)})
        return
    limit, lines = _block(request)
    if lines is None:
        return
    new = [fact for fact in found if "\n" not in fact and fact not in lines]
    for fact in new:
        old = superseded(fact, lines)
        if old is not None:
            yield ToolCall(name=REPLACE, arguments={"label": "human", "old_string": old, "new_string": fact})
    fits = sum(map(len, (*lines, *new))) + len(lines) + len(new) < limit
    if new and fits and INSERT not in request.called:
        yield ToolCall(name=INSERT, arguments={"label": "human", "new_string": "\n".join(new)})
    rest = [fact for fact in found if fact not in lines and (not fits or "\n" in fact)]
    if rest and ARCHIVE not in request.called:
        yield ToolCall(name=ARCHIVE, arguments={"content": "\n".join(rest)})


def _block(request: Request) -> tuple[int, list[str] | None]:
    """Limit and lines of the block `human` as they are now; no lines where an edit of it failed."""
    block = _HUMAN.search(request.system)
    limit, text = (int(block[1]), block[2]) if block else (0, "")
    edits = [
        _result(result)
        for name, result in zip(request.called, request.results, strict=False)
        if name in (INSERT, REPLACE)
    ]
    if not edits:
        return limit, text.splitlines()
    if edits[-1].get("status") != "OK":
        return limit, None
    return limit, str(edits[-1].get("message") or "").splitlines()


def _result(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
