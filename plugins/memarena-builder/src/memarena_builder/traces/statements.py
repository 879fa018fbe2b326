"""Plain statements in a text, by rules: who or what, which relation, which value; and what is only supposed.

The rules read English, and what is said plainly: `The budget is 400 euros.`, `I moved to Porto.`, `We bought a new
tent.`, `status: failed`. An opinion is no fact. What needs an understanding of the text is for a model.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from memarena_builder.agentic.trajectory import SPEAKER
from memarena_builder.traces.clauses import Clause, clauses
from memarena_builder.traces.relations import EVENTS, MORE, RELATIONS, Relation
from memarena_builder.traces.values import cut_value, fits

MOST_VALUE, MOST_SUBJECT = 60, 80
"""Characters of a value, of a subject."""
MOST_WORDS, MOST_VALUES = 4, 7
"""Words of the name of an entry, of its value."""
KIN = (
    r"(?:wife|husband|partner|girlfriend|boyfriend|fianc[ée]e?|daughter|son|kid|child|baby|mother|mom|mum|father|dad|"
    r"sister|brother|grand(?:mother|father|ma|pa|son|daughter)|aunt|uncle|cousin|niece|nephew|friend|boss|manager|"
    r"colleague|co-?worker|roommate|flatmate|neighbou?r|teacher|coach|mentor|dentist|doctor|therapist|lawyer|landlord|"
    r"dog|puppy|cat|kitten|horse|parrot|hamster|rabbit|turtle|bird|boat)"
)
_NAMED = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur) (?P<S>(?:\w+ )?{KIN})(?:['’]s name is|,? (?:is )?(?:called|named)| is|,)? "
    r"(?P<V>(?:(?:Dr|Mr|Mrs|Ms)\. )?[A-Z][a-zé]+(?: [A-Z][a-zé]+)?)(?=[\s,.!;]|['’]s|$)"
)
_FAVOURITE = re.compile(r"^(?:[Mm]y|[Oo]ur) (?P<S>favou?rite(?: [a-z]+){1,2}?) (?:is|was|has to be) (?P<V>.+)")
_ENTRY = re.compile(r"^[\s\-*]*(?P<S>(?!(?:My|Our|Your|The|I|We|You)\b)[A-Za-z][\w /\-]{1,40}): (?P<V>\S[^{}\[\]]*)$")
_THING = r"[\w'’\-/]+(?: [\w'’\-/]+){0,3}?"
_WHO = (
    r"(?:(?P<I>I|[Ww]e)|(?P<you>[Yy]ou)|(?:[Mm]y|[Oo]ur) (?P<my>" + _THING + r")|(?P<the>[Tt]he " + _THING + r")|"
    r"(?P<name>[A-Z][\w'’\-]+(?: [A-Z][\w'’\-]+){0,2}))"
)
_ADVERB = r"(?: (?:just|recently|finally|also|already|actually|even|now|still|currently|really|both|all|once))?"
_PAST = r"(?: ?(?:have|has|had|['’](?:ve|s|d)))?" + _ADVERB
_SKIPPED = frozenset(
    (
        "action",
        "observation",
        "feedback",
        "thought",
        "note",
        "step",
        "ps",
        "example",
        "tip",
        "question",
        "user",
        "system",
    )
)
_BROKEN = re.compile(r"\b(?:is|are|was|were|be|been|being|that|which|who|what|when|and|or|if|I|you|we|it)\b")
"""Words that no subject has: it would be half a sentence."""
_POINTING = re.compile(
    r"(?:the )?(?:other|others|one|ones|same|first|second|third|best|worst|only|next|last|rest|latter|former|thing|"
    r"things|goal|idea|point|way|result|reason|problem|trick|question|answer|title|image|picture|photo)"
    r"(?: one| thing| part)?",
    re.IGNORECASE,
)
"""Subjects that mean something only by what was said before."""
SMALL = 600
"""Letters of a JSON object of which the fields are read, at most."""
_FIELD = re.compile(r"[A-Za-z][\w ]{0,39}", re.ASCII)
_FAILING = re.compile(r"error|exception|traceback|warning|fail|denied|no such|not found|cannot", re.IGNORECASE)
_COUNTED = re.compile(r"\b\d+ (?:passed|failed|errors?|warnings?|tests?|files?|rows?|matches)\b", re.IGNORECASE)

_GENERIC = re.compile(
    r"(?:last action |the )?(?:was |has been )?(?:executed |done |completed )?"
    r"(?:success(?:ful(?:ly)?)?|ok|done|true|false|none|null|\d+)[.!]?|[\[{<].*",
    re.IGNORECASE,
)
"""Results that only say that something was done, or that are data and no sentence."""


class Statement(NamedTuple):
    """One thing that a text says."""

    subject: str
    relation: str
    value: str
    supposed: bool
    """Only as a guess, a wish or a joke."""


@cache
def _rules() -> tuple[tuple[Relation, re.Pattern[str]], ...]:
    lasting = [(each, rf"^{_WHO}{_ADVERB} ?(?:{each.verbs}) (?P<V>.+)$") for each in RELATIONS]
    past = [
        (each, rf"^(?:{_WHO}{_PAST} |(?:just|finally|recently|also) )?(?:{each.verbs}) (?P<V>.+)$") for each in EVENTS
    ]
    more = [(each, rf"^{_WHO}{_ADVERB} ?(?:{each.verbs}) (?P<V>.+)$") for each in MORE]
    return tuple((relation, re.compile(pattern)) for relation, pattern in (*lasting, *past, *more))


def statements(clause: Clause, names: frozenset[str] = frozenset()) -> Iterator[Statement]:
    """What a clause states. `names`: of whom the session speaks."""
    found = list(_all(clause, names))
    yield from (each for each in found if len(each.value) <= MOST_VALUE and 0 < len(each.subject) <= MOST_SUBJECT)


def _all(clause: Clause, names: frozenset[str]) -> Iterator[Statement]:
    if clause.call:
        yield from _outcome(clause)
        return
    named = set()
    if clause.speaker:
        for found in _NAMED.finditer(clause.text):
            named.add(f"{clause.speaker}'s {found['S']}")
            yield Statement(f"{clause.speaker}'s {found['S']}", "name", found["V"], clause.supposed)
        favourite = _FAVOURITE.match(clause.text)
        if favourite and (value := cut_value(favourite["V"], "any")):
            yield Statement(clause.speaker, favourite["S"], value, clause.supposed)
            return
    for relation, pattern in _rules():
        for text in (clause.text, clause.bare) if relation.event else (clause.text,):
            match = pattern.match(text)
            subject = _subject(match, clause, names) if match else ""
            if match and subject and subject not in named and _may_have(subject, match, relation):
                value = cut_value(match["V"], relation.kind)
                if fits(value, relation.kind) and not (relation.event and clause.supposed):
                    yield Statement(subject, relation.name, value, clause.supposed)
                    return
    yield from _entry(clause)


def _subject(match: re.Match[str], clause: Clause, names: frozenset[str]) -> str:
    """Whose it is; "" where nobody can tell."""
    thing = match["my"] or match["the"]
    if thing and (_BROKEN.search(thing) or _POINTING.fullmatch(thing) or len(thing) < 3):
        return ""
    if match["my"]:
        return f"{clause.speaker}'s {match['my']}" if clause.speaker else ""
    if match["the"]:
        return "t" + match["the"][1:]
    if match["name"]:
        return match["name"] if match["name"] in names or " " in match["name"] else ""
    if match["you"]:
        return "" if clause.speaker else "you"
    return clause.speaker


def _may_have(subject: str, match: re.Match[str], relation: Relation) -> bool:
    """Whether a relation may be of the subject: only things stand somewhere, only people live somewhere."""
    if relation.of == "thing":
        return bool(match["my"] or match["the"] or match["name"]) or (subject == "you" and relation.name == "location")
    if relation.of == "person" and match["the"]:
        return False
    if match["my"] and relation.of == "person":
        return re.fullmatch(rf"(?:\w+ )?{KIN}s?", match["my"]) is not None
    return True


def _entry(clause: Clause) -> Iterator[Statement]:
    """A line with a name, a colon and a short value, as programs and forms write it: of what came of a call a field."""
    match = _ENTRY.match(clause.text)
    name = match["S"].strip() if match else ""
    if (
        match is None
        or name.lower() in _SKIPPED
        or len(name.split()) > MOST_WORDS
        or _FAILING.search(name)
        or _BROKEN.search(name)
    ):
        return
    value = match["V"].strip().rstrip(".")
    if len(value.split()) < MOST_VALUES and not value.endswith((":", "?")):
        yield Statement(clause.of, name, value, False) if clause.of else Statement(name, "entry", value, False)


def _outcome(clause: Clause) -> Iterator[Statement]:
    """What came of a call: its fields, its one line, or of several the one that counts or tells of the failure."""
    fields = _fields(clause.text)
    if fields:
        yield from (Statement(clause.call, name, value, supposed=False) for name, value in fields)
        return
    lines = [line.strip(" =\t") for line in clause.text.splitlines() if line.strip()]
    told = lines if len(lines) == 1 else [line for line in reversed(lines) if _COUNTED.search(line)]
    if clause.failed and not told:
        told = [line for line in lines if _FAILING.search(line)]
    told = [line for line in told if len(line) <= MOST_VALUE and line != "nothing"]
    if told and (clause.failed or _GENERIC.fullmatch(told[0]) is None):
        yield Statement(clause.call, "failure" if clause.failed else "outcome", told[0], supposed=False)


def by_session(turns: Sequence[tuple[str, str]]) -> list[tuple[Statement, ...]]:
    """What each turn of a session, a role and a text, states."""
    names = _names([text for _, text in turns])
    speakers = _speakers(turns)
    found: list[tuple[Statement, ...]] = []
    for role, text in turns:
        made = (each for clause in clauses(role, text, speakers) for each in statements(clause, names | speakers))
        found.append(tuple(dict.fromkeys(made)))
    return found


def _fields(text: str) -> list[tuple[str, str]]:
    """The short fields of a result that is one small JSON object."""
    try:
        held = json.loads(text) if text.startswith("{") and len(text) <= SMALL else None
    except (ValueError, RecursionError):
        return []
    found = held.items() if isinstance(held, dict) else ()
    named = ((name.replace("_", " "), value) for name, value in found if _FIELD.fullmatch(name))
    return [
        (name, str(value))
        for name, value in named
        if isinstance(value, (str, int, float)) and value not in ("", True, False)
    ]


SHARE = 0.8
"""Of the turns of a session that begin with a name, from which on these are the names of who speaks."""
_CALLED = re.compile(r"^([A-Z][\w.'’-]{0,20}(?: [A-Z][\w.'’-]{0,20}){0,2}): ")
_MIDDLE = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+\b")


def _speakers(turns: Sequence[tuple[str, str]]) -> frozenset[str]:
    talk = [text for role, text in turns if role in ("user", "assistant")]
    called = [match[1] for text in talk if (match := _CALLED.match(text))]
    return (
        frozenset(called)
        if talk and len(called) >= SHARE * len(talk) and len(set(called)) < len(called)
        else frozenset()
    )


def _names(texts: Sequence[str]) -> frozenset[str]:
    """Words with a capital letter in the middle of sentences, which are never written small."""
    capital = Counter(name for text in texts for name in _MIDDLE.findall(text))
    small = {word for text in texts for word in re.findall(r"\b[a-z]+\b", text)}
    return frozenset(name for name in capital if name.lower() not in small) - {SPEAKER}
