"""Rules that reply in JSON: by the schema that a request gives, or by the example that its prompt shows."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from memarena_models.offline_requests import Request
from memarena_models.offline_schema import Filler, schema_like
from memarena_models.offline_text import answer, facts, question_of, subject
from memarena_models.replies import find_objects

_FACTS = re.compile(r"\b(?:extract|facts?|memor(?:y|ies)|remember)\b", re.IGNORECASE)
_JSON = re.compile(r"\bjson\b", re.IGNORECASE)


class FillSchema:
    """Fills the JSON schema of a request from the text that it works on."""

    def matches(self, request: Request) -> bool:
        return request.schema is not None

    def reply(self, request: Request) -> str:
        return _filled(request, request.schema or {})


class FollowExample:
    """Replies in the shape of the example that a prompt shows, with the facts of the text in its lists."""

    def matches(self, request: Request) -> bool:
        return request.json or (_JSON.search(_told(request)) is not None and _FACTS.search(_told(request)) is not None)

    def reply(self, request: Request) -> str:
        examples = [each for each in map(_object, find_objects(_told(request)).objects) if each]
        if examples:
            return _filled(request, schema_like(max(examples, key=_richness)))
        question = question_of(request.asked)
        if question and not _FACTS.search(request.system):
            return json.dumps(
                {"answer": answer(question, [request.system, subject(request.asked)])}, ensure_ascii=False
            )
        return json.dumps({"facts": facts(subject(request.asked))}, ensure_ascii=False)


def _told(request: Request) -> str:
    """The instructions: the system message, and of the user's message what stands before the text to work on."""
    text = subject(request.asked)
    return f"{request.system}\n{request.asked.replace(text, '')}"


def _object(span: str) -> Mapping[str, Any]:
    try:
        value = json.loads(span, strict=False)
    except ValueError:
        return {}
    return value if isinstance(value, Mapping) else {}


def _richness(example: Mapping[str, Any]) -> int:
    return len(json.dumps(example))


def _filled(request: Request, schema: Mapping[str, Any]) -> str:
    text = "\n".join(request.results) or subject(request.asked)
    return json.dumps(Filler(schema, text, question_of(request.asked)).value(), ensure_ascii=False)
