"""The rule that a question shares no content word with the statements that answer it, and how it is checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memarena_arena.language.terms import terms
from memarena_arena.language.values import is_value
from memarena_arena.language.words import without_parts
from memarena_builder.packs.load import FRAMES
from memarena_builder.packs.schema import Attribute, Pack

_SLOT = re.compile(r"\{\w+\}")


class Overlap(NamedTuple):
    """A content word that stands on both sides."""

    attribute: str
    word: str
    question: str
    statement: str


def content(template: str) -> frozenset[str]:
    """The stems of the content words of a template, blanks excepted; in a script without blanks any two letters with
    content side by side are a word."""
    found, _ = terms(_SLOT.sub(", ", template.lower()))
    return without_parts(frozenset(term.key for term in found if term.key and not is_value(term.key)))


def question_side(attribute: Attribute) -> Iterator[str]:
    """All templates with the words of questions."""
    yield from (*attribute.asked, *attribute.asked_all)
    yield from filter(None, (attribute.what, attribute.who, attribute.one, attribute.decider))


def statement_side(attribute: Attribute) -> Iterator[str]:
    """All templates with the words of statements."""
    yield from attribute.stated
    yield from attribute.around
    if attribute.gone:
        yield attribute.gone
    if attribute.halves:
        yield from (*attribute.halves.value, *attribute.halves.owner)


def overlaps(pack: Pack) -> list[Overlap]:
    """Every content word that a question family of `pack` shares with a family that states what it asks for."""
    wording, asking = pack.wording, pack.asking
    around = [
        *(text for texts in wording.topics.values() for text in texts), *wording.openers, *wording.further,
        *(text for texts in (*wording.unowned.values(), *wording.met.values()) for text in texts), *wording.found,
        *wording.reminders, *wording.corrections, *wording.changes,
        *wording.reversions, *wording.settled, *wording.hearsay, *wording.dated, *wording.late,
    ]  # fmt: skip
    frames = [text for name in FRAMES for text in getattr(asking, name)]
    found = list(_shared("", frames, around))
    for attribute in pack.attributes:
        stated = (*statement_side(attribute), wording.ones.get(attribute.about, ""))
        asked = tuple(question_side(attribute))
        found += _shared(attribute.name, asked, (*stated, *around))
        found += _shared(attribute.name, frames, stated)
    return found


def _shared(attribute: str, questions: Iterable[str], statements: Iterable[str]) -> Iterator[Overlap]:
    sides = [(text, content(text)) for text in statements]
    for question in questions:
        keys = content(question)
        for text, others in sides:
            for word in sorted(keys & others):
                yield Overlap(attribute, word, question, text)
