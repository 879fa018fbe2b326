"""`command`: any agent that takes a prompt on its standard input and gives a text."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from memarena.records import Endpoint
from memarena_harness.adapter import HarnessMemory
from memarena_harness.command_config import STDOUT, fill, load
from memarena_harness.dialogue import Message
from memarena_harness.failures import OVER, HarnessFailure
from memarena_harness.harness import HarnessOptions, Said
from memarena_harness.jail import PATH, Jail
from memarena_harness.limits import Ended
from memarena_harness.preflight import choose
from memarena_harness.programs import bubblewraps
from memarena_harness.roots import Root, remove
from memarena_harness.running import run

LARGEST_REPLY = 4 << 20
"""Bytes of a reply that are read."""


class CommandOptions(HarnessOptions, frozen=True, kw_only=True):
    """Settings of `command`."""

    config: str
    """The file of TOML that describes the agent."""


class CommandHarness:
    """Starts the program that the file names, once for each message."""

    longest = 1_000_000
    schema = False

    def __init__(self, options: CommandOptions) -> None:
        self._options = options
        self._agent = load(options.config)
        self._models: dict[Path, tuple[Endpoint | None, int]] = {}
        self.name = self._agent.config.name
        self.needs_model = self._agent.needs_model

    def versions(self) -> Mapping[str, str]:
        config = self._agent.config
        return {config.name: config.version or "not said", "config": self._agent.fingerprint}

    def jail(self) -> Jail:
        return self._jail

    @functools.cached_property
    def _jail(self) -> Jail:
        options = self._options
        return choose(bubblewraps(), wanted=options.holder, allow_unsandboxed=options.allow_unsandboxed)

    def seeds(self) -> Mapping[str, str]:
        return {}

    def open(self, root: Root, model: Endpoint | None, seed: int) -> None:
        self._models[root.folder] = (model, seed)

    def say(self, root: Root, message: Message, thread: str) -> Said:
        root.empty("home", "state", "temp")
        config, values, (model, _) = self._agent.config, self._values(root), self._models[root.folder]
        for name, text in config.files.items():
            _write(root, name, fill(text, values))
        if config.output != STDOUT:
            _remove(root, config.output)
        ended = run(
            self._words(root, message, values),
            root=root,
            jail=self._jail,
            environment=self._environment(values),
            gateway=model,
            stdin=message.text.encode(),
            tools={str(place): place for place in self._agent.tools},
            limits=self._options.limits(),
        )
        return self._said(root, ended)

    def close(self, root: Root) -> None:
        """Nothing runs between two calls."""
        self._models.pop(root.folder, None)

    def _words(self, root: Root, message: Message, values: Mapping[str, str]) -> list[str]:
        workspace = Path(values["workspace"])
        words = [*self._agent.command]
        for file in message.pictures:
            shown = {**values, "picture": str(workspace / file.relative_to(root.workspace))}
            words += [fill(word, shown) for word in self._agent.config.pictures]
        return [words[0], *(fill(word, values) for word in words[1:])]

    def _values(self, root: Root) -> dict[str, str]:
        """What the names in braces stand for."""
        seen, (model, seed) = self._jail.seen(root), self._models[root.folder]
        found = {name: str(getattr(seen, name)) for name in ("home", "state", "workspace", "temp")}
        if model is not None:
            called = self._jail.seen_model(model)
            found |= {"base_url": called.base_url, "api_key": called.api_key, "model": called.model}
        return {**found, "seed": str(seed)}

    def _environment(self, values: Mapping[str, str]) -> dict[str, str]:
        own = {"PATH": PATH, "HOME": values["home"], "TMPDIR": values["temp"], "LANG": "C.UTF-8", "NO_PROXY": "*"}
        return {**own, **{name: fill(text, values) for name, text in self._agent.config.environment.items()}}

    def _said(self, root: Root, ended: Ended) -> Said:
        """What came of a call; raises HarnessFailure."""
        name = self.name
        if ended.broke:
            raise HarnessFailure(OVER[ended.broke], f"{name} was killed after {ended.seconds:.0f} s")
        if ended.exit != 0:
            how = f"signal {ended.signal}" if ended.signal else f"exit code {ended.exit}"
            said = " ".join(ended.said.split())[-500:] or "it said nothing"
            raise HarnessFailure(ended.refused or "failed", f"{name} ended with {how}: {said}")
        output = self._agent.config.output
        data = ended.output if output == STDOUT else _read(root, output)
        return Said(text=data[-LARGEST_REPLY:].decode("utf-8", "replace"), ended=replace(ended, output=b"", said=""))


class Command(HarnessMemory):
    """Any agent that takes a prompt and gives a text: a process for each session and each batch of questions."""

    Options = CommandOptions

    def __init__(self, options: CommandOptions) -> None:
        super().__init__(CommandHarness(options), options)


def _within(root: Root, name: str) -> Path:
    """The file `name` below the root. Raises HarnessFailure where a link in it leads elsewhere."""
    first, *rest = Path(name).parts
    folder = getattr(root, first).resolve()
    place = Path(folder, *rest)
    if not place.parent.resolve().is_relative_to(folder) or place.is_symlink():
        raise HarnessFailure("junk answer", f"{name} leads out of the root")
    return place


def _write(root: Root, name: str, text: str) -> None:
    place = _within(root, name)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


def _remove(root: Root, name: str) -> None:
    """Remove what an earlier call, or the agent, left where the answer is to stand."""
    first, *rest = Path(name).parts
    place = getattr(root, first)
    for part in rest:
        place = place / part
        if place.is_symlink():
            remove(place)
    remove(place)


def _read(root: Root, name: str) -> bytes:
    place = _within(root, name)
    if not place.is_file():
        raise HarnessFailure("junk answer", f"there is no file {name}")
    with place.open("rb") as stream:
        return stream.read(LARGEST_REPLY)
