"""`codex`: the Codex CLI as an agent. It plays by itself, through the tools of a server; the episode answers its calls.

Needs memarena-harness, which finds Codex and holds it in a jail, and the package `mcp` (extra `codex`).
"""

from __future__ import annotations

import queue
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import msgspec

from memarena.childprocess import TimeLimit
from memarena.errors import ModelError, PluginError
from memarena.records import Endpoint
from memarena_aha.agents.context import PlayContext
from memarena_aha.agents.prompts import prompt_hash, prompts

if TYPE_CHECKING:
    from memarena_aha.agents.codex_session import CodexSession

__all__ = ["CodexAgent", "CodexOptions"]

_LEAVING = ("quit", "give_up")


class CodexOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of `codex`."""

    program: str = ""
    """Path of the program; "": the environment `codex`, then the PATH."""
    any_version: bool = False
    """Take a version that was not tested."""
    seconds: float = 300.0
    """For one action, the start of Codex included."""
    session_seconds: float = 21_600.0
    """For one start of Codex; it is started again where it stops before the end."""
    window: int = 128_000
    """Tokens of the model's context; Codex shortens its conversation before it is full."""


class CodexFailed(Exception):
    """Codex ended without having done anything."""


class CodexAgent:
    """Plays one episode. Where Codex stops early it is started anew with what it last saw; one that then does nothing
    leaves the episode.
    """

    name = "codex"
    revision = 1
    in_process = True
    """Codex has processes of its own, which are ended with the episode."""
    needs_model = True
    Options = CodexOptions

    def __init__(self, options: CodexOptions | None = None) -> None:
        self._options = options or CodexOptions()
        self.prompt_hashes = {"agent": prompt_hash()}
        self._model: Endpoint | None = None
        self._session: CodexSession | None = None
        self._shown: str | None = None

    def begin(self, context: PlayContext) -> None:
        """Take the model; raises ModelError where the run names none, PluginError where a package is missing."""
        if context.model is None:
            raise ModelError("the agent codex needs a model: name one with --model (e.g. --model offline)")
        missing = [name for name in ("memarena_harness", "mcp") if find_spec(name) is None]
        if missing:
            raise PluginError(f"the agent codex needs {' and '.join(missing)}: pip install 'memarena-aha[codex]'")
        self._model = context.model

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """The next call that Codex makes. Raises CodexFailed where it ended in failure without one, TimeLimit."""
        if observation.get("data", {}).get("reflect"):
            return {"text": ""}
        text, memory = observation["text"], observation.get("memory", "")
        for _ in range(2):
            if self._session is None:
                self._shown = memory
                self._session = self._start(_with(text, memory), tools)
            else:
                self._session.desk.answer(text if memory == self._shown else _with(text, memory), tools)
                self._shown = memory
            call = self._taken(self._session)
            if call is not None:
                self._session.calls += 1
                return call
            made, failure = self._session.calls, self._session.failure()
            self.close()
            if failure and not made:
                raise CodexFailed(failure)
            if not made:
                break
        leaving = next((tool["name"] for tool in tools if tool["name"] in _LEAVING), None)
        return {"tool": leaving, "args": {}} if leaving else {"text": "(no answer)"}

    def _taken(self, session: CodexSession) -> Mapping[str, Any] | None:
        try:
            return session.desk.taken(self._options.seconds)
        except queue.Empty:
            self.close()
            raise TimeLimit(f"no action within {self._options.seconds:g} s; its processes were killed") from None

    def close(self) -> None:
        """End Codex and all that it started."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def _start(self, briefing: str, tools: Sequence[Mapping[str, Any]]) -> CodexSession:
        from memarena_aha.agents.codex_session import CodexSession

        assert self._model is not None, "begin comes first"
        options = self._options
        return CodexSession(
            self._model,
            briefing,
            tools,
            program=options.program,
            any_version=options.any_version,
            seconds=options.session_seconds,
            window=options.window,
        )


def _with(text: str, memory: str) -> str:
    return f"{text}\n\n{prompts().memory_block(memory)}"
