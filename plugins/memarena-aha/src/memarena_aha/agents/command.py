"""`command`: any program as an agent, described in a few lines of TOML: a JSON line in, a JSON line out."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from memarena import codec
from memarena.childprocess import ChildProcess
from memarena.errors import ModelError, UsageError
from memarena.hosted import child_environment
from memarena_aha.agents.context import PlayContext

__all__ = ["CommandAgent", "CommandOptions", "Program", "read_program"]

_PLACE = re.compile(r"\{([a-z_]+)\}")
_MODEL = ("base_url", "api_key", "model")
_PLACES = (*_MODEL, "seed", "part", "folder")


class Program(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys of the file."""

    command: tuple[str, ...]
    """What is started, word by word, without a shell; files that lie beside the TOML may be named as they are there."""
    environment: Mapping[str, str] = {}
    """Its environment beside PATH, LANG, HOME and TMPDIR; `{base_url}`, `{api_key}`, `{model}`, `{seed}`, `{part}` and
    `{folder}` stand for what the run says."""
    memory_mib: int = 2048
    """What the program and all that it starts may hold together."""


class CommandOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of `command`."""

    config: str
    """The file of TOML that describes the program."""
    seconds: float = 0.0
    """For one action; 0: the limits of the run alone, which plays it in a process that can be killed."""


class CommandAgent:
    """Plays one episode with a program that is started once.

    Each line that it reads is `{"observation": {...}, "tools": [...]}`; `tools` is left out where they are as before,
    and the first line also has `part` and `seed`. It answers each with one line: `{"tool": name, "args": {...}}`,
    `{"text": ...}` or `{"refusal": ...}`. What is no JSON is an action that cannot be read. What it writes to standard
    error goes to `agent.log` in its folder, up to 1 MiB. It ends with the episode, with all that it started.
    """

    name = "command"
    revision = 1
    Options = CommandOptions

    def __init__(self, options: CommandOptions) -> None:
        self._options = options
        self._program = read_program(options.config)
        self.needs_model = any(set(_PLACE.findall(text)) & set(_MODEL) for text in self._program.environment.values())
        self._child: ChildProcess | None = None
        self._greeting: dict[str, Any] = {}
        self._tools: Sequence[Mapping[str, Any]] | None = None

    def begin(self, context: PlayContext) -> None:
        """Start the program; raises ModelError where it needs a model and the run names none."""
        if self.needs_model and context.model is None:
            raise ModelError(f"{self._options.config} needs a model: name one with --model (e.g. --model offline)")
        values = {"seed": str(context.seed), "part": context.part, "folder": context.folder}
        if context.model is not None:
            values |= {name: getattr(context.model, name) for name in _MODEL}
        program = self._program
        own = {name: _PLACE.sub(lambda at: values[at[1]], text) for name, text in program.environment.items()}
        log = Path(context.folder) / "agent.log" if context.folder else None
        limit = program.memory_mib << 20
        self._child = ChildProcess(program.command, {**child_environment(None), **own}, log=log, memory_bytes=limit)
        self._greeting = {"part": context.part, "seed": context.seed}

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """What the program answers. Raises ProcessEnded where it is gone, TimeLimit where it took too long."""
        assert self._child is not None, "begin comes first"
        told = {**self._greeting, "observation": observation}
        self._greeting = {}
        if tools != self._tools:
            self._tools = told["tools"] = list(tools)
        line = self._child.ask(codec.encode(told), self._options.seconds, lambda _: True)
        try:
            action = msgspec.json.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            action = None
        return action if isinstance(action, dict) else {"unreadable": line[:200].decode("utf-8", "replace")}

    def close(self) -> None:
        """End the program and all that it started."""
        if self._child is not None:
            self._child.close()


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
    words = tuple(_beside(word, place.parent) for word in program.command)
    return msgspec.structs.replace(program, command=words)


def _beside(word: str, folder: Path) -> str:
    """A word of the command; a file that lies beside the TOML by its whole path."""
    beside = folder / word
    return str(beside) if word and not word.startswith("-") and beside.is_file() else word
