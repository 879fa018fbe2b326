"""What a text states, by the grammar: facts with their cues, nothing of the gold."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from functools import cached_property, lru_cache
from typing import NamedTuple

from memarena_builder.packs.schema import ELEMENTS, Pack, SelfKind, Slot
from memarena_builder.reader.patterns import Grammar, Half, Pattern, Pronoun
from memarena_builder.world.values import number_of, read_day

_WORD = re.compile(r"[a-z]+")
_BLANK = re.compile(r"\{\w+\}")


class Statement(NamedTuple):
    """One fact as a text states it."""

    attribute: str
    subject: str
    """As mentioned: full name or first name; "" for the one who speaks."""
    slots: tuple[tuple[str, str], ...]
    """Blank and value, sorted; empty where it holds no more."""
    element: str
    """Of what a subject has many facts: which one."""
    since: date | None
    """As the text tells, else None."""
    cue: str
    """`correction`, `settled`, `hearsay`, `late`, or "" for none."""
    half: Half = ""
    """`value`: whose it is was not said; `owner`: nothing else was said; "" for a whole statement."""
    pronoun: Pronoun = ""
    """What stands for the subject, where it is not named."""


class Cues:
    """The fixed words by which the grammar marks what is not simply so."""

    def __init__(self, *registers: Pack) -> None:
        self._wordings = [pack.wording for pack in registers]
        pack = registers[0]
        since = pack.writing.since.partition("{clause}")[2]
        day = f"(?P<D>{pack.writing.day_regex()})"
        dated = dict.fromkeys((since, *(frame for wording in self._wordings for frame in wording.dated)))
        frames = (re.escape(frame).replace(re.escape("{D}"), "{D}") for frame in dated)
        self.since = re.compile("|".join(f"(?:{frame})" for frame in frames).replace("{D}", day.replace("?P<D>", "")))
        self._day = re.compile(day)
        self._rumour = pack.writing.hearsay.partition("{clause}")[0].strip(" ,，：").lower()

    def day(self, text: str, start: int) -> date | None:
        """Since when a statement that ends at `start` is true, where the text goes on to say so."""
        found = self.since.match(text, start)
        told = self._day.search(found[0]) if found else None
        return read_day(told["D"]) if told else None

    @cached_property
    def _distractors(self) -> tuple[re.Pattern[str], ...]:
        return tuple(
            _loose(frame) for wording in self._wordings for frames in wording.distractors.values() for frame in frames
        )

    def refuses(self, text: str) -> bool:
        """Whether a text is a distractor."""
        return any(each.search(text) for each in self._distractors)

    def of(self, text: str) -> str:
        """The cue of a text that states a fact."""
        for wording in self._wordings:
            leads = {"correction": wording.corrections, "settled": wording.settled, "hearsay": wording.hearsay}
            for cue, phrases in leads.items():
                if any(phrase.strip() in text for phrase in phrases):
                    return cue
        return "hearsay" if self._rumour in text.lower() else ""


def _loose(frame: str) -> re.Pattern[str]:
    return re.compile(".+?".join(re.escape(piece) for piece in _BLANK.split(frame)))


def read(text: str, grammar: Grammar) -> list[Statement]:
    """All facts that `text` states, distractors left out."""
    return list(_read(text, grammar))


@lru_cache(maxsize=1 << 15)
def _read(text: str, grammar: Grammar) -> tuple[Statement, ...]:
    cues = _cues(grammar)
    if cues.refuses(text):
        return ()
    found: dict[Statement, int] = {}
    runs = (run for run in grammar.runs if run in text)
    for word in dict.fromkeys((*_WORD.findall(text.lower()), *runs)):
        for pattern in grammar.statements.get(word, ()):
            for match in pattern.regex.finditer(text):
                statement = _statement(pattern, match, text, grammar, cues)
                found[statement] = min(match.start(), found.get(statement, match.start()))
    return tuple(_widest(sorted(found, key=lambda each: found[each])))


@lru_cache(maxsize=8)
def _cues(grammar: Grammar) -> Cues:
    return Cues(*grammar.registers)


def _statement(pattern: Pattern, match: re.Match[str], text: str, grammar: Grammar, cues: Cues) -> Statement:
    groups = match.groupdict()
    attribute = pattern.attribute
    slots = {name: _value(groups[name], slot, grammar) for name, slot in attribute.slots.items() if groups.get(name)}
    element = slots.get(ELEMENTS.get(attribute.form, ""), "")
    since = read_day(groups["D"]) if pattern.late else cues.day(text, match.end())
    subject = groups.get("S") or ""
    if attribute.about != SelfKind and not (subject or pattern.pronoun or pattern.half == "value"):
        raise ValueError(f"{attribute.name}: a statement family without its subject")
    kept = () if pattern.gone else tuple(sorted(slots.items()))
    cue = "late" if pattern.late else cues.of(text)
    return Statement(attribute.name, subject, kept, element, since, cue, pattern.half, pattern.pronoun)


def _value(text: str, slot: Slot, grammar: Grammar) -> str:
    if slot.kind == "money":
        return grammar.packs[0].writing.amount.format(number=number_of(text), unit=slot.unit)
    return grammar.canonical.get((slot.pool, text.lower()), text)


def _widest(found: Iterable[Statement]) -> Iterable[Statement]:
    """Without those that say less of the same: a first name where the full name was read too, no day where one was; and
    without whoever `Someone` is taken for where a value has no owner yet."""
    rows = list(found)
    for row in rows:
        rivals = (
            other
            for other in rows
            if other is not row and other.attribute == row.attribute and other.slots == row.slots
        )
        if not any(_says_more(other, row) for other in rivals):
            yield row


def _says_more(one: Statement, other: Statement) -> bool:
    if one.half != other.half:
        return one.half == "value"
    if bool(one.pronoun) is not bool(other.pronoun):
        return bool(one.pronoun)
    same_day = one.since == other.since or other.since is None
    longer = other.subject in one.subject and len(one.subject) > len(other.subject)
    return same_day and (longer or (one.subject == other.subject and one.since != other.since))
