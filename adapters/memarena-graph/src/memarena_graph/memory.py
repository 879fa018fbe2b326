"""Turns -> facts in the graph: asked of the model, resolved, decided, embedded, and written in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

from memarena.memory import whole_text
from memarena.modelclient import ModelClient
from memarena.records import Attachment, MemoryItem, Turn
from memarena_graph.extraction import Extractor
from memarena_graph.graph import Graph
from memarena_graph.journal import Journal
from memarena_graph.names import STOP, USER, Named, key_of, meant, names_in, parts_of, relation_of, resolve, words_of
from memarena_graph.pieces import pieces
from memarena_graph.prompts import Said
from memarena_graph.rows import batch
from memarena_graph.timeline import PICTURE, Fact, Statement, decide

NEWEST = 200
"""Facts of the entities of a text among which those are chosen that the model is shown."""
ALIKE = 2
"""Words that a fact must have in common with a text to be chosen for its words alone."""
LONGEST_NAME = 200
"""Characters of an entity's name that are kept: a model may give a whole text as one."""


class Memory:
    """The facts of one cell. `counts`: what the graph holds, and facts that the model would replace and that are none.

    A piece of a round is written whole or not at all: where a model or the server fails, the error is raised.
    """

    def __init__(self, graph: Graph, client: ModelClient, extractor: Extractor, known: int, longest: int) -> None:
        self.graph = graph
        self.journal = Journal()
        self.counts = {"facts": 0, "closed": 0, "repeated": 0, "unknown_replaced": 0}
        self._client = client
        self._extractor = extractor
        self._known = known
        self._longest = longest
        self._fact_ids = (f"fact:{number}" for number in count(1))
        self._entity_ids = (f"entity:{number}" for number in count(1))
        self._order = count(1)
        self._heard = 0
        self._revision = 0
        self._seen = 0
        self._items: dict[str, MemoryItem] = {}

    def learn(self, turns: Sequence[Turn]) -> None:
        """Take in the turns of a round. Raises ModelCallFailed, UnusableReply, GraphFailed."""
        pictures = [(turn, picture) for turn in turns for picture in turn.attachments]
        for held, text in pieces(turns, self._longest):
            self._learn(held, text, [pair for pair in pictures if pair[0] in held])
            pictures = [pair for pair in pictures if pair[0] not in held]
        if pictures:
            self._learn(turns, "", pictures)
        self._heard += len(turns)

    def items(self) -> tuple[MemoryItem, ...]:
        """All facts, in the order in which they were first said. Only what has changed is read anew."""
        for item in self.graph.changed(self._seen):
            self._items[item.memory_id] = item
        self._seen = self._revision
        return tuple(self._items.values())

    def _learn(self, turns: Sequence[Turn], text: str, pictures: Sequence[tuple[Turn, Attachment]]) -> None:
        known = self._related(text)
        time = next((turn.time for turn in turns if turn.time), None)
        said = self._extractor.facts(time, text, [fact.text for fact in known]) if text else []
        statements, names = self._resolved(said, turns, known)
        statements += [_picture(*pair, place) for place, pair in enumerate(pictures)]
        if not statements:
            return
        held = {fact.fact_id: fact for fact in (*known, *self.graph.in_slots([each.slot for each in statements]))}
        changes = decide(statements, tuple(held.values()), self._fact_ids)
        fresh = [fact for fact, _ in changes.added]
        vectors = self._client.embed([fact.text for fact in fresh]) if fresh else []
        places = [(self._heard + place, turn) for place, turn in enumerate(turns)]
        by_fact = {fact.fact_id: vector for fact, vector in zip(fresh, vectors, strict=True)}
        self.graph.write(batch(changes, by_fact, names, places, self._order, self._revision + 1))
        self._revision += 1
        self.journal.write(turns[0].session_id, changes)
        found = (len(fresh), len(changes.closed), len(changes.repeated), changes.unknown)
        for name, number in zip(self.counts, found, strict=True):
            self.counts[name] += number

    def _related(self, text: str) -> list[Fact]:
        """The facts about what `text` names, about the user, or in much the same words; older ones first."""
        if not (text and self._known and self.counts["facts"]):
            return []
        said = words_of(text)
        keys = [USER, *(key for key in names_in(said) if key not in STOP)]
        words = set(said) - STOP
        about = self.graph.about(meant(self.graph.named(keys)), NEWEST)
        alike = self.graph.alike(sorted(words), ALIKE, self._known)
        facts = {fact.fact_id: fact for fact in (*about, *alike)}.values()
        ranked = sorted(facts, key=lambda fact: -len(words & set(words_of(fact.text))))
        return sorted(ranked[: self._known], key=lambda fact: int(fact.fact_id.partition(":")[2]))

    def _resolved(
        self, said: Sequence[Said], turns: Sequence[Turn], known: Sequence[Fact]
    ) -> tuple[list[Statement], list[Named]]:
        """What was said with its entities, and the names of entities that are not known yet."""
        names = [name[:LONGEST_NAME] for each in said for name in (each.subject, each.object)]
        keys = dict.fromkeys(key for name in names for key in (key_of(name), *parts_of(name)))
        entities, added = resolve(names, self.graph.named(list(keys)), self._entity_ids)
        statements = [_statement(each, entities, turns, known) for each in said]
        return [each for each in statements if each.subject and each.object], added


def _statement(said: Said, entities: Mapping[str, str], turns: Sequence[Turn], known: Sequence[Fact]) -> Statement:
    sources = _sources(said.text, turns)
    told = next((turn.time for turn in sources if turn.time), None)
    names = said.subject[:LONGEST_NAME], said.object[:LONGEST_NAME]
    return Statement(
        subject=entities.get(key_of(names[0]), ""),
        relation=relation_of(said.relation),
        object=entities.get(key_of(names[1]), ""),
        text=said.text.strip(),
        single=said.single,
        # A number that is none of theirs is kept as one that no fact has, so that it is counted.
        replaces=tuple(
            known[number - 1].fact_id if 0 < number <= len(known) else f"number {number}" for number in said.replaces
        ),
        valid_from=said.since.strip() or told,
        told=told,
        session_id=turns[0].session_id,
        turn_ids=tuple(turn.turn_id for turn in sources),
        subject_name=names[0].strip(),
        object_name=names[1].strip(),
    )


def _sources(text: str, turns: Sequence[Turn]) -> list[Turn]:
    """The turns that hold most of the words of `text`; of several that hold equally many, all."""
    words = set(words_of(text)) - STOP
    shared = [len(words & set(words_of(turn.text))) for turn in turns]
    return [turn for turn, number in zip(turns, shared, strict=True) if number == max(shared)]


def _picture(turn: Turn, picture: Attachment, place: int) -> Statement:
    name = picture.image_id or f"{turn.turn_id}#{place}"
    return Statement(
        subject=PICTURE,
        relation=name,
        object="",
        text=whole_text("", (picture,)) or f"image_id: {name}",
        valid_from=turn.time,
        told=turn.time,
        session_id=turn.session_id,
        turn_ids=(turn.turn_id,),
        image_id=picture.image_id,
        image_path=picture.path or "",
    )
