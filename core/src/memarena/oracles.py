"""Oracles: rows in which gold takes the place of a stage."""

from __future__ import annotations

from collections.abc import Mapping

from memarena.cell import CellSettings, MemoryLoop
from memarena.cells import CellSpec
from memarena.floors import turn_line
from memarena.goldmemory import GoldStateLoop, GoldTurnsLoop
from memarena.journal import CellEnded, CellStarted, Journal, Retrieved, SessionEnded
from memarena.memory import present, whole_text
from memarena.records import Attachment, Capabilities, Evidence, Question, Retrieval, RetrievedItem, Sample, Turn
from memarena.store import RunStore

RETRIEVE = "retrieve"
FED: Mapping[str, type[MemoryLoop]] = {"write": GoldTurnsLoop, "maintain": GoldStateLoop}
"""The oracles that are a row of each adapter: what it hears is gold."""
GOLD_EVIDENCE = "gold-evidence"
"""Label of the row of `--oracle retrieve`: the evidence itself is handed to the answerer."""


def run_gold_evidence(spec: CellSpec, store: RunStore) -> None:
    """Write the memory phase of a cell in which each question retrieves its own evidence, in gold order."""
    journal, attempt = store.begin(spec)
    try:
        capabilities = Capabilities(state=False, ranked=False)
        journal.write(
            CellStarted(
                cell_id=spec.cell_id,
                label=spec.label,
                sample_id=spec.sample_id,
                repeat=spec.repeat,
                attempt=attempt,
                capabilities=capabilities,
            )
        )
        _write_evidence(store.sample(spec.sample_id), CellSettings.of(store.header["settings"]), journal)
        journal.write(CellEnded(status="done"))
    finally:
        journal.close()


def _write_evidence(sample: Sample, settings: CellSettings, journal: Journal) -> None:
    pictures = {
        picture.image_id: picture
        for session in sample.sessions
        for turn in session.turns
        for picture in turn.attachments
    }
    turns = {turn.turn_id: turn for session in sample.sessions for turn in session.turns}
    starts = {session.session_id: session.time or _first_time(session.turns) for session in sample.sessions}
    for index, session in enumerate(sample.sessions):
        journal.write(SessionEnded(session_id=session.session_id, index=index, turns=len(session.turns)))
        for checkpoint in sample.checkpoints:
            if checkpoint.after_session == session.session_id:
                for question in checkpoint.questions:
                    items = tuple(
                        _item(evidence, pictures, turns, starts, settings)
                        for evidence in question.evidence
                        if evidence.content is not None
                    )
                    journal.write(_retrieved(checkpoint.checkpoint_id, index, question, items))


def _retrieved(checkpoint_id: str, index: int, question: Question, items: tuple[RetrievedItem, ...]) -> Retrieved:
    return Retrieved(
        checkpoint_id=checkpoint_id,
        question_id=question.question_id,
        session_index=index,
        retrieval=Retrieval(query=question.text, items=items),
        sources=tuple((item.session_id,) if item.session_id else () for item in items),
        held_in=(None,) * len(items),
    )


def _item(
    evidence: Evidence,
    pictures: dict[str, Attachment],
    turns: dict[str, Turn],
    starts: dict[str, str | None],
    settings: CellSettings,
) -> RetrievedItem:
    picture = pictures.get(evidence.image_id)
    said = [turns[turn_id] for turn_id in evidence.turn_ids if turn_id in turns]
    when = next((turn.time for turn in said if turn.time), None) or starts.get(evidence.session_id or "")
    text = f"[{when}] {evidence.content}" if when else evidence.content or ""
    if picture is not None and evidence.kind == "image":
        caption = {"none": "", "given": picture.caption, "full": picture.caption_full or picture.caption}
        shown = whole_text("", (Attachment(image_id=picture.image_id, caption=caption[settings.captions]),))
        text = f"[{when}] {shown}" if when else shown
    elif evidence.kind == "turn" and said:
        text = "\n".join(
            turn_line(present(turn, pictures=settings.pictures, captions=settings.captions)) for turn in said
        )
    return RetrievedItem(
        memory_id=evidence.evidence_id,
        text=text,
        session_id=evidence.session_id,
        turn_ids=evidence.turn_ids,
        image_id=evidence.image_id,
        image_path=(picture.path or "") if picture is not None and settings.pictures else "",
    )


def _first_time(turns: tuple[Turn, ...]) -> str | None:
    return next((turn.time for turn in turns if turn.time), None)
