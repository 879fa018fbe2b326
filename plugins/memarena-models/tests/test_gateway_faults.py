"""Planted failures look like real ones, and a run gets over all that can pass."""

from __future__ import annotations

import time

import httpx
import pytest
from stand_in_upstream import Play, chunk, sse

from memarena_models.calls import Call
from memarena_models.client import CallFailed, KeyRefused, UnreadableReply, chat
from memarena_models.faults import FaultPlan
from memarena_models.settings import PASSING_FAULTS, Faults

ASK = [{"role": "user", "content": "hi"}]
STREAM = sse(chunk("a"), chunk("b", finish="stop"), {"choices": [], "usage": {"prompt_tokens": 9}}, "[DONE]")


@pytest.mark.parametrize("kind", ["429", "429-retry-after", "500", "reset", "cut"])
def test_a_fault_that_may_pass_costs_one_retry(serve, upstream, kind):
    host = serve(faults=Faults(first=(kind,)))
    assert chat(host.endpoint(), ASK).text == "hello there"
    assert (host.row().retries, host.row().errors) == (1, 0)


def test_a_planted_retry_after_is_waited_for(serve):
    host = serve(faults=Faults(first=("429-retry-after",), seconds=1.0))
    began = time.monotonic()
    host.post()
    assert time.monotonic() - began >= 1


def test_latency_is_added(serve):
    host = serve(faults=Faults(first=("latency",), seconds=0.2))
    assert host.post().elapsed.total_seconds() >= 0.2
    assert host.row().retries == 0


@pytest.mark.parametrize("kind", ["junk", "half-json"])
def test_a_body_that_is_no_json_reaches_the_client_as_such(serve, kind):
    host = serve(faults=Faults(first=(kind,)))
    with pytest.raises(UnreadableReply):
        chat(host.endpoint(), ASK)
    assert (host.row().errors, host.row().retries, host.row().estimated) == (1, 0, 1)


def test_missing_usage_is_estimated(serve):
    host = serve(faults=Faults(first=("no-usage",)))
    assert chat(host.endpoint(), ASK).usage is None
    assert (host.row().tokens_in, host.row().estimated, host.row().errors) == (1, 1, 0)


def test_a_planted_401_ends_everything(serve, upstream):
    host = serve(faults=Faults(first=("401",)))
    for _ in range(2):
        with pytest.raises(KeyRefused, match="UPSTREAM_KEY"):
            chat(host.endpoint(), ASK)
    assert upstream.requests == []


def test_a_cut_stream_breaks_off_for_the_client_and_is_not_recorded(serve, upstream, tmp_path):
    upstream.default = Play(parts=STREAM, pause=0.01)
    host = serve(tmp_path, faults=Faults(first=("cut",)))
    with pytest.raises(httpx.RemoteProtocolError):
        host.post(stream=True)
    assert host.row().errors == 1
    assert b'"b"' in host.post(stream=True).content


@pytest.mark.parametrize("kind", ["junk", "half-json"])
def test_a_stream_with_broken_events_counts_as_failed(serve, upstream, kind):
    upstream.default = Play(parts=STREAM, pause=0.01)
    host = serve(faults=Faults(first=(kind,)))
    assert b"[DONE]" not in host.post(stream=True).content
    assert host.row().errors == 1


def test_a_stream_without_usage_is_estimated(serve, upstream):
    upstream.default = Play(parts=STREAM)
    host = serve(faults=Faults(first=("no-usage",)))
    assert host.post(stream=True).content.endswith(b"[DONE]\n\n")
    assert (host.row().tokens_out, host.row().estimated, host.row().errors) == (1, 1, 0)


def planned(settings, texts):
    calls = [Call("chat", "a~s", "write", "m", False, {}, text.encode()) for text in texts]
    plan = FaultPlan(settings)
    return {text: plan.choose(call) for text, call in zip(texts, calls, strict=True)}


def test_faults_by_rate_come_at_that_rate_and_of_every_kind():
    found = planned(Faults(rate=0.2), [f"request {number}" for number in range(3000)])
    hit = [kind for kind in found.values() if kind != "none"]
    assert 0.17 < len(hit) / 3000 < 0.23
    assert set(hit) == set(PASSING_FAULTS)


def test_faults_by_rate_are_the_same_in_any_order_and_others_with_another_seed():
    texts = [f"request {number}" for number in range(200)]
    assert planned(Faults(rate=0.3), texts) == planned(Faults(rate=0.3), texts[::-1])
    assert planned(Faults(rate=0.3), texts) != planned(Faults(rate=0.3, seed=1), texts)


def test_a_retry_draws_again():
    plan = FaultPlan(Faults(rate=0.5))
    call = Call("chat", "a~s", "write", "m", False, {}, b"the same")
    assert {plan.choose(call) == "none" for _ in range(40)} == {True, False}


def test_with_every_fifth_attempt_failing_all_calls_that_can_pass_do(serve):
    quick = tuple(kind for kind in PASSING_FAULTS if kind != "429-retry-after")
    host = serve(faults=Faults(rate=0.2, kinds=quick, seconds=0.001))
    good = failed = 0
    for number in range(150):
        try:
            assert chat(host.endpoint(), [{"role": "user", "content": f"{number}"}]).text == "hello there"
            good += 1
        except CallFailed:
            failed += 1
    assert good + failed == 150
    assert 0 < failed < 20, "only junk and half JSON reach the client"
    assert host.row().errors == failed
    assert host.row().retries > 5
