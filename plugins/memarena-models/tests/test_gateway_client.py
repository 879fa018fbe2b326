"""Our own client: what it reads, and which error it raises."""

from __future__ import annotations

import http.server
import threading

import pytest
from stand_in_upstream import Play, completion

from memarena.errors import ModelError
from memarena.records import Endpoint
from memarena_models.client import ModelClient, RequestRefused, TransientExhausted, UnreadableReply, chat

ASK = [{"role": "user", "content": "hi"}]


@pytest.fixture
def endpoint(upstream):
    """The upstream itself, without a gateway between."""
    return Endpoint(base_url=upstream.base_url, model="m", api_key="k")


def test_a_reply_has_its_text_its_usage_and_its_end(endpoint, upstream):
    reply = chat(endpoint, ASK, temperature=0, seed=7)
    assert (reply.text, reply.finish, reply.usage.tokens_in, reply.raw) == ("hello there", "stop", 10, completion())
    assert upstream.bodies == [{"model": "m", "messages": ASK, "temperature": 0, "seed": 7}]


def test_a_content_of_parts_is_read_as_one_text(endpoint, upstream):
    body = completion()
    body["choices"][0]["message"]["content"] = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    upstream.default = Play(body)
    assert chat(endpoint, ASK).text == "ab"


def test_a_message_without_content_is_an_empty_text(endpoint, upstream):
    upstream.default = Play({"choices": [{"message": {"content": None, "tool_calls": [{}]}, "finish_reason": None}]})
    reply = chat(endpoint, ASK)
    assert (reply.text, reply.finish, reply.usage) == ("", "", None)


@pytest.mark.parametrize("body", [b"", b"no json", b"[]", b'{"choices": []}', b'{"choices": [{}]}', b'{"choices": 5}'])
def test_what_is_no_completion_is_unreadable(endpoint, upstream, body):
    upstream.default = Play(body)
    with pytest.raises(UnreadableReply, match=r"^m: "):
        chat(endpoint, ASK)


@pytest.mark.parametrize(
    ("status", "error"),
    [(400, RequestRefused), (404, RequestRefused), (429, TransientExhausted), (500, TransientExhausted)],
)
@pytest.mark.parametrize("body", [b"", b"<html>", b"[1]", b'{"error": "text"}', b'{"error": {"message": "m"}}'])
def test_any_error_is_one_of_ours_whatever_its_body(endpoint, upstream, status, error, body):
    upstream.default = Play(body, status=status)
    with pytest.raises(error) as caught:
        chat(endpoint, ASK)
    assert caught.value.status == status


def test_no_gateway_at_the_address_ends_the_run():
    with pytest.raises(ModelError, match="no gateway answers here"):
        chat(Endpoint(base_url="http://127.0.0.1:9/v1", model="m", api_key="k"), ASK)


def test_a_reply_that_breaks_off_is_a_failure_of_the_call(endpoint, upstream):
    upstream.default = Play(cut=True)
    with pytest.raises(TransientExhausted, match="broke off"):
        chat(endpoint, ASK)


def test_a_connection_that_was_closed_while_idle_is_replaced():
    class CloseEach(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            self.rfile.read(int(self.headers["content-length"]))
            body = b'{"choices": [{"message": {"content": "x"}}]}'
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            # Closed without a word, as a server does with one that was idle for too long.
            self.close_connection = True

        def log_message(self, *words):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), CloseEach)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    client = ModelClient()
    endpoint = Endpoint(base_url=f"http://127.0.0.1:{server.server_port}/v1", model="m", api_key="k")
    assert [client.chat(endpoint, ASK).text for _ in range(3)] == ["x"] * 3
    client.close()
    server.shutdown()
    thread.join()
    server.server_close()
