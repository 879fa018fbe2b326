"""What was never told of somebody or something, for questions that cannot be answered.

Rules read less than people say, so that what they read not may have been told all the same: a question is only asked
where no turn has both the subject and words of the relation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from memarena_builder.agentic.knowledge import is_named
from memarena_builder.agentic.trajectory import SPEAKER
from memarena_builder.agentic.turns import Scene
from memarena_builder.traces.relations import ONCE, RELATIONS, day_of, family, undated

Claimed = tuple[str, str]
"""A subject and the name of a relation."""


class Untold:
    """Tells what of the relations of a sample was never told."""

    def __init__(self, scenes: Sequence[Scene]) -> None:
        steps = [placed.step for scene in scenes for placed in scene.steps]
        self._told = {(one.subject, one.attribute) for step in steps for one in step.seen}
        self._told |= {(one.subject, one.attribute) for step in steps for one in step.refused}
        self._ever = {(subject, undated(name) or name) for subject, name in self._told}
        self._by_day: dict[str, list[tuple[str, frozenset[str]]]] = {}
        for line in (line for scene in scenes for line in scene.lines):
            self._by_day.setdefault(str(line.time.date()), []).append((line.text, _relations_in(line.text)))
        self._named: dict[tuple[str, str], bool] = {}

    def pairs(self, stated: Sequence[Claimed]) -> Iterator[Claimed]:
        """Subjects with relations that others have and that they are never told to have; `stated`: those that are."""
        families: dict[str, set[str]] = {}
        for subject, name in stated:
            families.setdefault(subject, set()).add(family(name))
        for name in dict.fromkeys(name for _, name in stated):
            for subject, own in families.items():
                if subject != SPEAKER and family(name) in own and not self._may_be_told(subject, name):
                    yield subject, name

    def _may_be_told(self, subject: str, name: str) -> bool:
        bare, day = undated(name) or name, day_of(name)
        if (subject, name) in self._told or (not day and (subject, bare) in self._ever):
            return True
        days = [day] if day else list(self._by_day)
        return any(
            bare in found and self._is_named(text, subject)
            for each in days
            for text, found in self._by_day.get(each, ())
        )

    def _is_named(self, text: str, subject: str) -> bool:
        key = (text, subject)
        if key not in self._named:
            self._named[key] = is_named(text, subject)
        return self._named[key]


@cache
def _words() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """By relation: the words that tell it, wherever in a text, be it behind an apostrophe."""
    every = (*RELATIONS, *ONCE.values())
    return tuple((each.name, re.compile(rf"(?:{each.verbs})(?!\w)", re.IGNORECASE)) for each in every)


def _relations_in(text: str) -> frozenset[str]:
    return frozenset(name for name, words in _words() if words.search(text))
