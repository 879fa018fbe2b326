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
_PARTED = {code: " " for code in range(128) if not _WORD.match(chr(code))}
"""Blanks for all that stands in no word, as far as ASCII goes."""
_SESSION = re.compile(r"\bmp_(s\d+)_")
_LONG = 8_000
"""Letters above which a text is prepared anew each time, so that the caches stay small."""


class Passage:
    """A text as it is compared."""

    __slots__ = ("_joined", "lower", "words")

    def __init__(self, text: str) -> None:
        self.lower = text.lower()
        self.words = frozenset(_tokens(self.lower))
        self._joined: str | None = None

    @property
    def joined(self) -> str:
        """The tokens, joined by single blanks."""
        if self._joined is None:
            self._joined = " ".join(_tokens(self.lower))
        return self._joined


class Target:
    """An item as it is compared."""

    __slots__ = ("_padded", "everywhere", "fields", "name", "shown", "text")

    def __init__(self, memory_id: str, backend_id: str, image_path: str, image_id: str, text: str) -> None:
        self.text = Passage(text)
        self.fields = (memory_id, backend_id, image_path, image_id)
        self._padded: str | None = None
        self.name = f"{memory_id}\0{backend_id}".lower()
        self.shown = f"{self.name}\0{image_path.lower()}\0{self.text.lower}"
        self.everywhere = f"{self.shown}\0{image_id.lower()}" if image_id else self.shown

    @property
    def padded(self) -> str:
        """The tokens of every field between single blanks, so that whole tokens can be looked for."""
        if self._padded is None:
            fields = [*(passage(field).joined for field in self.fields), self.text.joined]
            self._padded = "\0".join([f" {field} " for field in fields])
        return self._padded


class Point:
    """An evidence point as it is compared; an empty id and an empty content match nothing."""

    __slots__ = ("content", "id", "id_padded", "id_parted", "needed", "session")

    def __init__(self, evidence_id: str, content: str) -> None:
        named = passage(evidence_id)
        self.id = named.lower
        self.id_padded = f" {named.joined} " if named.words else ""
        self.id_parted = named.joined != named.lower
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
    flags = contained(gold.content, gold.needed, item.text)
    if gold.id and (gold.id_parted or gold.id in item.everywhere):
        flags |= _identified(item, gold)
    return flags


def _identified(item: Target, gold: Point) -> int:
    flags = 0
    if gold.id in item.shown:
        flags = ID_ANYWHERE | ID_IN_NAME if gold.id in item.name else ID_ANYWHERE
    if gold.id_padded and gold.id_padded in item.padded:
        flags |= ID_AS_WORDS
    return flags


def contained(content: Passage, needed: int, text: Passage) -> int:
    """Which of the two content flags hold; `needed` is 0.75 of the distinct tokens of `content`, rounded up."""
    if not needed:
        return 0
    shared = len(content.words & text.words)
    if shared >= needed:
        return CONTENT_WORDS
    # Only the first and the last token of a content can stand inside longer words.
    if len(content.words) - shared <= 2 and content.joined in text.joined:
        return CONTENT_AS_LETTERS
    return 0


def _tokens(lowered: str) -> list[str]:
    return lowered.translate(_PARTED).split() if lowered.isascii() else _WORD.findall(lowered)
