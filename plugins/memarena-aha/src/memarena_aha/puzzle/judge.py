"""What a final explanation is worth: facts stated, less what is claimed although it is false, times efficiency."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memarena_aha.puzzle.classes import CHECK, STORY, Form
from memarena_aha.puzzle.freehost import Claim
from memarena_aha.puzzle.graph import Graph
from memarena_aha.puzzle.schema import CHECKS
from memarena_aha.puzzle.words import Token, denials, find, forms, tokenize

__all__ = ["LIMIT", "SOLVED", "WORDS_READ", "Judgement", "judge", "points"]

LIMIT = 20
"""Questions of an episode."""
SOLVED = 0.8
"""Correctness from which a puzzle counts as solved."""
WORDS_READ = 120
"""Words of an explanation that are read."""
_PENALTY, _MOST = 0.15, 0.45
_EFFICIENCY = 0.30
_COARSE = 0.5
"""Share of a fact's weight for naming its mechanism alone."""
_SENTENCES = re.compile(r"[.!?\n]+")
_CLAUSES = re.compile(
    r"[,;:()\u2013\u2014]+|\b(?:but|since|so|whereas|although|though)\b|\b(?=(?:because|while|if|when|unless)\b)"
    r"|\band\b(?=\s+(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|he|she|they|it|that)\b)",
    re.IGNORECASE,
)
_UNTRUE = re.compile(r"\b(?:untrue|(?:false|wrong|incorrect) that|instead of|rather than)\b", re.IGNORECASE)
_ALSO = re.compile(r"\bnot only\b", re.IGNORECASE)


class Judgement(NamedTuple):
    """What an explanation states."""

    stated: Mapping[str, float]
    """Key fact -> share of its weight, above 0."""
    false: tuple[str, ...]
    """What it claims although that is false."""
    facts: float
    """Sum of the weights that were earned."""
    penalty: float
    correctness: float
    """0 to 1."""

    @property
    def solved(self) -> bool:
        return self.correctness >= SOLVED


def points(judgement: Judgement, used: int) -> float:
    """0 to 100: correctness, of which the questions used take at most 30 %."""
    return round(100 * judgement.correctness * (1 - _EFFICIENCY * min(used, LIMIT) / LIMIT), 6)


def judge(
    graph: Graph,
    claims: Sequence[Claim],
    text: str = "",
    slots: Mapping[str, str] | None = None,
    checks: Sequence[str] = (),
) -> Judgement:
    """What an explanation is worth, told in words, by values for the slots, by the mechanisms at work, or all of these.

    A fact that is stated, or whose slot is filled rightly, earns its weight; a mechanism named rightly earns half the
    weight of each fact that is an instance of it and is not stated otherwise.
    """
    stated: dict[str, float] = {}
    stated_in_words, false = _in_words(claims, text)
    stated |= dict.fromkeys(sorted(stated_in_words), 1.0)
    for name, forms_of_slot in graph.slots().items():
        value = (slots or {}).get(name)
        if value in {form.value for form in forms_of_slot}:
            stated[name] = 1.0
        elif value is not None and graph.ask(*forms_of_slot[0]._replace(value=value)).label == "no":
            false.add(f"{name} {value}")
    for check in (check for check in CHECKS if check in checks):
        answer = graph.table[Form(check, STORY, CHECK)]
        if answer.label == "no":
            false.add(answer.about)
        for name in answer.hits:
            stated.setdefault(name, _COARSE)
    return _judged(graph, stated, sorted(false))


def _in_words(claims: Sequence[Claim], text: str) -> tuple[set[str], set[str]]:
    """The key facts that some sentence states and none denies, and the false claims that are made.

    Only the first 120 words are read. "They are deaf, not asleep" states the one and denies the other.
    """
    stated: set[str] = set()
    denied: set[str] = set()
    false: set[str] = set()
    for sentence in _SENTENCES.split(" ".join(text.split()[:WORDS_READ])):
        tokens, negated = _read(sentence)
        hits = [
            (claim, found)
            for claim in claims
            if (found := find(claim.pattern, tokens)) and not (claim.unless and find(claim.unless, tokens))
        ]
        told = [found.places for claim, found in hits if claim.answer.label != "no" or claim.denies]
        for claim, found in hits:
            true = _true(claim, found.core, negated)
            if claim.answer.hits:
                (stated if true else denied).add(claim.answer.about)
            elif claim.answer.label == "no" and not true and not any(found.core <= places for places in told):
                false.add(claim.answer.about)
    return stated - denied, false | (denied - stated)


def _true(claim: Claim, core: frozenset[int], negated: Sequence[bool]) -> bool:
    """Whether a sentence with these words says of the claim what is so."""
    return any(negated[place] for place in core) != (claim.answer.label == "yes")


def _judged(graph: Graph, stated: Mapping[str, float], false: Sequence[str]) -> Judgement:
    facts = sum(fact.weight * stated.get(fact.id, 0.0) for fact in graph.puzzle.key)
    penalty = min(_PENALTY * len(false), _MOST)
    return Judgement(stated, tuple(false), facts, penalty, round(min(1.0, max(0.0, facts - penalty)), 9))


def _read(sentence: str) -> tuple[list[Token], list[bool]]:
    """The words of a sentence and, for each, whether it is negated within its clause."""
    tokens: list[Token] = []
    negated: list[bool] = []
    for clause in _CLAUSES.split(_UNTRUE.sub(" not ", _ALSO.sub(" ", sentence))):
        words = tokenize(clause)
        reached: frozenset[int] = frozenset().union(*denials(words))
        tokens += [forms(word) for word in words]
        negated += [place in reached for place in range(len(words))]
    return tokens, negated
