"""What a data set holds: sessions, gold, questions with their references, checkpoints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from memarena.records.base import Record
from memarena.records.dialogue import Attachment, Turn

NOT_MENTIONED = "Not mentioned in memory."
"""The reference answer of an unanswerable question, and how a system abstains."""

AXES: Mapping[str, tuple[str, ...]] = {
    "basic": ("FR",),
    "robustness": ("DU", "MB", "MC"),
    "reasoning": ("TR", "KR", "TTL"),
    "multimodal": ("VFR", "VS", "VU", "CMR"),
}
"""The axes and their question types (paper, table 4)."""

TYPES: tuple[str, ...] = tuple(name for names in AXES.values() for name in names)
"""The eleven question types, in the order of the axes."""


class GoldPoint(Record, frozen=True, kw_only=True, gc=False):
    """A fact that should be in memory after a session (new, update), or should be refused (interference)."""

    memory_id: str
    content: str
    session_id: str
    kind: Literal["new", "update", "interference"] = "new"
    importance: float | None = None
    """0 to 1; None where the data set does not say."""
    replaces: tuple[str, ...] = ()
    """Texts of the facts that an update supersedes."""
    update_type: str = ""
    point_type: str = ""
    """E.g. `Persona Memory`; passed through."""
    source: str = ""
    time: str | None = None
    modality: str = ""
    """`text`, `visual`, `mixed`, or "" where unknown."""
    fact_kind: str = ""
    """`stated`, `tool feedback`, `failed action`, `visual detail`, `cause`, or "" where unknown."""
    turn_ids: tuple[str, ...] = ()
    image_ids: tuple[str, ...] = ()


class Evidence(Record, frozen=True, kw_only=True, gc=False):
    """A point that a question rests on. It stays where it cannot be resolved, with content None."""

    evidence_id: str
    content: str | None = None
    """The gold content, or `image_id: <id>` for a picture; None where unresolved."""
    session_id: str | None = None
    turn_ids: tuple[str, ...] = ()
    image_id: str = ""
    """Set where the evidence is a picture."""
    caption: str = ""
    """The fullest caption of that picture."""
    kind: str = ""
    """`new`, `update`, `interference`, `image`, `turn`, or "" where unresolved."""
    fact_kind: str = ""
    modality: str = ""
    importance: float | None = None
    replaces: tuple[str, ...] = ()


class Question(Record, frozen=True, kw_only=True, gc=False):
    """A question with its gold."""

    question_id: str
    """Unique within the sample: `<checkpoint>:Q001`."""
    text: str
    reference: str
    type: str = "UNKNOWN"
    """One of the eleven, or what the data set says; `UNKNOWN` where it does not."""
    evidence: tuple[Evidence, ...] = ()
    evidence_alternatives: tuple[tuple[Evidence, ...], ...] = ()
    """Further sets of evidence, each of which is enough as `evidence` is; retrieval is scored by the best of all."""
    difficulty: str = ""
    answerable: bool = True
    time: str | None = None
    attachments: tuple[Attachment, ...] = ()
    aliases: tuple[str, ...] = ()
    """Further answers, any of which is as right as `reference`."""
    stale_answers: tuple[str, ...] = ()
    """Answers that were right once, or that a trap suggests."""
    known_wrong: str = ""
    """Why an overlay calls this item's gold wrong; "" where nothing is known against it."""
    raw_type: str = ""

    @property
    def evidence_sets(self) -> tuple[tuple[Evidence, ...], ...]:
        """All sets of evidence, any of which is enough; `evidence` first."""
        return (self.evidence, *self.evidence_alternatives)

    @property
    def right(self) -> str:
        """What people are shown: the reference and, behind `or`, each alias."""
        return " or ".join((self.reference, *self.aliases))


class Checkpoint(Record, frozen=True, kw_only=True, gc=False):
    """A stop after a session at which questions are asked."""

    checkpoint_id: str
    covered: tuple[str, ...]
    after_session: str | None
    """The latest covered session in list order; None: not reachable, its questions are never asked."""
    questions: tuple[Question, ...] = ()


class Session(Record, frozen=True, kw_only=True, gc=False):
    """A conversation, or an episode of an agent, with the gold of what it tells."""

    session_id: str
    turns: tuple[Turn, ...] = ()
    points: tuple[GoldPoint, ...] = ()
    """In file order."""
    time: str | None = None

    def gold(self, *kinds: str) -> tuple[GoldPoint, ...]:
        """The points of these kinds, kind by kind, each in file order."""
        return tuple(point for kind in kinds for point in self.points if point.kind == kind)


class Sample(Record, frozen=True, kw_only=True):
    """Sessions in order of time, with gold and checkpoints."""

    sample_id: str
    """A plain name: letters, digits, `.`, `_`, `-`, `+`, `=`, `@`, at most 128 of them."""
    regime: str = "external"
    """`lifelong`, `agentic` or `external`."""
    domain: str = ""
    """E.g. `lifelong/project/software`."""
    sessions: tuple[Session, ...] = ()
    checkpoints: tuple[Checkpoint, ...] = ()
    dropped_blocks: tuple[str, ...] = ()
    """Gold blocks of sessions that do not exist."""
    meta: Mapping[str, Any] = {}


class Finding(Record, frozen=True, kw_only=True):
    """One oddity of a data set."""

    code: str
    """A short constant name, e.g. `unresolved_evidence`."""
    level: Literal["note", "warning", "refused"]
    message: str
    file: str = ""
    path: str = ""
    """JSON path within the file."""
