"""The three readings of every score."""

from __future__ import annotations

from typing import Literal

from memarena.errors import UsageError

Variant = Literal["paper", "release", "strict"]

VARIANTS: tuple[Variant, ...] = ("paper", "release", "strict")
"""As the paper (arXiv 2605.29341) defines it, as its released code computes it, and with the faults of both mended."""


def checked(variant: str) -> Variant:
    """`variant` itself; raises UsageError where there is no such variant."""
    for known in VARIANTS:
        if variant == known:
            return known
    raise UsageError(f"variant {variant!r} is not known; choose one of {', '.join(VARIANTS)}")
