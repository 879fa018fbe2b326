"""The checkpoints of a WorldMemArena sample: when they are asked, and what their questions rest on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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


class QuestionReader:
    """Reads the checkpoints of one sample.

    `places`: session id -> place among the sessions that are kept; `images`: picture id -> where it is shown.
    """

    def __init__(self, places: Mapping[str, int], gold: Gold, images: Mapping[str, Shot], faults: Faults) -> None:
        self._places = places
        self._points = gold.by_id
        self._images = images
        self._faults = faults
        self._evidence: dict[tuple[str | None, str | None], Evidence] = {}

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
                covered=tuple(checkpoint.covered_sessions or ()),
                after_session=after,
                questions=tuple(self._questions(name, checkpoint.questions or (), after, f"{path}.questions")),
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
    ) -> Iterator[Question]:
        limit = len(self._places) if after is None else self._places[after]
        for index, question in enumerate(raw):
            text, answer, kind = question.question or "", question.answer or "", question.question_type_abbrev
            if kind not in _TYPES or not text.strip() or not answer.strip():
                self._report(question, f"{where}[{index}]")
            points = question.evidence
            yield Question(
                question_id=f"{checkpoint}:Q{index + 1:03}",
                text=text,
                reference=answer,
                type=kind or "UNKNOWN",
                evidence=tuple(self._resolved(points, limit, f"{where}[{index}]")) if points else (),
                difficulty=question.difficulty or "",
                answerable=len(answer) > 40 or answer.strip().rstrip(".").casefold() != _ABSTAIN,
                raw_type=question.question_type or "",
            )

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

    def _resolved(self, raw: Sequence[RawEvidence], limit: int, where: str) -> Iterator[Evidence]:
        """Each piece of evidence; one that is unknown stays, without content. `limit`: place of the last session."""
        for index, item in enumerate(raw):
            key = (item.memory_id, item.image_id)
            evidence = self._evidence.get(key)
            if evidence is None:
                evidence = self._evidence[key] = self._resolve(item)
            if evidence.content is None:
                problem = f"{quoted(evidence.evidence_id)} is no memory point and no picture of this sample"
                self._faults.warn("unresolved_evidence", problem, f"{where}.evidence[{index}]")
            elif self._places.get(evidence.session_id or "", 0) > limit:
                problem = f"{quoted(evidence.evidence_id)} is of {evidence.session_id}, after the question is asked"
                self._faults.warn("late_evidence", problem, f"{where}.evidence[{index}]")
            yield evidence

    def _resolve(self, item: RawEvidence) -> Evidence:
        if item.memory_id:
            point = self._points.get(item.memory_id)
            if point is None:
                return Evidence(evidence_id=item.memory_id)
            return Evidence(
                evidence_id=item.memory_id,
                content=point.content,
                session_id=point.session_id,
                kind=point.kind,
                importance=point.importance,
                replaces=point.replaces,
            )
        name = item.image_id or ""
        shot = self._images.get(name)
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
