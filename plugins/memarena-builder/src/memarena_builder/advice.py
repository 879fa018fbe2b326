"""What makes a pack weak though not wrong: words that give an answer away, statements that a judge overlooks."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterator
from datetime import date

from memarena.records import JudgementRequest
from memarena_arena.lexical import LexicalJudge
from memarena_builder.packs.overlap import overlaps
from memarena_builder.packs.schema import Attribute, Pack
from memarena_builder.validators.problem import plain, says
from memarena_builder.wording.clauses import fill
from memarena_builder.world.cast import make_cast
from memarena_builder.world.values import Values

_CAPITAL = re.compile(r"(?!I\b)[A-Z][a-z]")
SESSIONS = 10
"""Of the sample whose people and values statements are tried with."""


def advice(pack: Pack, own: Collection[str]) -> Iterator[str]:
    """A line for each weakness of a pack; `own`: the names of the attributes that are looked at, and "" for the words
    around facts of all."""
    yield from _overlaps(pack, own)
    yield from _unfound(pack, own)
    yield from _told(pack, own)
    yield from _capitals(pack, own)


def _capitals(pack: Pack, own: Collection[str]) -> Iterator[str]:
    """Statements with a capital where a sentence may go on."""
    for attribute in (each for each in pack.attributes if each.name in own):
        for text in (*attribute.stated, attribute.gone):
            if _CAPITAL.match(text):
                yield f"{attribute.name}: {text!r} begins with a capital, and words may stand before it"


def _overlaps(pack: Pack, own: Collection[str]) -> Iterator[str]:
    """Words of questions that stand in statements too, each once an attribute."""
    seen: set[tuple[str, str]] = set()
    topics = pack.wording.topics.get(pack.thing, ())
    for each in overlaps(pack):
        its = each.attribute in own or each.statement in topics
        if its and (each.attribute, each.word) not in seen:
            seen.add((each.attribute, each.word))
            where = f"the question {each.question!r} and in {each.statement!r}"
            yield (
                f"{each.attribute or 'words around facts'}: {each.word!r} stands in {where}: "
                "a search for words finds the answer; say one of them otherwise"
            )


def _unfound(pack: Pack, own: Collection[str]) -> Iterator[str]:
    """Statements in which the lexical judge does not find the gold sentence."""
    rng = random.Random(0)
    cast = make_cast(pack, rng, SESSIONS)
    values = Values(pack.pools, date(2026, 1, 5), pack.language)
    for attribute in (each for each in pack.attributes if each.name in own):
        subject = next(iter(cast.of(attribute.about))).name
        told = {name: values.draw(slot, rng, cast.persons[1:]) for name, slot in attribute.slots.items()}
        point = fill(attribute.point, subject, told)
        for family in attribute.stated:
            if not _finds(point, fill(family, subject, told)):
                yield (
                    f"{attribute.name}: the judge `lexical` does not find {attribute.point!r} in {family!r}: "
                    "let all its words that mean something stand there"
                )


def _finds(point: str, said: str) -> bool:
    request = JudgementRequest(task="recall", items=(f"[Jan 02, 2026, 09:00:00] user: {said}.",), points=(point,))
    label = LexicalJudge().label([request])[0]
    return label is not None and label.verdicts == ("yes",)


def _told(pack: Pack, own: Collection[str]) -> Iterator[str]:
    """Exchanges that tell nothing and yet have a value that only pictures are to show."""
    shown = [each for each in pack.attributes if each.visual]
    for attribute in shown:
        for value in _values(pack, attribute):
            for text in (text for exchange in (*pack.own_chat, *pack.chat) for text in exchange):
                if says(plain(text), plain(value)) and (attribute.name in own or text in _texts(pack.own_chat)):
                    yield f"{attribute.name}: the exchange {text!r} says the value {value!r}, which pictures show"


def _values(pack: Pack, attribute: Attribute) -> Iterator[str]:
    for slot in attribute.slots.values():
        yield from pack.pools.get(slot.pool, ())


def _texts(exchanges: Collection[tuple[str, ...]]) -> frozenset[str]:
    return frozenset(text for exchange in exchanges for text in exchange)
