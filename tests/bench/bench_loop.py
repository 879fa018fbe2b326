"""The loop's own cost per turn and per question, against a plain `for` loop that makes the same calls.

A do-nothing adapter under the four standard instruments; questions with one item and a free answer, recorded.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from memarena.answering import ShowSettings, answer
from memarena.cell import ArenaSuite, CellSettings
from memarena.cells import CellSpec
from memarena.instruments.boundary import Boundary
from memarena.instruments.timing import Timing
from memarena.instruments.tokens import Tokens
from memarena.instruments.trace import Trace
from memarena.journal import Retrieved
from memarena.records import (
    Answer,
    AskedQuestion,
    Capabilities,
    Checkpoint,
    Question,
    Retrieval,
    RetrievedItem,
    Sample,
    Session,
    Shown,
    Turn,
)
from memarena.rig import Rig
from memarena.store import RunStore

SESSIONS, TURNS, QUESTIONS = 100, 100, 2000
ITEM = RetrievedItem(memory_id="m1", text="The budget is $51,300.")


class DoNothing:
    """Takes everything, keeps nothing, always finds one item."""

    def reset(self, context: Any) -> None:
        pass

    def ingest_turn(self, turn: Turn) -> None:
        pass

    def end_session(self, session_id: str) -> None:
        pass

    def snapshot_memories(self) -> Any:
        return ()

    def export_memory_delta(self, session_id: str) -> Any:
        return ()

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        return Retrieval(query=query, items=(ITEM,))

    def get_capabilities(self) -> Capabilities:
        return Capabilities(delta=True)


class FreeAnswer:
    """Answers at no cost."""

    name, revision = "free", 1

    def answer(self, asked: AskedQuestion, shown: Shown) -> Answer:
        return Answer(question_id=asked.question_id, text="x")


def sample(questions: int) -> Sample:
    """100 sessions of 100 turns, all questions at the end."""
    sessions = tuple(
        Session(
            session_id=f"S{s}",
            turns=tuple(
                Turn(turn_id=f"S{s}:T{t}", session_id=f"S{s}", index=t, text="We moved the meeting to Friday at ten.")
                for t in range(TURNS)
            ),
        )
        for s in range(SESSIONS)
    )
    asked = tuple(Question(question_id=f"Q{q}", text=f"What is budget {q}?", reference="x") for q in range(questions))
    last = sessions[-1].session_id
    return Sample(
        sample_id="s",
        sessions=sessions,
        checkpoints=(Checkpoint(checkpoint_id="C", covered=(last,), after_session=last, questions=asked),),
    )


def plain(one: Sample) -> float:
    """Seconds of the bare calls."""
    adapter = DoNothing()
    start = perf_counter()
    for session in one.sessions:
        for turn in session.turns:
            adapter.ingest_turn(turn)
        adapter.end_session(session.session_id)
        adapter.snapshot_memories()
        adapter.export_memory_delta(session.session_id)
    for checkpoint in one.checkpoints:
        for question in checkpoint.questions:
            adapter.retrieve(question.text, 10)
    return perf_counter() - start


def looped(one: Sample, folder: Path) -> tuple[float, float]:
    """Seconds of the memory phase and of the answers phase, everything recorded."""
    header = {
        "settings": {"top_k": 10, "pictures": True, "captions": "given", "repeats": 1, "seed": 0},
        "adapters": [{"label": "a", "options": {}}],
        "data": {"samples": [{"sample_id": "s"}]},
    }
    store = RunStore.create(folder, header)
    store.save_sample(one)
    store.sample("s")
    spec = CellSpec(label="a", sample_id="s")
    start = process_time()
    rig = Rig("a", DoNothing(), [Trace(), Tokens(), Timing(), Boundary()], cell_id=spec.cell_id)
    ArenaSuite().run_cell(spec, rig, store)
    memory = process_time() - start
    questions = {question.question_id: question for stop in one.checkpoints for question in stop.questions}
    start = process_time()
    journal, answerer = store.answers(spec.cell_id), FreeAnswer()
    for entry in store.entries(spec.cell_id):
        if isinstance(entry, Retrieved):
            question = questions[entry.question_id]
            items = entry.retrieval.items
            journal.write(answer(answerer, question, items, spec.cell_id, CellSettings(), ShowSettings()))
    journal.close()
    answers = process_time() - start
    store.close()
    return memory, answers


def main() -> None:
    turns = SESSIONS * TURNS
    with tempfile.TemporaryDirectory() as folder:
        bare = min(plain(sample(0)) for _ in range(3))
        mine = min(looped(sample(0), Path(folder) / f"t{n}")[0] for n in range(3))
        asked = [looped(sample(QUESTIONS), Path(folder) / f"q{n}") for n in range(3)]
    per_turn = (mine - bare) / turns * 1e6
    per_question = min(memory + answers - mine for memory, answers in asked) / QUESTIONS * 1e6
    print(f"turn      {per_turn:6.1f} us of our own (target 30), {mine / bare:5.1f} times the bare calls")
    print(f"question  {per_question:6.1f} us of our own, recorded and answered (target 150)")


if __name__ == "__main__":
    main()
