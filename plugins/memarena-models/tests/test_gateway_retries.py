"""What is tried again, and what never is."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest
from gateway_host import PATIENT
from stand_in_upstream import Play, chunk, sse

from memarena_models.calls import Reply
from memarena_models.client import BudgetSpent, KeyRefused, RequestRefused, TransientExhausted, chat
from memarena_models.settings import Retries, Timeouts, Upstream

ASK = [{"role": "user", "content": "hi"}]


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503])
def test_what_may_pass_is_tried_again(serve, upstream, status):
    upstream.script = [Play(status=status), Play(status=status)]
    host = serve()
    assert host.post().status_code == 200
    assert (len(upstream.requests), host.row().retries, host.row().calls, host.row().errors) == (3, 2, 1, 0)


@pytest.mark.parametrize("status", [400, 404, 409, 413, 422])
def test_what_cannot_pass_is_never_tried_again(serve, upstream, status):
    upstream.default = Play(status=status)
    host = serve()
    assert host.post().status_code == status
    assert (len(upstream.requests), host.row().retries, host.row().errors) == (1, 0, 1)


def test_a_quota_that_is_used_up_is_not_tried_again(serve, upstream):
    upstream.default = Play({"error": {"code": "insufficient_quota", "message": "pay"}}, status=429)
    assert serve().post().json()["error"]["code"] == "insufficient_quota"
    assert len(upstream.requests) == 1


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_ends_everything_at_once_and_names_its_variable(serve, upstream, status):
    upstream.default = Play(status=status)
    host = serve()
    for cell in ("a~s", "b~s"):
        with pytest.raises(KeyRefused, match="upstream 'up' refuses the key in UPSTREAM_KEY"):
            chat(host.endpoint(cell), ASK)
    assert len(upstream.requests) == 1, "after the first, nothing was sent"


def test_the_last_failure_comes_back_after_all_attempts(serve, upstream):
    upstream.default = Play({"error": {"message": "busy"}}, status=503)
    host = serve(retries=Retries(attempts=3, base=0.001))
    with pytest.raises(TransientExhausted, match="503: busy") as caught:
        chat(host.endpoint(), ASK)
    assert caught.value.status == 503
    assert len(upstream.requests) == 3


def test_a_refused_request_is_no_transient_failure(serve, upstream):
    upstream.default = Play({"error": {"message": "too long"}}, status=400)
    with pytest.raises(RequestRefused, match="too long"):
        chat(serve().endpoint(), ASK)


def test_nobody_at_the_address_is_tried_again_and_then_said(serve):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        nobody = Upstream(base_url=f"http://127.0.0.1:{taken.getsockname()[1]}/v1")
        answer = serve(upstreams={"up": nobody}).post()
    assert answer.status_code == 502
    assert answer.json()["error"]["message"].startswith("upstream 'up': no connection to 127.0.0.1:")
    assert answer.json()["error"]["message"].endswith("after 6 attempts")


def test_silence_is_tried_again_and_then_said(serve, upstream):
    upstream.default = Play(pause=1.0)
    host = serve(timeouts=Timeouts(read=0.05), retries=Retries(attempts=2, base=0.001))
    answer = host.post()
    assert (answer.status_code, answer.json()["error"]["code"]) == (504, "upstream_timeout")
    until = time.monotonic() + PATIENT
    while len(upstream.requests) < 2 and time.monotonic() < until:
        time.sleep(0.01)  # the upstream may come to read a request when nobody waits for its answer any more
    assert len(upstream.requests) == 2


def test_a_body_that_breaks_off_is_tried_again(serve, upstream):
    upstream.script = [Play(cut=True)]
    host = serve()
    assert host.post().status_code == 200
    assert host.row().retries == 1


def test_a_stream_is_tried_again_before_its_first_byte(serve, upstream):
    upstream.script = [Play(status=500), Play(parts=[], cut=True)]
    upstream.default = Play(parts=sse(chunk("a", finish="stop"), "[DONE]"))
    host = serve()
    assert b'"content": "a"' in host.post(stream=True).content
    assert len(upstream.requests) == 3


def test_a_stream_is_never_tried_again_after_its_first_byte(serve, upstream):
    upstream.default = Play(parts=sse(chunk("a"), chunk("b")), pause=0.02, cut=True)
    host = serve()
    with pytest.raises(httpx.RemoteProtocolError):
        host.post(stream=True)
    assert len(upstream.requests) == 1
    assert (host.row().errors, host.row().estimated) == (1, 1)


def test_a_stream_that_ends_without_its_end_counts_as_failed(serve, upstream):
    upstream.default = Play(parts=sse(chunk("a"), chunk("b")))
    host = serve()
    assert host.post(stream=True).status_code == 200
    assert host.row().errors == 1


def test_retry_after_is_honoured(serve, upstream):
    upstream.script = [Play(status=429, headers={"retry-after": "0.3"})]
    serve().post()
    assert upstream.times[1] - upstream.times[0] >= 0.3


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_a_retry_after_is_read_in_each_form_it_may_have(headers, seconds):
    assert Reply(429, headers=headers).retry_after == seconds


def test_a_retry_after_may_be_a_date_to_come():
    date = format_datetime(datetime.now(UTC) + timedelta(hours=2), usegmt=True)
    assert 7000 < Reply(429, headers={"retry-after": date}).retry_after <= 7200


def test_a_retry_after_that_is_too_long_is_cut(serve, upstream):
    upstream.script = [Play(status=429, headers={"retry-after": "86400"})]
    host = serve(retries=Retries(base=0.001, longest_asked=0.1))
    assert host.post().status_code == 200


def test_a_wait_is_shown_with_its_reason_and_its_end(serve, upstream):
    upstream.script = [Play(status=429, headers={"retry-after": "0.6"})]
    host = serve()

    async def first_waits():
        """In the loop of the service, where no wait begins and ends between two looks."""
        while not (waits := host.service.waiting()):
            await asyncio.sleep(0.001)
        return waits, time.time()

    began = time.time()
    with ThreadPoolExecutor(1) as pool:
        looking = asyncio.run_coroutine_threadsafe(first_waits(), host.loop)
        call = pool.submit(host.post)
        (wait,), seen = looking.result(PATIENT)
        assert call.result().status_code == 200
    assert (wait.upstream, wait.cell_id, wait.why) == ("up", "a~s", "status 429; try 2 of 6")
    assert began < wait.until - 0.6 < seen + 0.1
    assert host.service.waiting() == []


def test_a_long_retry_after_on_every_reply_does_not_freeze_the_others(serve, upstream):
    busy = Play(status=429, headers={"retry-after": "89"})
    upstream.default = lambda body: busy if body["messages"][0]["content"] == "slow" else Play()
    host = serve(retries=Retries(base=0.001, longest_asked=0.2, attempts=3), concurrency=4)
    with ThreadPoolExecutor(8) as pool:
        slow = [pool.submit(host.post, messages=[{"role": "user", "content": "slow"}]) for _ in range(4)]
        quick = [pool.submit(host.post, cell_id="b~s", messages=ASK) for _ in range(20)]
        assert [call.result().status_code for call in quick] == [200] * 20
        assert {call.result().status_code for call in slow} == {429}


def test_a_spent_quota_stops_a_known_client_after_one_request(serve, upstream):
    from memarena_models.settings import Budget, Budgets

    host = serve(budgets=Budgets(run=Budget(tokens=12)))
    host.post()
    with pytest.raises(BudgetSpent):
        chat(host.endpoint(), ASK)
    answer = host.post()
    assert answer.status_code == 402
    assert json.loads(answer.content)["error"]["type"] == "insufficient_quota"
    assert answer.headers["x-should-retry"] == "false"
