"""What a file of a puzzle holds, and the puzzle it becomes in one of its skins; see `data/README.md`."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

__all__ = ["CHECKS", "Asked", "Check", "Fact", "KeyFact", "Label", "Puzzle", "Question", "Short", "Words"]

Label: TypeAlias = Literal["yes", "no", "irrelevant"]
Check: TypeAlias = Literal["nature", "order", "place", "literal", "purpose", "rule", "extra", "knows"]
"""A mechanism of puzzles, by the template that asks for it."""
CHECKS: tuple[Check, ...] = ("nature", "order", "place", "literal", "purpose", "rule", "extra", "knows")
Words: TypeAlias = str | tuple[str, ...]
"""Groups of words as `data/README.md` describes them, or several such, of which one is enough."""


class _Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class KeyFact(_Row, frozen=True, kw_only=True):
    """A fact of the solution."""

    id: str
    weight: float
    """0.10 to 0.35; those of a puzzle add up to 1."""
    text: str
    """The fact in one sentence."""
    slot: str
    """The question that the fact answers in a structured solution."""
    yes: tuple[str, ...]
    """Structured questions that the fact answers with yes; the first also names the slot."""
    no: tuple[str, ...] = ()
    """Structured questions that it answers with no."""
    check: Check | Literal[""] = ""
    """The mechanism of which it is an instance."""
    say: Words = ()
    """Words that state it."""
    deny: Words = ()
    """Words that state the opposite: a question with them is answered no, and denying them states the fact."""
    asks: Words = ()
    """Further words by which a question is about the fact; in an explanation they state nothing."""
    unless: str = ""
    """Words with which all of these mean something else."""
    about: str = ""
    """Words one of which a sentence of an explanation must have, to state the fact; questions need none of them."""


class Fact(_Row, frozen=True, kw_only=True):
    """Anything else that can be asked."""

    ask: str = ""
    """The structured question; "" where there is none."""
    text: str = ""
    """The claim in one sentence; every distractor has one."""
    say: Words = ()
    """Words that state it; the words of the structured question's value where there are none."""
    unless: str = ""


class Short(_Row, frozen=True, kw_only=True):
    """A short question with its minimal answer."""

    ask: str
    """`who`, `what`, `where` or `how_many`, and the entity."""
    answer: str


class Asked(_Row, frozen=True, kw_only=True):
    """A question of the expert's trace, structured and in words, with the answer."""

    ask: str
    text: str
    a: Literal["y", "n", "i"]


class Question(_Row, frozen=True, kw_only=True):
    """A free question of the bank with the answer that people agree on."""

    text: str
    label: Label


class Puzzle(_Row, frozen=True, kw_only=True):
    """A puzzle in one skin."""

    id: str
    title: str
    tier: Literal[1, 2, 3]
    surface: str
    """What is told to the one who guesses."""
    solution: str
    """The truth, told in two to four sentences."""
    summary: str
    """How an expert got there, in one or two sentences without the story's own words."""
    entities: dict[str, str]
    """Who and what can be asked about, with the words that name it."""
    key: tuple[KeyFact, ...]
    distractors: tuple[Fact, ...]
    """Claims that are false."""
    trace: tuple[Asked, ...]
    """The questions of an expert, in order."""
    bank: tuple[Question, ...] = ()
    skin: int = 0
    support: tuple[Fact, ...] = ()
    """Claims that are true without being part of the solution's core."""
    noise: tuple[Fact, ...] = ()
    """Claims that do not matter."""
    counts: dict[str, int] = {}
    short: tuple[Short, ...] = ()

    @property
    def checks(self) -> tuple[Check, ...]:
        """The mechanisms at work, in the order of `CHECKS`."""
        used = {fact.check for fact in self.key}
        return tuple(check for check in CHECKS if check in used)

    @property
    def main_check(self) -> Check:
        """The mechanism whose key facts weigh most, the first of `CHECKS` where several do."""
        weights = {check: sum(fact.weight for fact in self.key if fact.check == check) for check in self.checks}
        return max(self.checks, key=lambda check: round(weights[check], 6))
