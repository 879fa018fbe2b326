"""The checkpoints of a WorldMemArena sample: when they are asked, and what their questions rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memarena.records import NOT_MENTIONED, TYPES, Checkpoint, Evidence, Question
from memarena_arena.faults import PLAIN_NAME, Faults, quoted
from memarena_arena.wma_gold import Gold
from memarena_arena.wma_raw import RawCheckpoint, RawEvidence, RawQuestion

_TYPES = frozenset(TYPES)
_ABSTAIN = NOT_MENTIONED.rstrip(".").casefold()


class Shot(NamedTuple):
    """Where the dialogue shows a picture for the first time."""

    session_id: str
    caption: str
    """The fullest one."""


_Found = tuple[Evidence, int]
"""A piece of evidence, and the place of its session: -1 where that is not kept."""

_UNRESOLVED = -2


class QuestionReader:
    """Reads the checkpoints of one sample.

    `places`: session id -> place among the sessions that are kept; `shots`: picture id -> where it is shown.
    """

    def __init__(self, places: Mapping[str, int], gold: Gold, shots: Mapping[str, Shot], faults: Faults) -> None:
        self._places = places
        self._points = gold.by_id
        self._shots = shots
        self._faults = faults
        self._memories: dict[str, _Found] = {}
        self._images: dict[str, _Found] = {}

    def checkpoints(self, raw: Sequence[RawCheckpoint]) -> tuple[Checkpoint, ...]:
        """All checkpoints in file order, those that cannot be reached too."""
        made: dict[str, Checkpoint] = {}
        for index, checkpoint in enumerate(raw):
            path = f"$.qa_checkpoints[{index}]"
            name = checkpoint.checkpoint_id or ""
            if not PLAIN_NAME.fullmatch(name):
                self._faults.refuse("bad_id", f"{quoted(name)} is no plain name", f"{path}.checkpoint_id")
            elif name in made:
                self._faults.refuse("repeated_id", f"a second checkpoint {quoted(name)}", f"{path}.checkpoint_id")
            after = self._after(checkpoint, path)
            if not checkpoint.questions:
                self._faults.note("no_questions", "a checkpoint without questions", f"{path}.questions")
            made[name] = Checkpoint(
                checkpoint_id=name,
                covered=checkpoint.covered_sessions or (),
                after_session=after,
                questions=self._questions(name, checkpoint.questions or (), after, f"{path}.questions"),
            )
        return tuple(made.values())

    def _after(self, checkpoint: RawCheckpoint, path: str) -> str | None:
        """The latest covered session in list order; None where nothing or something unknown is covered."""
        covered = checkpoint.covered_sessions or ()
        unknown = [name for name in covered if name not in self._places]
        if covered and not unknown:
            return max(covered, key=self._places.__getitem__)
        problem = f"there is no session {quoted(unknown[0])}" if unknown else "no session is covered"
        self._faults.warn("unreachable_checkpoint", f"never asked: {problem}", f"{path}.covered_sessions")
        return None

    def _questions(
        self, checkpoint: str, raw: Sequence[RawQuestion], after: str | None, where: str
    ) -> tuple[Question, ...]:
        limit = len(self._places) if after is None else self._places[after]
        questions = []
        for index, question in enumerate(raw):
            text, answer, kind = question.question or "", question.answer or "", question.question_type_abbrev
            if kind not in _TYPES or not text or text.isspace() or not answer or answer.isspace():
                self._report(question, f"{where}[{index}]")
            points = question.evidence
            questions.append(
                Question(
                    question_id=f"{checkpoint}:Q{index + 1:03}",
                    text=text,
                    reference=answer,
                    type=kind or "UNKNOWN",
                    evidence=self._resolved(points, limit, f"{where}[{index}]") if points else (),
                    difficulty=question.difficulty or "",
                    answerable=not 20 < len(answer) < 40 or answer.strip().rstrip(".").casefold() != _ABSTAIN,
                    raw_type=question.question_type or "",
                )
            )
        return tuple(questions)

    def _report(self, question: RawQuestion, path: str) -> None:
        if not (question.question or "").strip():
            self._faults.refuse("no_question", "a question needs a text", f"{path}.question")
        if not (question.answer or "").strip():
            self._faults.refuse("no_answer", "a question needs a reference answer", f"{path}.answer")
        kind = question.question_type_abbrev
        if not kind:
            self._faults.warn("no_type", "the type is UNKNOWN", f"{path}.question_type_abbrev")
        elif kind not in _TYPES:
            problem = f"{quoted(kind)} is none of the eleven types; it is kept"
            self._faults.warn("odd_type", problem, f"{path}.question_type_abbrev")

    def _resolved(self, raw: Sequence[RawEvidence], limit: int, where: str) -> tuple[Evidence, ...]:
        """Each piece of evidence; one that is unknown stays, without content. `limit`: place of the last session."""
        memories, images = self._memories, self._images
        resolved = []
        for item in raw:
            name = item.memory_id
            found = memories.get(name) if name else images.get(item.image_id or "")
            evidence, place = found or self._resolve(name or "", item.image_id or "")
            if not -1 <= place <= limit:
                self._report_evidence(evidence, place, f"{where}.evidence[{len(resolved)}]")
            resolved.append(evidence)
        return tuple(resolved)

    def _report_evidence(self, evidence: Evidence, place: int, path: str) -> None:
        name = quoted(evidence.evidence_id)
        if place == _UNRESOLVED:
            self._faults.warn("unresolved_evidence", f"{name} is no memory point and no picture of this sample", path)
        else:
            problem = f"{name} is of {evidence.session_id}, after the question is asked"
            self._faults.warn("late_evidence", problem, path)

    def _resolve(self, memory_id: str, image_id: str) -> _Found:
        evidence = self._memory(memory_id) if memory_id else self._image(image_id)
        place = _UNRESOLVED if evidence.content is None else self._places.get(evidence.session_id or "", -1)
        found = (evidence, place)
        if memory_id:
            self._memories[memory_id] = found
        else:
            self._images[image_id] = found
        return found

    def _memory(self, name: str) -> Evidence:
        point = self._points.get(name)
        if point is None:
            return Evidence(evidence_id=name)
        return Evidence(
            evidence_id=name,
            content=point.content,
            session_id=point.session_id,
            kind=point.kind,
            importance=point.importance,
            replaces=point.replaces,
        )

    def _image(self, name: str) -> Evidence:
        shot = self._shots.get(name)
        if shot is None:
            return Evidence(evidence_id=name, image_id=name)
        return Evidence(
            evidence_id=name,
            content=f"image_id: {name}",
            session_id=shot.session_id,
            image_id=name,
            caption=shot.caption,
            kind="image",
        )
