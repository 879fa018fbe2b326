"""What a new fact does to an old one, by comparing what both say."""

from __future__ import annotations

import re
from collections.abc import Mapping

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


def contradicted(new: str, old: Mapping[int, str]) -> int | None:
    """Which of `old` cannot hold beside `new`: the one that shares most words with it, else the first; None: none.

    It gives other values for the same, is denied, or `new` speaks of a change of what both speak of.
    """
    said = statement(new)
    shared = {key: _shared(new, said, text) for key, text in old.items()}
    found = max(shared, key=shared.__getitem__, default=None)
    return found if found is not None and shared[found] else None


def _shared(new: str, said: Statement, old: str) -> int:
    """Words that `said` has in common with `old`, where it contradicts that, else 0."""
    if said.hedged or new.startswith(_CAPTION) or old.startswith(_CAPTION) or repeats(new, old):
        return 0
    held = statement(old)
    words = len((said.keys & held.keys) - said.values)
    fewest = min(len(said.keys - said.values), len(held.keys - held.values))
    turns = not _TURNS.isdisjoint(_WORD.findall(said.text.casefold()))
    same = words >= FEWEST and (turns or (words >= SHARED * fewest and (_denies(said, held) or _differs(said, held))))
    return words if same else 0


def _denies(said: Statement, held: Statement) -> bool:
    return len(said.denied & held.held) >= FEWEST


def _differs(said: Statement, held: Statement) -> bool:
    return bool(said.values - held.values and held.values - said.values)
