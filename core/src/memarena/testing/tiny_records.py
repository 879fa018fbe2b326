"""What scorers see of the tiny data set: the records of two systems, one that keeps all and one that keeps nothing."""

from __future__ import annotations

from memarena.floors import Nothing, Verbatim
from memarena.memory import MemoryState
from memarena.records import (
    NOT_MENTIONED,
    Answer,
    Checkpoint,
    Question,
    QuestionRecord,
    RunContext,
    Sample,
    SampleRecord,
    Session,
    SessionRecord,
    Shown,
    ShownItem,
)
from memarena.rig import Rig
from memarena.testing.tiny import tiny_samples

_TOP_K = 3


def tiny_records() -> tuple[SessionRecord | QuestionRecord | SampleRecord, ...]:
    """For each system and sample: its sessions, its questions, then the sample."""
    found: list[SessionRecord | QuestionRecord | SampleRecord] = []
    for label, adapter in (("verbatim", Verbatim), ("nothing", Nothing)):
        for sample in tiny_samples():
            whole = _Cell(Rig(label, adapter()), sample).play()
            found += [*whole.sessions, *whole.questions, whole]
    return tuple(found)


class _Cell:
    def __init__(self, rig: Rig, sample: Sample) -> None:
        self.rig = rig
        self.sample = sample
        self.can = rig.get_capabilities()
        self.state = MemoryState()
        self.images = {
            picture.image_id: session.session_id
            for session in sample.sessions
            for turn in session.turns
            for picture in turn.attachments
        }

    def play(self) -> SampleRecord:
        self.rig.reset(RunContext(folder="", namespace=self.sample.sample_id))
        sessions, questions = [], []
        for index, session in enumerate(self.sample.sessions):
            sessions.append(self._hear(index, session))
            for checkpoint in self.sample.checkpoints:
                if checkpoint.after_session == session.session_id:
                    questions += [self._ask(index, checkpoint, question) for question in checkpoint.questions]
        return SampleRecord(
            label=self.rig.label,
            sample=self.sample,
            sessions=tuple(sessions),
            questions=tuple(questions),
            capabilities=self.can,
        )

    def _hear(self, index: int, session: Session) -> SessionRecord:
        for turn in session.turns:
            self.rig.ingest_turn(turn)
        self.rig.end_session(session.session_id)
        snapshot = self.rig.snapshot_memories()
        self.state.heard(session.turns)
        self.state.advance(session.session_id, snapshot)
        return SessionRecord(
            label=self.rig.label,
            sample_id=self.sample.sample_id,
            regime=self.sample.regime,
            domain=self.sample.domain,
            index=index,
            session=session,
            changes=self.rig.export_memory_delta(session.session_id) or (),
            snapshot=snapshot,
            capabilities=self.can,
            seconds={"write": 0.25, "snapshot": 0.125},
        )

    def _ask(self, index: int, checkpoint: Checkpoint, question: Question) -> QuestionRecord:
        found = self.rig.retrieve(query=question.text, top_k=_TOP_K)
        shown = Shown(
            items=tuple(
                ShownItem(
                    rank=rank,
                    memory_id=item.memory_id,
                    text=item.text,
                    image_id=item.image_id,
                    image_path=item.image_path,
                )
                for rank, item in enumerate(found.items, 1)
            )
        )
        text = found.items[0].text if found.items else NOT_MENTIONED
        return QuestionRecord(
            label=self.rig.label,
            sample_id=self.sample.sample_id,
            regime=self.sample.regime,
            domain=self.sample.domain,
            checkpoint_id=checkpoint.checkpoint_id,
            session_index=index,
            question=question,
            retrieval=found,
            sources=tuple(self.state.sources(item) for item in found.items),
            held_in=tuple(self.state.held_in(item) for item in found.items),
            shown=shown,
            answer=Answer(question_id=question.question_id, text=text),
            capabilities=self.can,
            images=self.images,
            seconds={"retrieve": 0.0625, "answer": 0.5},
            top_k=_TOP_K,
        )
