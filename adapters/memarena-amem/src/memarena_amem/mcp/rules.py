"""The model `offline` for the prompts of the library a-mem: it describes and links notes as it does for `amem`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from memarena_amem.offline_rules import analysis, evolution
from memarena_models.literals import literal

if TYPE_CHECKING:
    from memarena_models.offline_requests import Request

_ANALYSIS = "Generate a structured analysis of the following content by:"
_CONTENT = "Content for analysis:\n"
_EVOLUTION = "You are an AI memory evolution agent"
_NEW = re.compile(r"^ *content: (.*)\n *keywords: (\[.*\])\n", re.MULTILINE | re.DOTALL)
_NEAR = re.compile(
    r"^ *memory_id:(\S+)\ttalk start time:.*?\tmemory content: .*?\tmemory context: (.*?)\tmemory keywords: (.*?)"
    r"\tmemory tags: (.*?)$",
    re.MULTILINE | re.DOTALL,
)


class NoteRule:
    """Gives a note keywords, tags and a context."""

    def matches(self, request: Request) -> bool:
        return request.asked.startswith(_ANALYSIS) and _CONTENT in request.asked

    def reply(self, request: Request) -> str:
        content = request.asked.partition(_CONTENT)[2].strip()
        return json.dumps(analysis(content), ensure_ascii=False)


class LinkRule:
    """Links a note with those near it, and tags them with what they share."""

    def matches(self, request: Request) -> bool:
        return _EVOLUTION in request.asked and _NEW.search(request.asked) is not None

    def reply(self, request: Request) -> str:
        new = _NEW.search(request.asked)
        near = [match.groups() for match in _NEAR.finditer(request.asked)]
        told = {
            "new": {"keywords": _words(new[2]) if new else [], "tags": []},
            "neighbours": [
                {"context": context, "keywords": _words(keywords), "tags": _words(tags)}
                for _, context, keywords, tags in near
            ],
        }
        changes = evolution(told)
        changes["suggested_connections"] = [near[place][0] for place in changes["suggested_connections"]]
        return json.dumps(changes, ensure_ascii=False)


def _words(text: str) -> list[Any]:
    """A list that the library wrote as Python writes it; none where it is none."""
    try:
        found = literal(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return []
    return found if isinstance(found, list) else []
