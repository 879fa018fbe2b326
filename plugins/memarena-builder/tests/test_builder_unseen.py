"""What a memory system is handed of a sample that was built: nothing that only the hidden log or the gold says."""

from __future__ import annotations

import json

import msgspec
import pytest

from memarena import Answer, Capabilities, Retrieval
from memarena.cell import ArenaSuite
from memarena.cells import CellSpec
from memarena.datasets import open_data
from memarena.rig import Rig
from memarena.store import RunStore
from memarena_builder.validators.problem import says


class Spy:
    """Keeps every text that it is given, however deep it lies."""

    def __init__(self, *, answers):
        self.answers = answers
        self.given = set()

    def take(self, *given):
        self.given |= {text for each in given for text in texts(msgspec.to_builtins(each))}

    def reset(self, context):
        self.take(context)

    def ingest_turn(self, turn):
        self.take(turn)

    def end_session(self, session_id):
        self.take(session_id)

    def snapshot_memories(self):
        return ()

    def export_memory_delta(self, session_id):
        return None

    def retrieve(self, query, top_k, time, attachments, budget_tokens):
        self.take(query, time, attachments)
        return Retrieval(query=query)

    def answer(self, questions):
        self.take(*questions)
        return [Answer(question_id=question.question_id, text="?") for question in questions]

    def get_capabilities(self):
        return Capabilities(answers=self.answers)


def texts(value):
    """All texts in a JSON value, names of fields left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from texts(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from texts(each)


def told(sample):
    """What a system may know: what is said, shown and asked, when, and how it is called."""
    turns = [turn for session in sample.sessions for turn in session.turns]
    asked = [question for stop in sample.checkpoints for question in stop.questions]
    return {
        *(part for turn in turns for part in (turn.text, turn.body, turn.role, turn.turn_id, turn.time)),
        *(part for turn in turns for each in turn.attachments for part in (each.image_id, each.caption, each.path)),
        *(session.session_id for session in sample.sessions), *(question.text for question in asked),
        *(question.question_id for question in asked),
    }  # fmt: skip


@pytest.mark.parametrize("answers", [False, True], ids=["a memory", "an agent"])
def test_no_text_of_the_hidden_log_or_of_the_gold_reaches_a_system_but_what_is_told(on_disk, tmp_path, answers):
    root = on_disk[0].root
    samples = list(open_data(str(root)))
    header = {
        "settings": {"top_k": 5, "pictures": True, "captions": "given", "repeats": 1, "seed": 0},
        "adapters": [{"label": "spy", "options": {}}],
        "data": {"samples": [{"sample_id": sample.sample_id} for sample in samples]},
    }
    store = RunStore.create(tmp_path / "run", header)
    for sample in samples:
        store.save_sample(sample)
        spy, spec = Spy(answers=answers), CellSpec(label="spy", sample_id=sample.sample_id)
        ArenaSuite().run_cell(spec, Rig("spy", spy, cell_id=spec.cell_id), store)
        assert store.cell(spec).status == "done"
        known = {text for text in told(sample) if text}
        other = {text.replace(str(tmp_path), "") for text in spy.given} - known
        log = (root / "hidden" / f"{sample.sample_id}.jsonl").read_text(encoding="utf-8")
        hidden = [json.loads(line) for line in log.splitlines()]
        raw = json.loads(next(root.rglob(f"{sample.sample_id}.json")).read_text(encoding="utf-8"))
        gold = [raw["qa_checkpoints"], raw["memory_points"], raw["sessions"][0]["memory_points"]]
        secret = {text for text in texts([hidden, gold]) if len(text) > 2} - {"spy", "given", "user"}
        assert len(secret) > 300 and len(spy.given) > 300
        assert not [(text, each) for text in other for each in secret if says(text, each)]
        assert not [text for text in known if "hidden/" in text or text.endswith((".json", ".jsonl"))]
        assert not [text for text in spy.given if "hidden" in text.split("/")]
    store.close()
