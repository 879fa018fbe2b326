"""What a memory system is handed of each public data set: nothing that tells a type, an answer or its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from public_lookalikes import (
    amabench,
    convomem_item,
    halumem,
    longmemeval,
    memgallery,
    memoryagentbench,
    write_lines,
    write_list,
    write_one,
)
from wma_folder import png

from memarena import Answer, Capabilities, MemoryItem, Retrieval
from memarena.cell import ArenaSuite
from memarena.cells import CellSpec
from memarena.records import Sample
from memarena.rig import Rig
from memarena.store import RunStore
from memarena_arena.locomo import LoCoMo
from memarena_arena.public.amabench import AmaBench
from memarena_arena.public.convomem import ConvoMem
from memarena_arena.public.halumem import HaluMem
from memarena_arena.public.longmemeval import LongMemEval
from memarena_arena.public.memgallery import MemGallery
from memarena_arena.public.memoryagentbench import MemoryAgentBench


class Spy:
    """Keeps the words of everything that it is given."""

    def __init__(self, *, answers: bool) -> None:
        self.answers = answers
        self.given: list[str] = []

    def reset(self, context: Any) -> None:
        self.given.append(repr(context))

    def ingest_turn(self, turn: Any) -> None:
        self.given.append(repr(turn))

    def end_session(self, session_id: Any) -> None:
        self.given.append(repr(session_id))

    def snapshot_memories(self) -> tuple[MemoryItem, ...]:
        return ()

    def export_memory_delta(self, session_id: Any) -> None:
        return None

    def retrieve(self, query: Any, top_k: Any, time: Any, attachments: Any, budget_tokens: Any) -> Retrieval:
        self.given.append(repr((query, top_k, time, attachments, budget_tokens)))
        return Retrieval(query=query)

    def answer(self, questions: Any) -> list[Answer]:
        self.given.append(repr(questions))
        return [Answer(question_id=question.question_id, text="?") for question in questions]

    def get_capabilities(self) -> Capabilities:
        return Capabilities(answers=self.answers)


def told_to_a_system(samples: list[Sample], root: Path, *, answers: bool) -> str:
    header = {
        "settings": {"top_k": 5, "pictures": True, "captions": "full", "repeats": 1, "seed": 0},
        "adapters": [{"label": "spy", "options": {}}],
        "data": {"samples": [{"sample_id": sample.sample_id} for sample in samples]},
    }
    store = RunStore.create(root / "run", header)
    spy = Spy(answers=answers)
    for sample in samples:
        store.save_sample(sample)
        spec = CellSpec(label="spy", sample_id=sample.sample_id)
        ArenaSuite().run_cell(spec, Rig("spy", spy, cell_id=spec.cell_id), store)
        assert store.cell(spec).status == "done"
    store.close()
    return "\n".join(spy.given).replace(str(root.resolve()), "")


def of_longmemeval(root: Path) -> list[Sample]:
    record = {**longmemeval("q77_abs"), "answer": "SECRET was never named.", "question_type": "knowledge-update"}
    record["haystack_session_ids"][1] = "noans_filler"
    return list(LongMemEval().open(str(write_list(root / "longmemeval_s.json", record))))


def of_halumem(root: Path) -> list[Sample]:
    record = halumem("SECRET-user")
    record["persona_info"] += "; Secret: SECRET"
    first, second = record["sessions"]
    first["memory_points"][0]["memory_content"] = first["questions"][0]["answer"] = "SECRET 18000"
    first["questions"][0]["evidence"] = [{"memory_content": "SECRET 18000"}]
    second["memory_points"][0]["original_memories"] = ["SECRET 18000"]
    second["memory_points"][1]["memory_content"] = "SECRET Turin"
    return list(HaluMem().open(str(write_lines(root / "x.jsonl", record))))


def of_memgallery(root: Path) -> list[Sample]:
    record = memgallery()
    record["character_profile"]["persona_summary"] = "SECRET"
    record["human-annotated QAs"][2]["answer"] = "SECRET"
    for name in ("D1_IMG_001.png", "QA_IMG_001.png"):
        (root / "image" / "Boats").mkdir(parents=True, exist_ok=True)
        (root / "image" / "Boats" / name).write_bytes(png())
    write_one(root / "dialog" / "Boats.json", record)
    return list(MemGallery().open(str(root)))


def of_convomem(root: Path) -> list[Sample]:
    item = {**convomem_item(), "answer": "SECRET", "category": "SECRET", "scenario_description": "SECRET"}
    item["conversations"][1]["id"] = "SECRET"
    path = root / "abstention_evidence" / "3_evidence" / "person.json"
    return list(ConvoMem().open(str(write_one(path, {"evidence_items": [item]}))))


def of_memoryagentbench(root: Path) -> list[Sample]:
    record = memoryagentbench()
    record["answers"] = [["SECRET"], ["SECRET"]]
    record["metadata"] |= {"keypoints": ["SECRET"], "demo": "SECRET", "question_types": ["SECRET", "SECRET"]}
    record["metadata"] |= {"question_ids": ["q1", "q2_abs"]}
    return list(MemoryAgentBench().open(str(write_lines(root / "Conflict_Resolution.jsonl", record))))


def of_amabench(root: Path) -> list[Sample]:
    record = amabench() | {"difficulty": "SECRET", "fail_reason": "SECRET", "summary": "SECRET", "task_type": "SECRET"}
    for pair in record["qa_pairs"]:
        pair |= {"answer": "SECRET", "question_uuid": pair["question_uuid"] + "SECRET", "relevant_turn_indices": [1]}
    return list(AmaBench().open(str(write_lines(root / "open_end_qa_set.jsonl", record))))


def of_locomo(root: Path) -> list[Sample]:
    turns = [
        {"speaker": "Ada", "dia_id": "D1:1", "text": "I moved.", "img_url": ["https://x.example/SECRET.jpg"],
         "query": "SECRET", "blip_caption": "a house"},
    ]  # fmt: skip
    talk = {"speaker_a": "Ada", "speaker_b": "Bo", "session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"}
    asked = [
        {"question": "Where?", "answer": "SECRET", "evidence": ["D1:1"], "category": 2},
        {"question": "Whose dog?", "evidence": ["D1:1"], "category": 5, "adversarial_answer": "SECRET"},
    ]
    record = {
        "sample_id": "SECRET-1", "conversation": talk, "qa": asked,
        "observation": {"session_1_observation": {"Ada": [["SECRET", "D1:1"]]}},
        "event_summary": {"events_session_1": {"Ada": ["SECRET"]}}, "session_summary": {"session_1_summary": "SECRET"},
    }  # fmt: skip
    return list(LoCoMo().open(str(write_list(root / "locomo10.json", record))))


SETS: dict[str, tuple[Callable[[Path], list[Sample]], tuple[str, ...]]] = {
    "longmemeval": (of_longmemeval, ("_abs", "q77", "answer_", "noans", "filler", "has_answer", "knowledge")),
    "halumem": (of_halumem, ("Persona", "interference", "Boundary", "Recall", "easy", "mp_")),
    "memgallery": (of_memgallery, ("TTL", "'VS'", "'AR'", "Not mentioned", "clue")),
    "convomem": (of_convomem, ("abstention", "evidence", "person", "c2")),
    "memoryagentbench": (of_memoryagentbench, ("Conflict", "Resolution", "factcons", "_abs", "keypoint")),
    "amabench": (of_amabench, ("episode", "babaisai", "success", "'A'", "u0", "relevant")),
    "locomo": (of_locomo, ("conv-", "temporal", "adversarial", "x.example")),
}
"""Data set -> how its sample is made, and words that tell what nobody is to see."""


@pytest.mark.parametrize("answers", [False, True], ids=["a memory", "an agent"])
@pytest.mark.parametrize(("make", "words"), SETS.values(), ids=SETS)
def test_nothing_that_a_system_is_handed_tells_a_type_an_answer_or_its_place(
    tmp_path: Path, make: Callable[[Path], list[Sample]], words: tuple[str, ...], answers: bool
) -> None:
    samples = make(tmp_path)
    told = told_to_a_system(samples, tmp_path, answers=answers)
    assert sum(len(stop.questions) for sample in samples for stop in sample.checkpoints) > 0
    assert "text=" in told
    assert not [word for word in ("SECRET", *words) if word in told]
