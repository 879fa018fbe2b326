"""The host of structured questions: the puzzle as one table, so that an answer is one look-up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from memarena_aha.puzzle.classes import CHECK, GROUPS, IMPLIED, ONE_OF, STORY, TEMPLATES, Form, parse_form
from memarena_aha.puzzle.schema import CHECKS, Check, Label, Puzzle

__all__ = ["NOTHING", "Answer", "Graph"]

_COUNT = re.compile(r"(?P<sign>[<>=])\s*(?P<number>\d{1,9})")


class Answer(NamedTuple):
    """What the host says, and what that was about."""

    label: Label | str
    """`yes`, `no`, `irrelevant` or `unclear`; the answer itself to a short question."""
    about: str = ""
    """`K1`, `support 2`, `distractor 3`, `noise 4`, `check rule`, or "" for what is not listed."""
    hits: tuple[str, ...] = ()
    """The key facts that the answer confirms."""


NOTHING = Answer("irrelevant")


class Graph:
    """The compiled facts of one puzzle; raises ValueError where they contradict each other."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.entities = puzzle.entities
        self.table: dict[Form, Answer] = {}
        self._compile(puzzle)
        self.shorts = {tuple(short.ask.split()): short.answer for short in puzzle.short}
        for entity, count in puzzle.counts.items():
            self.shorts.setdefault(("how_many", entity), str(count))

    def ask(self, template: str, subject: str, value: str = "") -> Answer:
        """The answer to a structured question; what is not listed is irrelevant."""
        if template == "count":
            return self._compare(subject, value)
        return self.table.get(Form(template, subject, value), NOTHING)

    def ask_short(self, word: str, subject: str) -> Answer:
        """The minimal answer to who, what, where or how many; irrelevant where there is none."""
        answer = self.shorts.get((word, subject))
        return Answer(answer, f"{word} {subject}") if answer else NOTHING

    def slots(self) -> Mapping[str, tuple[Form, ...]]:
        """Key fact -> the forms that fill its slot, the first of which names the slot."""
        found = {}
        for fact in self.puzzle.key:
            forms = [parse_form(text, self.entities) for text in fact.yes]
            found[fact.id] = tuple(form for form in forms if form[:2] == forms[0][:2])
        return found

    def _compile(self, puzzle: Puzzle) -> None:
        for fact in puzzle.key:
            for label, texts in (("yes", fact.yes), ("no", fact.no)):
                for text in texts:
                    self._put(text, Answer(label, fact.id, (fact.id,)))
        for name, label, facts in (
            ("support", "yes", puzzle.support),
            ("distractor", "no", puzzle.distractors),
            ("noise", "irrelevant", puzzle.noise),
        ):
            for number, row in enumerate(facts, 1):
                if row.ask:
                    self._put(row.ask, Answer(label, f"{name} {number}"))
        self._imply()
        self._exclude()
        for check in CHECKS:
            self.table[Form(check, STORY, CHECK)] = self._general(check)

    def _general(self, check: Check) -> Answer:
        """Whether a mechanism is at work: a key fact is an instance of it, or something of its kind is true."""
        told = [answer for form, answer in self.table.items() if form[:2] == (check, STORY) and answer.label == "yes"]
        named = {fact.id for fact in self.puzzle.key if fact.check == check}
        named.update(name for answer in told for name in answer.hits)
        hits = tuple(fact.id for fact in self.puzzle.key if fact.id in named)
        return Answer("yes" if hits or told else "no", f"check {check}", hits)

    def _put(self, text: str, answer: Answer) -> None:
        form = parse_form(text, self.entities)
        there = self.table.get(form)
        if there is not None and there.label != answer.label:
            raise ValueError(f"{text!r} is {there.label} ({there.about}) and {answer.label} ({answer.about})")
        if there is not None and there.hits:
            answer = there._replace(hits=tuple(dict.fromkeys((*there.hits, *answer.hits))))
        self.table[form] = answer

    def _imply(self) -> None:
        """What follows from what is true, until nothing new follows; it confirms the same key facts."""
        waiting = [(form, answer) for form, answer in self.table.items() if answer.label == "yes"]
        while waiting:
            form, answer = waiting.pop()
            for template, value, holds in IMPLIED.get((form.template, form.value), ()):
                follows = Form(template, form.subject, value)
                implied = answer._replace(label="yes" if holds else "no")
                if self.table.get(follows, implied).label != implied.label:
                    raise ValueError(f"{' '.join(form)!r} implies {' '.join(follows)!r}, which is told otherwise")
                if follows not in self.table:
                    self.table[follows] = implied
                    if holds:
                        waiting.append((follows, implied))

    def _exclude(self) -> None:
        """Where a value of a one-of group is true, those not listed are false; so is an order the other way round."""
        true = [form for form, answer in self.table.items() if answer.label == "yes"]
        for form in true:
            if form.template == "order":
                self.table.setdefault(Form("order", form.value, form.subject), Answer("no", "the other way round"))
            for group in TEMPLATES[form.template]:
                if group in ONE_OF and form.value in GROUPS[group]:
                    for other in _siblings(form, group):
                        self.table.setdefault(other, Answer("no", f"other than {form.value}"))

    def _compare(self, subject: str, value: str) -> Answer:
        match = _COUNT.fullmatch(value.strip())
        count = self.puzzle.counts.get(subject)
        if not match or count is None:
            return NOTHING
        number = int(match["number"])
        holds = {"<": count < number, ">": count > number, "=": count == number}[match["sign"]]
        return Answer("yes" if holds else "no", f"count {subject}")


def _siblings(form: Form, group: str) -> Iterable[Form]:
    return (Form(form.template, form.subject, term) for term in GROUPS[group])
