"""What a schema pack holds, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from memarena.records import Record
from memarena_builder.packs.words import Asking, Wording, Writing

Form = Literal[
    "plain", "date", "set", "relation", "schedule", "rule", "exception", "example", "slip", "lesson", "case", "rest",
    "pattern", "unit",
]  # fmt: skip
"""How facts of an attribute behave: one value, a day, many values, a person, a period; a taught rule with a limit, an
exception to it, a case in which it was kept, one in which it was not; a lesson from a failure; where one kind of things
belongs, where all others do; how names are made; in what numbers are counted."""

ELEMENTS: Mapping[Form, str] = {"set": "V", "exception": "C", "case": "C", "example": "X", "slip": "X"}
"""By form of which a subject has many facts: the blank that tells them apart."""

SelfKind = "self"
"""The kind of entity of the one who speaks."""

STEADY = 0.2
"""Share of the time between two changes, on average, within which none comes."""


class Slot(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the values of one blank of an attribute come from; every value is drawn once a sample, persons excepted."""

    kind: Literal["pool", "code", "number", "money", "date", "clock", "count", "person"]
    pool: str = ""
    pattern: str = ""
    """For `code`: `A` stands for a letter, `9` for a digit."""
    low: int = 0
    """For `date`: days after the session in which it is told; it is never on a weekend."""
    high: int = 0
    step: int = 1
    unit: str = ""
    counted: bool = False
    """For `number`: it says how many, and may be written in words, as each amount may."""


class Halves(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fact in two turns, as clauses: `halves.toml`."""

    value: tuple[str, ...]
    """All but whose it is: every blank but `{S}`."""
    owner: tuple[str, ...]
    """Whose it is: `{S}` alone, in words by which the value is known that it goes with."""


class Attribute(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of fact about a kind of entity, and the words for it. `{S}` is the subject, `{V}` the value."""

    name: str
    about: str
    """The kind of entity."""
    form: Form = "plain"
    label: str
    """How a picture calls it."""
    slots: Mapping[str, Slot]
    carriers: tuple[Literal["text", "picture"], ...] = ("text",)
    pictures: tuple[str, ...] = ()
    """Kinds of pictures that can carry it."""
    shown: Literal["text", "colour", "count", "position", "tick", "trend"] = "text"
    """How a picture shows the value."""
    rest: str = ""
    """Where one kind of things belongs: the attribute that tells where all others do."""
    topics: str = ""
    """How names are made: the pool of what they are asked for."""
    importance: float
    """0 to 1, of the gold points."""
    volatility: float = 1.0
    """About how often it changes in a hundred days; 0: never."""
    sums: bool = False
    """Values of two entities can be added."""
    detail_of: str = ""
    """The attribute of the event of which it is a detail; one may be told without the other."""
    point: str
    """The gold sentence; its content words are in every statement."""
    stated: tuple[str, ...]
    gone: str = ""
    """The statement that it holds no more; "" where it always holds."""
    asked: tuple[str, ...]
    asked_all: tuple[str, ...] = ()
    """For where one kind of things belongs: questions for several kinds, `{L}`, at once."""
    what: str
    """A noun phrase, in the words of questions."""
    who: str = ""
    """A noun phrase for the entity by its value `{V}`, in the words of questions."""
    one: str = ""
    """For a relation: a noun phrase for the person, in the words of questions."""
    decider: str = ""
    """For a rule with a limit: a noun phrase for whoever decides a case of `{X}` about `{C}`, in the words of
    questions."""
    role: str = ""
    """The same as `one` in the words of statements, which no statement of the relation itself has."""
    occasions: tuple[str, ...] = ()
    """A whole sentence before the fact: how the speaker comes to speak of it. These four tell nothing of the value,
    so that they fit any; only `{S}` is filled."""
    asides: tuple[str, ...] = ()
    """A whole sentence after the fact that has to do with it."""
    acks: tuple[str, ...] = ()
    """What the assistant answers to it."""
    sent: tuple[str, ...] = ()
    """Hands over a picture that carries it; `{kind}` is filled too."""
    halves: Halves | None = None
    """How it is told in two turns; None: it never is."""

    @property
    def around(self) -> tuple[str, ...]:
        """All that is said around the fact, by either side."""
        return (*self.occasions, *self.asides, *self.acks, *self.sent)

    @property
    def steady(self) -> int:
        """Days that a version holds at least before another follows it in the world."""
        return max(2, round(STEADY * 100 / self.volatility)) if self.volatility else 0

    @property
    def visual(self) -> bool:
        """Whether a picture alone can carry it."""
        return "picture" in self.carriers


class Script(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What tends to happen to one entity over some weeks: `scripts.toml`."""

    name: str
    about: str
    """The kind of entity."""
    arc: Literal["main", "side"]
    """Whether it belongs to what the sample is about, or happens besides."""
    scenes: tuple[tuple[str, ...], ...]
    """By scene the attributes that are told, or that change where they are known; scenes are in different sessions."""


class Pack(Record, frozen=True, kw_only=True):
    """All that one domain in one language is made of."""

    language: str
    domain: str
    working: bool = True
    """Its sessions are on working days."""
    settings: tuple[str, ...]
    roles: tuple[str, ...]
    project_names: tuple[str, ...]
    device_names: tuple[str, ...]
    thing: str
    """The kind of entity that only this domain has."""
    thing_names: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    scripts: tuple[Script, ...]
    """Those of the language whose attributes the domain has."""
    pools: Mapping[str, tuple[str, ...]]
    wording: Wording
    writing: Writing
    asking: Asking
    chat: tuple[tuple[str, ...], ...]
    """Exchanges that tell nothing, the user's turn first; `{person}`, `{project}`, `{device}` and `{thing}` are names
    of such entities."""
    register: str = ""
    """`formal`; "": that in which people type."""
    own_chat: tuple[tuple[str, ...], ...] = ()
    """Those that only this domain has."""

    def attribute(self, name: str) -> Attribute:
        """The attribute of that name; raises KeyError."""
        for each in self.attributes:
            if each.name == name:
                return each
        raise KeyError(name)
