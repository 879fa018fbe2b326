"""The JSON of one WorldMemArena sample, field by field, as the published files have it.

A file that fits these types exactly is decoded straight into them. Any other goes through `wma_repair`, which makes
it fit and says what was odd. A field that is absent or null is None, unless a default stands here.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct, field

Scalar = str | int | float | bool | None


class RawAttachment(Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A picture of a turn."""

    type: Scalar = None
    caption: str | None = None
    caption_full: str | None = None
    """Our own addition: a caption that tells all; where absent, `caption` is the fullest."""
    image_id: str | None = None
    """E.g. `S04_img_1`."""
    file_path: str | None = None
    """POSIX path relative to the folder of the JSON file."""
    image_path: str | None = None
    """Older name of `file_path`."""


class RawTurn(Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    """One message."""

    role: str | None = None
    content: str = ""
    timestamp: str | None = None
    attachments: tuple[RawAttachment, ...] | None = None
    dialogue_turn: Scalar = None


class RawPoint(Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A gold memory point."""

    memory_id: str | None = None
    session: str | None = field(default=None, name="_session_id")
    memory_content: str | None = None
    memory_type: str | None = None
    memory_source: str | None = None
    """Only the exact text `interference` has a meaning."""
    is_update: bool | str | None = None
    """Published as the texts `True` and `False`."""
    original_memories: tuple[str, ...] | str | None = None
    """Texts of the facts that this one supersedes."""
    importance: float | None = None
    timestamp: str | None = None
    update_type: str | None = None


class RawSession(Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A list of turns."""

    v2_id: str | None = field(default=None, name="_v2_session_id")
    session_id: str | None = None
    """Read where `_v2_session_id` is absent."""
    dialogue: tuple[RawTurn, ...] | None = None
    memory_points: tuple[RawPoint, ...] | None = None
    """Gold of S00 alone."""
    title: Scalar = None
    start_time: Scalar = None
    end_time: Scalar = None

    @property
    def name(self) -> str:
        """The id; "" where there is none."""
        return (self.session_id if self.v2_id is None else self.v2_id) or ""

    @property
    def key(self) -> str:
        """The field in which the id stands."""
        return "session_id" if self.v2_id is None else "_v2_session_id"


class RawBlock(Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The gold points of one session."""

    session_id: str | None = None
    memory_points: tuple[RawPoint, ...] | None = None


class RawEvidence(Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A memory point or a picture; `memory_id` wins where both are there."""

    memory_id: str | None = None
    image_id: str | None = None


class RawQuestion(Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A question with its gold."""

    question: str | None = None
    answer: str | None = None
    evidence: tuple[RawEvidence, ...] | None = None
    question_type: str | None = None
    """E.g. `factual_recall`."""
    question_type_abbrev: str | None = None
    """E.g. `FR`."""
    difficulty: str | None = None


class RawCheckpoint(Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Questions that are asked after the latest of some sessions."""

    checkpoint_id: str | None = None
    covered_sessions: tuple[str, ...] | None = None
    questions: tuple[RawQuestion, ...] | None = None


class RawSample(Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A whole file."""

    sample_id: str | None = None
    sessions: tuple[RawSession, ...] | None = None
    memory_points: tuple[RawBlock, ...] | None = None
    qa_checkpoints: tuple[RawCheckpoint, ...] | None = None
    uuid: Scalar = None
    persona: Scalar = None
    narrative: Scalar = None
    category: Scalar = None


DECODER = msgspec.json.Decoder(RawSample)
"""Raises msgspec.MsgspecError for a file that does not fit, be it only by a field of its own."""
