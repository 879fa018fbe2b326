"""The JSON of one WorldMemArena sample, field by field, as the published files have it.

`DECODER` takes a file that is exactly so, straight into these types: then every text that stands here as `Text` has a
character, what is `Said` has more than blanks, ids are plain names, paths go down, roles and types are known ones,
weights lie within 0 and 1. Any other file goes through `wma_repair`, which makes it fit as far as it can and says what
was odd; then a text may be empty, and a role, a type or a weight may be any.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct, field

Text = Annotated[str, Meta(min_length=1)]
Said = Annotated[str, Meta(pattern=r"\S")]
"""More than blanks."""
Name = Annotated[str, Meta(pattern=r"^(?!\.+$)[A-Za-z0-9._+=@-]{1,128}$(?!\n)")]
"""An id that can be the name of a file, as `PLAIN_NAME` has it: a JSON Schema knows no `\\Z`."""
Inside = Annotated[str, Meta(min_length=1, pattern=r"^(?!/)(?!(?:[^\n]*/)?\.\.(?:/|$))")]
"""A relative path that stays below its folder."""
Weight = Annotated[float, Meta(ge=0, le=1)]
Role = Literal["user", "assistant", "system", "agent", "environment"]
QuestionType = Literal["FR", "DU", "MB", "MC", "TR", "KR", "TTL", "VFR", "VS", "VU", "CMR"]
Unread = str | int | float | bool | None
"""A field that is known and has no meaning here."""


class RawAttachment(Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A picture of a turn."""

    type: Unread = None
    caption: str = ""
    caption_full: str = ""
    """Our own addition: a caption that tells all; where empty, `caption` is the fullest."""
    image_id: Text
    """E.g. `S04_img_1`."""
    file_path: Inside
    """POSIX path relative to the folder of the JSON file."""
    image_path: str = ""
    """Older name of `file_path`."""


class RawTurn(Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    """One message."""

    role: Role
    content: str
    timestamp: str | None = None
    attachments: tuple[RawAttachment, ...] = ()
    dialogue_turn: Unread = None


class RawPoint(Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A gold memory point."""

    memory_id: Text
    session: str | None = field(default=None, name="_session_id")
    memory_content: Said
    memory_type: str = ""
    memory_source: str = ""
    """Only the exact text `interference` has a meaning."""
    is_update: Literal["True", "False"] | bool = False
    original_memories: tuple[str, ...] | str | None = None
    """Texts of the facts that this one supersedes."""
    importance: Weight | None = None
    timestamp: str | None = None
    update_type: str = ""


class RawSession(Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A list of turns."""

    v2_id: Name | None = field(default=None, name="_v2_session_id")
    session_id: Name | None = None
    """Read where `_v2_session_id` is absent."""
    title: Unread = None
    start_time: Unread = None
    end_time: Unread = None
    dialogue: tuple[RawTurn, ...]
    memory_points: tuple[RawPoint, ...] = ()
    """Gold of S00 alone."""

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

    session_id: str
    memory_points: tuple[RawPoint, ...]


class RawEvidence(Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A memory point or a picture; `memory_id` wins where both are there."""

    memory_id: str = ""
    image_id: str = ""


class RawQuestion(Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A question with its gold."""

    question: Said
    answer: Said
    evidence: tuple[RawEvidence, ...] = ()
    evidence_alternatives: tuple[tuple[RawEvidence, ...], ...] = ()
    """Our own addition: further sets of evidence, each of which is enough as `evidence` is."""
    question_type: str = ""
    """E.g. `factual_recall`."""
    question_type_abbrev: QuestionType
    difficulty: str = ""


class RawCheckpoint(Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Questions that are asked after the latest of some sessions."""

    checkpoint_id: Name
    covered_sessions: tuple[str, ...]
    questions: tuple[RawQuestion, ...]


class RawSample(Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A whole file."""

    sample_id: Name
    uuid: Unread = None
    persona: Unread = None
    narrative: Unread = None
    category: Unread = None
    sessions: Annotated[tuple[RawSession, ...], Meta(min_length=1)]
    memory_points: tuple[RawBlock, ...] = ()
    qa_checkpoints: tuple[RawCheckpoint, ...] = ()


DECODER = msgspec.json.Decoder(RawSample)
"""Raises msgspec.MsgspecError for a file that is not exactly so, be it only by a field of its own."""
