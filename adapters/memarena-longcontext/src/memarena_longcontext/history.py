"""A dialogue as rounds whose tokens are counted once, and the choice of the rounds that fit a budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from memarena.floors import turn_line
from memarena.meter import estimate_tokens
from memarena.records import Attachment, Turn

GAP = "[...]"
"""Stands where rounds were dropped from the middle."""
REPLIES = ("assistant", "agent")
"""Roles of those who reply to what is told before."""


@dataclass(frozen=True, slots=True)
class Round:
    """A user's turn and the turns up to the next one."""

    session_id: str
    heading: str
    """`Session <id>, <time of its first turn>`; the same for each round of a session."""
    text: str
    tokens: int
    heading_tokens: int
    pictures: tuple[Attachment, ...] = ()
    """The pictures that can be shown, oldest first."""


@dataclass(slots=True)
class History:
    """Rounds in order; each turn is counted once, when it comes in."""

    rounds: list[Round] = field(default_factory=list)
    _open: list[Turn] = field(default_factory=list)
    _heading: tuple[str, str, int] = ("", "", 0)

    def add(self, turn: Turn) -> None:
        """Take in a turn; it opens a round where it replies to none, or is the first of its session."""
        if self._open and (turn.role not in REPLIES or turn.session_id != self._open[0].session_id):
            self.close()
        self._open.append(turn)

    def close(self) -> None:
        """End the open round."""
        if not self._open:
            return
        turns, self._open = self._open, []
        session_id = turns[0].session_id
        if self._heading[0] != session_id:
            heading = f"Session {session_id}" + (f", {turns[0].time}" if turns[0].time else "")
            self._heading = (session_id, heading, estimate_tokens(heading))
        text = "\n".join(turn_line(turn) for turn in turns)
        self.rounds.append(
            Round(
                session_id=session_id,
                heading=self._heading[1],
                text=text,
                tokens=estimate_tokens(text),
                heading_tokens=self._heading[2],
                pictures=tuple(picture for turn in turns for picture in turn.attachments if picture.path),
            )
        )


def newest_pictures(rounds: Sequence[Round], limit: int) -> list[tuple[Attachment, ...]]:
    """By round: its pictures among the `limit` newest of all, oldest first."""
    kept: list[tuple[Attachment, ...]] = []
    for found in reversed(rounds):
        pictures = found.pictures[max(len(found.pictures) - limit, 0) :]
        limit -= len(pictures)
        kept.append(pictures)
    return kept[::-1]


def fit(rounds: Sequence[Round], costs: Sequence[int], budget: int, *, middle: bool = False) -> tuple[range, ...]:
    """The rounds within `budget`, as runs of places in order; `costs` are tokens by round, headings apart.

    Where not all fit, the newest stay; with `middle`, the oldest fill half of the budget and the newest the rest.
    """
    newest, _ = _run(rounds, costs, budget, range(len(rounds) - 1, -1, -1))
    if newest == len(rounds) or not middle:
        return (range(len(rounds) - newest, len(rounds)),)
    budget -= estimate_tokens(GAP)
    oldest, spent = _run(rounds, costs, budget // 2, range(len(rounds)))
    newest, _ = _run(rounds, costs, budget - spent, range(len(rounds) - 1, oldest - 1, -1))
    return tuple(run for run in (range(oldest), range(len(rounds) - newest, len(rounds))) if run)


def _run(rounds: Sequence[Round], costs: Sequence[int], budget: int, places: range) -> tuple[int, int]:
    """How many rounds fit when taken in the order of `places`, and their tokens with a heading a session."""
    spent, session_id = 0, None
    for taken, place in enumerate(places):
        candidate = rounds[place]
        cost = costs[place] + (candidate.heading_tokens if candidate.session_id != session_id else 0)
        if spent + cost > budget:
            return taken, spent
        spent += cost
        session_id = candidate.session_id
    return len(places), spent


def render(rounds: Sequence[Round], runs: Sequence[range]) -> str:
    """The rounds of `runs`, joined by blank lines, each session under its heading and GAP between two runs."""
    return f"\n\n{GAP}\n\n".join("\n\n".join(_parts(rounds, run)) for run in runs)


def _parts(rounds: Sequence[Round], run: range) -> Iterator[str]:
    session_id: str | None = None
    for place in run:
        found = rounds[place]
        if found.session_id != session_id:
            session_id = found.session_id
            yield found.heading
        yield found.text
