"""`command`: any program as an agent, described in a few lines of TOML: a JSON line in, a JSON line out."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from memarena import codec
from memarena.errors import ModelError, PluginError, UsageError
from memarena_aha.agents.context import PlayContext

if TYPE_CHECKING:
    from memarena_aha.agents.held import HeldProgram
    from memarena_harness.jail import Jail

__all__ = ["MODEL_PLACES", "CommandAgent", "CommandOptions", "Program", "fill", "read_program"]

_PLACE = re.compile(r"\{([a-z_]+)\}")
MODEL_PLACES = ("base_url", "api_key", "model")
"""What stands for the model in the environment of a program."""
_PLACES = (*MODEL_PLACES, "seed", "part", "folder")


class Program(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys of the file."""

    command: tuple[str, ...]
    """What is started, word by word, without a shell; files that lie beside the TOML may be named as they are there."""
    environment: Mapping[str, str] = {}
    """Its environment beside PATH, LANG, HOME and TMPDIR; `{base_url}`, `{api_key}`, `{model}`, `{seed}`, `{part}` and
    `{folder}` (its working folder) stand for what the run says."""
    tools: tuple[str, ...] = ()
    """Files and folders that it may read, beside the system's programs and the files that `command` names."""
    memory_mib: int = 2048
    """What the program and all that it starts may hold together."""

    @property
    def needs_model(self) -> bool:
        """Whether anything in it names the model."""
        return any(set(_PLACE.findall(text)) & set(MODEL_PLACES) for text in self.environment.values())


class CommandOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of `command`."""

    config: str
    """The file of TOML that describes the program."""
    seconds: float = 0.0
    """For one action; 0: the limits of the run alone, which plays it in a process that can be killed."""
    allow_unsandboxed: bool = False
    """Run the program also where nothing can hold it."""


class CommandAgent:
    """Plays one episode with a program that is started once, in bubblewrap.

    Each line that it reads is `{"observation": {...}, "tools": [...]}`; `tools` is left out where they are as before,
    and the first line also has `part` and `seed`. It answers each with one line: `{"tool": name, "args": {...}}`,
    `{"text": ...}` or `{"refusal": ...}`. What is no JSON is an action that cannot be read. Its last words on standard
    error are repeated where it fails. It ends with the episode, with all that it started and wrote.

    Raises PluginError where memarena-harness, which holds it, is not installed, and UsageError where nothing can.
    """

    name = "command"
    revision = 1
    Options = CommandOptions

    def __init__(self, options: CommandOptions) -> None:
        self._options = options
        self._config = str(Path(options.config).expanduser().absolute())
        self._program = read_program(options.config)
        self.needs_model = self._program.needs_model
        self._jail = _jail(allow_unsandboxed=options.allow_unsandboxed)
        self._child: HeldProgram | None = None
        self._greeting: dict[str, Any] = {}
        self._tools: Sequence[Mapping[str, Any]] | None = None

    def held_by(self) -> str:
        """What holds the program: `bubblewrap`, or `none`."""
        return self._jail.kind

    def begin(self, context: PlayContext) -> None:
        """Start the program; raises ModelError where it needs a model and the run names none."""
        from memarena_aha.agents.held import HeldProgram

        if self.needs_model and context.model is None:
            raise ModelError(f"{self._options.config} needs a model: name one with --model (e.g. --model offline)")
        self._child = HeldProgram(self._program, self._config, self._jail, context)
        self._greeting = {"part": context.part, "seed": context.seed}

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """What the program answers. Raises ProcessEnded where it is gone, TimeLimit where it took too long."""
        assert self._child is not None, "begin comes first"
        told = {**self._greeting, "observation": observation}
        self._greeting = {}
        if tools != self._tools:
            self._tools = told["tools"] = list(tools)
        line = self._child.ask(codec.encode(told), self._options.seconds)
        try:
            action = msgspec.json.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            action = None
        return action if isinstance(action, dict) else {"unreadable": line[:200].decode("utf-8", "replace")}

    def close(self) -> None:
        """End the program and all that it started."""
        if self._child is not None:
            self._child.close()


def fill(text: str, values: Mapping[str, str]) -> str:
    """`text` with the value of each `{name}`."""
    return _PLACE.sub(lambda at: values[at[1]], text)


def _jail(*, allow_unsandboxed: bool) -> Jail:
    if find_spec("memarena_harness") is None:
        raise PluginError("the agent command needs what holds its program: pip install memarena-harness")
    from memarena_harness.failures import HarnessFailure
    from memarena_harness.preflight import choose, system_bwrap

    try:
        return choose(system_bwrap(), allow_unsandboxed=allow_unsandboxed)
    except HarnessFailure as failure:
        raise UsageError(f"the agent command: {failure}") from None


def read_program(file: str) -> Program:
    """Read the file of a program. Raises UsageError with the file and what is wrong."""
    place = Path(file).expanduser().absolute()
    try:
        program = msgspec.convert(tomllib.loads(place.read_text(encoding="utf-8")), Program)
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise UsageError(f"{file}: {error}") from None
    if not program.command:
        raise UsageError(f"{file}: command is empty: name a program and its words")
    for name, text in program.environment.items():
        for found in _PLACE.findall(text):
            if found not in _PLACES:
                known = ", ".join(_PLACES)
                raise UsageError(f"{file}: environment.{name}: {{{found}}} stands for nothing; there is: {known}")
    return program
