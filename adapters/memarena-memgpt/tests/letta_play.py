"""A real Letta server for these tests, an adapter that works with it, and what the model is to say."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memarena.records import RunContext
from memarena.testing.model_server import ModelServer
from memarena_memgpt.letta.adapter import Letta
from memarena_memgpt.letta.options import LettaOptions

STARTING = 600
"""Seconds; a quiet machine takes 20."""


@contextmanager
def serving(python: str, log: Path) -> Iterator[str]:
    """The address of a server that an interpreter runs until the end; what it says goes to `log`."""
    command = [python or sys.executable, str(Path(__file__).with_name("letta_server.py"))]
    with log.open("w", encoding="utf-8") as said:
        server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True, encoding="utf-8"
        )
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            address = server.stdout.readline().strip()
            assert address, f"the server did not start: {log.read_text(encoding='utf-8')[-2000:]}"
            yield address
        finally:
            server.stdin.close()
            server.wait(timeout=STARTING)
            server.stdout.close()


def started(upstream: ModelServer, url: str, folder: Path, namespace: str = "n", **options: Any) -> Letta:
    adapter = Letta(LettaOptions(**{"url": url, **options}))
    models = {"model": upstream.endpoint, "embedding": upstream.endpoint}
    adapter.reset(RunContext(folder=str(folder), namespace=namespace, **models))
    return adapter


def whole(message: dict[str, Any]) -> bytes:
    """A whole chat completion, with all that Letta insists on."""
    reason = "tool_calls" if message.get("tool_calls") else "stop"
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    choice = {"index": 0, "message": message, "finish_reason": reason}
    reply = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
    return json.dumps(reply).encode()


def done() -> bytes:
    return whole({"role": "assistant", "content": "Done."})


def use(tool: str, **arguments: Any) -> bytes:
    function = {"name": tool, "arguments": json.dumps(arguments)}
    call = {"id": f"call_{tool}", "type": "function", "function": function}
    return whole({"role": "assistant", "content": None, "tool_calls": [call]})
