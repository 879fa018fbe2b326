"""No failure of the model, the encoder or the store looks like an empty memory."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from memarena.errors import UsageError
from memarena.records import RunContext, Turn

FACT = "The locker code of Zanetti is 4711."
JUNK = [
    "junk",
    "",
    "[]",
    "{}",
    "null",
    '{"memory": "a", "facts": "a"}',
    '{"memory": ["a"]}',
    '{"memory": [{"text": 7}]}',
]


def said(text: str, number: int = 0) -> Turn:
    return Turn(turn_id=f"S01:T{number}", session_id="S01", index=number, text=text, body=text)


def kind_of_prompt(body: Any) -> str:
    return "update" if "smart memory manager" in body["messages"][-1]["content"] else "extraction"


@pytest.fixture
def adapter(make: Callable[..., Any], context: RunContext) -> Any:
    made = make(unit="turn")
    made.reset(context)
    return made


def ingest(adapter: Any) -> dict[str, int]:
    found: dict[str, int] = adapter.retrieve("Zanetti", 3).trace["ingest"]
    return found


@pytest.mark.parametrize("reply", JUNK)
def test_a_model_that_never_says_what_can_be_read_ends_the_session_with_an_error(
    offline_server: Any, adapter: Any, reply: str
):
    offline_server.reply = lambda body: reply
    adapter.ingest_turn(said(FACT))
    with pytest.raises(RuntimeError, match="none of the 1 replies of the model could be read"):
        adapter.end_session("S01")
    assert ingest(adapter)["failures"] == 1


def test_a_reply_that_cannot_be_read_among_others_is_counted(offline_server: Any, adapter: Any):
    offline_server.reply = lambda body: "junk" if "bees" in body["messages"][-1]["content"] else None
    adapter.ingest_turn(said("Quillon keeps nine bees."))
    offline_server.reply = None
    adapter.ingest_turn(said(FACT, 1))
    adapter.end_session("S01")
    assert [item.text for item in adapter.snapshot_memories()] == [FACT]
    assert {name: ingest(adapter)[name] for name in ("adds", "unreadable", "failures")} == {
        "adds": 2,
        "unreadable": 1,
        "failures": 1,
    }


def test_nothing_to_remember_is_no_failure(adapter: Any):
    adapter.ingest_turn(said("Hello there!"))
    adapter.end_session("S01")
    assert ingest(adapter) == {"adds": 1, "nothing": 1, "unreadable": 0, "lost": 0, "repeated": 0, "failures": 0}


def test_a_text_that_is_there_already_is_counted_as_repeated(name: str, offline_server: Any, adapter: Any):
    if name != "mem0":
        pytest.skip("1.0.11 asks the model about what is there")
    offline_server.reply = lambda body: json.dumps({"memory": [{"text": FACT}, {"text": FACT}]})
    adapter.ingest_turn(said(FACT))
    assert ingest(adapter)["repeated"] == 1


def test_a_memory_without_a_text_is_counted_as_lost(name: str, offline_server: Any, adapter: Any):
    if name != "mem0":
        pytest.skip("this is the reply of 2.x")
    offline_server.reply = lambda body: json.dumps({"memory": [{"text": FACT}, {"id": "1"}]})
    adapter.ingest_turn(said(FACT))
    assert ingest(adapter)["lost"] == 1


def test_an_event_for_an_id_that_does_not_exist_is_counted_as_lost(name: str, offline_server: Any, adapter: Any):
    if name != "mem0-classic":
        pytest.skip("2.x has no events")
    rows = [{"id": "77", "text": FACT, "event": "UPDATE"}, {"id": "0", "text": "Bees.", "event": "ADD"}]
    offline_server.reply = lambda body: json.dumps({"memory": rows}) if kind_of_prompt(body) == "update" else None
    adapter.ingest_turn(said(FACT))
    assert ingest(adapter)["lost"] == 1
    assert [item.text for item in adapter.snapshot_memories()] == ["Bees."]


def test_a_decision_that_cannot_be_read_is_a_failure_too(name: str, offline_server: Any, adapter: Any):
    if name != "mem0-classic":
        pytest.skip("2.x decides nothing")
    offline_server.reply = lambda body: "junk" if kind_of_prompt(body) == "update" else None
    adapter.ingest_turn(said(FACT))
    assert ingest(adapter)["unreadable"] == 1


@pytest.mark.parametrize("status", [429, 500])
def test_a_model_that_refuses_raises_and_the_turn_can_be_handed_over_again(
    offline_server: Any, adapter: Any, status: int
):
    offline_server.counts()
    offline_server.refuse = lambda kind, body: status if kind == "chat" else 0
    with pytest.raises(Exception, match=f"Error code: {status}"):
        adapter.ingest_turn(said(FACT))
    assert offline_server.counts()[0] == 3
    assert adapter.snapshot_memories() == ()
    offline_server.refuse = lambda kind, body: 0
    adapter.ingest_turn(said(FACT))
    assert [item.text for item in adapter.snapshot_memories()] == [FACT]


@pytest.mark.parametrize("status", [429, 500])
def test_a_refusal_that_mem0_swallows_raises_all_the_same(name: str, offline_server: Any, adapter: Any, status: int):
    """1.0.11 takes a decision that was refused for none; 2.x drops the memories whose vectors were refused."""

    def refuse(kind: str, body: Any) -> int:
        if name == "mem0-classic":
            return status if kind == "chat" and kind_of_prompt(body) == "update" else 0
        return status if kind == "embeddings" and body["input"] == [FACT] else 0

    offline_server.refuse = refuse
    with pytest.raises(Exception, match=f"Error code: {status}"):
        adapter.ingest_turn(said(FACT))


def test_an_encoder_that_fails_raises_in_every_method_that_asks_it(
    offline_server: Any, adapter: Any, make: Callable[..., Any], context: RunContext
):
    adapter.ingest_turn(said(FACT))
    offline_server.refuse = lambda kind, body: 500 if kind == "embeddings" else 0
    with pytest.raises(Exception, match="Error code: 500"):
        adapter.ingest_turn(said("Quillon keeps nine bees.", 1))
    with pytest.raises(Exception, match="Error code: 500"):
        adapter.retrieve("Zanetti", 3)
    with pytest.raises(Exception, match="Error code: 500"):
        make().reset(context)


def test_vectors_of_another_length_are_an_error(make: Callable[..., Any], context: RunContext):
    made = make(dimensions=17)
    made.reset(context)
    with pytest.raises(ValueError, match="shape"):
        made.ingest_turn(said(FACT))
        made.ingest_turn(said("Quillon keeps nine bees.", 1))


class Encoder:
    """Sparse vectors of words, in place of a model that would have to be downloaded."""

    def embed(self, texts: list[str]) -> list[Any]:
        import numpy

        class Row:
            def __init__(self, text: str) -> None:
                numbers = sorted({sum(map(ord, word.strip(".?"))) for word in text.casefold().split()})
                self.indices = numpy.array(numbers)
                self.values = numpy.ones(len(numbers))

        return [Row(text) for text in texts]


def test_keywords_and_entities_count_where_2_x_has_what_it_needs(
    name: str, adapter: Any, monkeypatch: pytest.MonkeyPatch
):
    if name != "mem0":
        pytest.skip("1.0.11 has one signal")
    import mem0.memory.main as library

    found = [("PROPER", "Zanetti")]
    monkeypatch.setattr(library, "extract_entities", lambda text: found if "Zanetti" in text else [])
    monkeypatch.setattr(
        library, "extract_entities_batch", lambda texts: [found if "Zanetti" in text else [] for text in texts]
    )
    adapter._engine._memory.vector_store._inner._bm25_encoder = Encoder()
    adapter.ingest_turn(said(FACT))
    adapter.ingest_turn(said("Quillon keeps nine bees.", 1))
    first = adapter.retrieve("What is the code of Zanetti?", 5).trace["signals"][0]
    assert first["max_possible_score"] == 2.5
    assert first["bm25_score"] > 0
    assert first["entity_boost"] > 0


def test_hybrid_without_its_models_says_what_is_missing(name: str, make: Callable[..., Any], context: RunContext):
    if name != "mem0":
        pytest.skip("1.0.11 has one signal")
    with pytest.raises(UsageError, match="hybrid=true needs spacy, en_core_web_sm, fastembed"):
        make(hybrid=True).reset(context)
