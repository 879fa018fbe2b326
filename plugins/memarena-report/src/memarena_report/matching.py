"""Which items say what an evidence point says: only for marks in the report, never for a score."""

from __future__ import annotations

import re

from memarena.records import Evidence, RetrievedItem

ENOUGH = 0.75
"""Share of the words of a point that an item must hold to be marked (as in the soft match of the paper)."""

_WORD = re.compile(r"\w+")


def text_of(evidence: Evidence) -> str:
    """What a point says: the caption of a picture, else its content; "" where it cannot be resolved."""
    return (evidence.caption if evidence.kind == "image" else "") or evidence.content or ""


class Words:
    """Word sets, each made once."""

    def __init__(self) -> None:
        self._sets: dict[str, frozenset[str]] = {}

    def of(self, text: str) -> frozenset[str]:
        """The distinct words of `text`, in lower case."""
        found = self._sets.get(text)
        if found is None:
            found = self._sets[text] = frozenset(_WORD.findall(text.lower()))
        return found

    def share(self, point: str, text: str) -> float:
        """The share of the words of `point` that are in `text`; 0 where the point has none."""
        wanted = self.of(point)
        return len(wanted & self.of(text)) / len(wanted) if wanted else 0.0

    def matches(self, evidence: Evidence, item: RetrievedItem) -> bool:
        """The item comes from a turn of the evidence, carries its picture, or holds enough of its words."""
        if not set(evidence.turn_ids).isdisjoint(item.turn_ids):
            return True
        if evidence.image_id and evidence.image_id == item.image_id:
            return True
        return self.share(text_of(evidence), item.text) >= ENOUGH
