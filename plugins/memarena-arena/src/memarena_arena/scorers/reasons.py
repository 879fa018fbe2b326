"""Why an answer is wrong although its evidence was shown: told by values and words, with no judge."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memarena.records import QuestionRecord, Sample
from memarena_arena.agreeing import CORRECT, OMISSION
from memarena_arena.agreement import answer_label
from memarena_arena.language.documents import document
from memarena_arena.language.lexicon import NUMBERS
from memarena_arena.language.values import ID, NUMBER
from memarena_arena.scorers import evidence, stages
from memarena_arena.scorers.stages import Journey
from memarena_arena.support import claim
from memarena_arena.told import Told, values_of

STALE_VERSION, SET_ASIDE, GONE = "stale version", "set aside", "gone"
STALE = "stale value"
INTERFERENCE = "interference value"
IGNORED = "evidence ignored"
RULE = "rule not applied"
CONTRADICTS = "contradicts what was shown"

RULE_TYPES = frozenset({"TTL", "KR"})
"""Questions whose answer follows from what was taught, not from what was said."""
_SPELLED = re.compile(rf"\b(?:{'|'.join(NUMBERS)}|million|billion)", re.IGNORECASE)
_NO_MARKS = str.maketrans("", "", ".,")

ENOUGH = 0.5
"""Share of the words that tell a rival fact from the right one which an answer must have."""


def of(record: QuestionRecord, sample: Sample, way: Journey) -> str:
    """Why a stage lost a question, where more can be said than which; else ""."""
    if way.lost_at == stages.MAINTAIN:
        return STALE_VERSION if way.stale else SET_ASIDE if way.aside else GONE
    return not_used(record, sample, way.label or "") if way.lost_at == stages.USE else ""


def not_used(record: QuestionRecord, sample: Sample, label: str) -> str:
    """The reason why an answer that is not Correct missed evidence that was shown.

    In this order: it gives a fact that an update had replaced; it gives an interference point; it abstains or leaves
    out, with no value of its own; it was to apply a rule; it has values that nothing shown has; else it took the wrong
    part of what was shown.
    """
    given = Told.of(record.answer.text)
    right = [record.reference, *record.question.aliases, *(point.content or "" for point in evidence.resolved(record))]
    common = Told.of(record.question.text).keys | Told.of(record.reference).keys
    olds = [old for point in record.question.evidence for old in point.replaces]
    if any(_is_answer(record, stale) for stale in record.question.stale_answers) or _tells(given, olds, right, common):
        return STALE
    traps = [
        point.content
        for session in sample.sessions[: record.session_index + 1]
        for point in session.gold("interference")
    ]
    if _tells(given, traps, right, common):
        return INTERFERENCE
    grounded, values = groundedness(record)
    if label == OMISSION and grounded == values:
        return IGNORED
    if record.question.type in RULE_TYPES:
        return RULE
    return CONTRADICTS if grounded < values else IGNORED


def groundedness(record: QuestionRecord) -> tuple[int, int]:
    """How many of an answer's values stand in what was shown, and how many values it has; those of the question do
    not count."""
    values = values_of(Told.of(record.answer.text).keys) - Told.of(record.question.text).keys
    left = values
    for item in record.shown.items:
        if not left:
            break
        if _may_have(item.text, left):
            left -= document(item.text).keys
    return len(values) - len(left), len(values)


def _may_have(text: str, values: frozenset[str]) -> bool:
    """Whether a closer look at a text can find one of `values`: it has the digits, or words for a number."""
    if not text.isascii():
        return True
    plain = text.lower().translate(_NO_MARKS)
    if any(value[0] not in (ID, NUMBER) or _letters(value) in plain for value in values):
        return True
    return any(value[0] == NUMBER for value in values) and _SPELLED.search(text) is not None


def _letters(value: str) -> str:
    """An id as it is written, the digits of a number without the zeros around them (`12k` is 12,000); no marks."""
    written = value[1:].translate(_NO_MARKS)
    return written if value[0] == ID else written.strip("-0")


def _is_answer(record: QuestionRecord, stale: str) -> bool:
    return answer_label(record.question.text, stale, record.answer.text)[0] == CORRECT


def _tells(given: Told, rivals: Iterable[str], right: Iterable[str], common: frozenset[str]) -> bool:
    """Whether an answer has what tells a rival fact from the right ones: a value, a name, or enough of its words."""
    known = common.union(*(claim(text).held for text in right))
    for rival in map(claim, rivals):
        own = rival.held - known
        telling = values_of(own) | (own & frozenset[str]().union(*rival.names))
        if telling & given.held or (own and not telling and len(own & given.held) >= ENOUGH * len(own)):
            return True
    return False
