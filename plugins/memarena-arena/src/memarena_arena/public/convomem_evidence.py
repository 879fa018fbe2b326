"""The conversations of a ConvoMem sample, and which of their messages the gold texts mean.

A text is looked for as it is but for case, punctuation and white space; then as a part of a message, or a message as a
part of it; then by its words. Each step away from the exact text is reported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memarena.records import Evidence, Session, Turn
from memarena_arena.faults import Faults, quoted
from memarena_arena.jsonpath import child
from memarena_arena.public import fields
from memarena_arena.public.likeness import Likeness, plain

SHORTEST = 20
"""Letters below which a text is not looked for as a part of another."""

_CONVERSATION = frozenset({"messages", "id", "containsEvidence", "contains_evidence", "model_name"})
_MESSAGE = frozenset({"speaker", "text"})


class _Match(NamedTuple):
    turns: list[Turn]
    code: str
    """How it was found: "" for exactly."""


class Messages:
    """Conversations, each behind its JSON path, as sessions `S001`, ...; what is odd goes to `faults`."""

    def __init__(self, given: Sequence[tuple[str, Any]], unread: fields.Unread, faults: Faults) -> None:
        self._unread = unread
        self._faults = faults
        self._by_text: dict[str, list[Turn]] = {}
        self._likeness: Likeness | None = None
        """Made for the first text that needs it: most are found without."""
        self._flagged: set[str] = set()
        """Sessions that say that they hold evidence."""
        found = [self._session(item, number, path) for number, (path, item) in enumerate(given, 1)]
        self.sessions = tuple(session for session in found if session is not None)

    def evidence(self, raw: Mapping[str, Any], key: str, path: str) -> tuple[Evidence, ...]:
        """The messages that the list under `key` means; one that is not there stays, without content."""
        found: dict[str, Evidence] = {}
        for number, item in enumerate(fields.a_list(raw, key, path, self._faults, need=False)):
            where = f"{child(path, key)}[{number}]"
            text = item.get("text") if isinstance(item, dict) else item
            if not isinstance(text, str) or not text.strip():
                self._faults.warn("no_evidence_id", "it holds no text of a message; left out", where)
                continue
            speaker = item.get("speaker") if isinstance(item, dict) else None
            turn = self._turn(text, speaker.strip().lower() if isinstance(speaker, str) else "", where)
            evidence = _evidence(turn) if turn else Evidence(evidence_id=f"absent_{number + 1}")
            if evidence.evidence_id in found:
                self._faults.note("duplicate_evidence", f"{evidence.evidence_id} is named twice", where)
            found.setdefault(evidence.evidence_id, evidence)
        return tuple(found.values())

    def _turn(self, text: str, role: str, path: str) -> Turn | None:
        match = self._find(text)
        if not match.turns:
            self._faults.warn("unresolved_evidence", f"no message says {quoted(text)}", path)
            return None
        said = [turn for turn in match.turns if not role or turn.role == role]
        if not said:
            problem = f"{quoted(role)} is named, {quoted(match.turns[0].role)} says it"
            self._faults.warn("evidence_speaker_off", problem, path)
        candidates = said or match.turns
        chosen = next((turn for turn in candidates if turn.session_id in self._flagged), candidates[0])
        if len(candidates) > 1:
            self._faults.note("several_matches", f"{len(candidates)} messages say it; {chosen.turn_id} is taken", path)
        if match.code == "evidence_matched_partly":
            self._faults.note("evidence_matched_partly", f"part of one text is the other: {chosen.turn_id}", path)
        elif match.code:
            self._faults.note("evidence_matched_loosely", f"taken for {chosen.turn_id}", path)
        return chosen

    def _find(self, text: str) -> _Match:
        wanted = plain(text)
        if wanted in self._by_text:
            return _Match(self._by_text[wanted], "")
        if len(wanted) >= SHORTEST:
            parts = [
                turn
                for said, turns in self._by_text.items()
                if wanted in said or (len(said) >= SHORTEST and said in wanted)
                for turn in turns
            ]
            if parts:
                return _Match(parts, "evidence_matched_partly")
        if self._likeness is None:
            self._likeness = Likeness()
            for said in self._by_text:
                self._likeness.add(said)
        alike = self._likeness.find(text)
        return _Match(self._by_text[alike] if alike else [], "evidence_matched_loosely")

    def _session(self, given: Any, number: int, path: str) -> Session | None:
        raw = fields.an_object(given, "conversation", path, self._faults)
        if raw is None:
            return None
        self._unread.tell(raw, _CONVERSATION, "conversation", path, self._faults)
        session_id = f"S{number:03}"
        flags = [fields.a_flag(raw, key, path, self._faults) for key in ("containsEvidence", "contains_evidence")]
        if any(flags):
            self._flagged.add(session_id)
        reader = fields.TurnReader("speaker", "text", self._faults)
        turns = []
        for index, item in enumerate(fields.a_list(raw, "messages", path, self._faults)):
            where = f"{path}.messages[{index}]"
            turn = reader.read(item, session_id, index, where)
            if turn is not None:
                self._unread.tell(item, _MESSAGE, "message", where, self._faults)
                key = plain(turn.text)
                if key:
                    self._by_text.setdefault(key, []).append(turn)
                turns.append(turn)
        if not turns:
            self._faults.warn("empty_session", "the conversation has no messages", f"{path}.messages")
        return Session(session_id=session_id, turns=tuple(turns))


def _evidence(turn: Turn) -> Evidence:
    return Evidence(
        evidence_id=turn.turn_id,
        content=turn.text,
        session_id=turn.session_id,
        turn_ids=(turn.turn_id,),
        kind="turn",
        modality="text",
    )
