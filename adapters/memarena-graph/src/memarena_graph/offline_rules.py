"""How the model `offline` plays the keeper of the graph: each sentence is a fact, split at its verb.

What stands before a form of `to be` or another verb that it knows is the subject. A fact replaces those known ones that
it supersedes by the rules of `memarena_models.offline_changes`. What is called a rumour or a joke is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from memarena_graph.names import STOP, USER, words_of
from memarena_graph.prompts import MOST, TITLE

if TYPE_CHECKING:
    from memarena_models.offline_requests import Request

_HEAD = re.compile(r"^([\w' .-]{1,40}?)(?: \([^()]*\))?: ")
_FIRST = re.compile(r"\b(?:I|me|my|mine|we|us|our|ours)\b")
_BEING = r"is|are|was|were"
_VERB = re.compile(
    rf"\b({_BEING}|has|have|had|lives?|works?|runs?|owns?|holds?|needs?|takes?|costs?|gets?|drives?|keeps?|stands?|"
    r"meets?|begins?|starts?|shows?|says?|said|wants?|likes?|moved?|bought|paid|plans?|uses?|prefers?)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(r"(?:in|on|at|under|by|beside|next to|near|inside|behind)\b", re.IGNORECASE)
_IT = re.compile(r"^It\b")
_NAME = re.compile(r"(?<=\w )[A-Z][\w-]*")
_VAGUE = frozenset(("it", "this", "that", "there", "he", "she", "they", "which", "what", "who", "all", "everything"))
_CLAUSE = re.compile(r"^.*(?:[,:;]| called) ")
_AROUND = re.compile(r"^(?:and|but|so|or|also) | (?:may|can|will|must|should|would|could|might)$", re.IGNORECASE)
_SUPPOSED = re.compile(r"\bif\b", re.IGNORECASE)
_DOUBTED = re.compile(r"\b(?:rumou?rs?|jok(?:e|es|ing)|kidding|do not (?:keep|store|remember))\b", re.IGNORECASE)


class Parts(NamedTuple):
    """A sentence, split at its verb."""

    subject: str
    relation: str
    object: str
    single: bool


class GraphRule:
    """Takes facts from messages."""

    def matches(self, request: Request) -> bool:
        return request.system.startswith(TITLE) and _told(request) is not None

    def reply(self, request: Request) -> str:
        told = _told(request) or {}
        known = [str(line).partition(". ")[2] for line in told.get("known") or ()]
        rows = list(islice(_rows(str(told["messages"]), known), MOST))
        return json.dumps({"facts": rows}, ensure_ascii=False)


def _told(request: Request) -> Mapping[str, Any] | None:
    """The JSON of the first message of the user; a later one only says what was wrong with a reply."""
    text = next((said.text for said in request.messages if said.role == "user"), "")
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, Mapping) and "messages" in value else None


def _rows(text: str, known: Sequence[str]) -> Iterator[dict[str, Any]]:
    from memarena_models.offline_text import facts

    named = ""
    for fact in facts(text):
        speaker = _speaker(fact)
        if speaker == "assistant" or _DOUBTED.search(fact) or fact.startswith("image_id:"):
            continue
        said = _HEAD.sub("", fact)
        head = fact.removesuffix(said)
        sentence = _IT.sub(named or "It", said)
        parts = split(sentence, speaker)
        named = next(reversed(_NAME.findall(sentence)), named)
        yield {
            "subject": parts.subject,
            "relation": parts.relation,
            "object": parts.object,
            "text": head + sentence,
            "single": parts.single,
            "since": "",
            "replaces": [place for place, old in enumerate(known, 1) if supersedes(fact, old)],
        }


def split(sentence: str, otherwise: str) -> Parts:
    """Subject (`otherwise` where none is named), relation, object; single-valued where it says what or where it is."""
    found = _VERB.search(sentence)
    before = _AROUND.sub("", _CLAUSE.sub("", sentence[: found.start()].strip())) if found else ""
    after = sentence[found.end() :].strip(" .!") if found else ""
    if found is None or not after or len(before.split()) > 8:
        return Parts(otherwise, "said", sentence.strip(" .!"), single=False)
    verb = found[1].lower()
    clear = bool(set(words_of(before)) - STOP - _VAGUE)
    place = _PLACE.match(after) is not None
    single = clear and re.fullmatch(_BEING, verb) is not None and not _SUPPOSED.search(sentence)
    return Parts(before if clear else otherwise, f"{verb} at" if place else verb, after, single)


def supersedes(new: str, old: str) -> bool:
    """Whether `new` takes the place of `old`; what an agent did takes the place of nothing."""
    from memarena_models.offline_changes import supersedes as takes_the_place

    return "Action" not in (_speaker(new), _speaker(old)) and takes_the_place(_HEAD.sub("", new), _HEAD.sub("", old))


def _speaker(fact: str) -> str:
    head = _HEAD.match(fact)
    return head[1] if head else USER
