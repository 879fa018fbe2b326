"""The whole history of a cell, rebuilt from its journal and its sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from memarena.errors import StoreError
from memarena.journal import Answered, CellStarted, Leaked, Retrieved, SessionEnded
from memarena.records import (
    Answer,
    Capabilities,
    MemoryItem,
    Question,
    QuestionRecord,
    Retrieval,
    Sample,
    SampleRecord,
    SessionRecord,
    Shown,
)

if TYPE_CHECKING:
    from memarena.store import RunStore

UNANSWERED = "not answered yet"


def rebuild(store: RunStore, cell_id: str) -> SampleRecord:
    """Read the journal of `cell_id`; raises StoreError where it has none."""
    entries = store.entries(cell_id)
    started = next(entries, None)
    if not isinstance(started, CellStarted):
        raise StoreError(f"{store.path}/cells/{cell_id} holds no journal; go on with --resume")
    sample = store.sample(started.sample_id)
    capabilities = started.capabilities or Capabilities()
    answered = {entry.question_id: entry for entry in store.entries(cell_id, "answers") if isinstance(entry, Answered)}
    sessions: list[SessionRecord] = []
    retrieved: list[Retrieved] = []
    items: dict[str, MemoryItem] = {}
    for entry in entries:
        match entry:
            case SessionEnded():
                items = entry.snapshot.apply(items)
                sessions.append(_session_record(started, sample, capabilities, entry, tuple(items.values())))
            case Leaked():
                items = entry.snapshot.apply(items)
            case Retrieved():
                retrieved.append(entry)
            case Answered():
                answered[entry.question_id] = entry
    return SampleRecord(
        label=started.label,
        sample=sample,
        sessions=tuple(sessions),
        questions=_question_records(store, started, sample, capabilities, retrieved, answered),
        capabilities=capabilities,
    )


def images(sample: Sample) -> dict[str, str]:
    """Every picture id of a sample and its session; the first session that shows it."""
    found: dict[str, str] = {}
    for session in sample.sessions:
        for turn in session.turns:
            for picture in turn.attachments:
                if picture.image_id:
                    found.setdefault(picture.image_id, session.session_id)
    return found


def _session_record(
    started: CellStarted,
    sample: Sample,
    capabilities: Capabilities,
    entry: SessionEnded,
    snapshot: tuple[MemoryItem, ...],
) -> SessionRecord:
    return SessionRecord(
        label=started.label,
        sample_id=sample.sample_id,
        regime=sample.regime,
        domain=sample.domain,
        index=entry.index,
        session=sample.sessions[entry.index],
        changes=entry.changes,
        snapshot=snapshot,
        capabilities=capabilities,
        seconds=entry.seconds,
    )


def _first(retrieval: Retrieval, top_k: int) -> Retrieval:
    """`retrieval` as it was asked for: where a run is answered anew, with fewer items than are recorded."""
    if len(retrieval.items) <= top_k:
        return retrieval
    return replace(retrieval, items=retrieval.items[:top_k])


def _question_records(
    store: RunStore,
    started: CellStarted,
    sample: Sample,
    capabilities: Capabilities,
    retrieved: list[Retrieved],
    answered: dict[str, Answered],
) -> tuple[QuestionRecord, ...]:
    questions: dict[str, Question] = {
        question.question_id: question for checkpoint in sample.checkpoints for question in checkpoint.questions
    }
    pictures = images(sample)
    top_k = store.header["settings"]["top_k"]
    records = []
    for entry in retrieved:
        given = answered.get(entry.question_id)
        answer = given.answer if given else Answer(question_id=entry.question_id, text="", error=UNANSWERED)
        records.append(
            QuestionRecord(
                label=started.label,
                sample_id=sample.sample_id,
                regime=sample.regime,
                domain=sample.domain,
                checkpoint_id=entry.checkpoint_id,
                session_index=entry.session_index,
                question=questions[entry.question_id],
                retrieval=_first(entry.retrieval, top_k),
                sources=entry.sources[:top_k],
                held_in=entry.held_in[:top_k],
                shown=given.shown if given else Shown(),
                answer=answer,
                capabilities=capabilities,
                images=pictures,
                seconds={"retrieve": entry.seconds, "answer": given.seconds if given else 0.0},
                top_k=top_k,
            )
        )
    return tuple(records)
