"""What the questions of an episode were worth: figures that explain a score and never enter it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memarena_aha.puzzle.graph import Answer
from memarena_aha.puzzle.judge import Judgement
from memarena_aha.puzzle.lessons import token
from memarena_aha.puzzle.schema import CHECKS, Check, Puzzle

__all__ = ["Exchange", "figures", "lesson_use"]

_FIRST = 5


class Exchange(NamedTuple):
    """A question and its answer."""

    question: str
    ask: str
    """Structured; "" for a free question."""
    answer: Answer
    free: bool = False
    """It cost nothing."""


def figures(
    puzzle: Puzzle, asked: Sequence[Exchange], judgement: Judgement | None
) -> Mapping[str, float | int | str | None]:
    """Secondary figures, all shares 0 to 1; None where nothing was asked.

    coverage: weight of the key facts that answers confirmed; information: new key and support claims a question;
    redundancy: questions about a claim that was asked about before; waste: irrelevant and unclear answers;
    first_hit: the number of the question that first confirmed a key fact; checks_tried: mechanisms asked about, of
    eight; first_five: those among the first five questions that ask for a mechanism.
    """
    confirmed = {name for row in asked for name in row.answer.hits}
    about = [row.answer.about for row in asked if row.answer.about]
    told = {name for name in about if name.startswith(("K", "support"))} | confirmed
    count = len(asked)
    first = [number for number, row in enumerate(asked, 1) if row.answer.hits]
    checks = [_checks(puzzle, row) for row in asked]
    return {
        "correctness": judgement.correctness if judgement else 0.0,
        "facts": round(judgement.facts, 9) if judgement else 0.0,
        "false_claims": len(judgement.false) if judgement else 0,
        "asked": count,
        "unclear": sum(row.answer.label == "unclear" for row in asked),
        "coverage": round(sum(fact.weight for fact in puzzle.key if fact.id in confirmed), 9),
        "information": len(told) / count if count else None,
        "redundancy": (len(about) - len(set(about))) / count if count else None,
        "waste": sum(row.answer.label in ("irrelevant", "unclear") for row in asked) / count if count else None,
        "first_hit": first[0] if first else None,
        "checks_tried": len(set().union(*checks)) / len(CHECKS),
        "first_five": sum(bool(found) for found in checks[:_FIRST]) / min(count, _FIRST) if count else None,
    }


def lesson_use(puzzle: Puzzle, asked: Sequence[Exchange]) -> Mapping[str, tuple[int, int]]:
    """By lesson: whether its question was asked (1) or not (0), of the one time that it applies in each puzzle."""
    tried = set().union(*(_checks(puzzle, row) for row in asked))
    return {token(check): (int(check in tried), 1) for check in CHECKS}


def _checks(puzzle: Puzzle, row: Exchange) -> set[Check]:
    """The mechanisms that a question asks for: in general, or by a key fact that is an instance of it."""
    by_fact = {fact.check for fact in puzzle.key if fact.id in row.answer.hits and fact.check}
    return by_fact | {check for check in CHECKS if row.answer.about == f"check {check}"}
