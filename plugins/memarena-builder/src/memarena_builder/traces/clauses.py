"""A turn in clauses, each with who speaks in it and whether it is only supposed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memarena_builder.agentic.trajectory import SPEAKER

_SENTENCE = re.compile(r"(?<=[.!?])(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<!\bSt\.)\s+|(?<=[。！？])|\n+")
_CLAUSE = re.compile(
    r",?\s+(?:and|but|so|because|since|as|though|although|while|plus|then|after)\s+(?=(?:I|we|you|my|our|the)\b)|"
    r",?\s+and\s+(?=(?:(?:just|also|recently|even)\s)?(?:bought|went|visited|signed|started|joined|saw|met|made)\b)|"
    r";\s+|\s+[-–]+\s+|,\s+(?=(?:I|we)\s)"
)
"""Between two clauses of a sentence."""
_SUPPOSED = re.compile(
    r"\b(?:maybe|perhaps|might|may|could|would|should|probably|suppose|guess|imagine|if|joke|joking|suggest\w*|"
    r"consider\w*|not sure|let us say|rumou?r|wish)\b",
    re.IGNORECASE,
)
_WANTED = re.compile(r"\b(?:I|we)(?: would|['’]d) (?:love|like) to\b", re.IGNORECASE)
"""A wish that is a fact about who has it."""
_LEAD = re.compile(
    r"^(?:(?:and|but|so|now|well|also|then|plus|yes|yeah|yep|no|oh|wow|ok|okay|actually|anyway|btw|fyi|by the way|"
    r"from now on|guess what|last \w+|this \w+|yesterday|today|recently|lately|earlier|"
    r"I (?:guess|suppose|think)(?: that)?|maybe|perhaps|probably)\b[,!:]?\s+)+(?=\S)",
    re.IGNORECASE,
)
"""What may stand before the subject."""
_INTRO = re.compile(r"^[^,!]{1,40}[,!]\s+(?=(?:I|[Ww]e|[Mm]y|[Oo]ur|[Tt]he)\b)")
_BACK = re.compile(
    r"^(?:Action )?[Ff]eedback(?P<failed> \(failed\))?(?: to (?P<call>[^\n]{1,120}?\)|[^\n:]{1,80}))?:(?:\s|$)"
)
_SEEN = re.compile(r"^Observation: ?")


class Clause(NamedTuple):
    """A clause of a turn."""

    text: str
    speaker: str
    """Whose `I` it is; "" where it is nobody's, as in what an environment says."""
    supposed: bool
    call: str = ""
    """In feedback: the call that it answers; then the text is all of it."""
    failed: bool = False
    of: str = ""
    """In a sentence of feedback: the call that it answers."""

    @property
    def bare(self) -> str:
        """The text with a small letter at its beginning, where that is no name's, for a sentence without a subject."""
        return self.text[:1].lower() + self.text[1:]


def clauses(role: str, text: str, names: frozenset[str] = frozenset()) -> Iterator[Clause]:
    """The clauses of a turn; questions and actions have none. `names`: of those whose turns begin with their name."""
    back, seen = _BACK.match(text), _SEEN.match(text)
    speaker = SPEAKER if role == "user" and not (back or seen) else ""
    named = next((name for name in names if text.startswith(f"{name}: ")), "")
    if named:
        speaker, text = named, text[len(named) + 2 :]
    elif role not in ("user", "environment") and not (back or seen):
        return
    if back and back["call"]:
        yield Clause(text[back.end() :], "", False, back["call"], back["failed"] is not None)
    begin = back or seen
    for sentence in _SENTENCE.split(text[begin.end() :] if begin else text):
        plain = sentence.strip()
        if plain and not plain.endswith("?") and not plain.startswith("Action:"):
            supposed = _SUPPOSED.search(_WANTED.sub("", plain)) is not None
            for part in _CLAUSE.split(plain):
                bare = _LEAD.sub("", part.strip().rstrip(".!"))
                yield Clause(_INTRO.sub("", bare), speaker, supposed, of=(back and back["call"]) or "")
