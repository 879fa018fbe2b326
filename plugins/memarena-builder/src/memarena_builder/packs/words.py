"""What a schema pack says around facts, and how a language writes: field by field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from string import Formatter

from memarena.records import Record
from memarena_builder.packs.numerals import Spelling


class Wording(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The words around facts: `wording.toml`."""

    greetings: tuple[str, ...] = ()
    """What opens a session, with `{reason}`."""
    reasons: Mapping[str, tuple[str, ...]] = {}
    """By domain: why the user writes, as a whole sentence."""
    greeted: tuple[str, ...] = ()
    introductions: tuple[str, ...]
    """What opens the first session, with `{self}` and, last, `{setting}`."""
    welcome: tuple[str, ...]
    partings: tuple[str, ...] = ()
    """What ends a session."""
    parted: tuple[str, ...] = ()
    topics: Mapping[str, tuple[str, ...]] = {}
    """By kind of entity: what leads into a thread about such, as a whole sentence; "": about anything."""
    openers: tuple[str, ...]
    """Before a fact: a whole sentence, or words that run on into it, as all that stands before one."""
    further: tuple[str, ...] = ()
    """The same where the thread goes on."""
    reminders: tuple[str, ...]
    corrections: tuple[str, ...]
    changes: tuple[str, ...]
    reversions: tuple[str, ...]
    settled: tuple[str, ...]
    hearsay: tuple[str, ...]
    dated: tuple[str, ...]
    """Behind a fact: since when it holds, with `{D}`."""
    late: tuple[str, ...]
    """What held from `{D}` to `{E}`: `{clause}`."""
    met: Mapping[str, tuple[str, ...]] = {}
    """By kind of entity: a whole sentence that brings up somebody, `{S}`, of whom a pronoun then tells more."""
    unowned: Mapping[str, tuple[str, ...]] = {}
    """Behind a value that is told without its owner: a whole sentence that says so, by kind of entity, "" for any
    other; `{one}` is what one of that kind is called."""
    owners: Mapping[str, tuple[str, ...]] = {}
    """What the assistant asks then."""
    found: tuple[str, ...] = ()
    """Before the owner, when it is told."""
    ones: Mapping[str, str] = {}
    """By kind of entity: how one of them is called."""
    replies: tuple[str, ...]
    """What the assistant answers to a fact that brings no answers of its own; may name `{S}`."""
    reactions: Mapping[str, tuple[str, ...]] = {}
    """The same by kind of event (`E3`), of distractor (`joke`), and for `announced`; pictures have `{picture}`."""
    follow_ups: tuple[str, ...] = ()
    """Behind an answer now and then; may name `{S}`."""
    repeats: tuple[str, ...]
    """Repeats a fact, `{point}`."""
    pictured: Mapping[str, tuple[str, ...]] = {}
    """By kind of picture: what is said for `{picture}`, a noun phrase with `{S}`; else `{kind}` and `{S}` stand in the
    frames."""
    picture_mentions: tuple[str, ...]
    picture_beside: tuple[str, ...] = ()
    """Behind a fact that a picture shows too."""
    picture_renewed: tuple[str, ...]
    picture_against: tuple[str, ...]
    picture_replies: tuple[str, ...]
    announced: tuple[str, ...]
    distractors: Mapping[str, tuple[str, ...]]
    """Frames a kind of distractor, each a whole turn with a cue that no other kind has."""
    wondering: tuple[str, ...]
    """What the user asks about `{S}`, to which the assistant guesses."""
    ignored: tuple[str, ...]
    """What the user says who does not take up a guess."""
    kinds: Mapping[str, str]
    """How each kind of picture is called."""


