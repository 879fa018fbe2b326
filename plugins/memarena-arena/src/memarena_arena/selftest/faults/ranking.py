"""Faults of retrieval: what is kept is not in the list."""

from __future__ import annotations

from collections.abc import Mapping

from memarena.records import Question
from memarena_arena.selftest.entries import Entry, Line
from memarena_arena.selftest.fault import Fault, Moment, Ranking, by_name

SNIPPET = 3
"""Words that `snippets` returns of each item."""
K = 10
"""Items that a planted memory returns."""


def _of_half(change: Ranking) -> Ranking:
    """Befalls half of the questions."""

    def rank(listed: list[Entry], store: list[Entry], now: Moment, question: Question) -> list[Entry]:
        picked = now.picks(question.question_id)
        return change(listed, store, now, question) if picked else listed

    return rank


def _others(entries: list[Entry], now: Moment, question: Question) -> list[Entry]:
    """Those that state no evidence."""
    wanted = set(now.world.evidence(question))
    return [entry for entry in entries if wanted.isdisjoint(entry.facts)]


def _empty(listed: list[Entry], store: list[Entry], now: Moment, question: Question) -> list[Entry]:
    return []


def _near_misses(listed: list[Entry], store: list[Entry], now: Moment, question: Question) -> list[Entry]:
    return _others(listed, now, question)


def _other_topic(listed: list[Entry], store: list[Entry], now: Moment, question: Question) -> list[Entry]:
    """What has least to do with the question."""
    left = {key: entry for entry in _others(store, now, question) for key in entry.about}
    return [left[key] for key in reversed(now.world.near(question, left))]


def _oldest_first(listed: list[Entry], store: list[Entry], now: Moment, question: Question) -> list[Entry]:
    return sorted(store, key=lambda entry: entry.session)


def _newest_first(listed: list[Entry], store: list[Entry], now: Moment, question: Question) -> list[Entry]:
    return sorted(store, key=lambda entry: -entry.session)


def _one(listed: list[Entry], store: list[Entry], now: Moment, question: Question) -> list[Entry]:
    return listed[:1]


def _duplicates(listed: list[Entry], store: list[Entry], now: Moment, question: Question) -> list[Entry]:
    """Copies of one near miss, which crowd out the rest."""
    left = _others(listed, now, question)
    return left[:1] * K


def _all_but_one(listed: list[Entry], store: list[Entry], now: Moment, question: Question) -> list[Entry]:
    """The last piece of evidence is missing."""
    wanted = now.world.evidence(question)
    return [entry for entry in listed if not wanted or wanted[-1] not in entry.facts]


def _without_pictures(listed: list[Entry], store: list[Entry], now: Moment, question: Question) -> list[Entry]:
    return [entry for entry in listed if entry.picture is None]


def _superseded(listed: list[Entry], store: list[Entry], now: Moment, question: Question) -> list[Entry]:
    """What the evidence replaced, in its place."""
    rivals = set(now.world.rivals(question))
    old = [entry for entry in _others(store, now, question) if rivals.intersection(entry.about)]
    return [*old, *_others(listed, now, question)] if old else listed


def _traps(listed: list[Entry], store: list[Entry], now: Moment, question: Question) -> list[Entry]:
    """What should have been refused, in place of the evidence."""
    traps = now.world.traps(now.session)
    said = [Entry(f"trap-{trap.memory_id}", (Line(trap.content),), now.session) for trap in traps]
    # A trap may say what is true at another time.
    wanted = set(now.world.evidence(question))
    return [*(entry for entry in said if entry.text not in wanted), *_others(listed, now, question)]


def _snippets(listed: list[Entry], store: list[Entry], now: Moment, question: Question) -> list[Entry]:
    return [entry.said(" ".join(entry.text.split()[:SNIPPET])) for entry in listed]


def _blank(listed: list[Entry], store: list[Entry], now: Moment, question: Question) -> list[Entry]:
    return [entry.said("") for entry in listed]


FAULTS: Mapping[str, Fault] = by_name(
    Fault("empty-list", "retrieve", "The list is empty.", rank=_of_half(_empty)),
    Fault(
        "near-misses", "retrieve", "The list has what is like the evidence, without it.", rank=_of_half(_near_misses)
    ),
    Fault("other-topic", "retrieve", "The list is of something else.", rank=_of_half(_other_topic)),
    Fault("oldest-first", "retrieve", "The oldest items fill the list.", rank=_of_half(_oldest_first)),
    Fault("newest-first", "retrieve", "The newest items fill the list.", rank=_of_half(_newest_first)),
    Fault("one-item", "retrieve", "k is too small: one item is returned.", rank=_of_half(_one)),
    Fault("duplicates", "retrieve", "Copies of one item crowd out the rest.", rank=_of_half(_duplicates)),
    Fault("all-but-one", "retrieve", "The last piece of evidence is missing.", rank=_of_half(_all_but_one)),
    Fault("no-pictures", "retrieve", "Pictures are never returned.", rank=_of_half(_without_pictures)),
    Fault(
        "superseded", "retrieve", "The replaced version is returned in place of the new.", rank=_of_half(_superseded)
    ),
    Fault("traps", "retrieve", "Interference is returned in place of the evidence.", rank=_of_half(_traps)),
    Fault("snippets", "retrieve", f"Of each item, {SNIPPET} words are returned.", rank=_of_half(_snippets)),
    Fault("blank-list", "retrieve", "The items of the list have no text.", rank=_of_half(_blank)),
)
"""By name."""
