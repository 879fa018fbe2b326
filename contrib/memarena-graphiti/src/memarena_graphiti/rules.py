"""The model `offline` for graphiti's prompts: facts are sentences, and one closes another by comparison."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from memarena_graphiti.decisions import contradicted, repeats
from memarena_models.literals import literal
from memarena_models.offline_text import facts, summary

if TYPE_CHECKING:
    from memarena_models.offline_requests import Request

RELATION = "SAYS"
"""The relation of every fact: whoever speaks says something of something."""

_WORD = re.compile(r"[^\W\d_][\w'-]*")
_NAME = re.compile(r"(?<=[^\s.:!?] )[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")
"""A word with a capital that begins no sentence, and those after it."""
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d")


class Entities:
    """Whoever speaks, and what each statement is about."""

    def matches(self, request: Request) -> bool:
        return "an entity extraction specialist for conversational messages" in request.system

    def reply(self, request: Request) -> str:
        names: dict[str, None] = {}
        for speaker, topic, _ in _stated(_between(request.asked, "CURRENT MESSAGE")):
            names.update({speaker: None, topic: None})
        return _json({"extracted_entities": [{"name": name, "entity_type_id": 0} for name in names]})


class Facts:
    """The statements, each between whoever speaks and what it is about, from the time of the message on."""

    def matches(self, request: Request) -> bool:
        return "an expert fact extractor that extracts fact triples" in request.system

    def reply(self, request: Request) -> str:
        moment = _moment(_between(request.asked, "REFERENCE_TIME"))
        rows = [
            {
                "source_entity_name": speaker,
                "target_entity_name": topic,
                "relation_type": RELATION,
                "fact": fact,
                "valid_at": moment,
                "invalid_at": None,
            }
            for speaker, topic, fact in _stated(_between(request.asked, "CURRENT_MESSAGE"))
        ]
        return _json({"edges": rows})


class Duplicates:
    """Which facts a new one repeats, and the one that it contradicts."""

    def matches(self, request: Request) -> bool:
        return "a fact deduplication assistant" in request.system

    def reply(self, request: Request) -> str:
        new = _between(request.asked, "NEW FACT")
        old = _rows(request.asked, "EXISTING FACTS")
        others = _rows(request.asked, "FACT INVALIDATION CANDIDATES")
        same = [row["idx"] for row in old if repeats(new, row["fact"])]
        closed = contradicted(new, {row["idx"]: row["fact"] for row in (*old, *others)})
        return _json({"duplicate_facts": same, "contradicted_facts": [] if closed is None else [closed]})


class Nodes:
    """Entities of one name are one."""

    def matches(self, request: Request) -> bool:
        return "an entity deduplication assistant" in request.system

    def reply(self, request: Request) -> str:
        known = {
            row["name"].casefold(): row["candidate_id"]
            for row in json.loads(_between(request.asked, "EXISTING ENTITIES"))
        }
        rows = [
            {
                "id": row["id"],
                "name": row["name"],
                "duplicate_candidate_id": known.get(row["name"].casefold(), -1),
            }
            for row in json.loads(_between(request.asked, "ENTITIES"))
        ]
        return _json({"entity_resolutions": rows})


class Times:
    """A fact holds from the time at which it was said."""

    def matches(self, request: Request) -> bool:
        return request.system.startswith("You extract temporal bounds from facts")

    def reply(self, request: Request) -> str:
        return _json({"valid_at": _moment(_between(request.asked, "REFERENCE TIME")), "invalid_at": None})


class Summaries:
    """What was known of an entity, and what the message says of it."""

    def matches(self, request: Request) -> bool:
        return "generates concise entity summaries" in request.system

    def reply(self, request: Request) -> str:
        said = json.loads(_between(request.asked, "MESSAGES").rsplit("\n", 1)[-1])
        rows = [
            {"name": row["name"], "summary": summary("\n".join(filter(None, (row["summary"], said))))}
            for row in json.loads(_between(request.asked, "ENTITIES"))
        ]
        return _json({"summaries": rows})


def _stated(message: str) -> Iterator[tuple[str, str, str]]:
    """(who speaks, what it is about, statement) of each statement of a message `speaker: text`."""
    speaker = message.partition(":")[0].strip()
    for fact in facts(message):
        yield speaker, _topic(fact, speaker), fact


def _topic(fact: str, speaker: str) -> str:
    """The first name inside a statement, else its longest word; never `speaker`."""
    names = [name for name in _NAME.findall(fact) if name.casefold() != speaker.casefold()]
    words = [word for word in _WORD.findall(fact) if word.casefold() != speaker.casefold()]
    return names[0] if names else max(words, key=len, default="something")


def _between(text: str, tag: str) -> str:
    """What stands between the last `<tag>` that begins a line, and the last `</tag>`; "" where there is none."""
    end = text.rfind(f"</{tag}>")
    start = text.rfind(f"<{tag}>\n", 0, max(end, 0))
    return text[start + len(tag) + 3 : end].strip() if 0 <= start < end else ""


def _rows(text: str, tag: str) -> list[dict[str, Any]]:
    """A list that graphiti wrote as Python writes it."""
    value = literal(_between(text, tag) or "[]")
    return value if isinstance(value, list) else []


def _moment(text: str) -> str | None:
    found = _MOMENT.search(text)
    return f"{found[0].replace(' ', 'T')}Z" if found else None


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
