"""`openclaw`: OpenClaw, one gateway for a conversation and a fresh session for each session of it."""

from __future__ import annotations

import functools
import secrets
import socket
import weakref
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import Literal, NamedTuple

from msgspec.structs import replace

from memarena.records import Endpoint
from memarena_harness import openclaw_config as config
from memarena_harness import programs
from memarena_harness.adapter import HarnessMemory
from memarena_harness.dialogue import Message
from memarena_harness.failures import HarnessFailure
from memarena_harness.harness import Positive, ProgramOptions, Said
from memarena_harness.jail import Jail
from memarena_harness.limits import Broken, Ended, Limits
from memarena_harness.openclaw_gateway import Broke, Gateway
from memarena_harness.openclaw_replies import Refused, broken, of_envelope, of_reply
from memarena_harness.pictures import LONGEST_SIDE
from memarena_harness.preflight import choose
from memarena_harness.roots import MEDIA, Root
from memarena_harness.running import Process, run

STARTING = 180.0
"""Seconds that OpenClaw gets to open its door; on a busy machine it takes half a minute."""
TIDYING = 60.0
"""Seconds that one process gets beside the time of the agent, to start and to end."""
FORGOTTEN = "agent:main:dashboard:incognito-"
"""How the key of a session begins whose transcript OpenClaw keeps in memory alone, and in no file for the agent."""
KEPT = "agent:main:dashboard:"


class OpenClawOptions(ProgramOptions, frozen=True, kw_only=True):
    """Settings of `openclaw`."""

    start: Literal["gateway", "exec"] = "gateway"
    """How sessions are told: by a gateway that runs as long as the conversation (some 10 s to start, then half a
    second a session beside the model), or each by an `agent exec` of its own (some 8 s each). Questions are always
    asked in a process of their own."""
    context_tokens: Positive = 128_000
    """Tokens of the model's context; OpenClaw shortens its conversation before it is full."""
    reply_tokens: Positive = 4096
    """Tokens of one reply of the model at most."""


class _Place(NamedTuple):
    """What is known of one root."""

    model: Endpoint
    seed: int


