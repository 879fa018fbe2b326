"""What a planted memory keeps: items of which it is known which facts they state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from memarena.records import Attachment, MemoryItem, Status
from memarena_arena.selftest.world import Fact, World

Style = Literal["plain", "dated", "listed", "notes"]
"""How an item words a fact: as it is, behind its date, as a point of a list, or on a page for the whole session."""

_NONE: frozenset[str] = frozenset()


class Line(NamedTuple):
    """One line of an item, and the facts that it states as long as it is whole."""

    text: str
    facts: frozenset[str] = _NONE


class Entry(NamedTuple):
    """One item of a planted memory."""

    memory_id: str
    lines: tuple[Line, ...]
    session: int
    """Place of the session that wrote it."""
    about: tuple[str, ...] = ()
    """Keys of the facts that it was written for, whatever became of them."""
    status: Status = "active"
    picture: Attachment | None = None

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)

    @property
    def facts(self) -> frozenset[str]:
        """The facts that it states."""
        shown = frozenset((self.picture.image_id,)) if self.picture else _NONE
        return shown.union(*(line.facts for line in self.lines))

    def said(self, text: str, facts: frozenset[str] = _NONE) -> Entry:
        """The same item with another text, which states these facts only."""
        return self._replace(lines=(Line(text, facts),), picture=None)

    def spoilt(self, text: str, key: str) -> Entry:
        """The same item with the line of one fact in other words that state nothing."""
        lines = tuple(Line(text) if key in line.facts else line for line in self.lines)
        return self._replace(lines=lines)

    def item(self, session_id: str) -> MemoryItem:
        """As the memory shows it."""
        return MemoryItem(
            memory_id=self.memory_id,
            text=self.text,
            status=self.status,
            session_id=session_id,
            image_id=self.picture.image_id if self.picture else "",
            image_path=(self.picture.path or "") if self.picture else "",
        )


def facts_of(entries: Iterable[Entry]) -> frozenset[str]:
    """The facts that any of `entries` states."""
    return _NONE.union(*(entry.facts for entry in entries))


def news(session: int, world: World, style: Style) -> list[Entry]:
    """What a perfect memory writes of a session: an item a fact; what a picture shows stands with it."""
    found: list[Entry] = []
    facts = world.told[session]
    for place, fact in enumerate(facts):
        if not fact.shown_in:
            own = [fact, *(other for other in facts if other.shown_in == fact.key)]
            lines = tuple(Line(_worded(each, world, style), world.tells(each.key)) for each in own)
            about = tuple(each.key for each in own)
            found.append(Entry(f"m{session}-{place}", lines, session, about, picture=fact.picture))
    return _pages(found, session) if style == "notes" else found


def _worded(fact: Fact, world: World, style: Style) -> str:
    session = world.sample.sessions[fact.session]
    if style == "dated" and fact.picture is None:
        when = session.time or next((turn.time for turn in session.turns if turn.time), None)
        return f"[{when or session.session_id}] {fact.text}"
    return f"- {fact.text}" if style == "listed" and fact.picture is None else fact.text


def _pages(found: Sequence[Entry], session: int) -> list[Entry]:
    """The texts of a session as one item; pictures stay items of their own."""
    texts = [entry for entry in found if entry.picture is None]
    about = tuple(key for entry in texts for key in entry.about)
    page = Entry(f"note-{session}", tuple(line for entry in texts for line in entry.lines), session, about)
    return [*([page] if texts else []), *(entry for entry in found if entry.picture is not None)]
