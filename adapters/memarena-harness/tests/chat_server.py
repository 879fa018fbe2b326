"""A scripted model that streams chat completions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness_model import ScriptedModel


class ChatModel(ScriptedModel):
    """It says a text, or calls the tool `exec` with a list of commands; one more mode: `length`."""

    def reply(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The message that replies to a request."""
        if self.offline:
            from memarena_models import offline

            said: Mapping[str, Any] = offline.chat(body)["choices"][0]["message"]
            calls = said.get("tool_calls") or ()
            return {**said, "tool_calls": [{**call, "index": place} for place, call in enumerate(calls)]}
        output = self.script(body)
        if isinstance(output, str):
            return {"content": output}
        made = [_call(place, f"{len(self.bodies)}_{place}", command) for place, command in enumerate(output)]
        return {"content": None, "tool_calls": made}

    def events(self, mode: str, reply: Mapping[str, Any]) -> Iterator[bytes]:
        yield _event([{"index": 0, "delta": {"role": "assistant", **reply}, "finish_reason": None}])
        if mode == "cut":
            return
        if mode == "stall":
            self.over.wait(600)
            return
        finish = "length" if mode == "length" else "tool_calls" if reply.get("tool_calls") else "stop"
        yield _event([{"index": 0, "delta": {}, "finish_reason": finish}])
        yield _event([], usage={"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14})
        yield b"data: [DONE]\n\n"


def given_back(body: Mapping[str, Any]) -> str:
    """What tools gave back, in the order of a request."""
    return "\n".join(_text(each["content"]) for each in body["messages"] if each["role"] == "tool")


def said_by_user(body: Mapping[str, Any]) -> str:
    """All messages of the user in a request."""
    return "\n".join(_text(each["content"]) for each in body["messages"] if each["role"] == "user")


def _event(choices: Sequence[Mapping[str, Any]], **more: Any) -> bytes:
    about = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": "offline"}
    return f"data: {json.dumps({**about, 'choices': choices, **more})}\n\n".encode()


def _call(place: int, mark: str, command: str) -> dict[str, Any]:
    function = {"name": "exec", "arguments": json.dumps({"command": command})}
    return {"index": place, "id": f"call_{mark}", "type": "function", "function": function}


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content or ())
