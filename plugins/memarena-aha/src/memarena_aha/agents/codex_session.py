"""One start of Codex that plays."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from memarena_aha.agents import relay
from memarena_aha.agents.session import Session
from memarena_aha.mcp.server import NAME
from memarena_harness import codex_config
from memarena_harness.codex import CodexHarness, CodexOptions, own_sandbox_problem
from memarena_harness.jail import PATH, Jail
from memarena_harness.programs import Codex, Program

__all__ = ["CodexSession", "find"]

_FLAGS = ("--json", "--strict-config", "--skip-git-repo-check")
_PYTHON = "python"
_TOOL_SECONDS = 3_600


def find(program: str, *, any_version: bool, allow_unsandboxed: bool) -> tuple[Program, Jail]:
    """Codex, and what holds it. Raises HarnessFailure where one of them is not here."""
    options = CodexOptions(program=program, any_version=any_version, allow_unsandboxed=allow_unsandboxed)
    return Codex().find(program, any_version=any_version), CodexHarness(options).jail()


class CodexSession(Session):
    """Its server is a relay to the socket, run by this interpreter without any package."""

    def configure(self) -> None:
        """Write `config.toml` with the server, the catalogue of models, and the relay."""
        seen = self.jail.seen(self.root)
        ((name, folder),) = self.program.tools.items()
        text = codex_config.config(
            self.model.model,
            self.jail.seen_model(self.model).base_url,
            catalog=seen.state / "catalog.json",
            program=self.jail.seen_tool(name, folder),
            held=not own_sandbox_problem(self.program, self.jail),
            temp=(seen.temp, *((Path("/tmp"),) if self.jail.apart else ())),
            window=self.window,
        )
        catalog = codex_config.catalog(self.model.model, codex_config.SHORT, self.window)
        (self.root.state / "config.toml").write_text(text + self._server(), encoding="utf-8")
        (self.root.state / "catalog.json").write_text(catalog, encoding="utf-8")
        shutil.copy(relay.__file__, self.root.state / "relay.py")

    def _server(self) -> str:
        prefix = Path(sys.base_prefix).resolve()
        python = Path(sys.executable).resolve()
        shown = self.jail.seen_tool(_PYTHON, prefix)
        words = {
            "command": str(shown / python.relative_to(prefix)),
            "args": ["-I", "-S", str(self.jail.seen(self.root).state / "relay.py"), str(self.socket)],
            "startup_timeout_sec": 60,
            "tool_timeout_sec": _TOOL_SECONDS,
            # Without it, Codex asks its model before the server is there, and never tells it of the tools.
            "required": True,
            "default_tools_approval_mode": "approve",
        }
        lines = [f"{name} = {json.dumps(value)}" for name, value in words.items()]
        libraries = f"env = {{ LD_LIBRARY_PATH = {json.dumps(str(shown / 'lib'))} }}"
        return "\n".join(["", f"[mcp_servers.{NAME}]", *lines, libraries, ""])

    def words(self) -> list[str]:
        """`codex exec`, which ends when Codex has no more to do."""
        workspace = str(self.jail.seen(self.root).workspace)
        return [*self.program.words(self.jail), "exec", *_FLAGS, "-C", workspace, "--", "-"]

    def environment(self) -> Mapping[str, str]:
        """Made from nothing."""
        seen = self.jail.seen(self.root)
        return {
            "PATH": PATH,
            "HOME": str(seen.home),
            "CODEX_HOME": str(seen.state),
            "TMPDIR": str(seen.home),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "NO_PROXY": "*",
            codex_config.KEY_VARIABLE: self.jail.seen_model(self.model).api_key,
        }

    def shown(self) -> Mapping[str, Path]:
        """Codex itself, and the interpreter of the relay."""
        return {**self.program.tools, _PYTHON: Path(sys.base_prefix).resolve()}
