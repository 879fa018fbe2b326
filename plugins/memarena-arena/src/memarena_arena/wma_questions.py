"""The checkpoints of a WorldMemArena sample: when they are asked, and what their questions rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memarena.records import NOT_MENTIONED, TYPES, Checkpoint, Evidence, Question
from memarena_arena.faults import PLAIN_NAME, Faults, no_plain_name, quoted
from memarena_arena.wma_gold import Gold
from memarena_arena.wma_raw import RawCheckpoint, RawEvidence, RawQuestion

_TYPES = frozenset(TYPES)
_ABSTAIN = NOT_MENTIONED.rstrip(".").casefold()


def _suffix(index: int) -> str:
    return f":Q{index + 1:03}"


_SUFFIXES = tuple(map(_suffix, range(200)))

Shot = tuple[str, str]
"""Where the dialogue shows a picture for the first time: the session, and the fullest caption."""


class QuestionReader:
    """Reads the checkpoints of one sample.

    `places`: session id -> place among the sessions that are kept; `shots`: picture id -> where it is shown.
    """

    def __init__(
        self, places: Mapping[str, int], gold: Gold, shots: Mapping[str, Shot], faults: Faults, *, exact: bool
    ) -> None:
        self._loose = not exact
        self._places = places
        self._points = gold.by_id
        self._shots = shots
        self._faults = faults
        self._limit = -1
        self._memories: dict[str, Evidence] = {}
        self._images: dict[str, Evidence] = {}

    def checkpoints(self, raw: Sequence[RawCheckpoint]) -> tuple[Checkpoint, ...]:
        """All checkpoints in file order, those that cannot be reached too."""
        made: dict[str, Checkpoint] = {}
        for index, checkpoint in enumerate(raw):
            path = f"$.qa_checkpoints[{index}]"
            name = checkpoint.checkpoint_id
            if not PLAIN_NAME.fullmatch(name):
                self._faults.refuse("bad_id", no_plain_name(name), f"{path}.checkpoint_id")
            elif name in made:
                self._faults.refuse("repeated_id", f"a second checkpoint {quoted(name)}", f"{path}.checkpoint_id")
            after = self._after(checkpoint, path)
            if not checkpoint.questions:
                self._faults.note("no_questions", "a checkpoint without questions", f"{path}.questions")
            made[name] = Checkpoint(
                checkpoint_id=name,
                covered=checkpoint.covered_sessions,
                after_session=after,
                questions=self._questions(name, checkpoint.questions, after, index),
            )
        return tuple(made.values())

    def _after(self, checkpoint: RawCheckpoint, path: str) -> str | None:
        """The latest covered session in list order; None where nothing or something unknown is covered."""
        covered = checkpoint.covered_sessions
        unknown = [name for name in covered if name not in self._places]
        if covered and not unknown:
            return max(covered, key=self._places.__getitem__)
        problem = f"there is no session {quoted(unknown[0])}" if unknown else "no session is covered"
        self._faults.warn("unreachable_checkpoint", f"never asked: {problem}", f"{path}.covered_sessions")
        return None

    def _questions(
        self, checkpoint: str, raw: Sequence[RawQuestion], after: str | None, place: int
    ) -> tuple[Question, ...]:
        limit = len(self._places) if after is None else self._places[after]
        if limit < self._limit:
            # What was there for a later checkpoint may be too late for this one.
            self._memories.clear()
            self._images.clear()
        self._limit = limit
        suffixes = _SUFFIXES if len(raw) <= len(_SUFFIXES) else [_suffix(index) for index in range(len(raw))]
        loose, questions = self._loose, []
        for index, question in enumerate(raw):
            text, answer, points = question.question, question.answer, question.evidence
            kind: str = question.question_type_abbrev
            if text.isspace() or answer.isspace() or loose:
                self._report(question, f"$.qa_checkpoints[{place}].questions[{index}]")
            questions.append(
                Question(
                    question_id=checkpoint + suffixes[index],
                    text=text,
                    reference=answer,
                    type=kind or "UNKNOWN",
                    evidence=self._resolved(points, limit, (place, index, "evidence")) if points else (),
                    evidence_alternatives=self._alternatives(question, limit, place, index)
                    if question.evidence_alternatives
                    else (),
                    difficulty=question.difficulty,
                    answerable=not 20 < len(answer) < 40 or answer.strip().rstrip(".").casefold() != _ABSTAIN,
                    raw_type=question.question_type,
                )
            )
        return tuple(questions)

    def _report(self, question: RawQuestion, path: str) -> None:
        if not question.question.strip():
            self._faults.refuse("no_question", "a question needs a text", f"{path}.question")
        if not question.answer.strip():
            self._faults.refuse("no_answer", "a question needs a reference answer", f"{path}.answer")
        kind: str = question.question_type_abbrev
        if not kind:
            self._faults.warn("no_type", "the type is UNKNOWN", f"{path}.question_type_abbrev")
        elif kind not in _TYPES:
            problem = f"{quoted(kind)} is none of the eleven types; it is kept"
            self._faults.warn("odd_type", problem, f"{path}.question_type_abbrev")

    def _alternatives(
        self, raw: RawQuestion, limit: int, checkpoint: int, question: int
    ) -> tuple[tuple[Evidence, ...], ...]:
        """The further sets of evidence; one that is empty, or is there without a first one, is left out."""
        found = []
        for number, some in enumerate(raw.evidence_alternatives):
            field = f"evidence_alternatives[{number}]"
            if some and raw.evidence:
                found.append(self._resolved(some, limit, (checkpoint, question, field)))
            else:
                problem = "an empty set, left out" if not some else "a further set where there is no first: left out"
                path = f"$.qa_checkpoints[{checkpoint}].questions[{question}].{field}"
                self._faults.warn("odd_alternative", problem, path)
        return tuple(found)

    def _resolved(self, raw: Sequence[RawEvidence], limit: int, field: tuple[int, int, str]) -> tuple[Evidence, ...]:
        """Each piece of evidence; one that is unknown stays, without content. `limit`: place of the last session."""
        memories, images = self._memories, self._images
        return tuple(
            [
                (memories.get(item.memory_id) if item.memory_id else images.get(item.image_id))
                or self._resolve(item, limit, (*field, place))
                for place, item in enumerate(raw)
            ]
        )

    def _resolve(self, item: RawEvidence, limit: int, place: tuple[int, int, str, int]) -> Evidence:
        """Look evidence up and say what is odd about it; what is not odd is kept for the next question."""
        known = self._memories if item.memory_id else self._images
        name = item.memory_id or item.image_id
        evidence = self._memory(name) if item.memory_id else self._image(name)
        session_id = evidence.session_id
        late = session_id is not None and self._places.get(session_id, -1) > limit
        if evidence.content is not None and not late:
            known[name] = evidence
            return evidence
        path = "$.qa_checkpoints[{}].questions[{}].{}[{}]".format(*place)
        if late:
            problem = f"{quoted(name)} is of {evidence.session_id}, after the question is asked"
            self._faults.warn("late_evidence", problem, path)
        else:
            problem = f"{quoted(name)} is no memory point and no picture of this sample"
            self._faults.warn("unresolved_evidence", problem, path)
        return evidence

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
        session_id, caption = shot
        return Evidence(
            evidence_id=name,
            content=f"image_id: {name}",
            session_id=session_id,
            image_id=name,
            caption=caption,
            kind="image",
        )
