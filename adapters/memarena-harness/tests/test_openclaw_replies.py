"""What OpenClaw says of a call, read; these need no OpenClaw. The texts are those of 2026.9.6."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memarena_harness.failures import HarnessFailure, Kind
from memarena_harness.limits import Ended
from memarena_harness.openclaw_gateway import Reply
from memarena_harness.openclaw_replies import Refused, broken, of_envelope, of_reply
from memarena_harness.traffic import Traffic

GOOD = {
    "ok": True,
    "status": "ok",
    "final": "OK",
    "payloads": [{"text": "OK", "mediaUrl": None}],
    "usage": {"input": 100, "output": 22, "cacheRead": 14, "total": 136},
    "toolSummary": {"calls": 2, "tools": ["exec"], "failures": 1},
}


def envelope(told: Any, **more: Any) -> Ended:
    return Ended(output=json.dumps(told).encode(), **{"exit": 0, "seconds": 9.0, **more})


def failed(kind: str, message: str, **more: Any) -> Ended:
    return envelope(
        {"ok": False, "status": "error", "payloads": [], "error": {"message": message, "kind": kind}}, **more
    )


def kind_of(ended: Ended, seconds: float = 60.0) -> Kind:
    with pytest.raises(HarnessFailure) as failure:
        of_envelope(ended, seconds)
    return failure.value.kind


def test_a_reply_has_its_text_and_usage():
    said = of_envelope(envelope(GOOD), 60.0)
    assert said.text == "OK"
    assert said.usage == {"input_tokens": 114, "output_tokens": 22, "tool_calls": 2, "failed_tool_calls": 1}


def test_a_reply_in_parts_is_joined_and_a_picture_of_it_is_left_out():
    told = {**GOOD, "payloads": [{"text": "one"}, {"text": None, "mediaUrl": "./a.png"}, {"text": "two"}]}
    assert of_envelope(envelope(told), 60.0).text == "one\ntwo"


def test_a_reply_that_was_cut_at_its_limit_is_a_failure_though_it_is_called_ok():
    told = {
        **GOOD,
        "payloads": [{"text": "half"}, {"text": "Reply truncated at the model's output token limit. The text above"}],
    }
    assert kind_of(envelope(told)) == "reply too long"


@pytest.mark.parametrize(
    ("message", "refused", "kind"),
    [
        ("memarena/stub request failed (authentication failed, HTTP 401).", "bad key", "bad key"),
        ("The selected model was not found by the provider.", "model missing", "model missing"),
        ("memarena (stub) returned a billing error", "over budget", "over budget"),
        ("it broke", "server error", "server error"),
        ("it broke", "refused connection", "refused connection"),
    ],
)
def test_what_went_through_the_door_says_what_failed(message: str, refused: Kind, kind: Kind):
    assert kind_of(failed("exception", message, exit=1, refused=refused)) == kind


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("memarena/stub request failed (authentication failed, HTTP 401).", "bad key"),
        ("The selected model was not found by the provider.", "model missing"),
        ("memarena (stub) returned a billing error", "over budget"),
        ("connect ECONNREFUSED 127.0.0.1:1", "refused connection"),
        ("something else", "failed"),
    ],
)
def test_without_a_door_its_words_say_what_failed(message: str, kind: Kind):
    assert kind_of(failed("exception", message, exit=1)) == kind


def test_a_context_that_is_too_long_is_more_than_a_bad_request():
    ended = failed("context_overflow", "400 This model's maximum context length is 10 tokens", refused="failed")
    assert kind_of(ended) == "context too long"


def test_what_it_calls_a_timeout_is_one_only_where_its_time_was_over():
    told = ("timeout", "LLM request timed out.")
    assert kind_of(failed(*told, exit=2, seconds=20.0), seconds=60.0) == "cut stream"
    assert kind_of(failed(*told, exit=2, seconds=61.0), seconds=60.0) == "hang"
    assert kind_of(failed("error_payload", "Exec failed", seconds=61.0), seconds=60.0) == "hang"


@pytest.mark.parametrize("ended", [{"signal": 9}, {"exit": 137}])
def test_what_a_killed_program_said_last_is_not_what_it_died_of(ended: dict[str, int]):
    failure = broken("", Ended(said="connect ECONNREFUSED 127.0.0.1:1", **ended))
    assert failure.kind == "failed"
    assert "openclaw ended with signal 9" in str(failure)
    assert broken("", Ended(said="connect ECONNREFUSED 127.0.0.1:1", exit=1)).kind == "refused connection"


def test_an_agent_that_says_nothing_is_junk():
    assert kind_of(failed("fallback_exhausted", "Agent couldn't generate a response.")) == "junk answer"


def test_commands_that_were_left_running_fail_an_agent_exec_and_are_no_fault_of_the_model():
    log = "[agent/embedded] agent cleanup timed out: step=embedded-registered-resources"
    assert kind_of(failed("exception", "Agent exec cleanup failed: it did not settle", said=log)) == "failed"


def test_where_there_is_no_json_the_end_of_its_log_is_told():
    with pytest.raises(HarnessFailure, match="failed: openclaw ended with exit code 1: first last"):
        of_envelope(Ended(exit=1, output=b"", said="first\nlast"), 60.0)
    assert kind_of(Ended(exit=1, output=b"", said="Invalid config: unrecognized key 'x'")) == "wrong configuration"


def test_one_that_was_killed_while_it_tried_again_failed_for_what_it_tried_again_for():
    log = "[agent/embedded] embedded run agent end: error=LLM request timed out. rawError={}\ntransient retry 3/8"
    cut, other = log.format("Stream ended without finish_reason"), log.format("who knows")
    assert broken("time", Ended(said=cut, seconds=80.0)).kind == "cut stream"
    assert broken("time", Ended(said=other, seconds=80.0)).kind == "hang"
    assert broken("refusals", Ended(said=other, refused="rate limit")).kind == "rate limit"
    assert broken("disk", Ended(said=cut)).kind == "disk limit"
    assert str(broken("time", Ended(said=cut, seconds=80.0))) == (
        "cut stream: openclaw was killed after 80 s: Stream ended without finish_reason"
    )


def test_a_gateway_replies_with_text_session_and_usage():
    body = {
        "choices": [{"message": {"content": "OK"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 3},
    }
    traffic = Traffic()
    traffic.requests, traffic.pictures = 2, 1
    said = of_reply(Reply(200, body, traffic), "agent:main:one")
    assert (said.text, said.thread) == ("OK", "agent:main:one")
    assert said.usage == {"input_tokens": 11, "output_tokens": 3}
    assert (said.ended.requests, said.ended.pictures) == (2, 1)


def test_an_internal_error_of_a_gateway_is_explained_by_its_log():
    body = {"error": {"message": "internal error", "type": "api_error"}}
    with pytest.raises(Refused) as refused:
        of_reply(Reply(500, body), "agent:main:one")
    log = (
        "[agent/embedded] run agent end: error=Agent run failed. rawError=Error reading response: malformed event JSON."
    )
    assert refused.value.explained(Ended(said=log), late=False).kind == "cut stream"
    overflow = "[agent/embedded] exhausted: kind=context_overflow"
    assert refused.value.explained(Ended(said=overflow), late=False).kind == "context too long"
    assert refused.value.explained(Ended(said="[gateway] git rev-parse timed out"), late=False).kind == "failed"
    assert refused.value.explained(Ended(), late=True).kind == "hang"
    assert str(refused.value.explained(Ended(said=log), late=False)) == (
        "cut stream: api_error: internal error (Error reading response: malformed event JSON.)"
    )


def test_a_reply_that_is_no_json_is_a_failure():
    with pytest.raises(Refused):
        of_reply(Reply(502, "<html>"), "agent:main:one")
