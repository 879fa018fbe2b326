"""How the model `offline` plays the keeper of the graph: each sentence is a fact, split at its verb.

What stands before a form of `to be` or another verb that it knows is the subject. A fact replaces a known one that
speaks of nearly the same, where it tells a change (`now`, `moved`) or both have numbers and not the same. What is
called a rumour or a joke is left out.
"""

from __future__ import annotations

import json
import re
from calendar import month_name
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise
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
_CHANGE = re.compile(
    r"\b(?:now|no longer|instead|any ?more|gone|chang\w+|mov(?:e[ds]?|ing)|switch(?:ed|ing)|updat\w+|replac\w+|"
    r"correct\w+|delet\w+|destroy\w+|cancel\w+|stopped)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"^.*(?:[,:;]| called) ")
_AROUND = re.compile(r"^(?:and|but|so|or|also) | (?:may|can|will|must|should|would|could|might)$", re.IGNORECASE)
_MONTHS = frozenset(month.lower() for month in month_name[1:])
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
    """Whether `new` takes the place of `old`."""
    if "Action" in (_speaker(new), _speaker(old)):
        return False
    new, old = _HEAD.sub("", new), _HEAD.sub("", old)
    mine, theirs = _content(new), _content(old)
    if _SUPPOSED.search(new) or mine == theirs:
        return False
    numbers, before = _numbers(mine), _numbers(theirs)
    shared = (mine & theirs) - numbers
    if numbers and before and numbers != before and _units(new) & _units(old):
        return bool(shared - _units(new) - _MONTHS)
    words = min(len(mine - numbers), len(theirs - before))
    if len(shared) < 2:
        return False
    if numbers and before and numbers != before and 2 * len(shared) >= words:
        return True
    return 3 * len(shared) >= words and _CHANGE.search(new) is not None


def _units(text: str) -> frozenset[str]:
    """What is counted in a text: the words behind its numbers, and `date` where one stands beside a month."""
    words = words_of(text)
    pairs = [pair for pair in pairwise(words) if any(word[0].isdigit() for word in pair)]
    found = {
        "date" if word in _MONTHS else word for pair in pairs for word in pair if word in _MONTHS or word is pair[1]
    }
    return frozenset(word for word in found if not word[0].isdigit() and word not in STOP)


def _speaker(fact: str) -> str:
    head = _HEAD.match(fact)
    return head[1] if head else USER


def _numbers(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if word[0].isdigit())


def _content(text: str) -> frozenset[str]:
    return frozenset(words_of(_CHANGE.sub("", text))) - STOP
