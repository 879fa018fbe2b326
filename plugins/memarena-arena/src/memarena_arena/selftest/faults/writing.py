"""Faults of writing: what a session tells is never kept, or not as it was told."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memarena_arena.selftest import spoiling
from memarena_arena.selftest.entries import Entry
from memarena_arena.selftest.fault import Fault, Keeping, Moment, by_name

LATE = 2
"""Sessions that `late-start` misses."""


def _without(lost: Callable[[Entry, int, Moment], bool]) -> Keeping:
    """Leaves out the items for which `lost` holds; it is given an item, its place in the session, and the moment."""

    def write(news: list[Entry], now: Moment) -> list[Entry]:
        return [entry for place, entry in enumerate(news) if not lost(entry, place, now)]

    return write


def _in_other_words(spoil: Callable[[str], str | None]) -> Keeping:
    """Spoils half of the facts."""

    def write(news: list[Entry], now: Moment) -> list[Entry]:
        return [_spoilt(entry, now, spoil) for entry in news]

    return write


def _spoilt(entry: Entry, now: Moment, spoil: Callable[[str], str | None]) -> Entry:
    for key in entry.about:
        fact = now.world.facts[key]
        in_words = fact.picture is None and not fact.shown_in
        text = spoil(fact.text) if in_words and now.picks(key) else None
        if text is not None:
            entry = entry.spoilt(text, key)
    return entry


def _is_update(entry: Entry, now: Moment) -> bool:
    return any(now.world.facts[key].kind == "update" for key in entry.about)


FAULTS: Mapping[str, Fault] = by_name(
    Fault(
        "dropped-turn", "write", "Half of the facts are never written.",
        write=_without(lambda entry, _, now: now.picks(entry.memory_id)),
    ),
    Fault(
        "dropped-picture", "write", "No picture is written.",
        write=_without(lambda entry, *_: entry.picture is not None),
    ),
    Fault(
        "every-third", "write", "Every third fact of a session is never written.",
        write=_without(lambda _, place, __: place % 3 == 2),
    ),
    Fault(
        "first-session-only", "write", "Nothing is written after the first session.",
        write=_without(lambda _, __, now: now.session > 0),
    ),
    Fault(
        "late-start", "write", f"Nothing is written in the first {LATE} sessions.",
        write=_without(lambda _, __, now: now.session < LATE),
    ),
    Fault(
        "first-facts-only", "write", "The first two facts of each session are written.",
        write=_without(lambda _, place, __: place > 1),
    ),
    Fault(
        "updates-unwritten", "write", "Updates are never written; what they replace stays.",
        write=_without(lambda entry, _, now: _is_update(entry, now)),
    ),
    Fault(
        "blank", "write", "Half of the items are written without a text.",
        write=_in_other_words(lambda _: ""),
    ),
    Fault(
        "value-lost", "write", "A paraphrase loses numbers and names.",
        write=_in_other_words(spoiling.no_values),
    ),
    Fault(
        "value-wrong", "write", "Numbers are written wrong.",
        write=_in_other_words(spoiling.other_numbers),
    ),
    Fault(
        "wrong-person", "write", "Facts are written of somebody else.",
        write=_in_other_words(spoiling.of_another),
    ),
    Fault(
        "denied", "write", "Facts are written as not true.",
        write=_in_other_words(spoiling.denied),
    ),
    Fault(
        "broken-off", "write", "Texts break off after a third of their words.",
        write=_in_other_words(spoiling.begun),
    ),
    Fault(
        "topic-only", "write", "Only what a fact is about is written.",
        write=_in_other_words(spoiling.topic),
    ),
)  # fmt: skip
"""By name."""
