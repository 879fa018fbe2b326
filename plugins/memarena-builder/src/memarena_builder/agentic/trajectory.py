"""What an agent did and what it came to know, before any of it is a turn, a gold point or a question.

Whatever plays in an environment hands over a `Trajectory`; everything behind it is the same for all environments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from memarena.records import Record

SPEAKER = "the user"
"""The subject of what somebody says of themselves."""
Refusal = Literal["failed action", "guess", "old note"]
"""Why something is not to be believed: the action had no effect, nobody looked, somebody wrote it before it changed."""


class Attribute(Record, frozen=True, kw_only=True):
    """A kind of thing that can be known, and its words; `{S}` stands for the subject, `{V}` for the value."""

    name: str
    point: str
    """The gold sentence, e.g. `{S} is {V}.`."""
    what: str
    """A noun phrase, e.g. `the colour of {S}`."""
    asked: tuple[str, ...]
    """Questions for the value; () where nobody would ask, since most have the same."""
    one: str = ""
    """Where the value is itself a subject: the noun phrase that leads there, e.g. `the thing that {S} is about`."""
    who: str = ""
    """Where the value leads back to one subject: a noun phrase with `{V}`, e.g. `the thing that is {V}`."""
    many: tuple[str, ...] = ()
    """Questions with `{V}` for how many subjects have that value; () where nobody would ask."""
    fixed: bool = False
    """It cannot change, so that nobody asks whether it has."""
    applies: tuple[str, str] | None = None
    """Of a lesson: the attribute and the value that a subject has while it can still be applied to it."""
    cases: tuple[str, ...] = ()
    """Of a lesson: questions that apply it to a case that never was; `{C}` stands for the case."""
    numbered: bool = False
    """The subjects are numbered in the order in which they come, so that nobody has to remember which was first."""
    lesson: bool = False
    """Learnt from a failure or by trying: asked as what was learnt at test time."""
    point_type: str = "State Memory"


class Learnt(Record, frozen=True, kw_only=True):
    """One thing that the agent knows from now on."""

    subject: str
    attribute: str
    value: str
    visual: bool = False
    """Only the picture of the step shows it."""
    importance: float = 0.4
    """0 to 1; a change counts for 0.8 at least."""


class Refused(Record, frozen=True, kw_only=True):
    """Something in the text that is not to be believed."""

    subject: str
    attribute: str
    value: str
    kind: Refusal


class Step(Record, frozen=True, kw_only=True):
    """One look, one decision, one outcome."""

    observation: str
    """Without what only the picture shows."""
    picture: bytes = b""
    """PNG; b"" where there is none."""
    caption: str = ""
    """Neutral: 5 to 40 words that give nothing away."""
    caption_full: str = ""
    seen: tuple[Learnt, ...] = ()
    """Known from the observation or its picture."""
    shows: tuple[Learnt, ...] = ()
    """All that the picture shows of what has a name, be it known before or of no interest to the agent."""
    reasoning: str = ""
    action: str
    feedback: str = ""
    """"" where the action did what it was to do, and there is nothing to say."""
    learnt: tuple[Learnt, ...] = ()
    """Known from the feedback."""
    refused: tuple[Refused, ...] = ()
    told_by: Literal["observation", "reasoning"] = "reasoning"
    """Where what is refused stands."""
    failed: bool = False
    """The action had no effect."""
    ends: bool = False
    """A task ends with this step."""
    day: int = 0
    """Days since the start."""
    moves: tuple[Any, ...] = ()
    """What replays it: the actions of the environment, and what happened to it behind the agent's back."""
    state: str = ""
    """A hash of the state of the environment after the step."""


class Trajectory(Record, frozen=True, kw_only=True):
    """All steps of one sample."""

    environment: str
    """What it was played in, with its settings."""
    world: Any = None
    """What its first state is made of, as JSON has it."""
    attributes: tuple[Attribute, ...]
    steps: tuple[Step, ...]
    called: Mapping[str, str] = {}
    """What some subjects are called in questions, so that not their words alone lead to them."""
    subjects: tuple[tuple[str, str], ...] = ()
    """Subject and attribute that exist and may never be learnt, for questions that cannot be answered."""
    strangers: tuple[tuple[str, str], ...] = ()
    """Subject and attribute for subjects that do not exist."""
    cases: Mapping[str, str] = {}
    """By the subject of a lesson: a case to which nobody has applied it."""

    def attribute(self, name: str) -> Attribute:
        """The attribute of this name; raises KeyError where there is none."""
        found = next((each for each in self.attributes if each.name == name), None)
        if found is None:
            raise KeyError(name)
        return found
