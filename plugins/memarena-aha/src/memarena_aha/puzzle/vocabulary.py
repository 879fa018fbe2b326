"""English as far as the host knows it, from `data/english.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path

__all__ = [
    "ATTITUDES",
    "CONDITIONAL",
    "FACTIVE",
    "FUNCTION",
    "GUESSES",
    "IRREGULAR",
    "NEGATIONS",
    "OUR",
    "RESPELLED",
    "SKIPPED",
    "SYNONYMS",
]

_ENGLISH = tomllib.loads((Path(__file__).parent / "data" / "english.toml").read_text(encoding="utf-8"))

SKIPPED = frozenset(_ENGLISH["skipped"].split())
"""Words that are never looked for, in questions as in word lists."""
NEGATIONS = frozenset(_ENGLISH["negations"].split())
"""Each of them turns a question round."""
FUNCTION = frozenset(_ENGLISH["function"].split())
"""Words too common to say what a question is about."""
CONDITIONAL = frozenset(_ENGLISH["conditional"].split())
"""Negations in what follows them turn nothing round."""
FACTIVE = frozenset(_ENGLISH["factive"].split())
"""What follows them is taken for true even where they are negated."""
SYNONYMS = {word: f"={line.split()[0]}" for line in _ENGLISH["synonyms"].splitlines() if line for word in line.split()}
"""Word -> the mark of its group of synonyms."""
IRREGULAR = {form: base for base, forms in _ENGLISH["irregular"].items() for form in forms.split()}
"""Irregular form -> base form."""
ATTITUDES = FACTIVE.union(_ENGLISH["attitudes"].split())
"""Those, and others that keep the negations of what they are about to themselves."""
RESPELLED: dict[str, str] = {form: base for base, forms in _ENGLISH["respelled"].items() for form in forms.split()}
"""Another spelling, or a short one -> the word."""
OUR: tuple[str, ...] = tuple(_ENGLISH["our"].split())
"""Beginnings of words in -our, which may be spelled in -or."""
GUESSES = tuple(line for line in _ENGLISH["guesses"].splitlines() if line)
"""What people guess at whatever the story is, a line of words each."""
