"""What is so after each session, by all that was told up to then; and what nobody said and is so all the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memarena.records import Record
from memarena_builder.packs.schema import Pack
from memarena_builder.plan import Plan
from memarena_builder.questions.query import Hop
from memarena_builder.world.facts import Fact, Key, current

VALUED = frozenset({"plain", "date"})
"""Forms of attributes that have one value."""


class Derived(Record, frozen=True, kw_only=True):
    """An update that follows from another and is not said: who a relation leads to is somebody else now."""

    event_id: str
    """Of the cascade (E7)."""
    fact_id: str
    """The new version of the relation."""
    attribute: str
    """What is somebody else's now."""
    old: str | None
    """The value that it had; None where none was known."""
    new: str | None
    """The value that it has; None where none is known."""


class GoldState(Record, frozen=True, kw_only=True):
    """What is so after one session."""

    session_id: str
    facts: tuple[str, ...]
    """Ids of the facts that hold, in the order in which their keys became known."""
    disputed: tuple[str, ...]
    """Ids of rumours that contradict one of them, and that no paper has settled."""
    derived: tuple[Derived, ...]
    """What the session changed without a word."""


def states(pack: Pack, plan: Plan) -> Iterator[GoldState]:
    """The state after each session."""
    told: list[Fact] = []
    settled: set[Key] = set()
    by_id = {fact.fact_id: fact for fact in plan.facts()}
    for session in plan.sessions:
        before = tuple(told)
        told += [event.fact for event in session.events if event.fact]
        cascades = [(event.event_id, by_id[event.mentions]) for event in session.events if event.kind == "E7"]
        settled |= {_about(by_id, event.fact, event.mentions) for event in session.events if event.kind == "E6"}
        held = [current(told, key) for key in dict.fromkeys(fact.key for fact in told)]
        yield GoldState(
            session_id=session.session_id,
            facts=tuple(fact.fact_id for fact in held if fact and fact.value is not None),
            disputed=tuple(f.fact_id for f in told if f.source == "hearsay" and f.key not in settled),
            derived=tuple(each for cascade in cascades for each in _derived(pack, *cascade, before, told)),
        )


def _about(by_id: dict[str, Fact], fact: Fact | None, mentions: str) -> Key:
    return (fact or by_id[mentions]).key


def _derived(
    pack: Pack, event_id: str, relation: Fact, before: Sequence[Fact], after: Sequence[Fact]
) -> Iterator[Derived]:
    """What was known of the one to whom `relation` led `before`, and is known of the one to whom it leads `after`."""
    for attribute in (each.name for each in pack.attributes if each.form in VALUED):
        led = Hop(relation=relation.key, attribute=attribute)
        old, new = (found.answer if (found := led.evaluate(facts)) else None for facts in (before, after))
        if old != new:
            yield Derived(event_id=event_id, fact_id=relation.fact_id, attribute=attribute, old=old, new=new)
