"""`codex` and `openclaw`: command-line agents that play by themselves, through the tools of a server.

The episode answers their calls. They need memarena-harness, which finds them and holds them in a jail, and the package
`mcp` (extra `harness`).
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from memarena.childprocess import TimeLimit
from memarena.errors import ModelError, PluginError
from memarena.records import Endpoint
from memarena_aha.agents.context import PlayContext
from memarena_aha.agents.prompts import prompt_hash, prompts

if TYPE_CHECKING:
    from memarena_aha.agents.session import Session
    from memarena_harness.jail import Jail
    from memarena_harness.programs import Program

__all__ = ["CodexAgent", "HarnessFailed", "HarnessOptions", "OpenClawAgent"]

_LEAVING = ("quit", "give_up")


class HarnessOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of `codex` and `openclaw`."""

    program: str = ""
    """Path of the program; "": the environment of its name, then the PATH."""
    any_version: bool = False
    """Take a version that was not tested."""
    allow_unsandboxed: bool = False
    """Run the program also where nothing can hold it."""
    seconds: float = 300.0
    """For one action, the start of the program included."""
    session_seconds: float = 21_600.0
    """For one start of the program; it is started again where it stops before the end."""
    window: int = 128_000
    """Tokens of the model's context; the program shortens its conversation before it is full."""


class HarnessFailed(Exception):
    """The program ended without having done anything."""


class _HarnessAgent:
    """Plays one episode. Where the program stops early it is started anew with what it last saw; one that then does
    nothing leaves the episode.
    """

    name: ClassVar[str]
    revision = 1
    in_process = True
    """The program has processes of its own, which are ended with the episode."""
    needs_model = True
    Options = HarnessOptions
    session: ClassVar[str]
    """`module:class` of a start of it; the module's `find` finds the program."""

    def __init__(self, options: HarnessOptions | None = None) -> None:
        self._options = options or HarnessOptions()
        self.prompt_hashes = {"agent": prompt_hash()}
        self._model: Endpoint | None = None
        self._session: Session | None = None
        self._seed = 0
        self._shown: str | None = None

    def held_by(self) -> str:
        """What holds the program on this machine. Raises PluginError where it, or what holds it, is missing."""
        self._refuse_without_packages()
        from memarena_harness.failures import HarnessFailure

        try:
            _, jail = self._found()
        except HarnessFailure as failure:
            raise PluginError(f"the agent {self.name}: {failure}") from None
        return str(jail.kind)

    def begin(self, context: PlayContext) -> None:
        """Take the model; raises ModelError where the run names none, PluginError where a package is missing."""
        if context.model is None:
            raise ModelError(f"the agent {self.name} needs a model: name one with --model (e.g. --model offline)")
        self._refuse_without_packages()
        self._model, self._seed = context.model, context.seed

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """The next call of the program. Raises HarnessFailed where it ended in failure without one, TimeLimit."""
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
                raise HarnessFailed(failure)
            if not made:
                break
        leaving = next((tool["name"] for tool in tools if tool["name"] in _LEAVING), None)
        return {"tool": leaving, "args": {}} if leaving else {"text": "(no answer)"}

    def _taken(self, session: Session) -> Mapping[str, Any] | None:
        try:
            return session.desk.taken(self._options.seconds)
        except queue.Empty:
            self.close()
            raise TimeLimit(f"no action within {self._options.seconds:g} s; its processes were killed") from None

    def close(self) -> None:
        """End the program and all that it started."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def _refuse_without_packages(self) -> None:
        missing = [name for name in ("memarena_harness", "mcp") if find_spec(name) is None]
        if missing:
            raise PluginError(
                f"the agent {self.name} needs {' and '.join(missing)}: pip install 'memarena-aha[harness]'"
            )

    def _found(self) -> tuple[Program, Jail]:
        """The program, and what holds it; raises HarnessFailure."""
        options = self._options
        module = import_module(self.session.partition(":")[0])
        found: tuple[Program, Jail] = module.find(
            options.program, any_version=options.any_version, allow_unsandboxed=options.allow_unsandboxed
        )
        return found

    def _start(self, briefing: str, tools: Sequence[Mapping[str, Any]]) -> Session:
        assert self._model is not None, "begin comes first"
        options = self._options
        program, jail = self._found()
        module, _, name = self.session.partition(":")
        make: Callable[..., Session] = getattr(import_module(module), name)
        return make(
            program,
            jail,
            self._model,
            briefing,
            tools,
            seed=self._seed,
            seconds=options.session_seconds,
            window=options.window,
        )


class CodexAgent(_HarnessAgent):
    """The Codex CLI."""

    name = "codex"
    session = "memarena_aha.agents.codex_session:CodexSession"


class OpenClawAgent(_HarnessAgent):
    """OpenClaw."""

    name = "openclaw"
    session = "memarena_aha.agents.openclaw_session:OpenClawSession"


def _with(text: str, memory: str) -> str:
    return f"{text}\n\n{prompts().memory_block(memory)}"
