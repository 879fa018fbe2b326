"""The official client of OpenAI, unchanged, pointed at the gateway."""

from __future__ import annotations

import asyncio

import pytest
from stand_in_upstream import Play, chunk, completion, sse

openai = pytest.importorskip("openai", reason="the client of OpenAI is not installed")

from memarena_models import offline  # noqa: E402 (after the skip)
from memarena_models.settings import Budget, Budgets  # noqa: E402

ASK = [{"role": "user", "content": "Paris is the capital of France. What is the capital of France?"}]


@pytest.fixture
def client(serve):
    host = serve(offline=offline)
    with openai.OpenAI(base_url=host.base_url, api_key=host.key(), max_retries=2) as one:
        one.host = host
        yield one


def test_a_completion_comes_back_whole(client):
    reply = client.chat.completions.create(model="m", messages=ASK)
    assert (reply.choices[0].message.content, reply.usage.prompt_tokens) == ("hello there", 10)


def test_a_stream_comes_back_in_pieces(client, upstream):
    usage = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [], "usage": {}}
    usage["usage"] = {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}
    upstream.default = Play(parts=sse(chunk("a"), chunk("b", finish="stop"), usage, "[DONE]"))
    pieces = list(client.chat.completions.create(model="m", messages=ASK, stream=True))
    assert [piece.choices[0].delta.content for piece in pieces] == ["a", "b"]
    shown = {"include_usage": True}
    pieces = list(client.chat.completions.create(model="m", messages=ASK, stream=True, stream_options=shown))
    assert pieces[-1].usage.completion_tokens == 5
    assert client.host.row().tokens_out == 10


def test_the_asynchronous_client_works_with_many_calls_at_once(serve):
    host = serve()

    async def play():
        async with openai.AsyncOpenAI(base_url=host.base_url, api_key=host.key()) as client:
            calls = [client.chat.completions.create(model="m", messages=ASK) for _ in range(20)]
            return [reply.choices[0].message.content for reply in await asyncio.gather(*calls)]

    assert asyncio.run(play()) == ["hello there"] * 20
    assert host.row().calls == 20


def test_the_embedded_model_streams_chat_and_responses(client):
    whole = client.chat.completions.create(model="offline", messages=ASK).choices[0].message.content
    stream = client.chat.completions.create(model="offline", messages=ASK, stream=True)
    assert "".join(piece.choices[0].delta.content or "" for piece in stream) == whole
    with client.responses.stream(model="offline", input=ASK[0]["content"]) as events:
        kinds = [event.type for event in events]
        final = events.get_final_response()
    assert (kinds[0], kinds[-1]) == ("response.created", "response.completed")
    assert final.output_text == client.responses.create(model="offline", input=ASK[0]["content"]).output_text


def test_the_embedded_model_embeds_in_the_form_the_client_asks_for(client):
    vectors = client.embeddings.create(model="offline", input=["one", "two"]).data
    assert len(vectors) == 2
    assert sum(value * value for value in vectors[0].embedding) == pytest.approx(1, abs=1e-5)


def test_the_embedded_model_calls_a_tool_it_is_offered_in_a_stream_too(client):
    pieces = client.chat.completions.create(model="offline", messages=ASK, stream=True)
    assert [piece.choices[0].finish_reason for piece in pieces][-1] == "stop"


def test_a_request_that_no_server_takes_is_a_bad_request_of_the_embedded_model_too(client):
    with pytest.raises(openai.BadRequestError):
        client.chat.completions.create(model="offline", messages="no list")


def test_errors_are_the_classes_the_client_has_for_them(client, upstream, serve):
    with pytest.raises(openai.AuthenticationError, match="of no cell of this run"):
        client.with_options(api_key="wrong").chat.completions.create(model="m", messages=ASK)
    upstream.default = Play({"error": {"message": "too long", "code": "context_length_exceeded"}}, status=400)
    with pytest.raises(openai.BadRequestError, match="too long"):
        client.chat.completions.create(model="m", messages=ASK)


def test_the_client_does_not_try_again_what_the_gateway_has_tried_already(client, upstream):
    upstream.default = Play({"error": {"message": "busy"}}, status=503)
    with pytest.raises(openai.InternalServerError):
        client.chat.completions.create(model="m", messages=ASK)
    assert len(upstream.requests) == 6, "the gateway's attempts, once"


def test_a_spent_budget_stops_the_client_after_one_request(serve, upstream):
    host = serve(budgets=Budgets(run=Budget(tokens=1)))
    with openai.OpenAI(base_url=host.base_url, api_key=host.key()) as client:
        client.chat.completions.create(model="m", messages=ASK)
        with pytest.raises(openai.APIStatusError) as caught:
            client.chat.completions.create(model="m", messages=ASK)
    assert (caught.value.status_code, caught.value.code) == (402, "run_budget_spent")
    assert caught.value.type == "insufficient_quota"


def test_the_models_can_be_listed(client):
    assert "offline" in [model.id for model in client.models.list()]


def test_what_was_recorded_by_the_client_is_replayed_to_it(serve, upstream, tmp_path):
    for mode in ("record", "replay"):
        host = serve(tmp_path, record=mode)
        with openai.OpenAI(base_url=host.base_url, api_key=host.key()) as client:
            reply = client.chat.completions.create(model="m", messages=ASK)
        assert reply.to_dict() == completion()
        host.stop()
    assert len(upstream.requests) == 1
