"""The answers phase of a run: what was retrieved in all cells is answered in one pool."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from memarena.answering import ShowSettings, answer, sessions_of
from memarena.cell import Cancelled, CellSettings
from memarena.cells import CellSpec
from memarena.daemons import Threads
from memarena.journal import Answered, Journal, Retrieved
from memarena.protocols import Answerer, Progress
from memarena.records import Question, RetrievedItem, Sample
from memarena.store import RunStore


class _OpenAnswers:
    """The answer streams that are in use, each closed with its last answer."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._open: dict[str, tuple[Journal, int]] = {}

    def expect(self, cell_id: str, answers: int) -> None:
        with self._lock:
            self._open[cell_id] = (self._store.answers(cell_id), answers)

    def write(self, cell_id: str, entry: Answered) -> None:
        with self._lock:
            journal, _ = self._open[cell_id]
        journal.write(entry)
        with self._lock:
            left = self._open[cell_id][1] - 1
            self._open[cell_id] = (journal, left)
            if not left:
                del self._open[cell_id]
                journal.close()


def answer_all(
    answerer: Answerer, store: RunStore, progress: Progress, stop: threading.Event, *, jobs: int
) -> list[str]:
    """Answer what is not answered yet; the reasons of the answers that failed."""
    settings = store.header["settings"]
    cell_settings, show_settings = CellSettings.of(settings), ShowSettings.of(settings)
    streams = _OpenAnswers(store)
    done = [spec for spec in store.specs() if store.cell(spec).status == "done"]
    asked = {row["sample_id"]: row["questions"] for row in store.header["data"]["samples"]}
    progress.phase("answers", sum(asked[spec.sample_id] for spec in done))

    def tasks() -> Iterator[tuple[CellSpec, Question, Retrieved]]:
        for spec in done:
            todo = _unanswered(store, spec)
            for _ in range(asked[spec.sample_id] - len(todo)):
                progress.step(spec.cell_id)
            if todo:
                streams.expect(spec.cell_id, len(todo))
                questions = _questions(store.sample(spec.sample_id))
                yield from ((spec, questions[entry.question_id], entry) for entry in todo)

    def work(task: tuple[CellSpec, Question, Retrieved]) -> tuple[CellSpec, str]:
        spec, question, entry = task
        if stop.is_set():
            raise Cancelled
        items: Sequence[RetrievedItem] = entry.retrieval.items
        if settings["evidence_mode"] == "session":
            items = sessions_of(items, entry.sources, store.sample(spec.sample_id), cell_settings)
        given = answer(answerer, question, items, spec.cell_id, cell_settings, show_settings)
        streams.write(spec.cell_id, given)
        return spec, given.answer.error

    problems: list[str] = []
    for spec, problem in Threads(jobs).map(work, tasks()):
        progress.step(spec.cell_id)
        if problem:
            problems.append(problem)
    return problems


def _unanswered(store: RunStore, spec: CellSpec) -> list[Retrieved]:
    """What is still to be answered: what an answerer failed at is asked again, what an agent answered is not."""
    entries = list(store.entries(spec.cell_id))
    answered = {entry.question_id for entry in entries if isinstance(entry, Answered)}
    for entry in store.entries(spec.cell_id, "answers"):
        if isinstance(entry, Answered) and not entry.answer.error:
            answered.add(entry.question_id)
    return [entry for entry in entries if isinstance(entry, Retrieved) and entry.question_id not in answered]


def _questions(sample: Sample) -> dict[str, Question]:
    return {question.question_id: question for stop in sample.checkpoints for question in stop.questions}