class OpenClawHarness:
    """Runs OpenClaw, and reads what it tells of itself."""

    name = "openclaw"
    longest = 1_000_000
    needs_model = True
    schema = False

    def __init__(self, options: OpenClawOptions) -> None:
        self._options = options
        self._places: dict[Path, _Place] = {}
        self._gateways: dict[Path, Gateway] = {}
        weakref.finalize(self, _end_all, self._gateways)

    def versions(self) -> Mapping[str, str]:
        return {"openclaw": self._program.version}

    def jail(self) -> Jail:
        return self._jail

    @functools.cached_property
    def _program(self) -> programs.Program:
        return programs.OpenClaw().find(self._options.program, any_version=self._options.any_version)

    @functools.cached_property
    def _jail(self) -> Jail:
        options = self._options
        return choose(programs.bubblewraps(), wanted=options.holder, allow_unsandboxed=options.allow_unsandboxed)

    def seeds(self) -> Mapping[str, str]:
        return self._seeds

    @functools.cached_property
    def _seeds(self) -> Mapping[str, str]:
        return config.seeds(self._program)

    def open(self, root: Root, model: Endpoint | None, seed: int) -> None:
        assert model is not None, "needs_model"
        self._places[root.folder] = _Place(model, seed)

    def say(self, root: Root, message: Message, thread: str) -> Said:
        said = self._tell(root, message, thread)
        seen = said.ended.pictures if said.ended is not None else None
        if seen is not None and seen < len(message.pictures):
            raise HarnessFailure("pictures lost", f"{seen} of {len(message.pictures)} pictures reached the model")
        return said

    def _tell(self, root: Root, message: Message, thread: str) -> Said:
        options = self._options
        lasting = options.start == "gateway" and not message.asks
        if not (lasting or options.context):
            return self._run(root, message)
        try:
            return self._chat(root, message, thread)
        finally:
            if not lasting or options.context:  # what is copied then must not be written to
                self.close(root)

    def close(self, root: Root) -> None:
        if root.folder in self._gateways:
            self._end(root)

    # -- one process a call --

    def _run(self, root: Root, message: Message) -> Said:
        """One `agent exec`, with nothing of an earlier one but the workspace."""
        root.empty("state")
        seen, seconds = self._jail.seen(root), self._options.seconds
        self._configure(root, config.DOOR, "")
        ended = run(
            [
                *self._program.words(self._jail),
                *("agent", "exec", "--config", str(self._config(root))),
                *("--state-dir", str(seen.state), "--cwd", str(seen.workspace)),
                *("--json", "--timeout", str(int(seconds)), "--message-file", "-"),
            ],
            root=root,
            jail=self._jail,
            environment=self._environment(root),
            gateway=self._places[root.folder].model,
            stdin=_told(message).encode(),
            tools=self._tools(root),
            limits=self._limits(seconds + TIDYING),
        )
        return of_envelope(ended, seconds)

    # -- one gateway a conversation --

    def _chat(self, root: Root, message: Message, thread: str) -> Said:
        """One turn of the gateway, in a session that is new or that of `thread`."""
        kept = KEPT if self._options.context else FORGOTTEN
        session, began = thread or kept + secrets.token_hex(8), monotonic()
        try:
            gateway = self._gateways.get(root.folder) or self._start(root)
            began = monotonic()
            return of_reply(gateway.chat(session, _told(message), self._options.seconds + TIDYING), session)
        except Broke as broke:
            raise broken(broke.limit, self._end(root, broke.limit)) from None
        except Refused as refused:
            # A gateway bars a model that failed for a while: the next call is to begin anew.
            late = monotonic() - began >= self._options.seconds
            raise refused.explained(self._end(root), late=late) from None
        except BaseException:
            self.close(root)
            raise

    def _end(self, root: Root, broke: Broken = "") -> Ended:
        return self._gateways.pop(root.folder).end(broke)

    def _start(self, root: Root) -> Gateway:
        if not self._options.context:
            root.empty("state")
        door, token = config.DOOR if self._jail.apart else _free_port(), secrets.token_hex(16)
        self._configure(root, door, token)
        process = Process(
            [*self._program.words(self._jail), "gateway", "run"],
            root=root,
            jail=self._jail,
            environment=self._environment(root),
            gateway=self._places[root.folder].model,
            tools=self._tools(root),
            limits=self._limits(float("inf")),
            dial=door,
        )
        gateway = self._gateways[root.folder] = Gateway(process, door, token, self._program.words(self._jail)[0])
        gateway.wait_until_ready(STARTING)
        return gateway

    # -- what both need --

    def _configure(self, root: Root, door: int, token: str) -> None:
        place, options = self._places[root.folder], self._options
        setup = config.Setup(
            model=self._jail.seen_model(place.model),
            seed=place.seed,
            seconds=int(options.seconds),
            context_tokens=options.context_tokens,
            reply_tokens=options.reply_tokens,
            pixels=LONGEST_SIDE,
        )
        found = config.configuration(setup, self._jail.seen(root), door, token)
        config.write_configuration(root.folder / "config", found)

    def _config(self, root: Root) -> Path:
        """The file of the configuration, as the agent sees it."""
        return self._jail.seen_tool("config", root.folder / "config") / config.CONFIG

    def _environment(self, root: Root) -> Mapping[str, str]:
        node = Path(self._program.words(self._jail)[0])
        model = self._jail.seen_model(self._places[root.folder].model)
        return config.environment(self._jail.seen(root), self._config(root), node, model.api_key)

    def _tools(self, root: Root) -> Mapping[str, Path]:
        return {**self._program.tools, "config": root.folder / "config"}

    def _limits(self, seconds: float) -> Limits:
        return replace(self._options.limits(), seconds=seconds)


class OpenClaw(HarnessMemory):
    """OpenClaw: it keeps what it likes in the files of its workspace, and answers from them."""

    Options = OpenClawOptions

    def __init__(self, options: OpenClawOptions | None = None) -> None:
        options = options or OpenClawOptions()
        super().__init__(OpenClawHarness(options), options)


def _end_all(gateways: dict[Path, Gateway]) -> None:
    while gateways:
        gateways.popitem()[1].end()


def _told(message: Message) -> str:
    """The text of a message, and its pictures in order: OpenClaw loads what looks like the path of one."""
    if not message.pictures:
        return message.text
    paths = " ".join(f"./{MEDIA}/{file.name}" for file in message.pictures)
    return f"{message.text}\nThe pictures of this message, from [Image #1] on: {paths}"


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port
