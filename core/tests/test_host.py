from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = str(Path(__file__).parent)
HELLO = {"id": 1, "method": "hello", "params": {"protocol": 1, "label": "x"}}
RESET = {"id": 2, "method": "reset", "params": {"context": {"folder": "f", "namespace": "n"}}}


def said(text: str) -> dict[str, Any]:
    turn = {"turn_id": "S01:T000", "session_id": "S01", "index": 0, "text": text}
    return {"id": 3, "method": "ingest_turn", "params": {"turn": turn}}


def serve(*requests: dict[str, Any] | str, target: str = "verbatim") -> tuple[list[dict[str, Any]], str, int]:
    """What the host says to these requests, what stands on its standard error, and its exit code."""
    lines = [text if isinstance(text, str) else json.dumps(text) for text in requests]
    done = subprocess.run(
        [sys.executable, "-m", "memarena.host", target],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": HERE},
        check=False,
    )
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr, done.returncode


def test_a_conversation_is_one_line_each_way():
    replies, errors, code = serve(
        HELLO,
        RESET,
        said("The budget is 51,300."),
        {"id": 4, "method": "end_session", "params": {}},
        {"id": 5, "method": "retrieve", "params": {"query": "budget", "top_k": 1}},
    )
    assert (errors, code) == ("", 0)
    assert replies[1:4] == [{"id": number, "result": None} for number in (2, 3, 4)]
    item = {
        "memory_id": "S01:T000",
        "text": "user: The budget is 51,300.",
        "score": 1.0,
        "session_id": "S01",
        "turn_ids": ["S01:T000"],
    }
    assert replies[4] == {"id": 5, "result": {"query": "budget", "items": [item]}}


def test_hello_says_what_is_taken_and_whose_it_is():
    (reply,), _, _ = serve(HELLO)
    assert reply["id"] == 1
    assert reply["result"]["protocol"] == 1
    assert reply["result"]["honours"]["retrieve"] == ["query", "top_k"]
    assert "reopen" not in reply["result"]["honours"]
    assert reply["result"]["plugin"]["distribution"] == "memarena"


def test_what_the_adapter_prints_is_not_in_the_conversation():
    replies, errors, _ = serve(HELLO, RESET, said("print"), target="hosted_hazards:Hazard")
    assert [reply["id"] for reply in replies] == [1, 2, 3]
    assert "echoed by a child" in errors
    assert "written to descriptor 1" in errors


def test_what_is_raised_is_an_error_with_kind_message_and_trace():
    replies, errors, code = serve(HELLO, RESET, said("raise"), target="hosted_hazards:Hazard")
    error = replies[2]["error"]
    assert (error["kind"], error["message"]) == ("ValueError", "no such index")
    assert "in raise_value_error" in error["trace"]
    assert "in raise_value_error" in errors
    assert code == 0


@pytest.mark.parametrize(
    ("request_", "kind", "words"),
    [
        ({**HELLO, "params": {"protocol": 2, "label": "x"}}, "UsageError", "speaks protocol 2"),
        (RESET, "UsageError", "the first request is to be hello"),
        ("not json", "DecodeError", "JSON is malformed"),
        ({"id": 7}, "ValidationError", "missing required field `method`"),
    ],
)
def test_what_is_no_request_is_an_error_and_not_the_end(request_, kind, words):
    (refused, served), _, code = serve(request_, HELLO)
    assert refused["error"]["kind"] == kind
    assert words in refused["error"]["message"]
    assert (served["id"], code) == (1, 0)


def test_a_method_that_the_adapter_has_not_is_an_error():
    replies, _, _ = serve(HELLO, {"id": 2, "method": "answer", "params": {"questions": []}})
    assert replies[1]["error"]["message"] == "the adapter has no method 'answer'"


def test_params_of_the_wrong_type_are_named():
    replies, _, _ = serve(HELLO, {"id": 2, "method": "retrieve", "params": {"query": 5}})
    assert "got `int` - at `$.query`" in replies[1]["error"]["message"]


def test_without_a_target_it_says_how_it_is_used():
    done = subprocess.run([sys.executable, "-m", "memarena.host"], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 1
    assert done.stderr == "usage: python -m memarena.host ADAPTER | MODULE:ATTRIBUTE\n"
