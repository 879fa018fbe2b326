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
    "TR": (reasoning.temporal, {"of many": 9, "earliest": 3, "count": 1, "value_on": 1, "days": 1, "order": 1}),
    "KR": (
        knowledge.knowledge, {"long": 5, "sum": 5, "path": 5, "total": 1, "hop": 1, "members": 1, "nth": 1},
    ),
    "TTL": (learning.test_time, {"cases": 6, "stated": 3, "kinds": 2, "names": 1, "packs": 1, "lesson": 1}),
    "CMR": (multimodal.cross_modal, {"hop": 5, "path": 2, "through": 1}),
}  # fmt: skip
"""By type: what makes its questions, and its forms with their shares. Three in five questions rest on one or two pieces
of evidence, as all of most types do; so these rest on more, and some of TR and KR on five or six."""
PLAIN: Mapping[str, Make] = {
    "FR": recall.factual_recall, "VFR": recall.visual_factual_recall, "DU": recall.dynamic_update,
    "VU": recall.visual_update, "VS": multimodal.visual_search,
}  # fmt: skip
"""By type with one form: what makes its questions."""


def ways(kind: str, rng: random.Random, turn: int) -> list[Make]:
    """What makes questions of a type, the way whose turn it is first; `turn` counts the checkpoints."""
    if kind in FORMS:
        maker, shares = FORMS[kind]
        return [with_form(maker, form) for form in _by_share(shares, rng)]
    if kind == "MC":
        claims = partial(reasoning.memory_conflict, agrees=turn % 2 == 0)
        forms = ["unchanged", "claim"] if turn % CLAIM_EVERY else ["claim", "unchanged"]
        return [with_form(claims, form) for form in forms]
    return [PLAIN[kind]]


def _by_share(shares: Mapping[str, int], rng: random.Random) -> list[str]:
    """All names: one that is drawn, then the others as they stand."""
    return list(dict.fromkeys((*rng.choices(list(shares), list(shares.values())), *shares)))


def with_form(maker: Callable[..., Iterable[Draft]], form: str) -> Make:
    """`maker` for one of its forms."""
    return lambda known, rng: maker(known, rng, form)
