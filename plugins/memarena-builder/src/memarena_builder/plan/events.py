"""What a plan holds: events by session, and the pictures that they share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Literal

from memarena.records import Record
from memarena_builder.pictures.spec import PictureSpec
from memarena_builder.world.cast import Cast
from memarena_builder.world.facts import EventKind, Fact, Key

Distraction = Literal[
    "hypothetical", "joke", "cancelled", "guess", "hearsay", "story", "stranger", "namesake", "stale"
]  # fmt: skip
"""The kinds of distractors: a thought experiment, a joke, a plan called off, a guess of the assistant that nobody
confirms, talk of somebody without authority, an old value in a story, somebody else with the same attribute, a
namesake, an outdated picture sent again."""

DISTRACTIONS: tuple[Distraction, ...] = (
    "hypothetical", "joke", "cancelled", "guess", "hearsay", "story", "stranger", "namesake", "stale",
)  # fmt: skip


Arc = Literal["main", "side"]
"""Whether a storyline belongs to what a sample is about, or happens besides."""


class Event(Record, frozen=True, kw_only=True):
    """One thing that is said in a session."""

    event_id: str
    """Unique within the sample, e.g. `S04:E07`."""
    kind: EventKind | Literal["distractor", "announced"]
    fact: Fact | None = None
    """What becomes known; None where nothing does."""
    mentions: str = ""
    """Id of the fact that is only mentioned again (E15), that a paper confirms against a rumour (E6), or whose
    consequences nobody says (E7)."""
    dated: bool = False
    """The words tell since when it is true."""
    until: date | None = None
    """For a late report: the day on which the version that is known already began."""
    image_id: str = ""
    """The picture that is sent with it."""
    distraction: Distraction | None = None
    claim: Key | None = None
    """What a distractor is about."""
    slots: Mapping[str, str] = {}
    """The values that a distractor claims."""
    other: str = ""
    """Who is quoted by a distractor, or the person outside whom it is about."""
    thread: int = 0
    """Events of a session with the same number are told one after the other, on one topic."""
    story: str = ""
    """The storyline that it is a scene of; "" for none."""
    arc: Arc | Literal[""] = ""
    """That of the storyline."""


class SessionPlan(Record, frozen=True, kw_only=True):
    """One session before it has words."""

    session_id: str
    index: int
    day: date
    events: tuple[Event, ...]
    """In the order in which they are said."""


class Plan(Record, frozen=True, kw_only=True):
    """All that happens in one sample."""

    cast: Cast
    sessions: tuple[SessionPlan, ...]
    pictures: dict[str, PictureSpec]
    """By picture id."""
    reserved: tuple[Key, ...]
    """Keys that are never told, for questions that cannot be answered."""
    announced: tuple[Key, ...]
    """Of these the keys that a picture would have told which was announced and never sent."""

    def events(self) -> Iterator[Event]:
        """All events in order."""
        for session in self.sessions:
            yield from session.events

    def facts(self, until: int | None = None) -> tuple[Fact, ...]:
        """All facts in the order in which they were told; `until`: those of the sessions up to this place only."""
        return tuple(
            event.fact
            for session in self.sessions
            if until is None or session.index <= until
            for event in session.events
            if event.fact is not None
        )
