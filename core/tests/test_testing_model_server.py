"""The model on the loopback that tests of adapters script."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from memarena.modelclient import ModelCallFailed, ModelClient
from memarena.testing.model_server import ModelServer, serving_model


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with serving_model() as server:
        yield server


@pytest.fixture
def client(model: ModelServer) -> ModelClient:
    return ModelClient(model.endpoint, model.endpoint)


def ask(client: ModelClient, text: str = "Well?") -> str:
    return client.chat([{"role": "user", "content": text}]).text


def nearness(one: list[float], other: list[float]) -> float:
    return sum(map(float.__mul__, one, other)) / math.hypot(*one) / math.hypot(*other)


def test_the_script_is_said_entry_by_entry_and_then_the_rules_speak(model: ModelServer, client: ModelClient) -> None:
    model.script = ["one", {"role": "assistant", "content": "two"}]
    assert [ask(client) for _ in range(3)] == ["one", "two", "OK"]


def test_a_reply_may_leave_a_call_to_the_rules(model: ModelServer, client: ModelClient) -> None:
    model.reply = lambda body: "bees!" if "bees" in body["messages"][-1]["content"] else None
    assert [ask(client, "bees?"), ask(client, "cats?")] == ["bees!", "OK"]


def test_a_message_may_call_a_function(model: ModelServer, client: ModelClient) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "keep", "arguments": "{}"}}
    model.script = [{"role": "assistant", "content": None, "tool_calls": [call]}]
    (use,) = client.chat([{"role": "user", "content": "Keep it."}], tools=[{"type": "function"}]).uses
    assert (use.call_id, use.name, use.arguments) == ("c1", "keep", "{}")


@pytest.mark.parametrize("status", [400, 401, 429, 500, 503])
def test_a_status_in_the_script_is_one_failure(model: ModelServer, client: ModelClient, status: int) -> None:
    model.script = [status, "fine"]
    with pytest.raises(ModelCallFailed, match=f"planted {status}") as failed:
        ask(client)
    assert failed.value.status == status
    assert ask(client) == "fine"


def test_bytes_are_the_whole_reply(model: ModelServer, client: ModelClient) -> None:
    model.script = [b"<html>busy</html>"]
    with pytest.raises(ModelCallFailed) as failed:
        ask(client)
    assert failed.value.status == 200


def test_one_kind_of_call_can_be_refused_and_uses_up_no_script(model: ModelServer, client: ModelClient) -> None:
    model.script = ["one"]
    model.refuse = lambda kind, body: 500 if kind == "embeddings" else 0
    with pytest.raises(ModelCallFailed, match="planted 500"):
        client.embed(["a"])
    assert ask(client) == "one"


def test_what_was_asked_is_kept_in_order_and_counted_once(model: ModelServer, client: ModelClient) -> None:
    ask(client, "a cat")
    client.embed(["x", "y"])
    ask(client, "a dog")
    assert [kind for kind, _ in model.asked] == ["chat", "embeddings", "chat"]
    assert model.embeddings[0]["input"] == ["x", "y"]
    assert "a cat" in model.prompts()
    assert "a dog" in model.prompts()
    assert model.counts() == (2, 1)
    assert model.counts() == (0, 0)


def test_texts_that_share_words_are_near_and_no_vector_is_all_zero(model: ModelServer, client: ModelClient) -> None:
    cat, kitten, train, none = client.embed(["Ana has a cat.", "Ana has a kitten", "trains leave late", ""])
    assert nearness(cat, kitten) > 0.7 > nearness(cat, train)
    assert any(none)


def test_rules_may_be_those_of_the_model_offline(model: ModelServer, client: ModelClient) -> None:
    offline = pytest.importorskip("memarena_models.offline")
    model.rules = offline
    body = {"messages": [{"role": "user", "content": "Well?"}]}
    assert ask(client) == offline.chat(body)["choices"][0]["message"]["content"]
