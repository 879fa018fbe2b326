"""The block of memory as an agent sees it: items as the memory formatted them, cut to a budget of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from memarena.meter import estimate_tokens

__all__ = ["BETWEEN", "Block", "block_of", "cut"]

BETWEEN = "\n\n"


class Block(NamedTuple):
    """What fits the budget."""

    text: str
    items: tuple[str, ...]
    """Those in it; the end of the last one may be missing."""
    tokens: int
    cut: bool
    """Something did not fit."""


def block_of(items: Sequence[str], budget: int | None) -> Block:
    """The block of `items`, never over `budget`: what does not fit is cut off its end."""
    shown: list[str] = []
    used, cut_off = 0, False
    for item in items:
        tokens = _tokens(item)
        if budget is not None and used + tokens > budget:
            piece = cut(item, budget - used)
            if piece:
                shown.append(piece)
                used += estimate_tokens(piece)
            cut_off = True
            break
        if item:
            shown.append(item)
            used += tokens
    return Block(BETWEEN.join(shown), tuple(shown), used, cut_off)


@lru_cache(maxsize=50_000)
def _tokens(item: str) -> int:
    """The same items are shown again and again: each is counted once."""
    return estimate_tokens(item)


def cut(text: str, tokens: int) -> str:
    """The longest beginning of `text` that ends with a whole word and has at most so many tokens."""
    if tokens <= 0:
        return ""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(text[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    if low < len(text) and text[low - 1 : low].isalnum() and text[low].isalnum():
        low = max(text.rfind(" ", 0, low), text.rfind("\n", 0, low), 0)
    return text[:low].rstrip()
