"""How the model `offline` plays OpenClaw; these need no OpenClaw."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memarena.records import AskedQuestion, Turn
from memarena_harness.dialogue import session_messages
from memarena_harness.questions import questions_message

pytest.importorskip("memarena_models", reason="memarena-models is not installed")

from memarena_models import offline

SYSTEM = "You are a personal assistant running inside OpenClaw."
CONTEXT = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nActive exec sessions:\nnone\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"
EXEC = {
    "type": "function",
    "function": {"name": "exec", "parameters": {"type": "object", "properties": {"command": {"type": "string"}}}},
}


def body(text: str, *results: str) -> dict[str, Any]:
    """A request as OpenClaw makes it."""
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": f"[Mon 2026-11-30 00:08 UTC] {text}\n\n\nRuntime: agent=main | host=agent"},
        {"role": "user", "content": [{"type": "text", "text": CONTEXT}]},
    ]
    for place, result in enumerate(results):
        call = {"id": str(place), "type": "function", "function": {"name": "exec", "arguments": "{}"}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": str(place), "content": result})
    return {"model": "offline", "messages": messages, "tools": [EXEC]}


def reply(*arguments: Any) -> dict[str, Any]:
    found: dict[str, Any] = offline.chat(body(*arguments))["choices"][0]["message"]
    return found


def session(*texts: str) -> str:
    turns = [
        Turn(turn_id=f"T{place}", session_id="S01", index=place, text=text, body=text)
        for place, text in enumerate(texts)
    ]
    (message,) = session_messages(1, "S01", turns, Path("media"), forgets=True, longest=1_000_000)
    return message.text


def questions(*texts: str) -> str:
    batch = {f"Q{place}": AskedQuestion(question_id=text, text=text) for place, text in enumerate(texts, 1)}
    return questions_message(batch, Path("media"), forgets=True, schema=False).text


def test_a_session_is_written_to_the_memory_by_a_command():
    (call,) = reply(session("The locker code of Zanetti is 4711."))["tool_calls"]
    assert call["function"]["name"] == "exec"
    assert "The locker code of Zanetti is 4711." in call["function"]["arguments"]
    assert ">> MEMORY.md" in call["function"]["arguments"]


def test_after_the_command_it_is_done():
    assert reply(session("The locker code of Zanetti is 4711."), "")["content"] == "Noted."


def test_each_question_is_looked_up_and_answered_from_what_was_found():
    asked = questions("What is the locker code of Zanetti?", "Which boat is teal?")
    assert len(reply(asked)["tool_calls"]) == 2
    answered = reply(asked, "- (S01) user: The locker code of Zanetti is 4711.", "(no output)")["content"]
    assert '{"id": "Q1", "answer": "The locker code of Zanetti is 4711."}' in answered
    assert '{"id": "Q2", "answer": "Not mentioned in memory."}' in answered
