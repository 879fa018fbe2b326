"""Which turn an episode of graphiti is."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from memarena.records import Record, Turn


class Origin(Record, frozen=True, kw_only=True):
    """What graphiti keeps of a turn beside its text, as the `source_description` of the episode."""

    turn_id: str
    session_id: str
    time: str | None = None
    """As the data set gives it."""

    @classmethod
    def of(cls, turn: Turn) -> Origin:
        return cls(turn_id=turn.turn_id, session_id=turn.session_id, time=turn.time)

    @classmethod
    def read(cls, text: str) -> Origin:
        """Raises msgspec.DecodeError for an episode that is not ours."""
        return msgspec.json.decode(text, type=cls)

    def written(self) -> str:
        """Read again by `read`."""
        return msgspec.json.encode(self).decode()


class Origins:
    """The turns of all episodes, and the numbers of all facts, which are the same in every run over the same turns."""

    def __init__(self) -> None:
        self._turns: dict[str, Origin] = {}
        self._numbers: dict[str, int] = {}

    def note(self, episode: str, origin: Origin) -> None:
        """The episode with this id is this turn."""
        self._turns[episode] = origin

    def turns(self, episodes: Iterable[str]) -> tuple[Origin, ...]:
        """The turns of these episodes, each once."""
        return tuple(dict.fromkeys(self._turns[each] for each in episodes if each in self._turns))

    def memory_id(self, fact: str) -> str:
        """The number of the fact with this id; one that was not asked for before gets the next."""
        return f"f{self._numbers.setdefault(fact, len(self._numbers) + 1):05}"


def text_of(turn: Turn) -> str:
    """Who says what, as graphiti wants its messages; "" for a turn that says nothing."""
    return f"{turn.speaker.strip() or turn.role}: {turn.text.strip()}" if turn.text.strip() else ""


def pieces(text: str, longest: int) -> list[str]:
    """`text` in pieces of at most `longest` characters, cut at blanks where there are some."""
    found = []
    while len(text) > longest:
        blank = max(text.rfind(each, 1, longest + 1) for each in "\n ")
        cut = blank if blank > 0 else longest
        found.append(text[:cut].rstrip())
        text = text[cut:].lstrip()
    return [*found, text] if text else found
