"""Who may come in, and what is passed on."""

from __future__ import annotations

import json
import time

from gateway_host import PATIENT
from stand_in_upstream import KEY, Play, chunk, completion, sse

PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}


def test_a_call_without_a_known_key_never_reaches_the_upstream(serve, upstream):
    answer = serve().http.post("/chat/completions", json={"model": "m"}, headers={"authorization": "Bearer nobody"})
    assert answer.status_code == 401
    assert answer.json()["error"]["code"] == "no_owner"
    assert upstream.requests == []


def test_an_unknown_model_is_refused_with_those_that_are_known(serve, upstream):
    from memarena_models.settings import Upstream

    known = {"one": Upstream(base_url=upstream.base_url, models=("gpt-*", "llama"))}
    answer = serve(upstreams=known).post(model="mistral")
    assert answer.status_code == 404
    assert answer.json()["error"]["message"] == ("no upstream has the model 'mistral'; known: offline, gpt-*, llama")


def test_the_first_upstream_whose_pattern_fits_gets_the_call(serve, upstream):
    from memarena_models.settings import Upstream

    nowhere = Upstream(base_url="http://127.0.0.1:9/v1", models=("other",))
    host = serve(upstreams={"no": nowhere, "yes": Upstream(base_url=upstream.base_url, models=("m*",))})
    assert host.post(model="m-large").status_code == 200
    assert upstream.bodies[0]["model"] == "m-large"


def test_a_path_that_is_not_served_is_refused_with_those_that_are(serve):
    answer = serve().http.post("/completions", json={})
    assert answer.status_code == 404
    assert "POST /v1/chat/completions" in answer.json()["error"]["message"]


def test_a_body_that_is_no_request_is_refused(serve, upstream):
    host = serve()
    headers = {"authorization": f"Bearer {host.key()}"}
    for body in (b"{", b"[]", b"{}", b'{"model": 5}', b"\xff"):
        assert host.http.post("/chat/completions", content=body, headers=headers).status_code == 400
    assert upstream.requests == []


def test_the_owners_bytes_are_passed_on_unchanged_with_the_key_of_the_upstream(serve, upstream):
    host = serve()
    body = b'{"messages" : [{"role":"user","content":"caf\\u00e9"}],  "model":"m"}'
    host.http.post("/chat/completions", content=body, headers={"authorization": f"Bearer {host.key()}"})
    path, headers, arrived = upstream.requests[0]
    assert (path, arrived) == ("/v1/chat/completions", body)
    assert headers["authorization"] == f"Bearer {KEY}"


def test_the_reply_comes_back_as_it_is(serve, upstream):
    upstream.default = Play(b'{"choices":[{"message":{"content":"x"}}], "odd":1 }', headers={"x-request-id": "r7"})
    answer = serve().post()
    assert answer.content == b'{"choices":[{"message":{"content":"x"}}], "odd":1 }'
    assert answer.headers["x-request-id"] == "r7"


def test_pictures_are_passed_on_and_counted(serve, upstream):
    host = serve()
    message = {"role": "user", "content": [{"type": "text", "text": "what is it?"}, PICTURE, PICTURE]}
    host.post(messages=[message])
    assert upstream.bodies[0]["messages"] == [message]
    assert host.row().pictures == 2


def test_embeddings_and_responses_have_doors_too(serve, upstream):
    upstream.script = [
        Play({"data": [{"embedding": [0.5]}], "usage": {"prompt_tokens": 3, "total_tokens": 3}}),
        Play({"output": [{"type": "message"}], "usage": {"input_tokens": 7, "output_tokens": 2}}),
    ]
    host = serve()
    assert host.post("/embeddings", input=["a"]).json()["data"] == [{"embedding": [0.5]}]
    assert host.post("/responses", input="a").status_code == 200
    assert [path for path, _, _ in upstream.requests] == ["/v1/embeddings", "/v1/responses"]
    assert (host.row().tokens_in, host.row().tokens_out) == (10, 2)


