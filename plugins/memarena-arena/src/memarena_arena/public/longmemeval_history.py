"""The history of one LongMemEval question: three parallel lists -> sessions in the order of time, and the evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from memarena.records import Evidence, Session, Turn
from memarena_arena.faults import Faults, quoted
from memarena_arena.public import fields
from memarena_arena.public.slashed import iso

_TURN = frozenset({"role", "content", "has_answer"})


class _Found(NamedTuple):
    """A session as the file has it."""

    given_id: str
    time: str | None
    when: datetime | None
    turns: list[Any]
    path: str


class History:
    """The sessions of a record. What is odd, and what is refused, goes to `faults`."""

    def __init__(self, raw: Mapping[str, Any], path: str, faults: Faults, unread: fields.Unread) -> None:
        self._raw = raw
        self._path = path
        self._faults = faults
        self._unread = unread
        self._flagged: list[Turn] = []
        self.given_ids: dict[str, str] = {}
        """Session id -> the published one, in the order of time."""
        self.last: datetime | None = None
        """When the last session begins."""
        self.sessions = self._read()

    def evidence(self) -> tuple[Evidence, ...]:
        """The flagged turns and, of answer sessions without one, the session itself, without content."""
        wanted = self._answer_ids()
        known: dict[str, list[str]] = {}
        for session_id, given in self.given_ids.items():
            known.setdefault(given, []).append(session_id)
        flagged = {turn.session_id for turn in self._flagged}
        found = [
            Evidence(
                evidence_id=turn.turn_id,
                content=turn.text,
                session_id=turn.session_id,
                turn_ids=(turn.turn_id,),
                kind="turn",
                modality="text",
            )
            for turn in self._flagged
        ]
        turns = {session.session_id: session.turns for session in self.sessions}
        for number, given in enumerate(wanted):
            where = f"{self._path}.answer_session_ids[{number}]"
            if given not in known:
                self._faults.warn("unresolved_evidence", f"no session {quoted(given)} in the history", where)
                found.append(Evidence(evidence_id=f"absent_{number}"))
            elif flagged.isdisjoint(known[given]):
                problem = f"no turn of {quoted(given)} is flagged: the evidence is the session"
                self._faults.warn("session_without_answer_turn", problem, where)
                found += [
                    Evidence(
                        evidence_id=name,
                        session_id=name,
                        turn_ids=tuple(turn.turn_id for turn in turns[name]),
                        kind="session",
                    )
                    for name in known[given]
                ]
        self._note_conventions({name for given in wanted for name in known.get(given, ())})
        return tuple(found)

    def _note_conventions(self, wanted: set[str]) -> None:
        """Tell where another reading of the gold gives other evidence."""
        faults, path = self._faults, f"{self._path}.answer_session_ids"
        by_session: dict[str, set[str]] = {}
        for turn in self._flagged:
            by_session.setdefault(turn.session_id, set()).add(turn.role)
        elsewhere = sorted(by_session.keys() - wanted)
        if elsewhere:
            faults.note("answer_turn_elsewhere", f"{elsewhere[0]} has a flagged turn and is no answer session", path)
        if any("user" not in roles for roles in by_session.values()):
            problem = "in a session only the assistant says the answer: the official retrieval leaves it out"
            faults.note("answer_of_assistant", problem, path)

    def _answer_ids(self) -> list[str]:
        given = fields.a_list(self._raw, "answer_session_ids", self._path, self._faults, need=False)
        names = list(dict.fromkeys(name for name in given if isinstance(name, str)))
        if len(names) < len(given):
            problem = "an id is no text, or comes twice; left out"
            self._faults.warn("odd_answer_session", problem, f"{self._path}.answer_session_ids")
        return names

    def _read(self) -> tuple[Session, ...]:
        lists = [
            fields.a_list(self._raw, key, self._path, self._faults)
            for key in ("haystack_sessions", "haystack_session_ids", "haystack_dates")
        ]
        if self._faults.refused:
            return ()
        if len({len(each) for each in lists}) > 1:
            problem = f"{len(lists[0])} sessions, {len(lists[1])} ids and {len(lists[2])} dates: they must be as many"
            self._faults.refuse("lists_not_parallel", problem, f"{self._path}.haystack_sessions")
            return ()
        if not lists[0]:
            self._faults.refuse("no_sessions", "the history has no session", f"{self._path}.haystack_sessions")
        rows = enumerate(zip(lists[0], lists[1], lists[2], strict=True))
        found = [self._found(turns, name, date, number) for number, (turns, name, date) in rows]
        ordered = self._in_order([session for session in found if session is not None])
        return tuple(self._session(session, place) for place, session in enumerate(ordered, 1))

    def _found(self, turns: Any, given_id: Any, date: Any, number: int) -> _Found | None:
        path = f"{self._path}.haystack_sessions[{number}]"
        if not isinstance(turns, list):
            self._faults.refuse("session_not_a_list", "a session is a list of turns", path)
            return None
        if not isinstance(given_id, str):
            problem = f"{quoted(given_id)} is no text; the session has no published id"
            self._faults.warn("odd_session_id", problem, f"{self._path}.haystack_session_ids[{number}]")
        time, when = iso(date, f"{self._path}.haystack_dates[{number}]", self._faults)
        if not turns:
            self._faults.warn("empty_session", "the session has no turns", path)
        return _Found(given_id if isinstance(given_id, str) else "", time, when, turns, path)

    def _in_order(self, found: Sequence[_Found]) -> list[_Found]:
        """By time where every time is known; sessions of one time as the file has them."""
        known = [session.when for session in found if session.when is not None]
        self.last = max(known, default=None)
        if len(known) < len(found):
            problem = "not every session has a time: the order of the file is kept"
            self._faults.warn("order_unknown", problem, f"{self._path}.haystack_dates")
            return list(found)
        ordered = sorted(found, key=lambda session: session.when or datetime.min)
        if ordered != list(found):
            problem = "the sessions are not in the order of time; they are sorted"
            self._faults.note("sessions_sorted", problem, f"{self._path}.haystack_dates")
        return ordered

    def _session(self, found: _Found, place: int) -> Session:
        session_id = f"S{place:03}"
        if found.given_id and found.given_id in self.given_ids.values():
            problem = f"{quoted(found.given_id)} stands in the history before: a session of its own"
            self._faults.note("repeated_session_id", problem, found.path)
        self.given_ids[session_id] = found.given_id
        reader = fields.TurnReader("role", "content", self._faults)
        turns = []
        for index, given in enumerate(found.turns):
            path = f"{found.path}[{index}]"
            turn = reader.read(given, session_id, index, path, time=found.time)
            if turn is not None:
                self._unread.tell(given, _TURN, "turn", path, self._faults)
                turns.append(turn)
                if fields.a_flag(given, "has_answer", path, self._faults):
                    self._flagged.append(turn)
        return Session(session_id=session_id, turns=tuple(turns), time=found.time)