class Writing(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a language writes days, times, names and the sentences of gold: `writing.toml`."""

    day: str
    """With `{year}`, `{day}` and either `{month}`, a name, or `{number}`, that of the month."""
    months: tuple[str, ...] = ()
    weekdays: tuple[str, ...]
    clock: str
    """A time in the week, with `{weekday}` and `{time}`."""
    counts: tuple[str, ...]
    """Small numbers in words, from zero."""
    amount: str = "{number:,} {unit}"
    """How much of something."""
    name: str
    """Of a person, with `{first}` and `{last}`."""
    given: str = ""
    """What a first name looks like, as a regular expression; "": one of the pool `first`."""
    family: str = ""
    """The same for last names and the pool `last`."""
    by_given: float = 0.35
    """Share of mentions of a person by the first name alone."""
    stop: str
    """Ends a sentence."""
    was: tuple[str, str]
    """What tells the present in a gold sentence, and the past in its place."""
    me: str
    """The user, in speech."""
    you: str = ""
    """The user, as the assistant speaks to them; "": by name."""
    mine: tuple[str, str, str] | None = None
    """What makes a name a possessor, what users say of themselves for the two, and what the assistant says to them;
    None: the same as for all others."""
    articles: Mapping[str, str] = {}
    """By kind of entity: how the `{name}` of such stands within a sentence."""
    own: str
    """A regular expression: the user speaks of themselves."""
    span: str
    """What held from `{D}` to `{E}`: `{clause}`."""
    hearsay: str
    since: str
    """What holds from `{D}` on."""
    caption: str
    """Of a picture, with `{kind}` and `{S}`."""
    either: str
    """Between the two of a choice."""
    she: tuple[str, str, str]
    """What stands for a woman who was named: as who does something, as to whom it is done, as whose something is."""
    he: tuple[str, str, str]
    spelled: Spelling = ""
    """The language in whose words numbers may be written."""
    units: Mapping[str, tuple[str, ...]] = {}
    """By unit: its other names; none of them is a unit anywhere."""
    women: tuple[str, ...]
    """First names of women; all others are of men."""
    titles: tuple[str, str]
    """What makes a name that of a woman, and that of a man."""

    def pronoun(self, name: str, first: str) -> tuple[str, str, str] | None:
        """What stands for somebody; `first`: the first name, `name` itself where there is none. None for what is no
        person."""
        if first != name:
            return self.she if first in self.women else self.he
        return next((each for each, title in zip((self.she, self.he), self.titles, strict=True) if title in name), None)

    def write(self, day: date) -> str:
        """A day in words."""
        month = self.months[day.month - 1] if self.months else ""
        return self.day.format(year=day.year, number=day.month, day=day.day, month=month)

    def read(self, text: str) -> date | None:
        """The day that `text` writes; None where it writes none."""
        found = re.fullmatch(self.day_regex(named=True), text)
        if found is None:
            return None
        month = self.months.index(found["month"]) + 1 if self.months else int(found["number"])
        return date(int(found["year"]), month, int(found["day"]))

    def amount_regex(self, unit: str) -> str:
        """What an amount in `unit` looks like."""
        pieces = {None: "", "number": r"\d[\d,]*", "unit": re.escape(unit)}
        return "".join(re.escape(text) + pieces[name] for text, name, _, _ in Formatter().parse(self.amount))

    def day_regex(self, *, named: bool = False) -> str:
        """What a day looks like; `named`: with its pieces as groups."""
        pieces = {"year": r"\d{4}", "day": r"\d{1,2}", "number": r"\d{1,2}", "month": "|".join(self.months)}
        marks = {name: f"(?P<{name}>{piece})" if named else f"(?:{piece})" for name, piece in pieces.items()}
        return re.sub(r"\\{(\w+)\\}", lambda blank: marks[blank[1]], re.escape(self.day))


class Asking(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The frames of questions: `asking.toml`."""

    claim: tuple[str, ...]
    unchanged: tuple[str, ...]
    changed: tuple[str, ...]
    """Which of `{list}` is another than on the day `{D}`."""
    value_at: tuple[str, ...]
    order: tuple[str, ...]
    days: tuple[str, ...]
    count: tuple[str, ...]
    total: tuple[str, ...]
    earliest: tuple[str, ...]
    """Of more than two days, `{list}`."""
    second: tuple[str, ...]
    """The same for the one behind the earliest."""
    span: tuple[str, ...]
    """How many days lie between the earliest and the last of `{list}`."""
    sum: tuple[str, ...]
    """Of more than two numbers, `{list}`."""
    apart: str
    """Between what stands in a `{list}`."""
    which_picture: tuple[str, ...]
    day_unit: str
    yes: str
    no: str
    ordinals: tuple[str, ...]
    counts: tuple[str, ...] = ()
    """Numbers of values in words, from zero; (): those of `writing.toml`."""
    joint: str = ", "
    """Between the members of a set."""
