"""Whether a retrieved item and an evidence point are the same thing (the soft match of the paper, section B.4).

Items and points are prepared once, by content, and each pair is compared once for all three readings: `compare` gives
flags, and a reading accepts some of them (`ACCEPTED`). Where an item comes from (rule ii) is added by the ranking.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from memarena_arena.metrics.variants import Variant

ID_IN_NAME = 1
"""The id stands in the memory id or the backend id."""
ID_ANYWHERE = 2
"""The id stands in one of them, in the picture's path or in the text."""
ID_AS_WORDS = 4
"""The id stands as whole tokens in one of them, in the picture's id or path or in the text."""
CONTENT_AS_LETTERS = 8
"""The content, turned into tokens, stands somewhere in the text."""
CONTENT_WORDS = 16
"""At least 0.75 of the distinct tokens of the content are among those of the text; true for whole tokens anyway."""

ACCEPTED: Mapping[Variant, int] = {
    "paper": ID_IN_NAME | CONTENT_AS_LETTERS | CONTENT_WORDS,
    "release": ID_IN_NAME | ID_ANYWHERE | CONTENT_AS_LETTERS | CONTENT_WORDS,
    "strict": ID_AS_WORDS | CONTENT_WORDS,
}

_WORD = re.compile(r"\w+")
_SESSION = re.compile(r"\bmp_(s\d+)_")
_LONG = 8_000
"""Letters above which a text is prepared anew each time, so that the caches stay small."""


class Passage:
    """A text as it is compared."""

    __slots__ = ("joined", "lower", "words")

    def __init__(self, text: str) -> None:
        self.lower = text.lower()
        found = _WORD.findall(self.lower)
        self.joined = " ".join(found)
        self.words = frozenset(found)


class Target:
    """An item as it is compared."""

    __slots__ = ("everything", "fields", "name", "text")

    def __init__(self, memory_id: str, backend_id: str, image_path: str, image_id: str, text: str) -> None:
        self.text = passage(text)
        names = passage(memory_id), passage(backend_id)
        pictures = passage(image_path), passage(image_id)
        self.name = "\0".join([name.lower for name in names])
        self.everything = "\0".join((self.name, pictures[0].lower, self.text.lower))
        self.fields = "\0".join([f" {field.joined} " for field in (*names, *pictures, self.text)])


class Point:
    """An evidence point as it is compared; an empty id and an empty content match nothing."""

    __slots__ = ("content", "id_joined", "id_lower", "needed", "session")

    def __init__(self, evidence_id: str, content: str) -> None:
        named = passage(evidence_id)
        self.id_lower = named.lower
        self.id_joined = f" {named.joined} " if named.joined else ""
        session = _SESSION.search(named.lower)
        self.session = session.group(1) if session else ""
        self.content = passage(content)
        self.needed = -(-3 * len(self.content.words) // 4)


def passage(text: str) -> Passage:
    """`text` prepared, from a bounded cache unless it is long."""
    return _passage(text) if len(text) <= _LONG else Passage(text)


def target(memory_id: str, backend_id: str, image_path: str, image_id: str, text: str) -> Target:
    """An item prepared, from a bounded cache unless its text is long."""
    make = _target if len(text) <= _LONG else Target
    return make(memory_id, backend_id, image_path, image_id, text)


def point(evidence_id: str, content: str) -> Point:
    """An evidence point prepared, from a bounded cache unless its content is long."""
    return _point(evidence_id, content) if len(content) <= _LONG else Point(evidence_id, content)


_passage = lru_cache(maxsize=4096)(Passage)
_target = lru_cache(maxsize=4096)(Target)
_point = lru_cache(maxsize=1024)(Point)


def compare(item: Target, gold: Point) -> int:
    """The flags that hold for this pair."""
    flags = 0
    if gold.id_lower:
        if gold.id_lower in item.everything:
            flags = ID_ANYWHERE
            if gold.id_lower in item.name:
                flags |= ID_IN_NAME
        if gold.id_joined and gold.id_joined in item.fields:
            flags |= ID_AS_WORDS
    return flags | contained(gold.content, gold.needed, item.text)


def contained(content: Passage, needed: int, text: Passage) -> int:
    """Which of the two content flags hold; `needed` is 0.75 of the distinct tokens of `content`, rounded up."""
    if not needed:
        return 0
    if len(content.words & text.words) >= needed:
        return CONTENT_WORDS
    return CONTENT_AS_LETTERS if content.joined in text.joined else 0
