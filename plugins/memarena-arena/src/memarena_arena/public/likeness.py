"""Finds the text that is meant where it is quoted not quite letter by letter."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

ENOUGH = 0.8
"""Words that two texts share / words of both, from which on they are taken for the same."""

_WORD = re.compile(r"\w+")


def plain(text: str) -> str:
    """`text` without what does not matter: case, punctuation, white space."""
    return " ".join(_WORD.findall(text.casefold()))


class Likeness:
    """Texts, as `plain` makes them, that can be found by their words."""

    def __init__(self) -> None:
        self._words: dict[str, frozenset[str]] = {}
        self._by_word: defaultdict[str, list[str]] = defaultdict(list)

    def add(self, key: str) -> None:
        """Remember the plain text `key`."""
        if key not in self._words:
            self._words[key] = frozenset(key.split())
            for word in self._words[key]:
                self._by_word[word].append(key)

    def find(self, text: str) -> str:
        """The most alike of the texts, the latest of several; "" where none shares `ENOUGH` of its words."""
        words = frozenset(plain(text).split())
        shared: Counter[str] = Counter()
        for word in words:
            shared.update(self._by_word.get(word, ()))
        best, found = ENOUGH, ""
        for key in self._words if shared else ():
            both = shared[key]
            share = both / (len(words) + len(self._words[key]) - both) if both else 0.0
            if share >= best:
                best, found = share, key
        return found
