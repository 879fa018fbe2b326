"""Every record that passes between the loop and a plugin: frozen, keyword-only, tuples inside.

==============  ============================================================================
`dialogue`      what a system is told and asked; no gold in it
`memory`        what a memory is given to work with, and what it keeps, finds and can do
`answers`       what an answerer sees, and what it answers
`data`          what a data set holds, gold included; no adapter sees it
`history`       what a scorer sees of a finished cell
`judging`       what a judge is asked, and its verdicts
`scores`        what a scorer gives back
==============  ============================================================================

All of them are imported from here: `from memarena.records import Turn`.
"""

from __future__ import annotations

from memarena.records.answers import Answer, Shown, ShownItem
from memarena.records.base import Record
from memarena.records.data import (
    AXES,
    NOT_MENTIONED,
    TYPES,
    Checkpoint,
    Evidence,
    Finding,
    GoldPoint,
    Question,
    Sample,
    Session,
)
from memarena.records.dialogue import AskedQuestion, Attachment, Turn, TurnParts
from memarena.records.history import QuestionRecord, SampleRecord, SessionRecord
from memarena.records.judging import JudgementRequest, Label, Task
from memarena.records.memory import (
    Capabilities,
    Endpoint,
    MemoryChange,
    MemoryItem,
    Op,
    Retrieval,
    RetrievedItem,
    RunContext,
    Status,
)
from memarena.records.scores import Metric, Stat

__all__ = [
    "AXES",
    "Answer",
    "AskedQuestion",
    "Attachment",
    "Capabilities",
    "Checkpoint",
    "Endpoint",
    "Evidence",
    "Finding",
    "GoldPoint",
    "JudgementRequest",
    "Label",
    "MemoryChange",
    "MemoryItem",
    "Metric",
    "NOT_MENTIONED",
    "Op",
    "Question",
    "QuestionRecord",
    "Record",
    "Retrieval",
    "RetrievedItem",
    "RunContext",
    "Sample",
    "SampleRecord",
    "Session",
    "SessionRecord",
    "Shown",
    "ShownItem",
    "Stat",
    "Status",
    "TYPES",
    "Task",
    "Turn",
    "TurnParts",
]
