"""One start of OpenClaw that plays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from memarena_aha.agents.prompts import prompts
from memarena_aha.agents.session import Session
from memarena_aha.mcp.server import NAME
from memarena_harness import openclaw_config
from memarena_harness.jail import Jail
from memarena_harness.openclaw import OpenClawHarness, OpenClawOptions
from memarena_harness.programs import OpenClaw, Program

__all__ = ["OpenClawSession", "find"]

_CONFIG = "config"
_RELAY = "const link = require('net').connect(process.argv[1]); process.stdin.pipe(link).pipe(process.stdout)"
_TOOL_MS = 3_600_000


def find(program: str, *, any_version: bool, allow_unsandboxed: bool) -> tuple[Program, Jail]:
    """OpenClaw, and what holds it. Raises HarnessFailure where one of them is not here."""
    options = OpenClawOptions(program=program, any_version=any_version, allow_unsandboxed=allow_unsandboxed)
    return OpenClaw().find(program, any_version=any_version), OpenClawHarness(options).jail()


class OpenClawSession(Session):
    """Its server is a relay to the socket, run by its own Node; it has no other tools."""

    def configure(self) -> None:
        """Write the configuration into a folder that it can read but not write."""
        setup = openclaw_config.Setup(
            model=self.jail.seen_model(self.model),
            seed=self.seed,
            seconds=int(self.seconds),
            context_tokens=self.window,
            reply_tokens=prompts().budgets.reply,
            pixels=1,
        )
        found = openclaw_config.configuration(setup, self.jail.seen(self.root), openclaw_config.DOOR, "")
        server = {
            "command": self.program.words(self.jail)[0],
            "args": ["-e", _RELAY, str(self.socket)],
            "requestTimeoutMs": _TOOL_MS,
        }
        found |= {"mcp": {"servers": {NAME: server}}, "tools": {**found["tools"], "allow": ["bundle-mcp"]}}
        openclaw_config.write_configuration(self._config(), found)

    def _config(self) -> Path:
        return self.root.folder / _CONFIG

    def _config_seen(self) -> Path:
        return self.jail.seen_tool(_CONFIG, self._config()) / openclaw_config.CONFIG

    def words(self) -> list[str]:
        """`openclaw agent exec`, which ends when the agent has no more to do."""
        seen = self.jail.seen(self.root)
        return [
            *self.program.words(self.jail),
            *("agent", "exec", "--config", str(self._config_seen())),
            *("--state-dir", str(seen.state), "--cwd", str(seen.workspace)),
            *("--json", "--timeout", str(int(self.seconds)), "--message-file", "-"),
        ]

    def environment(self) -> Mapping[str, str]:
        """That of the memory system `openclaw`."""
        node = Path(self.program.words(self.jail)[0])
        key = self.jail.seen_model(self.model).api_key
        return openclaw_config.environment(self.jail.seen(self.root), self._config_seen(), node, key)

    def shown(self) -> Mapping[str, Path]:
        """OpenClaw and its Node, and its configuration."""
        return {**self.program.tools, _CONFIG: self._config()}
