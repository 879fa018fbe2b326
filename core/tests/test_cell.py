"""The loop of a cell: the order of calls, what the adapter sees, leaks, failures, and the journal."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from memarena import Answer, Capabilities, MemoryItem, Retrieval
from memarena.cell import ArenaSuite, CellSettings, asked
from memarena.cells import CellSpec
from memarena.instruments.boundary import Boundary
from memarena.instruments.timing import Timing
from memarena.instruments.trace import Trace
from memarena.journal import Answered, CellEnded, CellStarted, Leaked, Retrieved, SessionEnded
from memarena.records import Attachment, Question, Sample
from memarena.rig import Rig
from memarena.store import RunStore
from memarena.testing.tiny import tiny_samples

SAMPLE = tiny_samples()[0]


class Recording:
    """Keeps each turn, and everything that it is given."""

    def __init__(self) -> None:
        self.given: list[tuple[str, Any]] = []
        self.items: list[MemoryItem] = []

    def reset(self, context: Any) -> None:
        self.given.append(("reset", context))

    def ingest_turn(self, turn: Any) -> None:
        self.given.append(("ingest_turn", turn))
        self.items.append(MemoryItem(memory_id=turn.turn_id, text=turn.text, session_id="S99"))

    def end_session(self, session_id: Any) -> None:
        self.given.append(("end_session", session_id))

    def snapshot_memories(self) -> Any:
        return tuple(self.items)

    def export_memory_delta(self, session_id: Any) -> Any:
        return None

    def retrieve(self, query: Any, top_k: Any, time: Any, attachments: Any, budget_tokens: Any) -> Any:
        self.given.append(("retrieve", (query, top_k, time, attachments, budget_tokens)))
        return Retrieval.of(query, self.items[::-1])

    def get_capabilities(self) -> Any:
        return Capabilities()


def header(samples: tuple[Sample, ...] = (SAMPLE,), **settings: Any) -> dict[str, Any]:
    return {
        "settings": {"top_k": 2, "pictures": True, "captions": "given", "repeats": 1, "seed": 7, **settings},
        "adapters": [{"label": "mine", "options": {"colour": "red"}}],
        "data": {"samples": [{"sample_id": sample.sample_id} for sample in samples]},
    }


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    made = RunStore.create(tmp_path / "run", header())
    made.save_sample(SAMPLE)
    yield made
    made.close()


SPEC = CellSpec(label="mine", sample_id=SAMPLE.sample_id)


def run(store: RunStore, adapter: object, stop: threading.Event | None = None) -> list[Any]:
    rig = Rig("mine", adapter, [Trace(), Timing(), Boundary()], cell_id=SPEC.cell_id)
    ArenaSuite().run_cell(SPEC, rig, store, stop, {"colour": "red"})
    return list(store.entries(SPEC.cell_id))


def test_calls_come_in_the_order_of_the_loop(store: RunStore) -> None:
    adapter = Recording()
    run(store, adapter)
    calls = [(name, what if name == "end_session" else "") for name, what in adapter.given]
    assert calls[:6] == [("reset", ""), *[("ingest_turn", "")] * 4, ("end_session", "S01")]
    assert calls[6][0] == "retrieve"
    assert [name for name, _ in calls].count("reset") == 1


def test_the_journal_starts_ends_and_tells_each_session_and_question(store: RunStore) -> None:
    entries = run(store, Recording())
    assert isinstance(entries[0], CellStarted)
    assert isinstance(entries[-1], CellEnded)
    assert entries[-1].status == "done"
    assert [entry.session_id for entry in entries if isinstance(entry, SessionEnded)] == ["S01", "S02"]
    questions = sum(len(checkpoint.questions) for checkpoint in SAMPLE.checkpoints)
    assert sum(isinstance(entry, Retrieved) for entry in entries) == questions


def test_the_adapter_sees_no_gold_no_type_and_no_later_turn(store: RunStore) -> None:
    adapter = Recording()
    run(store, adapter)
    given = msgspec.json.encode([(name, repr(what)) for name, what in adapter.given]).decode()
    for checkpoint in SAMPLE.checkpoints:
        for question in checkpoint.questions:
            assert question.type not in given.split()
            assert f"reference={question.reference!r}" not in given
    for session in SAMPLE.sessions:
        for point in session.points:
            assert point.memory_id not in given
    heard: list[str] = []
    for name, what in adapter.given:
        if name == "ingest_turn":
            heard.append(what.session_id)
        if name == "retrieve":
            assert set(heard) <= {"S01", "S02"}
    first = next(number for number, (name, _) in enumerate(adapter.given) if name == "retrieve")
    assert all(what.session_id == "S01" for name, what in adapter.given[:first] if name == "ingest_turn")


def test_the_context_holds_a_private_folder_seed_and_options(store: RunStore) -> None:
    adapter = Recording()
    run(store, adapter)
    context = adapter.given[0][1]
    assert Path(context.folder) == (store.path / "work" / SPEC.namespace).resolve()
    assert (context.seed, context.options, context.namespace) == (7, {"colour": "red"}, SPEC.namespace)


def test_the_names_of_a_cell_tell_its_adapter_nothing_of_the_sample(tmp_path: Path) -> None:
    sample = msgspec.structs.replace(SAMPLE, sample_id="abstention_evidence.1.q7_abs")
    store = RunStore.create(tmp_path / "run", header((sample,)))
    store.save_sample(sample)
    spec = CellSpec(label="mine", sample_id=sample.sample_id)
    adapter = Recording()
    ArenaSuite().run_cell(spec, Rig("mine", adapter, cell_id=spec.cell_id), store)
    given = repr(adapter.given).replace(str(tmp_path.resolve()), "")
    assert not any(part in given for part in ("abstention", "_abs", "q7"))
    started = next(iter(store.entries(spec.cell_id)))
    assert isinstance(started, CellStarted)
    assert started.namespace == adapter.given[0][1].namespace
    store.close()


def test_cells_have_namespaces_of_their_own_and_the_same_in_every_run() -> None:
    specs = [CellSpec(label=label, sample_id=f"q{n}", repeat=k) for label in "ab" for n in range(5) for k in range(2)]
    assert len({spec.namespace for spec in specs}) == len(specs)
    # blake2b with a digest of 8 bytes, as `b2sum -l 64` reckons it
    assert CellSpec(label="mine", sample_id="q1_abs").namespace == "mine~af87502a32ecb3a6"


def test_items_beyond_top_k_are_left_out_and_counted(store: RunStore) -> None:
    found = next(entry for entry in run(store, Recording()) if isinstance(entry, Retrieved))
    assert len(found.retrieval.items) == 2
    assert found.surplus == 2
    assert found.store_size == 4


def test_an_item_comes_from_where_it_appeared_not_from_where_it_claims(store: RunStore) -> None:
    found = [entry for entry in run(store, Recording()) if isinstance(entry, Retrieved)]
    assert {session for entry in found for sources in entry.sources for session in sources} <= {"S01", "S02"}


def test_the_history_gives_every_snapshot_back(store: RunStore) -> None:
    run(store, Recording())
    history = store.history(SPEC.cell_id)
    assert [len(session.snapshot) for session in history.sessions] == [4, 8]
    assert [change.op for change in history.sessions[1].changes] == ["add"] * 4
    assert history.sessions[0].snapshot[0].text == SAMPLE.sessions[0].turns[0].text
    assert history.questions[0].answer.error


class Leaking(Recording):
    def retrieve(self, query: Any) -> Any:
        self.items.append(MemoryItem(memory_id=f"asked {len(self.items)}", text=query))
        return Retrieval(query=query)


def test_a_question_that_changes_the_store_is_reported_and_not_booked_to_the_next_session(store: RunStore) -> None:
    entries = run(store, Leaking())
    leaks = [entry for entry in entries if isinstance(entry, Leaked)]
    assert [len(leak.snapshot.put) for leak in leaks] == [len(stop.questions) for stop in SAMPLE.checkpoints]
    later = [entry for entry in entries if isinstance(entry, SessionEnded)][1]
    assert all(not change.memory_id.startswith("asked") for change in later.changes)


class Failing(Recording):
    def end_session(self, session_id: Any) -> None:
        if session_id == "S02":
            raise ConnectionError("the server\nwent away")


def test_a_failure_ends_the_cell_with_one_line_and_the_newest_calls(store: RunStore) -> None:
    ended = run(store, Failing())[-1]
    assert ended.status == "failed"
    assert ended.error == "mine.end_session: ConnectionError: the server went away"
    assert ended.recent[-1] == ("end_session", "S02")
    assert store.cell(SPEC).status == "failed"


class Silent(Recording):
    def retrieve(self, query: Any) -> Any:
        return None


def test_a_broken_contract_ends_the_cell(store: RunStore) -> None:
    assert "return a Retrieval" in run(store, Silent())[-1].error


def test_a_cell_that_is_told_to_stop_says_cancelled(store: RunStore) -> None:
    stop = threading.Event()
    stop.set()
    assert run(store, Recording(), stop)[-1].status == "cancelled"
    assert store.cell(SPEC).status == "cancelled"


def test_a_second_attempt_starts_anew_keeps_the_first_and_adds_up_the_seconds(store: RunStore) -> None:
    run(store, Failing())
    first = store.cell(SPEC).seconds["ingest_turn"]
    run(store, Recording())
    cell = store.cell(SPEC)
    assert (cell.status, cell.attempts) == ("done", 2)
    assert cell.seconds["ingest_turn"] > first
    kept = store.path / "cells" / SPEC.cell_id / "attempts" / "1" / "memory.jsonl"
    assert b"went away" in kept.read_bytes()
    assert next(iter(store.entries(SPEC.cell_id))).attempt == 2


class Agent(Recording):
    def get_capabilities(self) -> Any:
        return Capabilities(answers=True, state=False, ranked=False)

    def snapshot_memories(self) -> Any:
        raise AssertionError("an agent without visible state is never asked for it")

    def answer(self, questions: Any) -> Any:
        return [Answer(question_id=one.question_id, text=f"to {one.text}") for one in questions[1:]]


def test_an_agent_answers_a_checkpoint_at_once_and_a_missing_answer_is_empty_with_the_reason(store: RunStore) -> None:
    answers = [entry for entry in run(store, Agent()) if isinstance(entry, Answered)]
    assert answers[0].answer.text == ""
    assert "no answer" in answers[0].answer.error
    later = [entry for entry in answers if entry.answer.text]
    assert all(entry.answer.text.startswith("to ") for entry in later)


def test_the_private_folder_is_gone_when_the_cell_is_done(store: RunStore) -> None:
    run(store, Recording())
    assert not (store.path / "work" / SPEC.namespace).exists()


@pytest.mark.parametrize(
    ("captions", "text"),
    [
        ("none", "Where is this?"),
        ("given", "Where is this?\n\nimage:\nimage_caption: a boat"),
        ("full", "Where is this?\n\nimage:\nimage_caption: a red boat at a pier"),
    ],
)
def test_the_caption_of_a_picture_is_in_the_question_as_the_run_shows_captions(captions: Any, text: str) -> None:
    picture = Attachment(path="/p/boat.png", caption="a boat", caption_full="a red boat at a pier")
    question = Question(question_id="Q1", text="Where is this?", reference="Porto", attachments=(picture,))
    put = asked(question, CellSettings(captions=captions))
    assert put.text == text
    assert (put.attachments[0].path, put.attachments[0].caption_full) == ("/p/boat.png", "")


def test_a_system_that_reads_text_only_is_asked_with_the_caption(tmp_path: Path) -> None:
    first = SAMPLE.checkpoints[0]
    question = msgspec.structs.replace(first.questions[0], attachments=(Attachment(image_id="i", caption="a boat"),))
    stop = msgspec.structs.replace(first, questions=(question,))
    store = RunStore.create(tmp_path / "pictured", header())
    store.save_sample(msgspec.structs.replace(SAMPLE, checkpoints=(stop,)))
    adapter = Recording()
    run(store, adapter)
    store.close()
    queries = [what[0] for name, what in adapter.given if name == "retrieve"]
    assert queries == [f"{question.text}\n\nimage:\nimage_id: i\nimage_caption: a boat"]


def test_without_pictures_no_path_reaches_the_adapter(tmp_path: Path) -> None:
    sample = tiny_samples()[1]
    made = RunStore.create(tmp_path / "dark", header((sample,), pictures=False, captions="none"))
    made.save_sample(sample)
    adapter = Recording()
    rig = Rig("mine", adapter, [Boundary()], cell_id="x")
    ArenaSuite().run_cell(CellSpec(label="mine", sample_id=sample.sample_id), rig, made)
    made.close()
    pictures = [one for name, turn in adapter.given if name == "ingest_turn" for one in turn.attachments]
    assert pictures
    assert all(picture.path is None and picture.caption == "" for picture in pictures)
