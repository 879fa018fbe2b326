"""How failures of an agent are met: the same in all parts and arms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from memarena import codec
from memarena.records import Record

__all__ = ["BAD_IN_A_ROW", "MEMORY_ERRORS", "MOST_STEPS", "REFLECTION_WORDS", "Limits", "refused", "taken"]

BAD_IN_A_ROW: Mapping[str, int] = {"puzzle": 5, "euler": 3, "vending": 25}
"""So many actions in a row that cannot be read end an episode, with what was earned so far; 5 in any other part."""
MOST_STEPS: Mapping[str, int] = {"puzzle": 400, "euler": 200, "vending": 100_000}
"""Actions of an episode, where its own rules do not end it; an agent that goes on is out of time. 1,000 elsewhere."""
MOST_BYTES = 64 << 10
"""Of one action as JSON; a longer one cannot be read."""
MEMORY_ERRORS = 0.1
"""An arm is not valid where a larger share of its memory's retrievals failed, or of the calls that it learns from."""
REFLECTION_WORDS = 120
"""Of a reflection; the rest is cut."""


class Limits(Record, frozen=True, kw_only=True):
    """Seconds that an agent may take."""

    step: float = 300.0
    episode: float = 21_600.0


def taken(action: Any) -> Any:
    """`action` as plain JSON, as an episode is given it; what is none, or floods, is an action that cannot be read."""
    try:
        data = codec.encode(action)
        if len(data) > MOST_BYTES:
            return {"unreadable": f"{len(data)} bytes"}
        return msgspec.json.decode(data)
    except Exception as error:
        # What an agent returns may be any object, and raise anything when it is looked at.
        return {"unreadable": type(error).__name__}


def refused(action: Any) -> str | None:
    """What an agent said where it declined to play on; None where it did not."""
    if isinstance(action, Mapping) and "refusal" in action:
        return str(action["refusal"])[:500]
    return None
