"""Results by the page, as the functions of MemGPT show them to the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memarena.records import MemoryItem

PAGE_SIZE = 5
"""Results on a page (that of MemGPT's released code)."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the results of a search."""

    items: tuple[MemoryItem, ...]
    number: int
    """From 0."""
    total: int
    """Results on all pages."""

    def render(self) -> str:
        """What the model is shown."""
        if not self.items:
            return f"No results on page {self.number} (of {self.total} results)."
        first = self.number * PAGE_SIZE + 1
        head = f"Results {first} to {first + len(self.items) - 1} of {self.total} (page {self.number}):"
        return "\n".join((head, *(f"- {item.text}" for item in self.items)))


def page_of(found: Sequence[MemoryItem], number: int) -> Page:
    """Page `number` of `found`; an empty one beyond the last."""
    start = number * PAGE_SIZE
    return Page(tuple(found[start : start + PAGE_SIZE]), number, len(found))
