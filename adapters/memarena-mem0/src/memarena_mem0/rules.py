"""The model `offline` for mem0's prompts: facts are sentences, and one fact replaces another by comparison."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from memarena.meter import estimate_tokens
from memarena_mem0.decisions import CAPTION, decide
from memarena_models.literals import literal
from memarena_models.offline_text import facts

if TYPE_CHECKING:
    from memarena_models.offline_requests import Request

FEWEST, MOST = 15, 80
"""Words that a memory of mem0ai 2.x is to have, as its prompt says."""
ROOM = 0.8
"""Share of the tokens of a reply that facts may take; the rest is for what JSON needs."""

_MESSAGE = re.compile(r"^(user|assistant|system): ", re.MULTILINE)
_ASKED = re.compile(
    r"^## Existing Memories\n(\[.*\])\n\n## New Messages\n(.*)\n\n## Observation Date$", re.MULTILINE | re.DOTALL
)
_OLD = re.compile(r"in the following format only:\s*```\s*(.*?)\s*```\s*The new retrieved facts", re.DOTALL)
_NEW = re.compile(r"added, updated, or deleted in the memory\.\s*```\s*(.*?)\s*```\s*You must return", re.DOTALL)


class Extraction:
    """mem0ai 2.x: the statements of the new messages, less those that are among the existing memories."""

    def matches(self, request: Request) -> bool:
        return "You are a Memory Extractor" in request.system and _ASKED.search(request.asked) is not None

    def reply(self, request: Request) -> str:
        asked = _ASKED.search(request.asked)
        known = {row["text"] for row in json.loads(asked[1])} if asked else set()
        found = (
            {"text": fact, "attributed_to": "assistant" if role == "assistant" else "user"}
            for role, content in spoken(asked[2] if asked else "")
            for fact in together(facts(content))
            if fact not in known
        )
        rows = [{"id": str(place), **row} for place, row in enumerate(fitting(found, request.max_tokens))]
        return json.dumps({"memory": rows}, ensure_ascii=False)


class Facts:
    """mem0ai 1.0.11, first call: the statements of the user."""

    def matches(self, request: Request) -> bool:
        return "You are a Personal Information Organizer" in request.system and request.asked.startswith("Input:\n")

    def reply(self, request: Request) -> str:
        said = spoken(request.asked.removeprefix("Input:\n"))
        found = (fact for role, content in said if role == "user" for fact in facts(content))
        return json.dumps({"facts": fitting(found, request.max_tokens)}, ensure_ascii=False)


class Update:
    """mem0ai 1.0.11, second call: what each fact does to the memories that are near it."""

    def matches(self, request: Request) -> bool:
        return request.asked.startswith("You are a smart memory manager") and _NEW.search(request.asked) is not None

    def reply(self, request: Request) -> str:
        old, new = _OLD.search(request.asked), _NEW.search(request.asked)
        memories = {str(row["id"]): str(row["text"]) for row in _literal(old[1])} if old else {}
        rows = decide(memories, [str(fact) for fact in _literal(new[1])] if new else [])
        return json.dumps({"memory": rows}, ensure_ascii=False)


class Picture:
    """A picture, of which the model sees nothing."""

    def matches(self, request: Request) -> bool:
        return request.asked.startswith("A user is providing an image.")

    def reply(self, request: Request) -> str:
        return "A picture."


def spoken(text: str) -> Iterator[tuple[str, str]]:
    """The messages that mem0 writes as lines `role: content`, where a content may have several lines."""
    marks = list(_MESSAGE.finditer(text))
    for mark, after in zip(marks, [*marks[1:], None], strict=True):
        yield mark[1], text[mark.end() : after.start() if after else len(text)].strip()


def together(statements: Iterable[str]) -> Iterator[str]:
    """Statements side by side until they have `FEWEST` words, never more than `MOST`; captions of pictures alone."""
    held: list[str] = []
    words = 0
    for each in statements:
        alone = each.startswith(CAPTION)
        size = len(each.split())
        if held and (alone or words >= FEWEST or words + size > MOST):
            yield " ".join(held)
            held, words = [], 0
        if alone:
            yield each
        else:
            held.append(each)
            words += size
    if held:
        yield " ".join(held)


def fitting(rows: Iterable[Any], tokens: int | None) -> list[Any]:
    """The first of `rows` that a reply of so many tokens has room for, each once."""
    room = None if tokens is None else tokens * ROOM
    found: list[Any] = []
    for row in rows:
        if row in found:
            continue
        if room is not None:
            room -= estimate_tokens(json.dumps(row, ensure_ascii=False))
            if room < 0:
                break
        found.append(row)
    return found


def _literal(text: str) -> list[Any]:
    """A list that mem0 wrote as Python writes it."""
    value = literal(text)
    return value if isinstance(value, list) else []
