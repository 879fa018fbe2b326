"""What an answerer sees of a retrieval, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memarena.records.base import Record


class ShownItem(Record, frozen=True, kw_only=True):
    """An item as the answerer sees it."""

    rank: int
    """Place in the retrieved list, from 1."""
    memory_id: str
    text: str
    image_id: str = ""
    image_path: str = ""
    """"" where the picture was not handed over."""


class Shown(Record, frozen=True, kw_only=True):
    """What is left of a retrieval after the budgets of items, tokens and pictures."""

    items: tuple[ShownItem, ...] = ()
    tokens: int = 0
    """Estimated tokens of all texts."""
    cut_items: int = 0
    cut_tokens: int = 0
    cut_pictures: int = 0


class Answer(Record, frozen=True, kw_only=True):
    """An answer; an empty text means that the system gave none."""

    question_id: str
    text: str
    cited: tuple[str, ...] = ()
    """Ids of the items it rests on, where known."""
    error: str = ""
    """Why there is no answer; "" where there is one."""
    metadata: Mapping[str, Any] = {}
