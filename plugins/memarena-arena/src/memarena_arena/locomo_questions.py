"""LoCoMo's question-answer pairs -> questions with evidence, and the checkpoints at which they are asked.

The categories, as the official evaluator numbers them: 1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop,
5 adversarial. (Some tables elsewhere name them otherwise; compare by number.)
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from memarena.records import NOT_MENTIONED, Checkpoint, Evidence, Question, Session, Turn
from memarena_arena.faults import Faults, quoted
from memarena_arena.locomo_files import Conversation

CATEGORIES: Mapping[int, tuple[str, str]] = {
    1: ("KR", "multi-hop"),
    2: ("TR", "temporal"),
    3: ("KR", "open-domain"),
    4: ("FR", "single-hop"),
    5: ("MB", "adversarial"),
}
"""Category -> question type and raw type."""

ADVERSARIAL = 5

_TURN_ID = re.compile(r"D[1-9]\d*:[1-9]\d*")
_PADDED_ID = re.compile(r"D\d+:\d+")
_ANY_ID = re.compile(r"D\s{0,3}:?\s{0,3}(\d{1,6})\s{0,3}:\s{0,3}(\d{1,6})(?!\d)")


def read_questions(conversation: Conversation, sessions: Sequence[Session], faults: Faults) -> tuple[Question, ...]:
    """The questions in file order; `question_id` is `Q001`, ... by their place in the file."""
    raw, path = conversation.questions, f"{conversation.path}.qa"
    if raw is None:
        faults.warn("no_questions", "the conversation has no questions", path)
        return ()
    if not isinstance(raw, list):
        faults.refuse("questions_not_a_list", "the questions must be a list", path)
        return ()
    reader = _QuestionReader({turn.turn_id: turn for session in sessions for turn in session.turns}, faults)
    questions = (reader.read(item, number, f"{path}[{number}]") for number, item in enumerate(raw))
    return tuple(question for question in questions if question is not None)


def at_end(sessions: Sequence[Session], questions: Sequence[Question]) -> tuple[Checkpoint, ...]:
    """One checkpoint, `end`, after the last session, with all questions."""
    return (_checkpoint("end", sessions, questions),) if questions else ()


def by_evidence(sessions: Sequence[Session], questions: Sequence[Question]) -> tuple[Checkpoint, ...]:
    """A checkpoint after each session that is the last one of some question's evidence, e.g. `after-S05`.

    A question whose evidence names no session is asked at the end.
    """
    places = {session.session_id: place for place, session in enumerate(sessions)}
    asked: dict[int, list[Question]] = {}
    for question in questions:
        known = [places[item.session_id] for item in question.evidence if item.session_id is not None]
        asked.setdefault(max(known, default=len(sessions) - 1), []).append(question)
    return tuple(
        _checkpoint(f"after-{sessions[place].session_id}", sessions[: place + 1], asked[place])
        for place in sorted(asked)
    )


def evidence_ids(text: str) -> list[str]:
    """Every turn id in `text`, also where it is written oddly: `D:11:26` is D11:26, `D30:05` is D30:5."""
    return [f"D{int(session)}:{int(turn)}" for session, turn in _ANY_ID.findall(text)]


def _checkpoint(name: str, covered: Sequence[Session], questions: Sequence[Question]) -> Checkpoint:
    return Checkpoint(
        checkpoint_id=name,
        covered=tuple(session.session_id for session in covered),
        after_session=covered[-1].session_id,
        questions=tuple(replace(question, question_id=f"{name}:{question.question_id}") for question in questions),
    )


class _QuestionReader:
    """Reads questions against the turns of their conversation."""

    def __init__(self, turns: Mapping[str, Turn], faults: Faults) -> None:
        self._turns = turns
        self._faults = faults

    def read(self, raw: Any, number: int, path: str) -> Question | None:
        if not isinstance(raw, dict):
            self._faults.refuse("question_not_an_object", "a question is an object", path)
            return None
        text = self._question_text(raw.get("question"), f"{path}.question")
        category, kind, name = self._category(raw, path)
        gold = self._gold(raw, category, path)
        evidence = self._evidence(raw.get("evidence", []), f"{path}.evidence")
        if text is None or gold is None or evidence is None:
            return None
        reference, answerable = gold
        trap = self._trap(raw, category, path)
        return Question(
            question_id=f"Q{number + 1:03d}",
            text=text,
            reference=reference,
            type=kind,
            raw_type=name,
            evidence=evidence,
            answerable=answerable,
            stale_answers=(trap,) if trap else (),
        )

    def _question_text(self, given: Any, path: str) -> str | None:
        if not isinstance(given, str) or not given.strip():
            self._faults.refuse("no_question", "the question must be a text that is not empty", path)
            return None
        return self._stripped(given, "blank_around_question", path)

    def _stripped(self, given: str, code: str, path: str) -> str:
        if given != given.strip():
            self._faults.note(code, "blanks around it, taken away", path)
        return given.strip()

    def _category(self, raw: Mapping[str, Any], path: str) -> tuple[int, str, str]:
        given = raw.get("category")
        number = int(given) if isinstance(given, str) and re.fullmatch(r"[1-5]", given) else given
        if type(number) is int and number in CATEGORIES:
            return (number, *CATEGORIES[number])
        self._faults.warn("odd_category", f"{quoted(given)} is none of 1 to 5", f"{path}.category")
        return 0, "UNKNOWN", "unknown"

    def _gold(self, raw: Mapping[str, Any], category: int, path: str) -> tuple[str, bool] | None:
        """The reference and whether the question can be answered; None where it is refused."""
        if category == ADVERSARIAL and "answer" not in raw:
            self._faults.note("no_answer", "adversarial: the reference is that it was not mentioned", path)
            return NOT_MENTIONED, False
        answer = self._text(raw.get("answer"), "number_answer", f"{path}.answer")
        if not answer:
            self._faults.refuse("no_answer_given", "the answer must be a text or a number", f"{path}.answer")
            return None
        if category == ADVERSARIAL:
            self._faults.note("adversarial_with_answer", "adversarial, but answered", f"{path}.answer")
        return answer, True

    def _trap(self, raw: Mapping[str, Any], category: int, path: str) -> str:
        if "adversarial_answer" not in raw:
            if category == ADVERSARIAL:
                self._faults.warn("no_trap", "adversarial, but no false answer is given", path)
            return ""
        where = f"{path}.adversarial_answer"
        trap = self._text(raw["adversarial_answer"], "number_trap", where)
        if not trap:
            self._faults.warn("odd_trap", "the false answer must be a text; left out", where)
        return trap

    def _text(self, given: Any, code: str, path: str) -> str:
        """`given` as a text without outer blanks; "" where it is neither text nor number."""
        if isinstance(given, str):
            return self._stripped(given, "blank_around_answer", path) if given.strip() else ""
        if isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given):
            self._faults.note(code, "a number, read as text", path)
            return str(given)
        return ""

    def _evidence(self, given: Any, path: str) -> tuple[Evidence, ...] | None:
        if not isinstance(given, list):
            self._faults.refuse("evidence_not_a_list", "the evidence must be a list", path)
            return None
        if not given:
            self._faults.note("no_evidence", "nothing to retrieve: it is asked, not ranked", path)
        found: dict[str, Evidence] = {}
        for number, item in enumerate(given):
            where = f"{path}[{number}]"
            for turn_id in self._ids(item, where):
                if turn_id in found:
                    self._faults.note("duplicate_evidence", f"{turn_id} is named twice", where)
                else:
                    found[turn_id] = self._resolve(turn_id, where)
        return tuple(found.values())

    def _ids(self, given: Any, path: str) -> list[str]:
        ids = evidence_ids(given) if isinstance(given, str) else []
        if not ids:
            self._faults.warn("no_evidence_id", f"{quoted(given)} names no turn; left out", path)
        elif len(ids) > 1:
            self._faults.note("several_evidence_ids", f"read as {quoted(', '.join(ids))}", path)
        elif _TURN_ID.fullmatch(given):
            pass
        elif _PADDED_ID.fullmatch(given):
            self._faults.note("padded_evidence_id", f"{quoted(given)} read as {ids[0]}", path)
        else:
            self._faults.warn("malformed_evidence_id", f"{quoted(given)} read as {ids[0]}", path)
        return ids

    def _resolve(self, turn_id: str, path: str) -> Evidence:
        turn = self._turns.get(turn_id)
        if turn is None:
            self._faults.warn("unresolved_evidence", f"no turn {turn_id}", path)
            return Evidence(evidence_id=turn_id)
        picture = turn.attachments[0] if turn.attachments else None
        return Evidence(
            evidence_id=turn_id,
            content=turn.text,
            session_id=turn.session_id,
            turn_ids=(turn_id,),
            image_id=picture.image_id if picture else "",
            caption=picture.caption_full if picture else "",
            kind="turn",
            modality="mixed" if picture else "text",
        )
