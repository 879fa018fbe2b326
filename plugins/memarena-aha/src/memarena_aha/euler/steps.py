"""How many lines of Python a solver runs, and an end to it where they are too many."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

__all__ = ["StepLimit", "count_steps"]


class StepLimit(Exception):
    """More lines were run than are allowed."""


def count_steps(solver: Callable[..., int], params: Mapping[str, object], limit: int) -> tuple[int, int]:
    """The answer and the number of lines and calls run, loops inside one line counted anew each time round.

    Raises StepLimit as soon as there are more than `limit`.
    """
    lines = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal lines
        if event in ("line", "call"):
            lines += 1
        if lines > limit and event == "line":  # what is raised at the call of a generator that is closed is lost
            raise StepLimit
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        answer = solver(**params)
    finally:
        sys.settrace(before)
    return answer, lines
