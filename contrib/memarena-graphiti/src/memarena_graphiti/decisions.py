"""What a new fact does to an old one, by comparing what both say."""

from __future__ import annotations

import re

from memarena_arena.language.lexicon import CHANGES, NOW
from memarena_arena.language.statements import Statement, statement

SHARED = 0.5
"""Share of the words of the shorter of two facts above which both speak of the same."""
FEWEST = 2
"""Words that both must have in common."""

_TURNS = CHANGES | NOW | {"instead"}
"""Words with which a fact says that it replaces what was said before."""
_WORD = re.compile(r"[^\W\d_]+")
_CAPTION = "image_id: "
"""Begins what is known of a picture, which contradicts nothing that is known of another."""


def repeats(new: str, old: str) -> bool:
    """Whether `old` says all that `new` says."""
    if new.startswith(_CAPTION) or old.startswith(_CAPTION):
        return new == old
    said, held = statement(new), statement(old)
    return said.keys <= held.keys and said.denied == held.denied


def contradicts(new: str, old: str) -> bool:
    """Whether both cannot hold: other values for the same, a denial, or a change of what both speak of."""
    if new.startswith(_CAPTION) or old.startswith(_CAPTION) or repeats(new, old):
        return False
    said, held = statement(new), statement(old)
    shared = (said.keys & held.keys) - said.values
    if said.hedged or len(shared) < FEWEST:
        return False
    if not _TURNS.isdisjoint(_WORD.findall(said.text.casefold())):
        return True
    fewest = min(len(said.keys - said.values), len(held.keys - held.values))
    return len(shared) >= SHARED * fewest and (_denies(said, held) or _differs(said, held))


def _denies(said: Statement, held: Statement) -> bool:
    return len(said.denied & held.held) >= FEWEST


def _differs(said: Statement, held: Statement) -> bool:
    return bool(said.values - held.values and held.values - said.values)
