"""What a system is told and asked: turns, their pictures, questions without gold."""

from __future__ import annotations

from memarena.records.base import Record


class Attachment(Record, frozen=True, kw_only=True, gc=False):
    """A picture of a turn or of a question."""

    image_id: str = ""
    """Id within the sample, e.g. `S04_img_1`."""
    path: str | None = None
    """Absolute path; None where the picture is missing or pictures are switched off."""
    caption: str = ""
    """As the run's `--captions` allows; "" where there is none."""
    caption_full: str = ""
    """The fullest caption the data set has; never shown to an adapter (its `caption` may hold it)."""
    media_type: str = ""
    """E.g. `image/png`; "" where unknown."""
    missing: bool = False
    """The data set names the picture but does not hold it."""


class TurnParts(Record, frozen=True, kw_only=True, gc=False):
    """The parts of a turn in an agent's trajectory, where the data set knows them."""

    observation: str = ""
    reasoning: str = ""
    action: str = ""
    feedback: str = ""


class Turn(Record, frozen=True, kw_only=True, gc=False):
    """One message. `text` always holds the whole: what was said and, for each picture, its id and caption."""

    turn_id: str
    """Unique within the sample, e.g. `S04:T003`."""
    session_id: str
    index: int
    """Zero-based place in the session as the data set has it."""
    role: str = "user"
    """`user`, `assistant`, `system`, `agent`, `environment` or whatever the data set says."""
    speaker: str = ""
    """The speaker's name where the data set has one, else ""."""
    text: str = ""
    body: str = ""
    """`text` without the picture blocks."""
    time: str | None = None
    """As given by the data set, never made up; None where it has none."""
    attachments: tuple[Attachment, ...] = ()
    parts: TurnParts | None = None


class AskedQuestion(Record, frozen=True, kw_only=True):
    """A question as a system sees it: no reference, no evidence, no type."""

    question_id: str
    """Opaque, unique within the sample."""
    text: str
    """The whole: what is asked and, for each picture, its id and caption."""
    time: str | None = None
    attachments: tuple[Attachment, ...] = ()
    budget_tokens: int | None = None
