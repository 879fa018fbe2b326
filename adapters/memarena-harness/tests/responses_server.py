"""A scripted model that streams responses; asked for chat completions, it gives them whole."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness_model import ScriptedModel

Output = str | Sequence[Mapping[str, Any]]
"""A text, or the arguments of calls of the tool `exec_command`."""


class Model(ScriptedModel):
    """Three more modes: `failed`, `incomplete`, `no-usage`."""

    def reply(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The whole reply to a request."""
        if self.offline:
            from memarena_models import offline

            return offline.responses(body) if path.endswith("responses") else offline.chat(body)
        said = self.script(body)
        if path.endswith("completions"):
            return {"choices": [{"index": 0, "message": {"role": "assistant", "content": said}}]}
        return _response(said)

    def events(self, mode: str, reply: Mapping[str, Any]) -> Iterator[bytes]:
        yield _event("response.created", response={**reply, "output": [], "status": "in_progress"})
        if mode == "stall":
            self.over.wait(600)
        elif mode == "cut":
            # Broken off within a line: what a connection that dies looks like.
            yield b"event: response.output_item.added\nda"
        elif mode == "failed":
            error = {"code": "server_error", "message": "the model broke"}
            yield _event("response.failed", response={**reply, "status": "failed", "error": error})
        elif mode == "incomplete":
            whole = {**reply, "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
            yield _event("response.incomplete", response=whole)
        else:
            for place, item in enumerate(reply["output"]):
                yield _event("response.output_item.added", output_index=place, item=item)
                yield _event("response.output_item.done", output_index=place, item=item)
            whole = {name: value for name, value in reply.items() if mode != "no-usage" or name != "usage"}
            yield _event("response.completed", response=whole)


def calls(*commands: str) -> list[dict[str, Any]]:
    """An output that runs these commands."""
    return [{"cmd": command, "yield_time_ms": 20_000} for command in commands]


def _event(kind: str, **data: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()


_numbers = iter(range(1, 1 << 30))


def _response(said: Output) -> dict[str, Any]:
    number = next(_numbers)
    if isinstance(said, str):
        content = [{"type": "output_text", "text": said, "annotations": []}]
        output = [{"type": "message", "id": f"msg_{number}", "role": "assistant", "content": content}]
    else:
        output = [
            {
                "type": "function_call",
                "id": f"fc_{number}_{place}",
                "call_id": f"call_{number}_{place}",
                "name": "exec_command",
                "arguments": json.dumps(arguments),
            }
            for place, arguments in enumerate(said)
        ]
    usage = {
        "input_tokens": 100,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 10,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 110,
    }
    return {"id": f"resp_{number}", "object": "response", "status": "completed", "output": output, "usage": usage}
