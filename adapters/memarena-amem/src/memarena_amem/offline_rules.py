"""How the model `offline` plays A-Mem: keywords are names, values and long words; two shared ones make a link."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memarena_amem.prompts import ANALYSIS_TITLE, EVOLUTION_TITLE

if TYPE_CHECKING:
    from memarena_models.offline_requests import Request

MOST = 6
"""Keywords of a note, and tags."""
SHARED = 2
"""Keywords that two notes must share to be linked."""

_HEAD = re.compile(r"^(?:\[[^\]\n]*\] )?[\w' ]{1,40}: ", re.MULTILINE)
_PICTURE = re.compile(r"^image(?:_id|_caption)?:", re.MULTILINE)
_CATEGORIES: Mapping[str, re.Pattern[str]] = {
    "number": re.compile(r"\d"),
    "picture": _PICTURE,
    "question": re.compile(r"\?"),
    "change": re.compile(r"\b(?:now|changed?|moved?|no longer|instead|switched)\b", re.IGNORECASE),
    "person": re.compile(r"\b(?:I|my|me|he|she|his|her|we|our)\b"),
    "action": re.compile(r"\b(?:action|step|task|open|pick|put|go|click|run)\b", re.IGNORECASE),
}


class AMemRule:
    """Describes notes and links them."""

    def matches(self, request: Request) -> bool:
        return request.system.startswith((ANALYSIS_TITLE, EVOLUTION_TITLE)) and _told(request) is not None

    def reply(self, request: Request) -> str:
        told = _told(request) or {}
        reply = evolution(told) if request.system.startswith(EVOLUTION_TITLE) else analysis(str(told["content"]))
        return json.dumps(reply, ensure_ascii=False)


def _told(request: Request) -> Mapping[str, Any] | None:
    """The JSON of the first message of the user; a later one only says what was wrong with a reply."""
    text = next((said.text for said in request.messages if said.role == "user"), "")
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, Mapping) and ("content" in value or "new" in value) else None


def analysis(content: str) -> dict[str, Any]:
    """Keywords, context and tags of a note with this content."""
    said = _PICTURE.sub("", _HEAD.sub("", content))
    keywords = _keywords(said)
    tags = [name for name, pattern in _CATEGORIES.items() if pattern.search(content)]
    context = f"About {', '.join(keywords[:3])}." if keywords else "Small talk."
    return {"keywords": keywords or ["conversation"], "context": context, "tags": tags[:MOST] or ["general"]}


def evolution(told: Mapping[str, Any]) -> dict[str, Any]:
    """What changes with the note `new` among its `neighbours`; these are named by their places."""
    new, neighbours = told["new"], told["neighbours"]
    mine = _lowered(new["keywords"])
    shared = [mine & _lowered(each["keywords"]) for each in neighbours]
    linked = [number for number, words in enumerate(shared) if len(words) >= SHARED]
    return {
        "should_evolve": bool(linked),
        "actions": ["strengthen", "update_neighbor"] if linked else [],
        "suggested_connections": linked,
        "tags_to_update": _joined(new["tags"], *(shared[number] for number in linked)),
        "new_context_neighborhood": [each["context"] for each in neighbours],
        "new_tags_neighborhood": [
            _joined(each["tags"], shared[number] if number in linked else ()) for number, each in enumerate(neighbours)
        ],
    }


def _keywords(text: str) -> list[str]:
    """Names, values and the longest other words first; each in the form in which it first stands."""
    from memarena_arena.language.lexicon import STOP

    found = re.findall(r"[^\W_][\w'-]*", text)
    counts = Counter(word.casefold() for word in found)
    forms: dict[str, str] = {}
    for word in found:
        forms.setdefault(word.casefold(), word)
    usable = [word for word in forms if word not in STOP and len(word) > 2]
    ranked = sorted(usable, key=lambda word: (not _telling(forms[word]), -counts[word], -len(word)))
    return [forms[word] for word in ranked[:MOST]]


def _telling(word: str) -> bool:
    return any(letter.isdigit() for letter in word) or (word[:1].isupper() and not word.isupper())


def _lowered(words: Sequence[str]) -> set[str]:
    return {word.casefold() for word in words}


def _joined(tags: Sequence[str], *more: Any) -> list[str]:
    return list(dict.fromkeys([*tags, *(word for words in more for word in sorted(words))]))[:MOST]
