"""What a final explanation is worth: facts stated, less what is claimed although it is false, times efficiency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memarena_aha.puzzle.classes import CHECK, STORY, Form
from memarena_aha.puzzle.explanation import read_explanation
from memarena_aha.puzzle.freehost import FreeHost
from memarena_aha.puzzle.graph import Graph
from memarena_aha.puzzle.schema import CHECKS

__all__ = ["LIMIT", "SOLVED", "Judgement", "judge", "points"]

LIMIT = 20
"""Questions of an episode."""
SOLVED = 0.8
"""Correctness from which a puzzle counts as solved."""
_PENALTY, _MOST = 0.15, 0.45
_EFFICIENCY = 0.30
_COARSE = 0.5
"""Share of a fact's weight for naming its mechanism alone."""


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
    host: FreeHost, text: str = "", slots: Mapping[str, str] | None = None, checks: Sequence[str] = ()
) -> Judgement:
    """What an explanation is worth, told in words, by values for the slots, by the mechanisms at work, or all of these.

    A fact that is stated, or whose slot is filled rightly, earns its weight; a mechanism named rightly earns half the
    weight of each fact that is an instance of it and is not stated otherwise.
    """
    graph = host.graph
    in_words, false = read_explanation(host, text)
    stated = dict.fromkeys(sorted(in_words), 1.0)
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


def _judged(graph: Graph, stated: Mapping[str, float], false: Sequence[str]) -> Judgement:
    facts = sum(fact.weight * stated.get(fact.id, 0.0) for fact in graph.puzzle.key)
    penalty = min(_PENALTY * len(false), _MOST)
    return Judgement(stated, tuple(false), facts, penalty, round(min(1.0, max(0.0, facts - penalty)), 9))
