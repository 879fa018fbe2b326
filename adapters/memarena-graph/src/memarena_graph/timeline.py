"""What new statements do to the facts that are true now: which are new, which are said again, which they close.

No graph and no model here: the rules alone. A fact is closed at most once, and never opened again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from memarena.records import Record

PICTURE = "picture"
"""The subject of a picture that was shown: it is no entity, and its relation is the id of the picture."""


class Statement(Record, frozen=True, kw_only=True):
    """What was said, its names resolved."""

    subject: str
    """Id of the entity that it is about."""
    relation: str
    """In the form in which relations are compared."""
    object: str
    """Id of the entity that is its value."""
    text: str
    """One sentence that says all of it."""
    single: bool = False
    """The subject has only one such value at a time."""
    replaces: tuple[str, ...] = ()
    """Ids of the facts that are not true any more, by the model's word."""
    valid_from: str | None = None
    """Since when it is true, as said, or else when it was said; None where neither is known."""
    told: str | None = None
    """When it was said."""
    session_id: str = ""
    turn_ids: tuple[str, ...] = ()
    subject_name: str = ""
    object_name: str = ""
    image_id: str = ""
    image_path: str = ""

    @property
    def slot(self) -> str:
        """What only one value fills at a time, where the relation is single-valued."""
        return f"{self.subject}|{self.relation}"


class Fact(Record, frozen=True, kw_only=True):
    """A fact as the graph has it."""

    fact_id: str
    slot: str
    object: str
    text: str
    valid_from: str | None = None


class Closing(Record, frozen=True, kw_only=True):
    """A fact that is not true any more."""

    fact: Fact
    by: str
    """Id of the fact that closes it."""
    since: str | None
    """Since when it is not true any more: since the other is."""


class Changes(Record, frozen=True, kw_only=True):
    """What is to be done to the graph."""

    added: tuple[tuple[Fact, Statement], ...] = ()
    repeated: tuple[tuple[Fact, Statement], ...] = ()
    """Facts that were said again."""
    closed: tuple[Closing, ...] = ()
    unknown: int = 0
    """Facts that were to be replaced and are not among those that are true."""


def decide(statements: Iterable[Statement], current: Sequence[Fact], ids: Iterator[str]) -> Changes:
    """What `statements` do, in their order, to the facts that are true: `current` holds those of their slots and those
    that they replace. Each that is new gets the next of `ids`.

    Of one slot and one value there is one fact. A single-valued statement closes every other value of its slot; so
    does the model's word for any fact.
    """
    open_facts = {fact.fact_id: fact for fact in current}
    added: dict[str, tuple[Fact, Statement]] = {}
    repeated: list[tuple[Fact, Statement]] = []
    closed: list[Closing] = []
    unknown = 0
    for said in statements:
        same = [fact for fact in open_facts.values() if fact.slot == said.slot]
        mine = next((fact for fact in same if fact.object == said.object), None)
        if mine is None:
            mine = Fact(
                fact_id=next(ids), slot=said.slot, object=said.object, text=said.text, valid_from=said.valid_from
            )
            open_facts[mine.fact_id] = mine
            added[mine.fact_id] = (mine, said)
        elif mine.fact_id in added:
            added[mine.fact_id] = (mine, _joined(added[mine.fact_id][1], said))
        else:
            repeated.append((mine, said))
        others = [fact.fact_id for fact in same] if said.single else []
        unknown += sum(fact_id not in open_facts for fact_id in said.replaces)
        ended = dict.fromkeys(each for each in (*others, *said.replaces) if each != mine.fact_id and each in open_facts)
        closed += [Closing(fact=open_facts.pop(each), by=mine.fact_id, since=said.valid_from) for each in ended]
    return Changes(added=tuple(added.values()), repeated=tuple(repeated), closed=tuple(closed), unknown=unknown)


def _joined(first: Statement, again: Statement) -> Statement:
    return replace(first, turn_ids=tuple(dict.fromkeys((*first.turn_ids, *again.turn_ids))))
