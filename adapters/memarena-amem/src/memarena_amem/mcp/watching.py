"""The model of an `AgenticMemorySystem`: what it replies, and the failures that the library would swallow."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import msgspec

from memarena.modelclient import ModelCallFailed, ModelClient
from memarena.records import Record
from memarena_amem.note import Note

SYSTEM = "You must respond with a JSON object."
"""The system message that the library's own client sends."""
SHOWN = 6
"""Contents that the library puts into one prompt at most: a new note and its five neighbours."""
EMPTY = "{}"
"""With this the library takes what it takes for a reply that it cannot read: no keywords, no tags, no change."""


class Analysed(Record, frozen=True, kw_only=True):
    """The shape in which the library wants a note's attributes."""

    keywords: tuple[str, ...] = ()
    context: str = ""
    tags: tuple[str, ...] = ()


class Evolved(Record, frozen=True, kw_only=True):
    """The shape in which the library wants a change."""

    should_evolve: bool
    actions: list[str]
    suggested_connections: list[str]
    tags_to_update: list[str]
    new_context_neighborhood: list[str]
    new_tags_neighborhood: list[list[str]]


@dataclass
class Tally:
    """What became of everything that was handed over since `reset`."""

    notes: int = 0
    unread_analyses: int = 0
    """Notes without keywords, tags and context, since the reply that should tell them could not be read."""
    unread_evolutions: int = 0
    """Notes that were neither linked nor changed others, since the reply that should tell it could not be read."""
    unknown_links: int = 0
    """Links to notes that there are not, which the model made up."""

    def row(self) -> dict[str, int]:
        """For the trace of a retrieval."""
        return {**asdict(self), "failures": self.unread_analyses + self.unread_evolutions}


class WatchedModel:
    """Stands in the place of the library's own client, and sends what that would send.

    The library goes on where a call fails or a reply cannot be read, as if nothing were worth saying: here a failed
    call is kept in `outage`, after which no model is asked any more, and replies that cannot be read are counted. Of
    the contents in a prompt the model sees `longest` characters in all; the library cuts nothing.
    """

    def __init__(self, client: ModelClient, longest: int) -> None:
        self.tally = Tally()
        self.outage: ModelCallFailed | None = None
        self._client = client
        self._longest = longest
        self._long: list[str] = []
        """Contents of notes that are to be cut where several stand in a prompt."""
        self._known: set[str] = set()

    def begin(self, note: Note) -> None:
        """A note is about to be added."""
        self.outage = None
        self.tally.notes += 1
        self._known.add(note.note_id)
        if len(note.content) > self._longest // SHOWN:
            self._long.append(note.content)

    def get_completion(self, prompt: str, response_format: Mapping[str, Any]) -> str:
        """The reply to `prompt`; an empty one where the call fails, or the reply has not the shape asked for."""
        if self.outage is not None:
            return EMPTY
        evolving = "should_evolve" in response_format["json_schema"]["schema"]["properties"]
        room = self._longest // SHOWN if evolving else self._longest
        for content in self._long:
            prompt = prompt.replace(content, content[:room])
        messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": prompt}]
        try:
            text = self._client.chat(messages, response_format=response_format).text
        except ModelCallFailed as failure:
            self.outage = failure
            return EMPTY
        return self._evolution(text) if evolving else self._analysis(text)

    def _analysis(self, text: str) -> str:
        if _read(text, Analysed) is None:
            self.tally.unread_analyses += 1
            return EMPTY
        return text

    def _evolution(self, text: str) -> str:
        found = _read(text, Evolved)
        if found is None:
            self.tally.unread_evolutions += 1
            return json.dumps({"should_evolve": False})
        if found.should_evolve and "strengthen" in found.actions:
            self.tally.unknown_links += len(set(found.suggested_connections) - self._known)
        return text


def _read(text: str, kind: type[Any]) -> Any:
    """`text` as a `kind`; None where the library would fail on it. It allows no words and no fences around JSON."""
    try:
        return msgspec.convert(json.loads(text), kind)
    except (ValueError, msgspec.ValidationError, RecursionError):
        return None
