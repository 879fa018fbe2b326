"""How much there is to be in a sample."""

from __future__ import annotations

from memarena.records import Record


class Quota(Record, frozen=True, kw_only=True, omit_defaults=False):
    """Targets of one sample."""

    sessions: int
    points: int = 10
    """Gold points a session, updates among them."""
    updates: int = 3
    distractors: int = 2
    pictures: int = 4
    rounds: int = 16
    """Turns of the user a session, filled up with chit-chat."""
    checkpoints: int = 5
    language: str = "en"
