"""What a question asks for, by its words."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from memarena_arena.language.dates import Period
from memarena_arena.language.lexicon import CHANGING, FRAMING, PICTURED, SHOWING
from memarena_arena.language.terms import terms
from memarena_arena.language.words import fold, stems


class Kind(Enum):
    """The kind of thing that would answer."""

    PICTURE = "picture"
    WHEN = "when"
    DURATION = "duration"
    APART = "apart"
    OFTEN = "often"
    CHANGE = "change"
    HOUR = "hour"
    COUNT = "count"
    AMOUNT = "amount"
    WHO = "who"
    WHERE = "where"
    POLAR = "polar"
    WHY = "why"
    WHAT = "what"


_UNITS = r"(?:days|weeks|months|years|hours|minutes)"
_SUM = r"(?:price|cost|budget|amount|salary|fee|dose|dosage|rate|rent|total|score)"
_SPOT = r"(?:city|country|state|town|place|room|street|location)"
_AUXILIARY = r"(?:do|does|did|is|are|was|were|has|have|had|can|could|would|will|should|might)"
_APART = re.compile(
    r"\bhow (?:many (?P<unit>days|weeks|months|years)|long)\b(?P<one>.*?)\b"
    r"(?P<how>after|before|between|since|until|from)\s(?P<other>.+)",
    re.I,
)
_LEAD = re.compile(
    r"^(?:\s*(?:passed|were there|was there|are there|lie|lay|went by|later|did it take|apart)\b)*\s*", re.I
)
_KINDS = tuple(
    (re.compile(pattern, re.I), kind)
    for pattern, kind in (
        (
            r"\b(?:which|what|find|show|give|list)\s(?:(?:me|the|all|ids?|of|every|an?)\s){0,3}(?:[\w-]+\s){0,2}?"
            r"(?:image|picture|photo|screenshot|image_id|image id)s?\b(?!\s(?:did|does|do|was|is)\b.*\bof\W*$)"
            r"|\bimage[_ ]ids?\b|哪张|哪幅",
            Kind.PICTURE,
        ),
        (
            r"\bhow (?:did|does|do|has|have|was|were|is|are)\b.*\bchang(?:e|ed|ing)\b|\bchanged? from what to what\b"
            r"|\bin turn\b|\bfrom first to last\b|\bwhat changed\b|\bover time\b",
            Kind.CHANGE,
        ),
        (_APART.pattern, Kind.APART),
        (r"\bhow often\b|\bhow frequently\b|多久一次", Kind.OFTEN),
        (r"\b(?:what|which) time\b|\bhow early\b|\bhow late\b|几点", Kind.HOUR),
        (rf"\bhow long\b|\bhow many {_UNITS}\b|多久|多长时间", Kind.DURATION),
        (r"\bhow many\b|\bhow old\b|\bwhat number\b|几个|多少个|几次", Kind.COUNT),
        (rf"\bhow much\b|\bwhat (?:is|was|are) the (?:\w+ ){{0,3}}{_SUM}\b|多少", Kind.AMOUNT),
        (
            r"^\W*(?:since |until |by |on |in |around )?"
            r"(?:when\b|(?:which|what) (?:day|date|month|year|time|week)\b)|什么时候|何时|哪天|哪年",
            Kind.WHEN,
        ),
        (r"^\W*(?:to |with |for |from |by )?(?:who|whom|whose)\b|谁", Kind.WHO),
        (
            rf"^\W*(?:to |from |in |at )?(?:where\b|(?:which|what) (?:\w+ )?{_SPOT}\b)|哪里|哪儿|哪个城市",
            Kind.WHERE,
        ),
        (
            r"^\W*(?:why\b|for what reason|what (?:was|is) the (?:reason|motivation)"
            r"|what (?:motivated|inspired|made|prompted|caused|led)\b)|为什么",
            Kind.WHY,
        ),
        (rf"^\W*{_AUXILIARY}\b|吗[?？]?\s*$", Kind.POLAR),
    )
)
_TARGET = re.compile(
    rf"\b(?:what|which|how many|how much)\s+((?:(?!(?:{_AUXILIARY})\b)[a-z'-]{{1,30}}\s+){{1,3}})",
    re.I,
)
_PLURAL = re.compile(
    r"\b(?:what|which)\s+(?:(?:kinds?|types?|sorts?) of\s+)?(?:(?!(?:is|was|does|has)\b)[a-z'-]{1,30}\s+){0,2}?"
    r"(?!(?:does|is|was|has|his|this|its)\b)[a-z'-]{2,30}[^s\W]s\b\s+(?!is\b|was\b|does\b|has\b)"
    r"|^\W*(?:what|where|which|who)\b(?! (?:is|was|are|were|did|does|do)\b)[^?]*?\b(?:has|have)\s(?!to\b|\w+ to\b)"
    r"|\bwhat all\b|\bin what ways\b|\blist\b|\bname (?:all|the)\b|\bwhat (?:are|were)\b",
    re.I,
)
_LATE = re.compile(
    r"\bnow\b|\bcurrent(?:ly)?\b|\blatest\b|\bnewest\b|\bmost recent|\brecently\b|\bat the moment\b|现在|目前|最近",
    re.I,
)
_PRESENT = re.compile(r"\b(?:is|are|does|do|has|have|can|should|must)\b", re.I)
_NOT_PRESENT = re.compile(r"\b(?:did|was|were|had|will|would|been)\b|\b(?:19|20)\d\d\b", re.I)
_EARLY = re.compile(r"\bfirst\b|\boriginal|\bprevious|\bbefore\b|\bused to\b|\binitial|\bformer|\bearlie", re.I)


class Query(NamedTuple):
    """A question, taken apart."""

    text: str
    kind: Kind
    keys: frozenset[str]
    """All its content but the words that only frame a question."""
    names: frozenset[str]
    """Keys of the names in it."""
    subject: str
    """Key of the first of them; "" where there is none."""
    target: frozenset[str]
    """Keys of the thing asked for, as in `what instruments`."""
    periods: tuple[Period, ...]
    plural: bool
    """It asks for several things."""
    late: bool
    """It asks for how things are now."""
    early: bool
    """It asks for how things were at first."""
    present: bool
    """It asks in the present tense."""


@lru_cache(maxsize=4096)
def query(text: str) -> Query:
    """The question, taken apart."""
    text = fold(text)[:2000]
    kind = next((kind for pattern, kind in _KINDS if pattern.search(text)), Kind.WHAT)
    found, periods = terms(text)
    content = frozenset(term.key for term in found if term.key)
    more = {Kind.PICTURE: PICTURED | SHOWING, Kind.CHANGE: CHANGING}.get(kind, frozenset())
    framing = stems(FRAMING | more)
    keys = (content - framing) or content
    target = _TARGET.search(text)
    aimed = frozenset(term.key for term in terms(target[1])[0] if term.key) if target else frozenset()
    return Query(
        text=text,
        kind=kind,
        keys=keys,
        names=frozenset(term.key for term in found if term.name) & keys,
        subject=next((term.key for term in found if term.name and term.key in keys), ""),
        target=aimed - stems(FRAMING),
        periods=tuple(periods),
        plural=_PLURAL.search(text) is not None,
        late=_LATE.search(text) is not None,
        early=_EARLY.search(text) is not None,
        present=_PRESENT.search(text) is not None and _NOT_PRESENT.search(text) is None,
    )


class Apart(NamedTuple):
    """Two things whose distance in time a question asks for."""

    unit: str
    """`day`, `week`, `month`, `year`, or "" where the question leaves it open."""
    one: str
    other: str


@lru_cache(maxsize=4096)
def apart(text: str) -> Apart | None:
    """The two things and the unit of `How many days after X did Y?` or `How long between X and Y?`."""
    found = _APART.search(fold(text)[:2000])
    if found is None:
        return None
    unit = (found["unit"] or "").lower().rstrip("s")
    if found["how"].lower() in ("between", "from"):
        one, word, other = found["other"].partition(" and " if found["how"].lower() == "between" else " to ")
        context = _LEAD.sub("", found["one"])
        return Apart(unit, f"{context} {one}".strip(), other.strip(" ?")) if word else None
    other, rest = _inverted(found["other"])
    one = f"{_LEAD.sub('', found['one'])} {rest}".strip()
    return Apart(unit, one, other) if one and other else None


def _inverted(text: str) -> tuple[str, str]:
    """`X did Y` parted into X and Y."""
    verb = re.search(rf"\s{_AUXILIARY}\s(.+)", text, re.I)
    return (text[: verb.start()].strip(" ?,"), verb[1].strip(" ?")) if verb else (text.strip(" ?"), "")
