"""The models of a cell, as an adapter calls them: what is sent, what comes back, and every way to fail."""

from __future__ import annotations

import json
import threading
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from memarena.errors import ModelError
from memarena.modelclient import ModelCallFailed, ModelClient, message_text
from memarena.records import Endpoint, RunContext


class Server(ThreadingHTTPServer):
    """Keeps what it was asked, and answers with the next of `replies`: a status and a content."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies: list[tuple[int, bytes]] = []
        self.asked: list[tuple[str, str, dict]] = []
        self.connections = 0

    def get_request(self):
        self.connections += 1
        return super().get_request()

    @property
    def endpoint(self) -> Endpoint:
        return Endpoint(base_url=f"http://127.0.0.1:{self.server_port}/v1", model="small", api_key="key-of-the-cell")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append((self.path, self.headers["authorization"], body))
        status, content = self.server.replies.pop(0)
        if status == 0:
            self.close_connection = True
            return
        self.send_response(status)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *words: object) -> None:
        """Say nothing."""


@pytest.fixture
def server():
    with Server() as found:
        thread = threading.Thread(target=found.serve_forever, args=(0.01,))
        thread.start()
        yield found
        found.shutdown()
        thread.join()


@pytest.fixture
def client(server):
    with closing(ModelClient(server.endpoint, server.endpoint, seed=7, reply_tokens=50)) as found:
        yield found


def said(message: dict, finish: str = "stop") -> tuple[int, bytes]:
    return 200, json.dumps({"choices": [{"message": message, "finish_reason": finish}]}).encode()


def embedded(*rows: dict) -> tuple[int, bytes]:
    return 200, json.dumps({"data": rows}).encode()


def test_a_chat_sends_the_model_the_key_and_the_decoding(server, client):
    server.replies = [said({"content": "Hello."})]
    reply = client.chat([{"role": "user", "content": "Hi"}], stop=["\n"])
    assert (reply.text, reply.uses, reply.finish) == ("Hello.", (), "stop")
    body = {"model": "small", "messages": [{"role": "user", "content": "Hi"}]}
    body |= {"temperature": 0, "seed": 7, "max_tokens": 50, "stop": ["\n"]}
    assert server.asked == [("/v1/chat/completions", "Bearer key-of-the-cell", body)]


def test_with_tools_the_model_must_use_one_and_its_words_stay_as_written(server, client):
    call = {"id": "c1", "function": {"name": "note", "arguments": "{not json"}}
    other = {"function": {"name": "read", "arguments": {"page": 2}}}
    server.replies = [said({"content": None, "tool_calls": [call, other]}, "tool_calls")]
    reply = client.chat([], [{"type": "function", "function": {"name": "note"}}])
    assert server.asked[0][2]["tool_choice"] == "required"
    assert [(use.call_id, use.name, use.arguments) for use in reply.uses] == [
        ("c1", "note", "{not json"),
        ("call_1", "read", '{"page":2}'),
    ]


def test_vectors_come_back_in_the_order_of_the_texts(server, client):
    server.replies = [embedded({"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1, 0]})]
    assert client.embed(["a", "b"]) == [[1.0, 0.0], [0.0, 1.0]]


def test_calls_share_one_connection_and_a_closed_one_is_opened_again(server, client):
    server.replies = [said({"content": "1"}), said({"content": "2"}), said({"content": "3"})]
    client.chat([])
    client.chat([])
    assert server.connections == 1
    client.close()
    assert client.chat([]).text == "3"
    assert server.connections == 2


@pytest.mark.parametrize(
    ("reply", "status", "passing", "told"),
    [
        ((401, b'{"error": {"message": "bad  key"}}'), 401, False, "status 401: bad key"),
        ((429, b"slow down"), 429, True, "status 429: slow down"),
        ((503, b""), 503, True, "status 503: nothing"),
        ((200, b"<html>"), 200, True, "the reply is no JSON object: <html>"),
        ((200, b"[]"), 200, True, "the reply is no JSON object"),
        ((200, b"\xff"), 200, True, "the reply is no JSON object"),
        ((200, b"{}"), 200, True, "the reply holds no message"),
        ((200, b'{"choices": [{"message": null}]}'), 200, True, "the reply holds no message"),
        ((0, b""), 0, True, "gave no reply"),
    ],
)
def test_a_failed_chat_is_counted_and_says_why(server, client, reply, status, passing, told):
    server.replies = [reply]
    with pytest.raises(ModelCallFailed) as failure:
        client.chat([])
    assert (failure.value.status, failure.value.passing) == (status, passing)
    assert told in str(failure.value)
    assert client.counts == {"chats": 1, "failed_chats": 1, "embeddings": 0, "failed_embeddings": 0}


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [{"index": 0, "embedding": [1]}],
        [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}],
        [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}],
        [{"index": 0, "embedding": ["x"]}, {"index": 1, "embedding": [1]}],
        [{"embedding": [1]}, {"embedding": [1]}],
    ],
)
def test_vectors_that_are_missing_or_differ_in_length_are_a_counted_failure(server, client, rows):
    server.replies = [embedded(*rows)]
    with pytest.raises(ModelCallFailed):
        client.embed(["a", "b"])
    assert client.counts["failed_embeddings"] == 1


def test_where_nobody_listens_the_address_is_named(unused_tcp_endpoint):
    with pytest.raises(ModelCallFailed, match=r"http://127\.0\.0\.1:\d+/v1 gave no reply \(ConnectionRefused"):
        ModelClient(unused_tcp_endpoint, None).chat([])


@pytest.fixture
def unused_tcp_endpoint() -> Endpoint:
    with Server() as closed:
        return closed.endpoint


def test_a_proxy_of_the_environment_is_not_used(server, client, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    server.replies = [said({"content": "direct"})]
    assert client.chat([]).text == "direct"


@pytest.mark.parametrize(
    ("needs", "flag"),
    [({}, "--model inner=NAME"), ({"chats": False}, "--model embed=NAME"), ({"embeds": False}, "--model inner=NAME")],
)
def test_a_missing_model_is_an_error_that_names_its_flag(needs, flag):
    with pytest.raises(ModelError, match=flag):
        ModelClient.of(RunContext(folder="", namespace=""), "mine", **needs)


def test_an_adapter_that_only_chats_needs_no_embeddings(server):
    context = RunContext(folder="", namespace="", model=server.endpoint)
    with pytest.raises(ModelCallFailed, match="no model for it"):
        ModelClient.of(context, "mine", embeds=False).embed(["a"])


def test_parts_of_a_content_are_joined():
    assert message_text([{"type": "text", "text": "a"}, {"text": "b"}, {"image": 1}]) == "ab"
    assert message_text(None) == ""


def test_a_broken_character_is_replaced_and_the_rest_is_sent(server, client):
    server.replies = [said({"content": "ok"})]
    client.chat([{"role": "user", "content": "é \ud800 日"}])
    assert server.asked[0][2]["messages"][0]["content"] == "é \ufffd 日"
