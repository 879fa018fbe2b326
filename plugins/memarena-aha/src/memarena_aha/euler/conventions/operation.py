"""What an invented operation is: hidden constants, a definition, and two ways to carry it out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

from memarena_aha.euler.values import Span

__all__ = ["Constants", "Operation"]

Constants = dict[str, int]
"""The hidden constants of an operation, by name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Operation:
    """A kind of operation on whole numbers. Which one of its kind is meant, is drawn by seed, as is its name."""

    track: ClassVar[str] = "convention"

    operation_id: str
    """`E01` to `E99`."""
    title: str
    constants: tuple[tuple[str, Span], ...]
    """From what each hidden constant is drawn."""
    taught: Span
    """Numbers whose value is told."""
    asked: Span
    """Numbers that are asked for, with more digits."""
    apply: Callable[..., int]
    """Takes the number and the constants. A plain function that calls nothing but module functions and libraries."""
    apply_slowly: Callable[..., int]
    """The same by other means: digit by digit, bit by bit or step by step; shares no code."""
    define: Callable[..., tuple[str, ...]]
    """The definition in three to six clauses, from the constants; the number is called n."""
    method: tuple[tuple[str, ...], ...]
    """Groups of word stems: a text tells the definition where it has one of each group."""

    def settings(self) -> Iterator[Constants]:
        """All operations of this kind."""
        names = [name for name, _ in self.constants]
        for row in product(*(range(span.low, span.high + 1) for _, span in self.constants)):
            yield dict(zip(names, row, strict=True))
