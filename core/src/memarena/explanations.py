"""What became of one question, from the turn that told its evidence to the verdict on its answer.

A scorer that can tell has `explain(record, labels) -> Iterator[Explanation]`, with the record of a sample and the
labels of its own requests; reports and `memarena explain` show what it gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, Protocol

from memarena.records import Label, MemoryChange, Record, SampleRecord

Held = Literal["not told", "active", "kept", "stale", "absent", "unknown"]
"""How a fact stands after a session: an active item states it, only one that is not active does, only an older version
is active, nothing states it, or its judgement failed."""


class ToldTurn(Record, frozen=True, kw_only=True):
    """A turn in which evidence was told."""

    turn_id: str
    session_id: str
    time: str | None = None
    text: str


class SessionStory(Record, frozen=True, kw_only=True):
    """What one session did to one piece of evidence."""

    session_id: str
    held: Held
    changes: tuple[MemoryChange, ...] = ()
    """The changes whose text states it, or an older version of it."""


class EvidenceStory(Record, frozen=True, kw_only=True):
    """One piece of evidence, from its telling to the answerer."""

    evidence_id: str
    content: str
    image_id: str = ""
    session_id: str | None = None
    replaces: tuple[str, ...] = ()
    told: tuple[ToldTurn, ...] = ()
    """The turns that told it; where the data set names none, those of its session that have most of its words."""
    sessions: tuple[SessionStory, ...] = ()
    """From the session that told it to the checkpoint; empty where the state of the system is not visible."""
    ranks: tuple[int, ...] = ()
    """Places (from 1) of the retrieved items that state it alone."""
    retrieved: bool | None = None
    """Whether the whole list states it; None: not known."""
    shown: bool | None = None


class ListedItem(Record, frozen=True, kw_only=True):
    """An item that was retrieved."""

    rank: int
    memory_id: str
    text: str
    score: float | None = None
    image_id: str = ""
    sources: tuple[str, ...] = ()
    """The sessions that it comes from."""
    evidence: tuple[str, ...] = ()
    """Ids of the evidence that it states."""
    shown: bool = True


class Explanation(Record, frozen=True, kw_only=True):
    """One question of one cell."""

    label: str
    sample_id: str
    question_id: str
    checkpoint_id: str
    after_session: str
    question: str
    type: str
    reference: str
    answer: str
    answer_error: str = ""
    verdict: str | None = None
    """The label of the answer; None: its judgement failed."""
    verdict_reason: str = ""
    lost_at: str | None = ""
    """The stage that lost it; "" where nothing was lost, None where it cannot be said."""
    reason: str = ""
    evidence: tuple[EvidenceStory, ...] = ()
    items: tuple[ListedItem, ...] = ()
    cut: str = ""
    """What the budgets cut; "" where nothing."""


class Explainer(Protocol):
    """A scorer that can explain."""

    name: str

    def explain(self, record: SampleRecord, labels: Mapping[str, Label | None]) -> Iterator[Explanation]:
        """One explanation a question, in the order in which they were asked."""
        ...
