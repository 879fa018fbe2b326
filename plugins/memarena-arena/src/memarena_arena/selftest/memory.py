"""A memory with planted faults, and the answerer that reads it: everything about them is known."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from memarena.records import (
    NOT_MENTIONED,
    Answer,
    AskedQuestion,
    Capabilities,
    MemoryChange,
    MemoryItem,
    Question,
    Retrieval,
    RunContext,
    Shown,
    Turn,
)
from memarena_arena.selftest.entries import Entry, Line, Style, facts_of, news
from memarena_arena.selftest.fault import Fault, Moment
from memarena_arena.selftest.world import World, says_yes

PLAIN_TYPES = frozenset({"FR", "DU", "VFR"})
"""Questions whose answer stands in the evidence."""


class PlantedMemory:
    """An adapter that knows the gold of its sample, and has `faults`; with none it is perfect.

    Perfect is: every new and updated fact and every picture on which a question rests is an item; what an update
    replaces is archived; interference is refused; a list has the evidence first, then what is nearest to the question.
    """

    def __init__(self, world: World, faults: Sequence[Fault] = (), *, seed: int = 0, style: Style = "plain") -> None:
        self.world = world
        self.faults = tuple(faults)
        self.seed = seed
        self.style = style
        self.now = Moment(world, -1, seed)
        self.store: list[Entry] = []
        self.ever: frozenset[str] = frozenset()
        """The facts that anything written or kept up to now has stated."""
        self.lists: dict[str, list[Entry]] = {}
        """Question id -> what was returned."""
        self.stood: dict[str, tuple[Moment, list[Entry], frozenset[str]]] = {}
        """Question id -> when it was asked, what was kept then, and `ever`."""
        self._changes: list[MemoryChange] = []

    def reset(self, context: RunContext) -> None:
        self.__init__(self.world, self.faults, seed=self.seed, style=self.style)  # type: ignore[misc]

    def ingest_turn(self, turn: Turn) -> None:
        """Hears nothing: what it writes is the gold of the session."""

    def end_session(self, session_id: str) -> None:
        self.now = now = self.now._replace(session=self.now.session + 1)
        before = {entry.memory_id: entry for entry in self.store}
        written = news(now.session, self.world, self.style)
        for fault in self.faults:
            written = fault.write(written, now) if fault.write else written
        self.store = [*_superseded(self.store, written, self.world), *written]
        for fault in self.faults:
            self.store = fault.keep(self.store, now) if fault.keep else self.store
        self.ever = self.ever | facts_of(written) | facts_of(self.store)
        self._changes = list(chain(_told(written), _done(before, self.store)))

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        return tuple(entry.item(self.world.sample.sessions[entry.session].session_id) for entry in self.store)

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryChange]:
        return self._changes

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        asked = self.world.asked(self.now.session, query)
        question = next((each for each in asked if each.question_id not in self.lists), asked[-1])
        listed = self._perfect(question)
        for fault in self.faults:
            listed = fault.rank(listed, self.store, self.now, question) if fault.rank else listed
        listed = listed[:top_k]
        self.lists[question.question_id] = listed
        self.stood[question.question_id] = (self.now, self.store, self.ever)
        sessions = self.world.sample.sessions
        return Retrieval.of(query, [entry.item(sessions[entry.session].session_id) for entry in listed])

    def get_capabilities(self) -> Capabilities:
        return Capabilities(modalities=("text", "image"), delta=True, updates=True, verbatim=False)

    def _perfect(self, question: Question) -> list[Entry]:
        """The evidence in its order, as far as it is believed or was superseded, then what is near."""
        over = self.world.over(self.now.session)
        found: dict[str, Entry] = {}
        for key in self.world.evidence(question):
            for entry in self.store:
                if key in entry.facts and (entry.status == "active" or key in over):
                    found.setdefault(entry.memory_id, entry)
        left = {key: entry for entry in self.store if entry.status == "active" for key in entry.about}
        for key in self.world.near(question, left):
            found.setdefault(left[key].memory_id, left[key])
        return list(found.values())


class PlantedAnswerer:
    """Gives the reference where all evidence is shown, as far as no fault of use is planted; else a wrong answer."""

    name = "planted"
    revision = 1

    def __init__(self, memory: PlantedMemory) -> None:
        self._memory = memory
        self.wrong: dict[str, Fault | None] = {}
        """Question id -> the fault of use that made the answer wrong; None where the evidence was not shown."""

    def answer(self, asked: AskedQuestion, shown: Shown) -> Answer:
        return Answer(question_id=asked.question_id, text=self._text(asked.question_id, shown))

    def _text(self, question_id: str, shown: Shown) -> str:
        memory = self._memory
        question = memory.world.questions[question_id]
        now, listed = memory.stood[question_id][0], memory.lists[question_id]
        entries = [listed[item.rank - 1] for item in shown.items]
        if question.answerable and not set(memory.world.evidence(question)) <= shown_facts(listed, shown):
            self.wrong[question_id] = None
            return _guess(question, memory.world, entries, now)
        for fault in memory.faults:
            text = fault.answer(now, question, entries) if fault.answer else None
            if text is not None:
                self.wrong[question_id] = fault
                return text
        return _right(question, memory.world, now)


def shown_facts(listed: Sequence[Entry], shown: Shown) -> frozenset[str]:
    """The facts that what was shown states: of a text that was shortened, those whose line is whole; of a picture
    that was not handed over, those of its caption."""
    handed = {item.image_id for item in shown.items if item.image_path}
    found: set[str] = set()
    for item in shown.items:
        entry = listed[item.rank - 1]
        lines = item.text.split("\n")
        found.update(*(line.facts for line in entry.lines if _stands(line, lines)))
        if entry.picture is not None and (item.image_id in handed or not entry.picture.path):
            found.add(entry.picture.image_id)
    return frozenset(found)


def _stands(line: Line, lines: Sequence[str]) -> bool:
    """Whether a line, which may itself have several, is there whole."""
    return set(line.text.split("\n")) <= set(lines)


def _right(question: Question, world: World, now: Moment) -> str:
    """The reference: as it is, behind a phrase, or before the evidence of a question that asks for it alone."""
    form = now.draw(f"answers {question.question_id}")
    if not question.answerable or says_yes(question.reference) is not None or form < 1 / 3:
        return question.reference
    told = [world.facts[key].text for key in world.evidence(question) if world.facts[key].picture is None]
    if question.type in PLAIN_TYPES and len(told) == 1 and form < 2 / 3:
        return f"{question.reference}. {told[0]}"
    return f"The answer is: {question.reference}"


def _guess(question: Question, world: World, shown: Sequence[Entry], now: Moment) -> str:
    """The answer where evidence is missing: what is out of date if that is shown, else another item, or none."""
    rivals = world.rivals(question)
    about = {key for entry in shown for key in entry.about}
    stale = next((key for key in rivals if key in about), None)
    if stale is not None and says_yes(question.reference) is None and not world.is_right(question, stale):
        return stale
    return NOT_MENTIONED


def _superseded(store: list[Entry], news: list[Entry], world: World) -> list[Entry]:
    """What is kept, with what the news replace archived; a page gives it to an item of its own."""
    over = {old for entry in news for key in entry.about for old in world.facts[key].replaces}
    found: list[Entry] = []
    for entry in store:
        gone = over.intersection(entry.about)
        if not gone:
            found.append(entry)
        elif len(entry.about) == 1 or len(entry.lines) != len(entry.about):
            found.append(entry._replace(status="archived"))
        else:
            found += _split(entry, gone)
    return found


def _split(page: Entry, gone: set[str]) -> list[Entry]:
    """A page without the lines of the facts that are gone, and these archived."""
    pairs = list(zip(page.about, page.lines, strict=True))
    left = [(key, line) for key, line in pairs if key not in gone]
    old = [
        Entry(f"{page.memory_id}-{key}", (line,), page.session, (key,), "archived")
        for key, line in pairs
        if key in gone
    ]
    rest = page._replace(about=tuple(key for key, _ in left), lines=tuple(line for _, line in left))
    return [*([rest] if left else []), *old]


def _told(news: Sequence[Entry]) -> list[MemoryChange]:
    return [MemoryChange(op="add", memory_id=entry.memory_id, text=entry.text) for entry in news]


def _done(before: dict[str, Entry], store: Sequence[Entry]) -> list[MemoryChange]:
    """What became of the items that were there."""
    after = {entry.memory_id: entry for entry in store}
    changes = []
    for name, old in before.items():
        new = after.get(name)
        if new is None:
            changes.append(MemoryChange(op="delete", memory_id=name, text=old.text))
        elif new.status != old.status:
            op = {"active": "add", "archived": "archive", "suppressed": "suppress"}[new.status]
            changes.append(MemoryChange(op=op, memory_id=name, text=new.text, previous=(old.text,)))  # type: ignore[arg-type]
        elif new.text != old.text:
            changes.append(MemoryChange(op="update", memory_id=name, text=new.text, previous=(old.text,)))
    return changes
