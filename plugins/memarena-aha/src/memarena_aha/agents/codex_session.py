"""One start of Codex that plays: in a jail, with one server of tools and one way to its model."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from memarena.records import Endpoint
from memarena_aha.agents import relay
from memarena_aha.agents.bridge import Bridge, BridgeDesk
from memarena_aha.agents.prompts import prompts
from memarena_aha.mcp.server import NAME
from memarena_harness import codex_config
from memarena_harness.codex import CodexHarness, own_sandbox_problem
from memarena_harness.codex import CodexOptions as HarnessOptions
from memarena_harness.jail import PATH
from memarena_harness.programs import Codex
from memarena_harness.roots import Root
from memarena_harness.running import TICK, Ended, Limits, Process

__all__ = ["CodexSession"]

_FLAGS = ("--json", "--strict-config", "--skip-git-repo-check")
_PYTHON = "python"
_TOOL_SECONDS = 3_600


class CodexSession:
    """Runs from its making to `close`. `desk` gives the calls that it makes; `calls` counts those that were taken."""

    def __init__(
        self,
        model: Endpoint,
        briefing: str,
        tools: Sequence[Mapping[str, Any]],
        *,
        program: str = "",
        any_version: bool = False,
        seconds: float,
        window: int,
    ) -> None:
        self.calls = 0
        self.desk = BridgeDesk(briefing, tools)
        self._program = Codex().find(program, any_version=any_version)
        self._jail = CodexHarness(HarnessOptions(program=program, any_version=any_version)).jail()
        self._folder = Path(tempfile.mkdtemp(prefix="memarena-play-"))
        self._root = Root.below(self._folder / "root")
        self._root.make()
        self._bridge = Bridge(self.desk, self._root.state)
        self._configure(model, window)
        self._ended: Ended | None = None
        self._stop = threading.Event()
        self._process = self._start(model, prompts().session.strip().replace("{briefing}", briefing), seconds)
        self._watcher = threading.Thread(target=self._watch, name="memarena-codex", daemon=True)
        self._watcher.start()

    def failure(self) -> str:
        """Why it ended; "" where it ended as it should."""
        ended = self._ended
        if ended is None or (ended.exit == 0 and not ended.broke):
            return ""
        said = " ".join((ended.said or ended.output.decode("utf-8", "replace")).split())[-500:]
        return f"codex ended with {ended.broke or f'exit code {ended.exit}'}: {said or 'it said nothing'}"

    def close(self) -> None:
        """End it, and leave nothing of it."""
        self.desk.end()
        self._stop.set()
        self._watcher.join()
        self._bridge.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _configure(self, model: Endpoint, window: int) -> None:
        seen = self._jail.seen(self._root)
        ((name, folder),) = self._program.tools.items()
        text = codex_config.config(
            model.model,
            self._jail.seen_model(model).base_url,
            catalog=seen.state / "catalog.json",
            program=self._jail.seen_tool(name, folder),
            held=not own_sandbox_problem(self._program, self._jail),
            temp=(seen.temp, *((Path("/tmp"),) if self._jail.apart else ())),
            window=window,
        )
        state = self._root.state
        (state / "config.toml").write_text(text + self._server(seen), encoding="utf-8")
        (state / "catalog.json").write_text(
            codex_config.catalog(model.model, codex_config.SHORT, window), encoding="utf-8"
        )
        shutil.copy(relay.__file__, state / "relay.py")

    def _server(self, seen: Root) -> str:
        """The table of the server: a relay to the socket, run by this interpreter without any package."""
        prefix = Path(sys.base_prefix).resolve()
        python = Path(sys.executable).resolve()
        shown = self._jail.seen_tool(_PYTHON, prefix)
        words = {
            "command": str(shown / python.relative_to(prefix)),
            "args": ["-I", "-S", str(seen.state / "relay.py"), str(Bridge.place(seen.state))],
            "startup_timeout_sec": 60,
            "tool_timeout_sec": _TOOL_SECONDS,
            # Without it, Codex asks its model before the server is there, and never tells it of the tools.
            "required": True,
            "default_tools_approval_mode": "approve",
        }
        lines = [f"{name} = {json.dumps(value)}" for name, value in words.items()]
        libraries = f"env = {{ LD_LIBRARY_PATH = {json.dumps(str(shown / 'lib'))} }}"
        return "\n".join(["", f"[mcp_servers.{NAME}]", *lines, libraries, ""])

    def _start(self, model: Endpoint, prompt: str, seconds: float) -> Process:
        seen = self._jail.seen(self._root)
        words = [*self._program.words(self._jail), "exec", *_FLAGS, "-C", str(seen.workspace), "--", "-"]
        environment = {
            "PATH": PATH,
            "HOME": str(seen.home),
            "CODEX_HOME": str(seen.state),
            "TMPDIR": str(seen.home),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "NO_PROXY": "*",
            codex_config.KEY_VARIABLE: self._jail.seen_model(model).api_key,
        }
        return Process(
            words,
            root=self._root,
            jail=self._jail,
            environment=environment,
            gateway=model,
            stdin=prompt.encode(),
            tools={**self._program.tools, _PYTHON: Path(sys.base_prefix).resolve()},
            limits=Limits(seconds=seconds),
        )

    def _watch(self) -> None:
        """Wait until it ends, goes over a limit, or is to stop; then tell whoever waits for its next call."""
        process, broke = self._process, ""
        while not process.wait(TICK) and not self._stop.is_set():
            found = process.broken_limit()
            if found:
                broke = found
                self._ended = process.end(found)
                break
        if not broke:
            self._ended = process.end()
        self.desk.leave()
