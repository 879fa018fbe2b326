"""Further sets of evidence, where a question rests on facts of which others would do as well.

A fact that was told once stands in one point, however often it is mentioned again, so one set is all there is for most
questions. But a rule that cases teach follows from several choices of them, and that a value held once is known from
each time at which it did.
"""

from __future__ import annotations

from collections.abc import Sequence

from memarena_builder.questions.query import Query, minimal
from memarena_builder.world.facts import Fact, current

MOST_SETS = 8
"""Further sets of a question, at most."""
LOOKED_AT = 60
"""Ways to do without pieces that are looked at, at most."""


def alternatives(query: Query, facts: Sequence[Fact], evidence: Sequence[Fact]) -> tuple[tuple[Fact, ...], ...]:
    """Other sets of `facts`, each enough and none with a piece too many, as `evidence` is.

    None has what no longer holds where `evidence` has what does, for the answer would be right by chance; nor is there
    a fact beside it by which the answer would be another.
    """
    known = [fact for fact in facts if query.touches(fact)]
    wanted = query.evaluate(known)
    fitting = _fitting(known, evidence)
    found: dict[frozenset[str], tuple[Fact, ...]] = {}
    ways = [frozenset({fact.fact_id}) for fact in evidence]
    for without in ways:
        rest = [fact for fact in fitting if fact.fact_id not in without]
        if query.evaluate(rest) != wanted:
            continue
        other = minimal(query, rest)
        if len(found) < MOST_SETS and _is_stable(query, known, other):
            found.setdefault(frozenset(fact.fact_id for fact in other), other)
        further = [without | {fact.fact_id} for fact in other]
        ways += [each for each in further if each not in ways][: LOOKED_AT - len(ways)]
    return tuple(found.values())


def _fitting(known: Sequence[Fact], evidence: Sequence[Fact]) -> list[Fact]:
    """What holds, and of what does not hold any more that with a value that the evidence too has of that time."""
    keys = {fact.key for fact in known}
    holding = {held.fact_id for key in keys if (held := current(known, key))}
    ended = {(fact.key, fact.value) for fact in evidence if fact.fact_id not in holding}
    return [fact for fact in known if fact.fact_id in holding or (fact.key, fact.value) in ended]


def _is_stable(query: Query, known: Sequence[Fact], some: Sequence[Fact]) -> bool:
    """Whether no single further fact leads to another answer."""
    wanted = query.evaluate(some)
    ids = {fact.fact_id for fact in some}
    beside = ({*ids, fact.fact_id} for fact in known)
    return all(query.evaluate([fact for fact in known if fact.fact_id in each]) == wanted for each in beside)
