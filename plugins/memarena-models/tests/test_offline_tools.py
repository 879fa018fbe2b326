"""The rules of the model `offline` with tools: of a memory, of a shell, in namespaces."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from offline_asks import MEMORY_TOOLS, TEXT, chat, tool

from memarena_models import offline


def call_of(reply: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    (call,) = reply["choices"][0]["message"]["tool_calls"]
    return call["function"]["name"], json.loads(call["function"]["arguments"])


def test_what_is_told_is_written_with_the_tool_of_the_memory() -> None:
    name, arguments = call_of(chat(("user", "I moved to Leeds in May."), tools=MEMORY_TOOLS))
    assert (name, arguments) == ("core_memory_append", {"name": "human", "content": "- I moved to Leeds in May."})


def test_what_is_asked_is_looked_up() -> None:
    assert call_of(chat(("user", "Where did I move?"), tools=MEMORY_TOOLS)) == (
        "conversation_search",
        {"query": "Where did I move?"},
    )


def test_a_conversation_with_tools_ends() -> None:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Where did I move?"}]
    names = []
    for _ in range(5):
        choice = offline.chat({"messages": messages, "tools": MEMORY_TOOLS})["choices"][0]
        messages.append(choice["message"])
        if choice["finish_reason"] != "tool_calls":
            break
        (call,) = choice["message"]["tool_calls"]
        names.append((call["function"]["name"], json.loads(call["function"]["arguments"])))
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": "You moved to Leeds in May."})
    assert names == [("conversation_search", {"query": "Where did I move?"}), ("send_message", {"message": "Leeds"})]
    assert choice["message"]["content"] == "Leeds"


def test_call_ids_differ_as_a_conversation_goes_on() -> None:
    one = chat(("user", "I like tea a lot."), tools=MEMORY_TOOLS)["choices"][0]["message"]["tool_calls"][0]["id"]
    two = chat(("user", "I like tea."), ("user", "I like tea a lot."), tools=MEMORY_TOOLS)
    assert one != two["choices"][0]["message"]["tool_calls"][0]["id"]


SHELL = {"type": "function", "name": "exec_command", "parameters": {"type": "object", "properties": {"cmd": TEXT}}}
STDIN = {"type": "function", "name": "write_stdin", "parameters": {"type": "object", "properties": {"text": TEXT}}}


def test_an_agent_with_a_shell_keeps_notes_in_a_file(tmp_path: Any) -> None:
    reply = offline.responses(
        {"input": "Remember this session:\nuser: I've moved to Ana's flat; `rm` it.", "tools": [STDIN, SHELL]}
    )
    (item,) = reply["output"]
    command = json.loads(item["arguments"])["cmd"]
    subprocess.run(["bash", "-c", command], cwd=tmp_path, check=True)
    assert (tmp_path / "MEMORY.md").read_text(encoding="utf-8") == "- I've moved to Ana's flat; `rm` it.\n"


def test_an_agent_with_a_shell_reads_its_notes_and_then_answers() -> None:
    question = {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": "Answer the question: Where do I live?"}],
    }
    (item,) = offline.responses({"input": [question], "tools": [SHELL]})["output"]
    assert item["type"] == "function_call"
    assert json.loads(item["arguments"])["cmd"].startswith("cat MEMORY.md")
    result = {"type": "function_call_output", "call_id": item["call_id"], "output": "- I live in Leeds.\n"}
    (message,) = offline.responses({"input": [question, item, result], "tools": [SHELL]})["output"]
    assert message["content"][0]["text"] == "I live in Leeds."


def test_a_tool_of_a_namespace_is_called_with_its_namespace() -> None:
    notes = {"type": "function", "name": "add_memory", "parameters": {"type": "object", "properties": {"text": TEXT}}}
    group = {"type": "namespace", "name": "notes", "tools": [notes]}
    (item,) = offline.responses({"input": "I keep two bees in Leeds.", "tools": [group]})["output"]
    assert (item["type"], item["name"], item["namespace"]) == ("function_call", "add_memory", "notes")
    (plain,) = offline.responses({"input": "I keep two bees in Leeds.", "tools": [notes]})["output"]
    assert plain["name"] == "add_memory"
    assert "namespace" not in plain


def test_a_tool_that_must_be_called_is_called_with_arguments_that_fit() -> None:
    forced = {"type": "function", "function": {"name": "rate"}}
    rate = tool("rate", stars={"type": "integer", "minimum": 1, "maximum": 5}, reason=TEXT)
    name, arguments = call_of(chat(("user", "A fine day."), tools=[*MEMORY_TOOLS, rate], tool_choice=forced))
    assert (name, arguments) == ("rate", {"stars": 1, "reason": "by rule"})


def test_no_tool_is_called_where_none_may_be() -> None:
    assert (
        chat(("user", "I like tea a lot."), tools=MEMORY_TOOLS, tool_choice="none")["choices"][0]["finish_reason"]
        == "stop"
    )
