"""The sentences for one fact: its gold content, and the statement families that tell it."""

from __future__ import annotations

from collections.abc import Mapping

from memarena_builder.packs.numerals import spelled
from memarena_builder.packs.schema import Attribute, Pack, Slot
from memarena_builder.packs.words import Wording
from memarena_builder.world.facts import Fact
from memarena_builder.world.values import number_of, unit_of


def fill(template: str, subject: str, slots: Mapping[str, str]) -> str:
    """`template` with the subject and the values in its blanks."""
    return template.format(S=subject, **slots)


def sentence(pack: Pack, text: str) -> str:
    """`text` with a capital and a full stop."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text[-1:] in ".!?。！？" else pack.writing.stop)


def written_otherwise(pack: Pack, slot: Slot, value: str, which: float) -> str:
    """A value as it can be written besides, one of the ways by `which`, from 0 to 1; `value` where there is none."""
    if slot.kind != "money" and not slot.counted:
        return value
    number, unit = number_of(value), unit_of(value)
    gap = "" if pack.writing.amount == "{number}{unit}" else " "
    words = spelled(number, pack.writing.spelled)
    ways = [f"{words}{gap if unit else ''}{unit}"] if words else []
    ways += [f"{number:,}{gap}{other}" if gap else f"{number}{other}" for other in pack.writing.units.get(unit, ())]
    return ways[int(which * len(ways))] if ways else value


def of_kind(wording: Wording, texts: Mapping[str, tuple[str, ...]], kind: str) -> tuple[str, ...]:
    """What `texts` have for a kind of entity, with what one of it is called."""
    return tuple(text.format(one=wording.ones.get(kind, "")) for text in texts.get(kind) or texts[""])


def stem(pack: Pack, attribute: Attribute) -> str:
    """The template of the gold sentence without its full stop, to stand inside another: no word of it has a capital
    because it comes first."""
    plain = attribute.point.removesuffix(pack.writing.stop)
    return plain[:1].lower() + plain[1:]


def clause(pack: Pack, attribute: Attribute, subject: str, slots: Mapping[str, str]) -> str:
    """The gold sentence without its full stop, to stand inside another."""
    return fill(stem(pack, attribute), subject, slots)


def in_own_words(pack: Pack, template: str, *, by_user: bool) -> str:
    """A template as it is said of the user, by themselves or to them, where the language says so in other words."""
    if pack.writing.mine is None:
        return template
    owner, mine, yours = pack.writing.mine
    return template.replace(owner, mine if by_user else yours)


def can_be_past(pack: Pack, attribute: Attribute) -> bool:
    """Whether the gold sentence of an attribute can be put into the past tense."""
    return pack.writing.was[0] in attribute.point


def past(pack: Pack, text: str) -> str:
    """A clause in the past tense; `can_be_past`."""
    now, then = pack.writing.was
    return text.replace(now, then, 1)


def content(pack: Pack, fact: Fact, *, dated: bool = False, until: str = "") -> str:
    """The gold sentence of a fact. `dated`: with the day since when; `until`: it held up to this day only."""
    attribute = pack.attribute(fact.key.attribute)
    subject = fact.key.subject
    if fact.value is None:
        return sentence(pack, fill(attribute.gone, subject, {"V": fact.key.element}))
    plain = clause(pack, attribute, subject, fact.slots)
    style, since = pack.writing, pack.writing.write(fact.since)
    if until:
        return sentence(pack, style.span.format(D=since, E=until, clause=past(pack, plain)))
    if fact.source == "hearsay":
        return sentence(pack, style.hearsay.format(clause=plain))
    return sentence(pack, style.since.format(clause=plain, D=since) if dated else plain)
