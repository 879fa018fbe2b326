"""No failure of the model, the encoder or the graph looks like an empty memory."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from memarena.records import RunContext, Turn

FACT = "The locker code of Zanetti is 4711."
CHANGED = "The locker code of Zanetti is 9320."
BEES = "Quillon keeps nine bees."
JUNK = ["junk", "", "[]", "{}", "null", '{"extracted_entities": "a"}', '{"extracted_entities": [{"name": 7}]}']
PROMPTS = {
    "entities": "an entity extraction specialist",
    "facts": "an expert fact extractor",
    "duplicates": "a fact deduplication assistant",
    "times": "You extract temporal bounds",
}


def said(text: str, number: int = 0) -> Turn:
    return Turn(turn_id=f"S01:T{number}", session_id="S01", index=number, text=text, body=text)


def ingest(adapter: Any) -> dict[str, int]:
    found: dict[str, int] = adapter.retrieve("Zanetti", 3).trace["ingest"]
    return found


def texts(adapter: Any) -> list[str]:
    return [item.text for item in adapter.snapshot_memories()]


def asked(body: Any, prompt: str) -> bool:
    return "messages" in body and PROMPTS[prompt] in body["messages"][0]["content"]


def only(prompt: str, reply: str) -> Callable[[Any], str | None]:
    """Replies so to one kind of prompt."""
    return lambda body: reply if asked(body, prompt) else None


def edge(**more: Any) -> str:
    row = {
        "source_entity_name": "user",
        "target_entity_name": "Zanetti",
        "relation_type": "SAYS",
        "fact": FACT,
        "valid_at": "2025-01-01T00:00:00Z",
    }
    return json.dumps({"edges": [{**row, **more}]})


@pytest.mark.parametrize("reply", JUNK)
def test_a_model_that_never_says_what_can_be_read_ends_the_session_with_an_error(
    offline_server: Any, adapter: Any, reply: str
):
    offline_server.reply = lambda body: reply
    offline_server.counts()
    adapter.ingest_turn(said(FACT))
    assert offline_server.counts()[0] == 4
    with pytest.raises(RuntimeError, match="none of the 1 episodes could be taken in"):
        adapter.end_session("S01")
    assert ingest(adapter)["unreadable"] == 1
    assert texts(adapter) == []


def test_a_reply_that_cannot_be_read_among_others_is_counted(offline_server: Any, adapter: Any):
    offline_server.reply = lambda body: "junk"
    adapter.ingest_turn(said(BEES))
    offline_server.reply = None
    adapter.ingest_turn(said(FACT, 1))
    adapter.end_session("S01")
    assert texts(adapter) == [FACT]
    assert (ingest(adapter)["episodes"], ingest(adapter)["unreadable"], ingest(adapter)["failures"]) == (2, 1, 1)


def test_a_reply_that_can_be_read_the_next_time_is_no_failure(offline_server: Any, adapter: Any):
    replies = ["junk", ""]
    offline_server.reply = lambda body: replies.pop() if replies else None
    adapter.ingest_turn(said(FACT))
    assert texts(adapter) == [FACT]
    assert ingest(adapter)["failures"] == 0


def test_how_often_is_asked_again_can_be_set(offline_server: Any, make: Callable[..., Any], context: RunContext):
    offline_server.reply = lambda body: "junk"
    made = make(tries=1)
    made.reset(context)
    made.ingest_turn(said(FACT))
    assert offline_server.counts()[0] == 1
    made.close()


def test_nothing_to_remember_is_no_failure(adapter: Any):
    adapter.ingest_turn(said("Hello there!"))
    adapter.end_session("S01")
    assert ingest(adapter) == {
        "episodes": 1,
        "unreadable": 0,
        "lost": 0,
        "undated": 0,
        "ignored": 0,
        "failures": 0,
    }


@pytest.mark.parametrize("missing", ["fact", "source_entity_name", "target_entity_name"])
def test_a_fact_without_a_text_or_a_name_is_counted_as_lost(offline_server: Any, adapter: Any, missing: str):
    offline_server.reply = only("facts", edge(**{missing: " "}))
    adapter.ingest_turn(said(FACT))
    assert (ingest(adapter)["lost"], texts(adapter)) == (1, [])


def test_times_that_cannot_be_read_are_counted(offline_server: Any, adapter: Any):
    def reply(body: Any) -> str | None:
        return edge(valid_at=None) if asked(body, "facts") else "junk" if asked(body, "times") else None

    offline_server.reply = reply
    adapter.ingest_turn(said(FACT))
    assert (ingest(adapter)["undated"], texts(adapter)) == (1, [FACT])


@pytest.mark.parametrize("value", ["yesterday", "2025-13-45"])
def test_a_time_that_is_none_is_counted(offline_server: Any, adapter: Any, value: str):
    offline_server.reply = only("facts", edge(valid_at=value))
    adapter.ingest_turn(said(FACT))
    assert ingest(adapter)["failures"] == 1


def test_a_time_that_is_none_is_counted_where_it_was_asked_for_alone(offline_server: Any, adapter: Any):
    def reply(body: Any) -> str | None:
        if asked(body, "facts"):
            return edge(valid_at=None)
        return '{"valid_at": "yesterday"}' if asked(body, "times") else None

    offline_server.reply = reply
    adapter.ingest_turn(said(FACT))
    assert ingest(adapter)["undated"] == 1


def test_a_decision_about_facts_that_do_not_exist_is_counted(offline_server: Any, adapter: Any):
    adapter.ingest_turn(said(FACT))
    offline_server.reply = only("duplicates", '{"duplicate_facts": [77], "contradicted_facts": [88]}')
    adapter.ingest_turn(said(CHANGED, 1))
    assert ingest(adapter)["ignored"] == 2
    assert texts(adapter) == [FACT, CHANGED]


@pytest.mark.parametrize("status", [429, 500])
@pytest.mark.parametrize("prompt", ["entities", "facts", "duplicates", "times"])
def test_a_model_that_refuses_raises_and_the_turn_can_be_handed_over_again(
    offline_server: Any, adapter: Any, status: int, prompt: str
):
    """That of the times too, which graphiti swallows."""
    adapter.ingest_turn(said(FACT))
    offline_server.counts()
    offline_server.reply = only("facts", edge(fact=CHANGED, valid_at=None))
    offline_server.refuse = lambda kind, body: status if asked(body, prompt) else 0
    with pytest.raises(Exception, match=f"Error code: {status}"):
        adapter.ingest_turn(said(CHANGED, 1))
    assert texts(adapter) == [FACT]
    offline_server.refuse = lambda kind, body: 0
    adapter.ingest_turn(said(CHANGED, 1))
    assert texts(adapter) == [FACT, CHANGED]


def test_a_refusal_is_not_tried_again_as_the_gateway_has_done_so(offline_server: Any, adapter: Any):
    offline_server.counts()
    offline_server.refuse = lambda kind, body: 429 if kind == "chat" else 0
    with pytest.raises(Exception, match="Error code: 429"):
        adapter.ingest_turn(said(FACT))
    assert offline_server.counts() == (1, 0)


def test_an_encoder_that_fails_raises_in_every_method_that_asks_it(offline_server: Any, adapter: Any):
    adapter.ingest_turn(said(FACT))
    offline_server.refuse = lambda kind, body: 500 if kind == "embeddings" else 0
    with pytest.raises(Exception, match="Error code: 500"):
        adapter.ingest_turn(said(BEES, 1))
    with pytest.raises(Exception, match="Error code: 500"):
        adapter.retrieve("Zanetti", 3)
    assert texts(adapter) == [FACT]


def test_a_graph_whose_server_is_gone_raises_in_every_method(adapter: Any):
    adapter.ingest_turn(said(FACT))
    adapter._engine.store.server.close()
    with pytest.raises(Exception, match="falkordb"):
        adapter.ingest_turn(said(BEES, 1))
    with pytest.raises(Exception, match="falkordb"):
        adapter.retrieve("Zanetti", 3)
    with pytest.raises(Exception, match="falkordb"):
        adapter.snapshot_memories()


def test_an_error_of_the_graph_that_graphiti_swallows_raises(adapter: Any, monkeypatch: pytest.MonkeyPatch):
    """The library goes on without the entities of the same name where it cannot look for them."""
    from graphiti_core.nodes import EntityNode  # type: ignore[import-not-found,unused-ignore]

    async def fails(*args: Any, **kwargs: Any) -> None:
        raise OSError("the index is broken")

    monkeypatch.setattr(EntityNode, "get_by_names", fails)
    with pytest.raises(OSError, match="the index is broken"):
        adapter.ingest_turn(said(FACT))
