"""Numbers of things in what commands say."""

from __future__ import annotations


def counted(number: int, thing: str) -> str:
    """`1 sample`, `1,200 samples`."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
