"""The questions of HaluMem: asked after the session in which they stand, resting on points by their texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memarena.records import NOT_MENTIONED, Evidence, Question
from memarena_arena.faults import Faults, quoted
from memarena_arena.public import fields
from memarena_arena.public.halumem_points import PointReader

TYPES: Mapping[str, str] = {
    "Basic Fact Recall": "FR",
    "Multi-hop Inference": "KR",
    "Dynamic Update": "DU",
    "Memory Boundary": "MB",
    "Memory Conflict": "MC",
    "Generalization & Application": "TTL",
}
"""Type of the file -> question type."""
BOUNDARY = "Memory Boundary"

_FIELDS = frozenset({"question", "answer", "evidence", "difficulty", "question_type"})
_EVIDENCE = frozenset({"memory_content", "memory_type"})
_LEVELS = frozenset({"", "easy", "medium", "hard"})


class QuestionReader:
    """Reads the questions of one user against the points up to their session."""

    def __init__(self, points: PointReader, unread: fields.Unread, faults: Faults) -> None:
        self._points = points
        self._unread = unread
        self._faults = faults
        self.explanations: dict[str, str] = {}
        """Question id -> what the file says in place of an answer where there is none."""

    def read(self, raw: Mapping[str, Any], checkpoint: str, path: str) -> tuple[Question, ...]:
        """The questions of a session, `<checkpoint>:Q001`, ..."""
        given = fields.a_list(raw, "questions", path, self._faults, need=False)
        found = [
            self._question(item, f"{checkpoint}:Q{number + 1:03}", f"{path}.questions[{number}]")
            for number, item in enumerate(given)
        ]
        return tuple(question for question in found if question is not None)

    def _question(self, given: Any, name: str, path: str) -> Question | None:
        faults = self._faults
        raw = fields.an_object(given, "question", path, faults)
        if raw is None:
            return None
        self._unread.tell(raw, _FIELDS, "question", path, faults)
        text = fields.a_question(raw, path, faults)
        reference, aliases = fields.either(fields.answers(raw.get("answer"), f"{path}.answer", faults))
        kind = fields.a_text(raw, "question_type", path, faults)
        if kind not in TYPES:
            problem = f"{quoted(kind)} is no type that is known: UNKNOWN"
            faults.warn("odd_type", problem, f"{path}.question_type")
        level = fields.a_text(raw, "difficulty", path, faults)
        if level.strip().lower() not in _LEVELS:
            faults.warn("odd_difficulty", f"{quoted(level)} is kept as it is", f"{path}.difficulty")
        evidence = self._evidence(raw, path)
        answerable = kind != BOUNDARY
        if not answerable:
            faults.note("unanswerable", "the reference is that it was not mentioned", f"{path}.answer")
            self.explanations[name] = " or ".join((reference, *aliases))
            if evidence:
                problem = "what it names is related and answers nothing; it is no evidence"
                faults.note("evidence_of_abstention", problem, f"{path}.evidence")
        elif not evidence:
            faults.note("no_evidence", "nothing to retrieve: it is asked, not ranked", f"{path}.evidence")
        return Question(
            question_id=name,
            text=text,
            reference=reference if answerable else NOT_MENTIONED,
            aliases=aliases if answerable else (),
            type=TYPES.get(kind, "UNKNOWN"),
            evidence=evidence if answerable else (),
            difficulty=level.strip().lower(),
            answerable=answerable,
            raw_type=kind,
        )

    def _evidence(self, raw: Mapping[str, Any], path: str) -> tuple[Evidence, ...]:
        found: dict[str, Evidence] = {}
        for number, item in enumerate(fields.a_list(raw, "evidence", path, self._faults, need=False)):
            where = f"{path}.evidence[{number}]"
            text = item.get("memory_content") if isinstance(item, dict) else item
            if not isinstance(text, str) or not text.strip():
                self._faults.warn("no_evidence_id", "it names no memory point; left out", where)
                continue
            if isinstance(item, dict):
                self._unread.tell(item, _EVIDENCE, "evidence", where, self._faults)
            evidence = self._resolved(text, number, where)
            if evidence.evidence_id in found:
                self._faults.note("duplicate_evidence", f"{evidence.evidence_id} is named twice", where)
            found.setdefault(evidence.evidence_id, evidence)
        return tuple(found.values())

    def _resolved(self, text: str, number: int, path: str) -> Evidence:
        point, exact = self._points.find(text)
        if point is None:
            self._faults.warn("unresolved_evidence", f"no point up to now says {quoted(text)}", path)
            return Evidence(evidence_id=f"absent_{number + 1}")
        if not exact:
            self._faults.note("evidence_matched_loosely", f"taken for {point.memory_id}", path)
        return Evidence(
            evidence_id=point.memory_id,
            content=point.content,
            session_id=point.session_id,
            kind=point.kind,
            importance=point.importance,
            replaces=point.replaces,
        )
