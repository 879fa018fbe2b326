"""An agent in a few lines of TOML: what to start, how it gets its model, and where its answer stands."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from memarena.errors import UsageError
from memarena_harness.jail import PATH

STDOUT = "stdout"
PLACES = ("base_url", "api_key", "model", "seed", "workspace", "home", "state", "temp")
"""What `{...}` may stand for in the environment, the files and the command; `{picture}` in `pictures` alone."""
SECRET = "api_key"
_PLACE = re.compile(r"\{([a-z_]+)\}")
_SYSTEM = tuple(map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib64")))


class AgentConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys of the file."""

    command: tuple[str, ...]
    """What is started, word by word, without a shell; the prompt comes on its standard input."""
    name: str = "command"
    version: str = ""
    environment: Mapping[str, str] = {}
    """Its environment, beside PATH, HOME, TMPDIR and LANG."""
    files: Mapping[str, str] = {}
    """Files that it finds, by their path below its root, e.g. `state/config.toml`."""
    output: str = STDOUT
    """`stdout`, or the path of a file below its root that holds its answer."""
    pictures: tuple[str, ...] = ()
    """Words that are added to the command for each picture; `{picture}` is its path. None: it reads them as files."""
    tools: tuple[str, ...] = ()
    """Files and folders that it may read, beside the system's programs and the files that `command` names."""


class Agent(Struct, frozen=True, kw_only=True):
    """An agent as it was read."""

    config: AgentConfig
    command: tuple[str, ...]
    """With its files at their places on this machine."""
    tools: tuple[Path, ...]
    fingerprint: str
    """Of the file."""

    @property
    def needs_model(self) -> bool:
        """Whether anything in it names the model."""
        texts = [*self.config.command, *self.config.environment.values(), *self.config.files.values()]
        return any({"base_url", "model"} & set(_PLACE.findall(text)) for text in texts)


class Located(NamedTuple):
    """What a command starts on this machine, and what it needs of the disk."""

    words: tuple[str, ...]
    """The command with its program and its files at their places."""
    tools: tuple[Path, ...]
    """Files and folders beside the system's programs."""


def locate(file: str, command: Sequence[str], tools: Sequence[str]) -> Located:
    """Where the words of `command`, and the files and folders of `tools`, are; they may lie beside the TOML `file`.

    A Python is located with its environment and its library. Raises UsageError for what is not there.
    """
    folder = Path(file).expanduser().absolute().parent
    named = [_named(word, folder) for word in command]
    shown = [_tool(file, folder, tool) for tool in tools]
    words = tuple(str(found) if found else word for word, found in zip(command, named, strict=True))
    program = shutil.which(words[0], path=PATH) or shutil.which(words[0])
    if program is None:
        raise UsageError(f"{file}: command: there is no program {words[0]!r}")
    for place in (*_folders_of_python(Path(program)), *named, Path(program)):
        if place is not None and not _is_shown(place, shown):
            shown.append(place)
    return Located((program, *words[1:]), tuple(shown))


def load(file: str) -> Agent:
    """Read the file of an agent. Raises UsageError with the file and the key that is wrong."""
    place = Path(file).expanduser().absolute()
    try:
        data = place.read_bytes()
        config = msgspec.convert(tomllib.loads(data.decode()), AgentConfig)
        _check(config)
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError, ValueError) as error:
        raise UsageError(f"{file}: {error}") from None
    located = locate(file, config.command, config.tools)
    return Agent(
        config=config,
        command=located.words,
        tools=located.tools,
        fingerprint=blake2b(data, digest_size=8).hexdigest(),
    )


def fill(text: str, values: Mapping[str, str]) -> str:
    """`text` with the value of each `{name}` that is known; other braces stay."""
    return _PLACE.sub(lambda found: values.get(found[1], found[0]), text)


def _check(config: AgentConfig) -> None:
    if not config.command or not config.command[0]:
        raise ValueError("command is empty: name a program and its words")
    for word in (*config.command, *config.pictures):
        if SECRET in _PLACE.findall(word):
            raise ValueError("command: no key on a command line, where anybody can read it: put it into [environment]")
    for name in (*config.files, *(() if config.output == STDOUT else (config.output,))):
        parts = Path(name).parts
        if len(parts) < 2 or parts[0] not in ("home", "state", "workspace", "temp") or ".." in parts:
            raise ValueError(f"{name!r}: a path such as state/config.json, below home, state, workspace or temp")
    known = {*PLACES, "picture"}
    for text in (*config.command, *config.environment.values(), *config.files.values()):
        for name in _PLACE.findall(text):
            if name not in known:
                raise ValueError(f"{{{name}}} stands for nothing; there is: {', '.join(PLACES)}")


def _named(word: str, folder: Path) -> Path | None:
    """The file or folder that a word of the command names, by its whole path or beside the TOML; None: it is a word."""
    if word.startswith("-") or not word or "{" in word:
        return None
    place = folder / word
    return place if place.exists() and (Path(word).is_absolute() or place.is_file()) else None


def _tool(file: str, folder: Path, tool: str) -> Path:
    place = (folder / Path(tool).expanduser()).absolute()
    if not place.exists():
        raise UsageError(f"{file}: tools: {tool} is not there")
    return place


def _folders_of_python(program: Path) -> list[Path]:
    """The environment of a Python and the installation that it was made from; none for another program."""
    environment, installed = program.parent.parent, program.resolve().parent.parent
    found = [environment] if (environment / "pyvenv.cfg").is_file() else []
    return [*found, installed] if any(installed.glob("lib*/python3*/os.py")) else found


def _is_shown(place: Path, tools: list[Path]) -> bool:
    return any(place.is_relative_to(folder) for folder in (*_SYSTEM, *tools))
