"""Faults of maintenance: what was written is gone, changed, set aside, or out of date when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memarena.records import Status
from memarena_arena.selftest import spoiling
from memarena_arena.selftest.entries import Entry, Line
from memarena_arena.selftest.fault import Fault, Keeping, Moment, by_name

CAPACITY = 12
"""Items that `capacity` keeps."""
DECAY = 0.3
"""Chance with which `decay` loses an item a session."""


def _without(lost: Callable[[Entry, Moment], bool]) -> Keeping:
    """Deletes the items for which `lost` holds."""

    def keep(store: list[Entry], now: Moment) -> list[Entry]:
        return [entry for entry in store if not lost(entry, now)]

    return keep


def _changed(change: Callable[[Entry, Moment], Entry]) -> Keeping:
    """Changes half of the items of earlier sessions."""

    def keep(store: list[Entry], now: Moment) -> list[Entry]:
        return [
            change(entry, now) if entry.session < now.session and now.picks(entry.memory_id) else entry
            for entry in store
        ]

    return keep


def _in_other_words(spoil: Callable[[str], str | None]) -> Keeping:
    def change(entry: Entry, now: Moment) -> Entry:
        for key in entry.about:
            fact = now.world.facts[key]
            in_words = fact.picture is None and not fact.shown_in and key in entry.facts
            text = spoil(fact.text) if in_words else None
            entry = entry if text is None else entry.spoilt(text, key)
        return entry

    return _changed(change)


def _set_aside(status: Status) -> Keeping:
    return _changed(lambda entry, _: entry._replace(status=status))


def _newest(store: list[Entry], now: Moment) -> list[Entry]:
    return store[-CAPACITY:]


def _cleared(store: list[Entry], now: Moment) -> list[Entry]:
    """Everything goes with the session in the middle."""
    middle = len(now.world.told) // 2
    return [] if now.session == middle else store


def _clashed(store: list[Entry], now: Moment) -> list[Entry]:
    """The n-th item of a session takes the place of the n-th of the session before."""
    slots: dict[str, Entry] = {}
    for entry in store:
        slots[entry.memory_id.rpartition("-")[2]] = entry
    return [entry for entry in store if slots[entry.memory_id.rpartition("-")[2]] is entry]


def _back_to_old(delay: int) -> Keeping:
    """Half of the updates are undone, `delay` sessions after they were told: the older version is believed again."""

    def keep(store: list[Entry], now: Moment) -> list[Entry]:
        undone = [
            entry
            for entry in store
            if entry.session == now.session - delay
            and any(now.world.facts[key].replaces for key in entry.about)
            and now.picks(entry.memory_id)
        ]
        olds = {old for entry in undone for key in entry.about for old in now.world.facts[key].replaces}
        return [
            entry._replace(status="active") if olds.intersection(entry.about) else entry
            for entry in store
            if entry not in undone
        ]

    return keep


def _overwritten(store: list[Entry], now: Moment) -> list[Entry]:
    """What a trap speaks against takes its words."""
    traps = now.world.sample.sessions[now.session].gold("interference")
    said = {now.world.against(trap, now.session): trap.content for trap in traps}
    found = []
    for entry in store:
        trap = next((said[key] for key in entry.about if key in said), None)
        found.append(entry if trap is None or entry.status != "active" else entry.said(trap))
    return found


def _merged_away(store: list[Entry], now: Moment) -> list[Entry]:
    """The items of the session before become one, which only says what they were about."""
    old = [entry for entry in store if entry.session == now.session - 1 and entry.picture is None]
    if len(old) < 2:
        return store
    lines = tuple(Line(spoiling.topic(now.world.facts[key].text)) for entry in old for key in entry.about)
    merged = Entry(f"merged-{now.session}", lines, old[0].session)
    return [*(entry for entry in store if entry not in old), merged]


FAULTS: Mapping[str, Fault] = by_name(
    Fault(
        "deleted-next", "maintain", "Half of the items are deleted one session later.",
        keep=_without(lambda entry, now: entry.session < now.session and now.picks(entry.memory_id)),
    ),
    Fault(
        "deleted-after-two", "maintain", "Everything is deleted two sessions later.",
        keep=_without(lambda entry, now: entry.session <= now.session - 2),
    ),
    Fault(
        "window", "maintain", "Only what the newest session told is kept.",
        keep=_without(lambda entry, now: entry.session < now.session),
    ),
    Fault("capacity", "maintain", f"Only the newest {CAPACITY} items are kept.", keep=_newest),
    Fault(
        "decay", "maintain", f"Each item is lost with a chance of {DECAY:.0%} a session.",
        keep=_without(
            lambda entry, now: entry.session < now.session and now.draw(f"{entry.memory_id} {now.session}") < DECAY
        ),
    ),
    Fault("cleared", "maintain", "Everything is lost once, half-way.", keep=_cleared),
    Fault("slot-clash", "maintain", "Items take the place of older ones that have the same slot.", keep=_clashed),
    Fault("update-unapplied", "maintain", "Updates are told in the delta, but not done.", keep=_back_to_old(0)),
    Fault("update-reverted", "maintain", "Updates are undone one session later.", keep=_back_to_old(1)),
    Fault("overwritten", "maintain", "Interference takes the place of what it speaks against.", keep=_overwritten),
    Fault("merged-away", "maintain", "Items are merged into one that loses what they said.", keep=_merged_away),
    Fault("archived-wrongly", "maintain", "Items are archived although they are true.", keep=_set_aside("archived")),
    Fault(
        "suppressed-wrongly", "maintain", "Items are suppressed although they are true.",
        keep=_set_aside("suppressed"),
    ),
    Fault("drifted", "maintain", "Numbers change later.", keep=_in_other_words(spoiling.other_numbers)),
    Fault("faded", "maintain", "Numbers and names are lost later.", keep=_in_other_words(spoiling.no_values)),
    Fault("worn-down", "maintain", "Texts are cut short later.", keep=_in_other_words(spoiling.begun)),
    Fault("emptied", "maintain", "Texts are emptied later.", keep=_changed(lambda entry, _: entry.said(""))),
)  # fmt: skip
"""By name."""
