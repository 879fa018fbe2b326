"""Keeps what texts and pictures told, in order, and answers questions from it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from functools import cache, partial

from memarena.records import NOT_MENTIONED
from memarena_builder.packs.schema import SelfKind
from memarena_builder.plan.state import value_of
from memarena_builder.reader.patterns import Grammar, grammar
from memarena_builder.reader.questions import QuestionGrammar
from memarena_builder.reader.statements import Statement, read
from memarena_builder.validators.problem import numerals
from memarena_builder.world.facts import HEARSAY, OFFICIAL, SAID, Fact, Key, Told, current

EARLIEST = date(1, 1, 1)


class Notebook:
    """The facts that were read so far. Nothing in it comes from gold."""

    def __init__(self, language: str = "en") -> None:
        self.facts: list[Fact] = []
        self.speaker = ""
        self._grammar: Grammar = grammar(language)
        self._questions = question_grammar(language)
        self._full: dict[str, str] = {}
        self._open: dict[str, tuple[Statement, date | None]] = {}
        self._last: dict[str, tuple[str, date | None]] = {}

    def hear(self, text: str, day: date | None = None) -> None:
        """Read one text, said on `day`; later calls are later in time."""
        named = None if self.speaker else _own_name(self._grammar).search(text)
        if named:
            self.speaker = next(filter(None, named.groups()))
        for regex in self._grammar.met:
            for found in regex.finditer(text):
                self._bring_up(self._name(found["S"]), day)
        for statement in read(self._with_names(numerals().as_gold(text)), self._grammar):
            whole = self._whole(statement, day)
            if whole:
                self._note(whole, day)

    def see(self, subject: str, label: str, value: str, image_id: str, day: date | None, *, official: bool) -> None:
        """Take one entry of a picture about `subject`."""
        for attribute in self._grammar.attributes.values():
            about = "person" if attribute.about == SelfKind else attribute.about
            own = attribute.about != SelfKind or subject == self.speaker
            if attribute.label == label and own and self._grammar.is_of(subject, about):
                key = Key(subject, attribute.name)
                held = current(self.facts, key)
                since = held.since if official and held else self._now(day)
                self._add(
                    key, {"V": value}, since, day, authority=OFFICIAL if official else SAID, image_id=image_id
                )  # fmt: skip

    def _whole(self, said: Statement, day: date | None) -> Statement | None:
        """A statement, where it is whole: of halves that of an owner, with the value that was told on the same day."""
        if said.half == "value":
            self._open[said.attribute] = said, day
            return None
        if said.half == "owner":
            value, told = self._open.get(said.attribute, (None, None))
            if value is None or told != day:
                return None
            del self._open[said.attribute]
            said = value._replace(subject=said.subject, half="")
        return self._named(said, day)

    def _named(self, said: Statement, day: date | None) -> Statement | None:
        """A statement with whom its pronoun stands for: the last one of whom something was told that day."""
        if said.pronoun:
            name, named = self._last.get(said.pronoun, ("", None))
            return said._replace(subject=name, pronoun="") if name and named == day else None
        self._bring_up(self._name(said.subject), day)
        return said

    def _bring_up(self, name: str, day: date | None) -> None:
        """Take somebody for whom a pronoun can stand from here on."""
        style = self._grammar.packs[0].writing
        forms = style.pronoun(name, self._grammar.short(name) or name)
        if forms:
            self._last["she" if forms == style.she else "he"] = (name, day)

    def _with_names(self, text: str) -> str:
        """A text with names for those who are called by what they are to something; with dots where that is not
        known."""
        for attribute, regex in self._grammar.roles:
            text = regex.sub(partial(self._who, attribute.name), text)
        return text

    def _who(self, role: str, found: re.Match[str]) -> str:
        held = current(self.facts, Key(self._name(found["S"]), role))
        return held.value if held and held.value else "…"

    def _now(self, day: date | None) -> date:
        return day or EARLIEST + timedelta(days=len(self.facts))

    def _note(self, said: Statement, day: date | None) -> None:
        attribute = self._grammar.attributes[said.attribute]
        key = Key(self._name(said.subject), said.attribute, said.element)
        held = current(self.facts, key)
        slots = dict(said.slots)
        self.know(text for name, text in slots.items() if attribute.slots[name].kind == "person")
        if held and slots and held.value == value_of(attribute, slots) and not said.since and said.cue != "settled":
            return
        since = said.since or self._now(day)
        authority = SAID
        if held and said.cue in ("correction", "settled", "hearsay"):
            since = held.since
            authority = {"settled": OFFICIAL, "hearsay": HEARSAY}.get(said.cue, SAID)
        self._add(key, slots, since, day, authority=authority)

    def _add(
        self, key: Key, slots: dict[str, str], since: date, day: date | None, *, authority: int, image_id: str = ""
    ) -> None:
        attribute = self._grammar.attributes[key.attribute]
        number = len(self.facts)
        self.facts.append(
            Fact(
                fact_id=f"R{number}",
                key=key,
                value=value_of(attribute, slots) if slots else None,
                slots=slots,
                since=since,
                told=Told(number, 0),
                day=day or since,
                authority=authority,
                visual=bool(image_id),
                image_id=image_id,
                kind="E1",
            )
        )

    def _name(self, mention: str) -> str:
        if not mention:
            return self.speaker
        short = self._grammar.short(mention)
        if short:
            self._full.setdefault(short, mention)
        return self._full.get(mention, mention)

    def know(self, names: Iterable[str]) -> None:
        """Learn full names, so that first names alone can be told."""
        for name in names:
            self._name(name)

    def meet(self, keys: Iterable[Key]) -> None:
        """Learn whom a question is about: full names, and who it is that speaks of themselves."""
        for key in keys:
            attribute = self._grammar.attributes[key.attribute]
            if attribute.about == SelfKind:
                self.speaker = key.subject
            elif attribute.about == "person":
                self._name(key.subject)

    def knows(self, key: Key) -> bool:
        """Whether something was read about `key`."""
        return any(fact.key == key for fact in self.facts)

    def answer(self, question: str) -> str:
        """The answer by what was read; the sentence of abstention where it does not tell, or the question is of no
        family."""
        query = self._questions.read(question)
        found = query.evaluate(self.facts) if query else None
        return found.answer if found else NOT_MENTIONED


@cache
def _own_name(grammar: Grammar) -> re.Pattern[str]:
    """How users introduce themselves; a group a frame has the name."""
    said = [frame for pack in grammar.registers for frame in pack.wording.introductions]
    frames = [re.escape(frame.partition("{setting}")[0]) for frame in said]
    return re.compile("|".join(frame.replace(re.escape("{self}"), f"({grammar.person})") for frame in frames))


@cache
def question_grammar(language: str) -> QuestionGrammar:
    """The question families of a language, turned around."""
    return QuestionGrammar(grammar(language))
