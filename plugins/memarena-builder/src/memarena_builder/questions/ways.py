"""The ways to ask a question of each type, and how often each is tried first."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from memarena_builder.questions import knowledge, learning, multimodal, reasoning, recall
from memarena_builder.questions.known import Draft, Known

Make = Callable[[Known, random.Random], Iterable[Draft]]
"""What makes questions of what is known."""

CLAIM_EVERY = 10
"""One question of memory conflict in so many names a value, which leads a search for words to where it was told."""
FORMS: Mapping[str, tuple[Callable[..., Iterable[Draft]], Mapping[str, int]]] = {
    "TR": (
        reasoning.temporal,
        {"earliest": 4, "second": 3, "span": 3, "count": 4, "value_on": 2, "days": 2, "order": 2},
    ),
    "KR": (knowledge.knowledge, {"sum": 4, "path": 4, "theirs": 4, "members": 3, "hop": 2, "nth": 2}),
    "TTL": (
        learning.test_time,
        {
            "several kinds": 6, "cases": 4, "person": 2, "stated": 2, "kinds": 3, "names": 3, "packs": 3, "lesson": 3,
        },
    ),
    "VS": (multimodal.visual_search, {"plain": 2, "hop": 2, "path": 1}),
    "CMR": (multimodal.cross_modal, {"hop": 4, "path": 2, "sum": 3, "through": 2, "rule": 2}),
}  # fmt: skip
"""By type: what makes its questions, and its forms with their shares. How many pieces of evidence a question rests on
is chosen before its form is."""
PLAIN: Mapping[str, Make] = {
    "FR": recall.factual_recall, "VFR": recall.visual_factual_recall, "DU": recall.dynamic_update,
    "VU": recall.visual_update,
}  # fmt: skip
"""By type with one form: what makes its questions."""


def ways(kind: str, rng: random.Random, turn: int) -> list[Make]:
    """What makes questions of a type, the way whose turn it is first; `turn` counts the checkpoints."""
    if kind in FORMS:
        maker, shares = FORMS[kind]
        return [with_form(maker, form) for form in _by_share(shares, rng)]
    if kind == "MC":
        claims = partial(reasoning.memory_conflict, agrees=turn % 2 == 0)
        forms = ["unchanged", "changed", "claim"] if turn % CLAIM_EVERY else ["claim", "unchanged", "changed"]
        return [with_form(claims, form) for form in forms]
    return [PLAIN[kind]]


def _by_share(shares: Mapping[str, int], rng: random.Random) -> list[str]:
    """All names: one that is drawn, then the others as they stand."""
    return list(dict.fromkeys((*rng.choices(list(shares), list(shares.values())), *shares)))


def with_form(maker: Callable[..., Iterable[Draft]], form: str) -> Make:
    """`maker` for one of its forms."""
    return lambda known, rng: maker(known, rng, form)
