"""What becomes a vector, and how much of a text is taken for it."""

from __future__ import annotations

from typing import NamedTuple

from memarena.answering import shorten
from memarena.meter import estimate_tokens
from memarena_qwen3vl.pixels import Pixels

INSTRUCTION = "Represent the user's input."
"""What Qwen3-VL-Embedding was trained with where a task has no instruction of its own."""


class Input(NamedTuple):
    """What becomes one vector: a text, pictures, or both."""

    text: str = ""
    pictures: tuple[Pixels, ...] = ()


def fits(text: str, window: int) -> bool:
    """Whether `text` has at most `window` estimated tokens."""
    return len(text) <= window or estimate_tokens(text) <= window


def beginning(text: str, window: int) -> str:
    """As much of `text` as fits."""
    return text if fits(text, window) else shorten(text, window)
