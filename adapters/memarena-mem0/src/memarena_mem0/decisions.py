"""What a fact does to the memories that are near it, decided by comparing what both say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from memarena_arena.language.lexicon import CHANGES, NOW
from memarena_arena.language.statements import Statement, statement

SHARED = 0.5
"""Share of the words of the shorter of two statements above which both speak of the same."""
FEWEST = 2
"""Words that both must have in common."""

_TURNS = CHANGES | NOW | {"instead"}
"""Words with which a statement says that it replaces what was said before."""
_WORD = re.compile(r"[^\W\d_]+")
CAPTION = "image_id: "
"""Begins what is known of a picture, which replaces nothing that is known of another."""


def decide(memories: Mapping[str, str], facts: Sequence[str]) -> list[dict[str, Any]]:
    """The rows that mem0 1.0.11 asks for: each memory with its event, then what is added, under new ids.

    A fact that a memory says already changes nothing. One that says more, gives other values for the same, or speaks
    of a change, takes the place of the nearest memory that it bears on; one that denies it deletes it; any other is
    added.
    """
    rows = {key: {"id": key, "text": text, "event": "NONE"} for key, text in memories.items()}
    added: list[str] = []
    for fact in facts:
        said, held = statement(fact), _held(rows)
        if fact in added or fact in memories.values() or any(_repeats(said, old) for old in held.values()):
            continue
        untouched = {key: old for key, old in held.items() if rows[key]["event"] == "NONE"}
        key = None if said.hedged or fact.startswith(CAPTION) else _nearest(said, untouched)
        if key is None:
            added.append(fact)
        elif _denies(said, held[key]):
            rows[key] = {**rows[key], "event": "DELETE"}
        else:
            rows[key] = {"id": key, "text": fact, "event": "UPDATE", "old_memory": memories[key]}
    first = max((int(key) for key in memories if key.isdecimal()), default=-1) + 1
    new = [{"id": str(place), "text": text, "event": "ADD"} for place, text in enumerate(added, first)]
    return [*rows.values(), *new]


def _held(rows: Mapping[str, Mapping[str, str]]) -> dict[str, Statement]:
    """What may be replaced: all that is not deleted, and not known of a picture."""
    return {
        key: statement(row["text"])
        for key, row in rows.items()
        if row["event"] != "DELETE" and not row["text"].startswith(CAPTION)
    }


def _repeats(said: Statement, old: Statement) -> bool:
    return said.keys <= old.keys and said.denied == old.denied


def _nearest(said: Statement, memories: Mapping[str, Statement]) -> str | None:
    """The memory that `said` bears on; the one with most in common, else the first; None where it bears on none."""
    near = {key: len(said.keys & old.keys) for key, old in memories.items() if _bears_on(said, old)}
    return max(near, key=near.__getitem__) if near else None


def _bears_on(said: Statement, old: Statement) -> bool:
    shared = (said.keys & old.keys) - said.values
    if len(shared) < FEWEST:
        return False
    if not _TURNS.isdisjoint(_WORD.findall(said.text.casefold())):
        return True
    words = min(len(said.keys - said.values), len(old.keys - old.values))
    other = bool(said.values - old.values and old.values - said.values)
    return len(shared) >= SHARED * words and (old.keys < said.keys or _denies(said, old) or other)


def _denies(said: Statement, old: Statement) -> bool:
    return len(said.denied & old.held) >= FEWEST
