"""The sentences for one fact: its gold content, and the statement families that tell it."""

from __future__ import annotations

from collections.abc import Mapping

from memarena_builder.packs.schema import Attribute, Pack
from memarena_builder.world.facts import Fact
from memarena_builder.world.values import write_day


def fill(template: str, subject: str, slots: Mapping[str, str]) -> str:
    """`template` with the subject and the values in its blanks."""
    return template.format(S=subject, **slots)


def sentence(text: str) -> str:
    """`text` with a capital and a full stop."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text[-1:] in ".!?" else ".")


def clause(attribute: Attribute, subject: str, slots: Mapping[str, str]) -> str:
    """The gold sentence without its full stop, to stand inside another."""
    return fill(attribute.point, subject, slots).removesuffix(".")


def past(text: str) -> str:
    """A clause in the past tense; it has one ` is `."""
    return text.replace(" is ", " was ", 1)


def content(pack: Pack, fact: Fact, *, dated: bool = False, until: str = "") -> str:
    """The gold sentence of a fact. `dated`: with the day since when; `until`: it held up to this day only."""
    attribute = pack.attribute(fact.key.attribute)
    subject = fact.key.subject
    if fact.value is None:
        return sentence(fill(attribute.gone, subject, {"V": fact.key.element}))
    plain = clause(attribute, subject, fact.slots)
    if until:
        return sentence(f"from {write_day(fact.since)} to {until}, {past(plain)}")
    if fact.source == "hearsay":
        return sentence(f"according to a flyer, {plain}")
    return sentence(f"{plain}, since {write_day(fact.since)}" if dated else plain)
