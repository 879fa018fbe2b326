"""What the turns of an agent's work state: where things are, what a task was about, what helped. No picture is read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import NamedTuple

from memarena_builder.agentic.craft.words import LEVELS, STOCKS
from memarena_builder.agentic.craft.words import TASKS as CRAFT
from memarena_builder.agentic.desk.words import TASKS as DESK
from memarena_builder.agentic.grid.words import ERRANDS
from memarena_builder.reader.asked import PLACES, read
from memarena_builder.world.facts import Fact, Key, Told, current

EARLIEST = date(1, 1, 1)
_THING = r"the [a-z]+ [A-Z][a-z]+"
_NAMED = _THING.replace("the", "[Tt]he")
_WHERE = r"(?:in|on) [^.:]+?"
_SAYINGS = tuple(
    (attribute, re.compile(pattern))
    for attribute, pattern in (
        ("about", r"^Observation: (?P<S>(?:Task|Errand) \d+): (?P<T>.+?)\. (?:You are|The \w+ application)"),
        ("joins", rf"Right before you: (?P<S>{_THING}) between (?P<V>the \w+ and the \w+), \w+\."),
        ("state", rf"Right before you: (?P<S>{_THING}) between [^,]+, (?P<V>open|closed|locked)\."),
        ("place", rf"Right before you: (?P<S>{_THING}) (?P<V>{_WHERE})\."),
        ("place", rf"You are (?P<V>in the \w+) \(.+Right before you: (?P<S>{_THING})\."),
        ("place", rf"Selected: (?P<S>{_THING}) (?P<V>{_WHERE})\."),
        ("place", rf"(?:^Feedback: |succeeded: )(?P<S>{_NAMED}) is now (?P<V>{_WHERE})\."),
        ("value", rf"^Feedback: \w+ of (?P<S>{_THING}): (?P<V>\S+)\.$"),
        ("state", rf"(?:succeeded: |fits, )(?P<S>{_THING}) is now (?P<V>open|closed)\."),
        ("state", rf"failed: (?P<S>{_THING}) is (?P<V>locked)\."),
        ("opens with", rf"succeeded: (?P<V>{_THING}) fits, (?P<S>{_THING}) is now open\."),
        ("remedy", r"^Feedback: (?P<V>[^:]+): .+ can be changed now\. This was (?P<S>(?:in|on) [^.]+)\."),
        ("source", r"succeeded: (?:with [^,]+, )?(?P<S>[a-z ]+) was to be had (?P<V>in [^.]+)\."),
        ("needs", r"succeeded: with (?P<V>[^,]+?)(?: beside you)?, (?P<S>[a-z ]+?) (?:is made|was to be had)"),
        ("outcome", r"(?:^Feedback: | )(?P<S>(?:Task|Errand) \d+) is (?P<V>done|given up)\."),
    )
)


_ALONE = tuple(each.capitalize() for each in (*STOCKS, *LEVELS, "fresh", "a", "in", "on"))
_VALUES = {"place": "(?:in|on) .+", "state": "open|closed|locked", "outcome": "done|given up"}
"""What a value looks like, for attributes that are put in the same words."""


class Stated(NamedTuple):
    """One thing that a turn states."""

    subject: str
    attribute: str
    value: str


@cache
def _about() -> Sequence[re.Pattern[str]]:
    """The words of tasks, turned around: what each is about."""
    out = []
    for family in (ERRANDS, DESK, CRAFT):
        for template in (text for texts in family.values() for text in texts):
            pieces = re.split(r"\{(\w)\}", template)
            first = next((piece for piece in pieces[1::2] if piece in "AS"), "")
            regex = "".join(
                (f"(?P<S>{_THING}|[a-z ]+?)" if piece == first else ".+?") if place % 2 else re.escape(piece)
                for place, piece in enumerate(pieces)
            )
            out.append(re.compile(regex))
    return out


@cache
def _points() -> Sequence[tuple[str, re.Pattern[str]]]:
    """The sentences in which a memory keeps what was learnt, turned around."""
    out = {}
    for attribute in (each for place in PLACES for each in place):
        blanks = {"S": "(?P<S>[^:.,]+?)", "V": f"(?P<V>{_VALUES.get(attribute.name, '.+')})"}
        pieces = re.split(r"\{(\w)\}", attribute.point)
        regex = "".join(blanks[piece] if place % 2 else re.escape(piece) for place, piece in enumerate(pieces))
        out[attribute.name, regex] = re.compile(f"(?i:{regex[:1]}){regex[1:]}" if pieces[0] else regex)
    return [(name, pattern) for (name, _), pattern in out.items()]


@lru_cache(maxsize=1 << 15)
def statements(text: str) -> tuple[Stated, ...]:
    """All that a turn states, in the order in which it is listed here; or what a sentence of a memory does."""
    return tuple(_statements(text))


def _statements(text: str) -> Iterator[Stated]:
    for attribute, regex in _points():
        match = regex.fullmatch(text)
        if match:
            yield Stated(_small(match["S"]), attribute, match["V"])
    for attribute, regex in _SAYINGS:
        for match in regex.finditer(text):
            groups = match.groupdict()
            subject = _small(groups["S"])
            value = _thing_of(groups["T"]) if "T" in groups else groups["V"]
            if value:
                yield Stated(subject, attribute, value)


def _small(subject: str) -> str:
    """A subject as it stands within a sentence; districts have a capital of their own."""
    first = subject.split(maxsplit=1)[0]
    return subject[:1].lower() + subject[1:] if first in ("The", "Task", "Errand", *_ALONE) else subject


def _thing_of(task: str) -> str:
    """What a task is about; of two in a row the first."""
    first = task.split(", then ", 1)[0]
    found = [match["S"] for regex in _about() if (match := regex.fullmatch(first))]
    named = [each for each in found if re.fullmatch(_THING, each)]
    return min(named or found, key=len, default="")


class Diary:
    """What was read of an agent's work so far, in order."""

    def __init__(self) -> None:
        self.facts: list[Fact] = []

    def hear(self, text: str, day: date | None = None) -> None:
        """Read one turn, of `day`; later calls are later in time."""
        for stated in statements(text):
            self._note(stated, day or EARLIEST + timedelta(days=len(self.facts)))

    def _note(self, stated: Stated, day: date) -> None:
        key = Key(stated.subject, stated.attribute)
        held = current(self.facts, key)
        if held is not None and held.value == stated.value:
            return
        number = len(self.facts)
        slots: Mapping[str, str] = {"V": stated.value}
        self.facts.append(
            Fact(
                fact_id=f"W{number}",
                key=key,
                value=stated.value,
                slots=slots,
                since=day,
                told=Told(number, 0),
                day=day,
                kind="E2" if held else "E1",
            )
        )

    def knows(self, key: Key) -> bool:
        """Whether something was read about `key`."""
        return any(fact.key == key for fact in self.facts)

    def answer(self, question: str) -> str:
        """The answer by what was read; "" where it does not tell, or the question is of no family."""
        for query in read(question):
            found = query.evaluate(self.facts)
            if found:
                return found.answer
        return ""
