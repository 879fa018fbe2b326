"""What a scorer sees of a finished cell: its sessions, its questions, the whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from memarena.records.answers import Answer, Shown
from memarena.records.base import Record
from memarena.records.data import Question, Sample, Session
from memarena.records.memory import Capabilities, MemoryChange, MemoryItem, Retrieval


class SessionRecord(Record, frozen=True, kw_only=True):
    """One session of one cell, as a scorer sees it."""

    kind: ClassVar[str] = "session"
    label: str
    sample_id: str
    regime: str
    domain: str
    index: int
    """Zero-based place of the session."""
    session: Session
    changes: tuple[MemoryChange, ...] = ()
    snapshot: tuple[MemoryItem, ...] = ()
    """All that is kept after the session."""
    capabilities: Capabilities
    seconds: Mapping[str, float] = {}
    """Seconds by stage: `write`, `snapshot`, `delta`."""

    @property
    def unit(self) -> str:
        """Id of the session: what a row (`Stat`) of it is about."""
        return self.session.session_id


class QuestionRecord(Record, frozen=True, kw_only=True):
    """One question of one cell, as a scorer sees it."""

    kind: ClassVar[str] = "question"
    label: str
    sample_id: str
    regime: str
    domain: str
    checkpoint_id: str
    session_index: int
    """Zero-based place of the session after which it was asked."""
    question: Question
    retrieval: Retrieval
    sources: tuple[tuple[str, ...], ...] = ()
    """By rank: the sessions in which the item appeared or its text changed, up to now."""
    held_in: tuple[str | None, ...] = ()
    """By rank: the latest session whose snapshot held the item."""
    shown: Shown = Shown()
    answer: Answer
    capabilities: Capabilities
    images: Mapping[str, str] = {}
    """Every picture id of the sample and its session, later sessions included."""
    seconds: Mapping[str, float] = {}
    """Seconds by stage: `retrieve`, `answer`."""
    top_k: int = 10

    @property
    def unit(self) -> str:
        """Id of the question: what a row (`Stat`) of it is about."""
        return self.question.question_id

    @property
    def reference(self) -> str:
        """The gold answer."""
        return self.question.reference


class SampleRecord(Record, frozen=True, kw_only=True):
    """The whole history of one cell, as a scorer sees it."""

    kind: ClassVar[str] = "sample"
    label: str
    sample: Sample
    sessions: tuple[SessionRecord, ...]
    questions: tuple[QuestionRecord, ...]
    capabilities: Capabilities

    @property
    def sample_id(self) -> str:
        """Id of the sample."""
        return self.sample.sample_id

    @property
    def unit(self) -> str:
        """Id of the sample: what a row (`Stat`) of it is about."""
        return self.sample.sample_id
