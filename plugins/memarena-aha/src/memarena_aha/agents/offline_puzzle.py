"""How the model `offline` plays a puzzle: it asks which mechanisms matter, and names those that do."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from memarena_aha.puzzle.classes import CHECK, STORY
from memarena_aha.puzzle.schema import CHECKS

__all__ = ["next_question"]

_FREE = (
    "Is somebody dead?",
    "Is a word of the story meant in another way than it seems?",
    "Does a job matter?",
    "Does the time of the day matter?",
    "Does somebody know something that others do not know?",
)
_UNTAUGHT = 2
"""Questions that it asks where its memory says nothing of checks."""
_STORY = re.compile(r"A strange story: (.*)")


def next_question(seen: str, known: Collection[str], memory: str) -> tuple[str, dict[str, Any]]:
    """The next call after what was seen last; `known` are the tools that there are."""
    told = seen.partition("You have asked:\n")[2].partition("\n\n")[0]
    asked = [line for line in told.splitlines() if line.startswith("- ")]
    story = _STORY.search(seen)
    retold = story[1][:300] if story else ""
    most = len(CHECKS) if "check" in memory.casefold() else _UNTAUGHT
    if "ask" in known and len(asked) < most:
        return "ask", {"template": CHECKS[len(asked)], "subject": STORY, "value": CHECK}
    if "ask_text" in known and len(asked) < min(most, len(_FREE)):
        return "ask_text", {"text": _FREE[len(asked)]}
    if "ask" in known:
        confirmed = [check for check in CHECKS if any(f" {check} {STORY} {CHECK}? yes" in line for line in asked)]
        return "solve", {"checks": confirmed}
    return "solve", {"text": retold}
