"""Notes with their vectors: how one comes in, what it changes, and how notes are found (arXiv 2502.12110, 3.2-3.4)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from memarena.modelclient import ModelClient
from memarena.records import MemoryItem, Record, Turn
from memarena_amem.asking import Asker
from memarena_amem.note import Note
from memarena_amem.prompts import (
    Analysis,
    Evolution,
    analysis_form,
    analysis_messages,
    evolution_form,
    evolution_messages,
)
from memarena_amem.vectors import Vectors


class Hit(Record, frozen=True, kw_only=True):
    """A note that was found."""

    note: Note
    score: float
    """Its cosine with the question."""
    linked_from: str = ""
    """The note whose link led here; "" where the note itself is near."""


class Notebook:
    """Notes in order. A note costs one completion and one embedding; with neighbours one completion more, and one
    embedding more where attributes changed."""

    def __init__(self, client: ModelClient, asker: Asker, *, neighbours: int, longest: int) -> None:
        self._client = client
        self._asker = asker
        self._neighbours = neighbours
        self._longest = longest
        self._vectors = Vectors()
        self._notes: dict[str, Note] = {}
        self._items: dict[str, MemoryItem] = {}
        self._places: dict[str, int] = {}

    @property
    def items(self) -> tuple[MemoryItem, ...]:
        """All notes as memory items, in order; one that did not change is the same object as before."""
        return tuple(self._items.values())

    def add(self, turns: Sequence[Turn]) -> None:
        """Take in a note of some turns, and let it change its neighbours.

        Raises UnusableReply and ModelCallFailed; the notebook is then as it was before.
        """
        note = self._analysed(Note.of(f"note:{len(self._notes) + 1}", turns))
        vector = self._embed([note])[0]
        ids = list(self._notes)
        near = [self._notes[ids[place]] for place in self._vectors.nearest(vector, self._neighbours)]
        after, changed = self._evolved(note, near) if near else (note, [])
        stale = [each for each in (after, *changed) if each.text != self._text_before(each, note)]
        vectors = dict(zip([each.note_id for each in stale], self._embed(stale), strict=True)) if stale else {}
        self._vectors.add(vectors.pop(after.note_id, vector))
        self._places[after.note_id] = len(self._places)
        for each in (after, *changed):
            self._notes[each.note_id] = each
            self._items[each.note_id] = each.item
        for note_id, renewed in vectors.items():
            self._vectors.put(self._places[note_id], renewed)

    def search(self, query: str, most: int, links: int) -> list[Hit]:
        """At most `most` notes: the nearest first, each followed by up to `links` of its links, the nearest first.

        Raises ModelCallFailed.
        """
        if not self._notes or not query.strip():
            return []
        (vector,) = self._client.embed([query[: self._longest]])
        scores = dict(zip(self._notes, self._vectors.scores(vector), strict=True))
        found: dict[str, Hit] = {}
        for note_id in sorted(scores, key=lambda each: -scores[each]):
            if len(found) >= most:
                break
            if note_id in found:
                continue
            found[note_id] = Hit(note=self._notes[note_id], score=scores[note_id])
            linked = [other for other in self._notes[note_id].links if other not in found]
            for other in sorted(linked, key=lambda each: -scores[each])[:links]:
                found[other] = Hit(note=self._notes[other], score=scores[other], linked_from=note_id)
        return list(found.values())[:most]

    def _analysed(self, note: Note) -> Note:
        messages = analysis_messages(note.content[: self._longest], note.time)
        found = self._asker.ask(messages, Analysis, analysis_form(), _problem_of_analysis)
        return replace(note, keywords=_unique(found.keywords), tags=_unique(found.tags), context=found.context.strip())

    def _evolved(self, note: Note, near: Sequence[Note]) -> tuple[Note, list[Note]]:
        """The new note and those of its neighbours that change, after the model's decision."""

        def problem_of(reply: Evolution) -> str:
            return _problem_of_evolution(reply, len(near))

        messages = evolution_messages(note, near, self._longest)
        found = self._asker.ask(messages, Evolution, evolution_form(len(near)), problem_of)
        if not found.should_evolve:
            return note, []
        renewed = list(near)
        if "update_neighbor" in found.actions:
            for place, context in enumerate(found.new_context_neighborhood):
                renewed[place] = replace(renewed[place], context=context.strip() or renewed[place].context)
            for place, tags in enumerate(found.new_tags_neighborhood):
                renewed[place] = replace(renewed[place], tags=_unique(tags) or renewed[place].tags)
        if "strengthen" in found.actions:
            places = sorted(set(found.suggested_connections))
            linked = tuple(near[place].note_id for place in places)
            note = replace(note, links=linked, tags=_unique(found.tags_to_update) or note.tags)
            for place in places:
                renewed[place] = replace(renewed[place], links=(*renewed[place].links, note.note_id))
        return note, [each for each, old in zip(renewed, near, strict=True) if each != old]

    def _text_before(self, note: Note, new: Note) -> str:
        """The text that the vector at hand stands for."""
        return new.text if note.note_id == new.note_id else self._notes[note.note_id].text

    def _embed(self, notes: Sequence[Note]) -> list[list[float]]:
        # Attributes first: they are short, and a long content must not push them out.
        return self._client.embed([_embedded(note, self._longest) for note in notes])


def _embedded(note: Note, longest: int) -> str:
    attributes = note.text[len(note.content) :]
    return f"{note.content[: max(longest - len(attributes), 0)]}{attributes}"[:longest]


def _problem_of_analysis(reply: Analysis) -> str:
    return "" if any(map(str.strip, reply.keywords)) or reply.context.strip() else "keywords and context are empty"


def _problem_of_evolution(reply: Evolution, neighbours: int) -> str:
    if not reply.should_evolve:
        return ""
    if any(not 0 <= number < neighbours for number in reply.suggested_connections):
        return f"suggested_connections: neighbours are numbered from 0 to {neighbours - 1}"
    if "update_neighbor" in reply.actions:
        for name in ("new_context_neighborhood", "new_tags_neighborhood"):
            if len(getattr(reply, name)) > neighbours:
                return f"{name}: {neighbours} entries are enough, one a neighbour"
    return ""


def _unique(words: Sequence[str]) -> tuple[str, ...]:
    """Words without blanks around them, each once, none empty."""
    return tuple(dict.fromkeys(word for each in words if (word := each.strip())))
