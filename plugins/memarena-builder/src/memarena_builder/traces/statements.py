"""Plain statements in a text, by rules: who or what, which relation, which value; and what is only supposed.

The rules read what is said plainly: `The budget is 400 euros.`, `I live in Porto.`, `status: failed`. What needs an
understanding of the text is for a model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memarena_builder.agentic.trajectory import SPEAKER

MOST_VALUE, MOST_SUBJECT = 60, 50
"""Characters of a value, of a subject."""
_SENTENCE = re.compile(r"(?<=[.!?])(?<!Dr\.)(?<!Mr\.)(?<!Ms\.)(?<!Mrs\.)(?<!St\.)\s+|\n+")
_SUPPOSED = re.compile(
    r"\b(?:maybe|perhaps|might|may|could|would|should|probably|suppose|guess|imagine|if|joke|joking|suggest\w*|"
    r"consider\w*|not sure|let us say|rumou?r)\b",
    re.IGNORECASE,
)
_RELATIONS = (
    ("residence", r"(?:live|lives|am living|is living) in|(?:have |has )?moved to"),
    ("employer", r"works? (?:at|for)|(?:have |has )?joined"),
    ("price", r"costs?"),
    ("preference", r"prefers?|likes? best"),
    ("location", r"(?:is|are) (?:now )?(?:located |stored |kept )?(?:in|at|on|under|behind|next to)"),
    ("state", r"(?:is|are|was|were|has been|have been)(?: now| currently| set to| changed to)?"),
)
"""Name of a relation, and the words between subject and value."""
_THING = r"(?:(?:[Tt]he|[Mm]y|[Oo]ur|[Yy]our|[Tt]his|[Aa]n?) )?[\w'\-/]+(?: [\w'\-/]+){0,4}?"
_CLAUSES = tuple(
    (
        name,
        re.compile(
            rf"^(?:(?i:and|but|so|now|well|by the way|from now on),? )?(?P<S>I|{_THING}) (?:{verb}) (?P<V>[^,;]+)$"
        ),
    )
    for name, verb in _RELATIONS
)
_ENTRY = re.compile(r"^[\s\-*]*(?P<S>[A-Za-z][\w /\-]{1,40}): (?P<V>\S[^{}\[\]]*)$")
_LEAD = re.compile(r"^(?:Observation|Feedback|Action Feedback): ")
_EMPTY = frozenset(
    {"it", "this", "that", "there", "here", "what", "which", "who", "he", "she", "they", "these", "those"}
)
"""Subjects that mean something only by what was said before."""
_SKIPPED = frozenset({"action", "observation", "feedback", "thought", "note"})


class Statement(NamedTuple):
    """One thing that a text says."""

    subject: str
    relation: str
    value: str
    supposed: bool
    """Only as a guess, a wish or a joke."""


def statements(text: str) -> Iterator[Statement]:
    """What a text states, sentence by sentence; questions and actions state nothing."""
    for sentence in _SENTENCE.split(text):
        plain = _LEAD.sub("", sentence.strip())
        if not plain or plain.endswith("?") or plain.startswith("Action:"):
            continue
        found = _clause(plain.rstrip(".!")) or _entry(plain)
        if found and len(found.value) <= MOST_VALUE and len(found.subject) <= MOST_SUBJECT:
            yield found


def _clause(sentence: str) -> Statement | None:
    supposed = _SUPPOSED.search(sentence) is not None
    bare = re.sub(r"^(?:I (?:guess|suppose|think)(?: that)?|[Mm]aybe|[Pp]erhaps|[Pp]robably),? ", "", sentence)
    for name, regex in _CLAUSES:
        match = regex.match(bare)
        if match and _is_named(match["S"]) and match["V"].strip():
            subject = SPEAKER if match["S"] == "I" else _subject(match["S"])
            return Statement(subject, name, match["V"].strip(), supposed)
    return None


def _entry(sentence: str) -> Statement | None:
    match = _ENTRY.match(sentence)
    if not match or match["S"].strip().lower() in _SKIPPED:
        return None
    return Statement(match["S"].strip(), "entry", match["V"].strip().rstrip("."), supposed=False)


def _is_named(subject: str) -> bool:
    return subject.split(maxsplit=1)[0].lower() not in _EMPTY and _SUPPOSED.search(subject) is None


def _subject(text: str) -> str:
    """The subject as it stands, with a small letter where only the sentence made it a capital one."""
    first, _, rest = text.partition(" ")
    return (
        f"{first.lower()} {rest}" if rest and first.lower() in ("the", "my", "our", "your", "this", "a", "an") else text
    )
