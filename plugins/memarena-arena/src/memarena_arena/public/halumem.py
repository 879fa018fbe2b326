"""HaluMem: 20 users, their sessions with gold points, updates and interference, 3,467 questions (CC BY-NC-ND 4.0).

A line becomes a sample, a session `S01`, ... in file order, a point `mp_S01_3` by its place in its session (the ids in
the file are unique within a session only). Each session with questions is followed by a checkpoint, `after-S01`. The
persona is not read, except for the user's name; it is no part of the dialogue.

A filler session of the long file (`is_generated_qa_session`) is told like any other; its points and questions count
nowhere, as in the official evaluation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from memarena.errors import UsageError
from memarena.records import Checkpoint, Finding, Sample, Session, Turn
from memarena_arena.faults import Faults
from memarena_arena.public import fields
from memarena_arena.public.halumem_points import PointReader
from memarena_arena.public.halumem_questions import QuestionReader
from memarena_arena.public.opened import PublicOptions, PublicSamples, file_hash, files_of, only_file, sample_id
from memarena_arena.public.stream import Item, head_of, lines, opened
from memarena_arena.times import KnownTimes

LICENCE = "CC BY-NC-ND 4.0"
SPLITS: Mapping[str, re.Pattern[str]] = {
    "medium": re.compile(r"(?i)halumem[-_]medium[^/]*$"),
    "long": re.compile(r"(?i)halumem[-_]long[^/]*$"),
}

_NAME = re.compile(r"\bname\s*[:：]\s*([^;,.\n]{1,60})", re.IGNORECASE)
_RECORD = frozenset({
    "uuid", "persona_info", "sessions", "total_dialogue_token_length", "total_question_count", "token_cost",
})  # fmt: skip
_SESSION = frozenset({
    "start_time", "end_time", "dialogue_turn_num", "dialogue", "memory_points", "questions", "dialogue_token_length",
    "is_generated_qa_session", "generation_source", "title", "session_id", "memory_points_count", "question_count",
})  # fmt: skip
_TURN = frozenset({"role", "content", "timestamp", "dialogue_turn"})


class HaluMemOptions(PublicOptions, frozen=True, kw_only=True):
    """Which file is read, and how much of it."""

    split: str = ""
    """`medium` or `long`: which file of a folder; "": the only one."""


class HaluMem:
    """Data set `halumem`: `HaluMem-Medium.jsonl` or `HaluMem-Long.jsonl`, a user at a time."""

    name = "halumem"
    revision = 1
    Options = HaluMemOptions

    def __init__(self, options: HaluMemOptions | None = None) -> None:
        self._options = options or HaluMemOptions()

    def accepts(self, path: Path) -> bool:
        """Whether the first bytes of `path`, or the names in a folder, are those of HaluMem."""
        if path.is_dir():
            return any(pattern.search(file.name) for file in path.glob("*.jsonl") for pattern in SPLITS.values())
        head = head_of(path)
        return head[:1] == b"{" and b'"uuid"' in head and b'"persona_info"' in head

    def open(self, source: str, options: HaluMemOptions | None = None) -> PublicSamples:
        """Open a file, or a folder with one; raises UsageError or DataError where it is not clear which, or none."""
        if not source:
            raise UsageError("halumem needs a file: -d halumem:PATH")
        chosen = options or self._options
        file = only_file(files_of(Path(source), chosen.split, SPLITS, (".jsonl",)), Path(source))
        opened(file, chosen).close()
        return PublicSamples(chosen, LICENCE, lambda: _Pass(file, chosen))


class _Pass:
    """One pass over a file."""

    def __init__(self, file: Path, options: HaluMemOptions) -> None:
        self._file = file
        self._options = options
        self._digest = sha256()
        self._unread = fields.Unread()

    def items(self) -> Iterable[Item]:
        return lines(self._file, self._options, self._digest)

    def finish(self) -> Iterable[Finding]:
        yield file_hash(self._file, self._digest.hexdigest())

    def build(self, item: Item) -> Sample | None:
        raw = fields.an_object(item.value, "user", item.path, item.faults)
        if raw is None:
            return None
        self._unread.tell(raw, _RECORD, "user", item.path, item.faults)
        name = sample_id(raw.get("uuid"), f"{item.path}.uuid", item.faults)
        user = _User(_name_of(raw, item.path, item.faults), self._unread, item.faults)
        given = fields.a_list(raw, "sessions", item.path, item.faults)
        for number, session in enumerate(given):
            user.add(session, f"{item.path}.sessions[{number}]", number)
        if not given:
            item.faults.refuse("no_sessions", "the user has no session", f"{item.path}.sessions")
        if item.faults.refused:
            return None
        return Sample(
            sample_id=name,
            regime="lifelong",
            domain="halumem",
            sessions=tuple(user.sessions),
            checkpoints=tuple(user.checkpoints),
            meta={"explanations": user.questions.explanations} if user.questions.explanations else {},
        )


def _name_of(raw: Mapping[str, Any], path: str, faults: Faults) -> str:
    found = _NAME.search(fields.a_text(raw, "persona_info", path, faults))
    if found is None:
        faults.note("no_name", "no name in it: the user's turns have no speaker", f"{path}.persona_info")
    return found[1].strip() if found else ""


class _User:
    """The sessions and the checkpoints of one user, while they are read."""

    def __init__(self, name: str, unread: fields.Unread, faults: Faults) -> None:
        self._name = name
        self._unread = unread
        self._faults = faults
        self._times = KnownTimes()
        self._latest = ""
        self._points = PointReader(self._times, unread, faults)
        self.questions = QuestionReader(self._points, unread, faults)
        self.sessions: list[Session] = []
        self.checkpoints: list[Checkpoint] = []

    def add(self, given: Any, path: str, number: int) -> None:
        """Read the next session, and the questions that follow it."""
        faults = self._faults
        raw = fields.an_object(given, "session", path, faults)
        if raw is None:
            return
        self._unread.tell(raw, _SESSION, "session", path, faults)
        session_id = f"S{number + 1:02}"
        time = self._time(raw, path)
        turns = self._turns(raw, session_id, path)
        if fields.a_flag(raw, "is_generated_qa_session", path, faults):
            faults.note("filler_session", "a filler: its points and questions are not read", path)
            self.sessions.append(Session(session_id=session_id, turns=turns, time=time))
            return
        points = self._points.read(raw, session_id, turns, path)
        self.sessions.append(Session(session_id=session_id, turns=turns, points=points, time=time))
        asked = self.questions.read(raw, f"after-{session_id}", path)
        if asked:
            covered = tuple(session.session_id for session in self.sessions)
            self.checkpoints.append(
                Checkpoint(
                    checkpoint_id=f"after-{session_id}", covered=covered, after_session=session_id, questions=asked
                )
            )

    def _time(self, raw: Mapping[str, Any], path: str) -> str | None:
        start = fields.a_time(raw, "start_time", path, self._faults, self._times)
        end = fields.a_time(raw, "end_time", path, self._faults, self._times)
        first, last = (self._times.sort_key(time) if time else None for time in (start, end))
        if first and last and last < first:
            self._faults.warn("odd_end_time", "it ends before it begins", f"{path}.end_time")
        if first and first < self._latest:
            problem = "the session begins before an earlier one; the order of the file is kept"
            self._faults.warn("sessions_out_of_order", problem, f"{path}.start_time")
        self._latest = max(self._latest, first or "")
        return start

    def _turns(self, raw: Mapping[str, Any], session_id: str, path: str) -> tuple[Turn, ...]:
        reader = fields.TurnReader("role", "content", self._faults)
        given = fields.a_list(raw, "dialogue", path, self._faults)
        if not given:
            self._faults.warn("empty_session", "the session has no turns", f"{path}.dialogue")
        turns = []
        for index, item in enumerate(given):
            where = f"{path}.dialogue[{index}]"
            if isinstance(item, dict):
                self._unread.tell(item, _TURN, "turn", where, self._faults)
                time = fields.a_time(item, "timestamp", where, self._faults, self._times)
            else:
                time = None
            turns.append(reader.read(item, session_id, index, where, time=time, speaker=self._name))
        self._check_count(raw, given, path)
        return tuple(turn for turn in turns if turn is not None)

    def _check_count(self, raw: Mapping[str, Any], given: list[Any], path: str) -> None:
        """`dialogue_turn_num` counts exchanges, or turns; another number says that something is missing."""
        told = raw.get("dialogue_turn_num")
        if told is not None and told not in (len(given), len(given) / 2):
            problem = f"{told!r:.20} turns are announced, {len(given)} are there"
            self._faults.warn("turn_count_off", problem, f"{path}.dialogue_turn_num")