def test_the_list_of_models_names_those_without_patterns(serve, upstream):
    from memarena_models.settings import Upstream

    host = serve(upstreams={"one": Upstream(base_url=upstream.base_url, models=("llama", "gpt-*"))})
    answer = host.http.get("/models", headers={"authorization": f"Bearer {host.key()}"})
    assert [row["id"] for row in answer.json()["data"]] == ["offline", "llama"]
    assert host.http.get("/models").status_code == 401


def test_a_stream_is_passed_on_part_by_part_as_it_comes(serve, upstream):
    parts = []
    sent = sse(chunk("a"), chunk("b"), chunk(finish="stop"), "[DONE]")
    upstream.default = Play(parts=sent, taken=lambda: len(parts))
    host = serve()
    headers = {"authorization": f"Bearer {host.key()}"}
    body = {"model": "m", "messages": [], "stream": True, "stream_options": {"include_usage": True}}
    with host.http.stream("POST", "/chat/completions", json=body, headers=headers) as answer:
        for part in answer.iter_raw():
            parts += [part]  # at once: the next one is sent on it
    assert parts == sent, "each part was there before the next one was sent"


def test_the_usage_of_a_stream_is_asked_for_and_hidden_from_who_did_not_ask(serve, upstream):
    usage = {"choices": [], "usage": {"prompt_tokens": 20, "completion_tokens": 5}}
    upstream.default = Play(parts=sse(chunk("a"), chunk(finish="stop"), usage, "[DONE]"))
    host = serve()
    seen = host.post(stream=True).content
    assert upstream.bodies[0]["stream_options"] == {"include_usage": True}
    assert seen == b"".join(sse(chunk("a"), chunk(finish="stop"), "[DONE]"))
    assert (host.row().tokens_in, host.row().tokens_out, host.row().estimated) == (20, 5, 0)


def test_who_asks_for_the_usage_of_a_stream_sees_it(serve, upstream):
    usage = {"choices": [], "usage": {"prompt_tokens": 20, "completion_tokens": 5}}
    upstream.default = Play(parts=sse(chunk("a", finish="stop"), usage, "[DONE]"))
    seen = serve().post(stream=True, stream_options={"include_usage": True}).content
    assert json.dumps(usage).encode() in seen


def test_a_client_that_hangs_up_stops_its_call(serve, upstream):
    upstream.default = Play(parts=sse(chunk("a"), *[chunk("b")] * 20_000), pause=0.05)
    host = serve()
    headers = {"authorization": f"Bearer {host.key()}"}
    body = {"model": "m", "messages": [], "stream": True}
    with host.http.stream("POST", "/chat/completions", json=body, headers=headers) as answer:
        next(answer.iter_raw())
    until = time.monotonic() + PATIENT
    while not host.service.rows() and time.monotonic() < until:
        time.sleep(0.02)
    assert host.row().errors == 1, "booked long before the stream's 1000 seconds were over"


def test_forced_decoding_is_set_for_everybody(serve, upstream):
    host = serve(force_decoding={"temperature": 0, "seed": 7})
    host.post(temperature=0.9)
    host.post("/embeddings", input="a")
    assert (upstream.bodies[0]["temperature"], upstream.bodies[0]["seed"]) == (0, 7)
    assert "temperature" not in upstream.bodies[1]


def test_a_models_quirks_are_respected(serve, upstream):
    serve().post(model="gpt-5-nano", max_tokens=50, temperature=0)
    assert upstream.bodies[0]["max_completion_tokens"] == 50
    assert not {"max_tokens", "temperature"} & upstream.bodies[0].keys()


def test_an_upstreams_error_comes_back_as_it_is_and_is_marked_final(serve, upstream):
    upstream.default = Play({"error": {"message": "too long", "code": "context_length_exceeded"}}, status=400)
    answer = serve().post()
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "context_length_exceeded")
    assert answer.headers["x-should-retry"] == "false"
    assert len(upstream.requests) == 1


def test_a_key_that_an_upstream_shows_is_masked(serve, upstream):
    upstream.script = [Play({"error": {"message": f"bad {KEY}"}}, status=400), Play(completion(f"it is {KEY}"))]
    host = serve()
    assert host.post().json()["error"]["message"] == "bad ***"
    assert host.post().json()["choices"][0]["message"]["content"] == "it is ***"
