"""The memory phase of one cell: the loop in which a system hears sessions and is asked at checkpoints.

    reset; for each session: ingest_turn ..., end_session, snapshot_memories, export_memory_delta;
    after the last session that a checkpoint covers: retrieve for each question (agents: answer).

The adapter sees turns and questions, never gold, and nothing of later sessions.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter
from typing import Any

from msgspec.structs import replace

from memarena import meter
from memarena.cells import CellSpec
from memarena.errors import AdapterContractError, AdapterFailure, MemarenaError, first_line, one_line
from memarena.journal import Answered, CellEnded, CellStarted, Journal, Leaked, Retrieved, SessionEnded
from memarena.memory import Captions, MemoryState, present, present_pictures, whole_text
from memarena.records import (
    Answer,
    AskedQuestion,
    Capabilities,
    Checkpoint,
    Endpoint,
    MemoryChange,
    Question,
    Record,
    Retrieval,
    RunContext,
    Sample,
    Session,
)
from memarena.rig import Rig
from memarena.store import RunStore


class Cancelled(BaseException):
    """The run was told to stop; not an Exception, so that no adapter can swallow it."""


class CellSettings(Record, frozen=True, kw_only=True):
    """What a cell needs to know of the settings of its run."""

    top_k: int = 10
    pictures: bool = True
    captions: Captions = "given"
    budget_tokens: int | None = None
    seed: int = 0

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> CellSettings:
        return cls(**{name: settings[name] for name in cls.__struct_fields__ if name in settings})


def asked(question: Question, settings: CellSettings) -> AskedQuestion:
    """`question` as a system sees it; as in a turn, the captions of its pictures stand in its text."""
    attachments = present_pictures(question.attachments, pictures=settings.pictures, captions=settings.captions)
    return AskedQuestion(
        question_id=question.question_id,
        text=whole_text(question.text, attachments),
        time=question.time,
        attachments=attachments,
        budget_tokens=settings.budget_tokens,
    )


class MemoryLoop:
    """Drives one rig over one sample and writes down what happens."""

    def __init__(self, rig: Rig, journal: Journal, settings: CellSettings, stop: threading.Event | None = None) -> None:
        self.rig = rig
        self.journal = journal
        self.settings = settings
        self.stop = stop or threading.Event()
        self.state = MemoryState()
        self.capabilities = Capabilities()
        self.again: Journal | None = None
        """Takes what a second retrieval of each question finds; None: each is asked once."""

    def run(self, sample: Sample, context: RunContext, capabilities: Capabilities) -> None:
        """Hear all sessions. Raises AdapterFailure or AdapterContractError where the system fails."""
        self.capabilities = capabilities
        due: dict[str, list[Checkpoint]] = {}
        for checkpoint in sample.checkpoints:
            if checkpoint.after_session is not None:
                due.setdefault(checkpoint.after_session, []).append(checkpoint)
        self.rig.reset(context)
        for index, session in enumerate(sample.sessions):
            self._hear(index, session)
            for checkpoint in due.get(session.session_id, ()):
                self._ask(index, checkpoint)

    def _hear(self, index: int, session: Session) -> None:
        rig, stopped = self.rig, self.stop.is_set
        ingest, pictures, captions = rig.ingest_turn, self.settings.pictures, self.settings.captions
        heard = rig.ledger.seconds("ingest_turn", "end_session")
        for turn in session.turns:
            if stopped():
                raise Cancelled
            ingest(present(turn, pictures=pictures, captions=captions))
        rig.end_session(session.session_id)
        seconds = {"write": rig.ledger.seconds("ingest_turn", "end_session") - heard}
        self.state.heard(session.turns)
        entry = SessionEnded(session_id=session.session_id, index=index, turns=len(session.turns), seconds=seconds)
        if self.capabilities.state:
            before = rig.ledger.seconds("snapshot_memories", "export_memory_delta")
            change, derived = self.state.advance(session.session_id, rig.snapshot_memories())
            told: Sequence[MemoryChange] | None = rig.export_memory_delta(session.session_id)
            seconds["snapshot"] = rig.ledger.seconds("snapshot_memories", "export_memory_delta") - before
            entry = replace(
                entry, snapshot=change, changes=derived if told is None else tuple(told), told=told is not None
            )
        self.journal.write(entry)

    def _ask(self, index: int, checkpoint: Checkpoint) -> None:
        if self.capabilities.answers:
            self._ask_agent(index, checkpoint)
        else:
            for question in checkpoint.questions:
                if self.stop.is_set():
                    raise Cancelled
                self._retrieve(index, checkpoint, question)
        if self.capabilities.state:
            session_id = checkpoint.after_session or ""
            change, _ = self.state.advance(session_id, self.rig.snapshot_memories())
            if change.put or change.gone or change.order is not None:
                self.journal.write(Leaked(checkpoint_id=checkpoint.checkpoint_id, snapshot=change))

    def _retrieve(self, index: int, checkpoint: Checkpoint, question: Question) -> None:
        self.journal.write(self._retrieved(index, checkpoint, question))
        if self.again is not None:
            with self.rig.ledger.unchanged("retrieve"):
                self.again.write(self._retrieved(index, checkpoint, question))

    def _retrieved(self, index: int, checkpoint: Checkpoint, question: Question) -> Retrieved:
        put, top_k = asked(question, self.settings), self.settings.top_k
        start = self.rig.ledger.nanoseconds["retrieve"]
        found = self.rig.retrieve(
            query=put.text,
            top_k=top_k,
            time=put.time,
            attachments=put.attachments,
            budget_tokens=put.budget_tokens,
        )
        items = found.items[:top_k]
        surplus = len(found.items) - len(items)
        return Retrieved(
            checkpoint_id=checkpoint.checkpoint_id,
            question_id=question.question_id,
            session_index=index,
            retrieval=found if not surplus else replace(found, items=items),
            sources=tuple([self.state.sources(item) for item in items]),
            held_in=tuple([self.state.held_in(item) for item in items]),
            surplus=surplus,
            store_size=len(self.state.items) if self.capabilities.state else None,
            seconds=(self.rig.ledger.nanoseconds["retrieve"] - start) / 1e9,
        )

    def _ask_agent(self, index: int, checkpoint: Checkpoint) -> None:
        questions = [asked(question, self.settings) for question in checkpoint.questions]
        start = perf_counter()
        given = {answer.question_id: answer for answer in self.rig.answer(questions)}
        seconds = (perf_counter() - start) / max(1, len(questions))
        for question in questions:
            answer = given.get(question.question_id) or Answer(
                question_id=question.question_id, text="", error="the agent gave no answer to this question"
            )
            self.journal.write(
                Retrieved(
                    checkpoint_id=checkpoint.checkpoint_id,
                    question_id=question.question_id,
                    session_index=index,
                    retrieval=Retrieval(query=question.text),
                )
            )
            self.journal.write(Answered(question_id=question.question_id, answer=answer, seconds=seconds))


class ArenaSuite:
    """Replays each sample to each adapter and asks at checkpoints (WorldMemArena)."""

    name = "arena"
    revision = 1

    def plan(self, store: RunStore) -> Iterator[CellSpec]:
        """Each adapter on each sample, sample by sample, so that a data set can be read as a stream."""
        by_sample: dict[str, list[CellSpec]] = {}
        for spec in store.specs():
            by_sample.setdefault(spec.sample_id, []).append(spec)
        for specs in by_sample.values():
            yield from specs

    def run_cell(
        self,
        spec: CellSpec,
        rig: Rig,
        store: RunStore,
        stop: threading.Event | None = None,
        options: Mapping[str, Any] | None = None,
        loop: type[MemoryLoop] = MemoryLoop,
    ) -> None:
        """Run the memory phase of one cell; a failure of the system becomes the end of its journal.

        `options` are those of the adapter, secrets included: they reach it in its context and no file.
        """
        journal, attempt = store.begin(spec)
        again = store.again(spec.cell_id) if store.header["settings"].get("repeats", 1) > 1 else None
        try:
            driven = loop(rig, journal, CellSettings.of(store.header["settings"]), stop)
            driven.again = again
            self._run_cell(spec, rig, store, journal, attempt, options or {}, driven)
        finally:
            journal.close()
            if again is not None:
                again.close()

    def _run_cell(
        self,
        spec: CellSpec,
        rig: Rig,
        store: RunStore,
        journal: Journal,
        attempt: int,
        options: Mapping[str, Any],
        loop: MemoryLoop,
    ) -> None:
        started = CellStarted(
            cell_id=spec.cell_id,
            label=spec.label,
            sample_id=spec.sample_id,
            repeat=spec.repeat,
            attempt=attempt,
            namespace=spec.namespace,
            honours=rig.honours,
        )
        status, error = "done", ""
        try:
            try:
                capabilities = rig.get_capabilities()
            except (AdapterFailure, AdapterContractError):
                journal.write(started)
                raise
            journal.write(replace(started, capabilities=capabilities))
            loop.run(store.sample(spec.sample_id), cell_context(spec, store, options), capabilities)
        except (AdapterFailure, AdapterContractError) as failure:
            status, error = "failed", one_line(failure)
        except MemarenaError:
            raise
        except Exception as failure:
            status, error = "failed", f"not the system, but an instrument or memarena itself: {first_line(failure)}"
        except Cancelled:
            status = "cancelled"
        journal.write(
            CellEnded(
                status=status,  # type: ignore[arg-type]
                error=error,
                recent=tuple(rig.ledger.recent) if error else (),
                seconds={name: rig.ledger.seconds(name) for name, calls in rig.ledger.calls.items() if calls},
                calls={name: calls for name, calls in rig.ledger.calls.items() if calls},
                usage=meter.usage(spec.cell_id),
            )
        )
        if status == "done":
            shutil.rmtree(store.path / "work" / spec.namespace, ignore_errors=True)


def cell_context(spec: CellSpec, store: RunStore, options: Mapping[str, Any]) -> RunContext:
    """What `reset` is given in a cell: a fresh private folder, the models, and what the settings of the run say."""
    settings = CellSettings.of(store.header["settings"])
    return RunContext(
        folder=str(store.workspace(spec.namespace)),
        namespace=spec.namespace,
        seed=settings.seed + spec.repeat,
        options=options,
        model=_endpoint(spec.cell_id, "inner"),
        embedding=_endpoint(spec.cell_id, "embed"),
        pictures=settings.pictures,
        captions=settings.captions,
        budget_tokens=settings.budget_tokens,
    )


def _endpoint(cell_id: str, role: str) -> Endpoint | None:
    with meter.stage(cell_id, "write"):
        return meter.optional_endpoint(role)
