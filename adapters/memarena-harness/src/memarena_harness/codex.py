"""`codex`: the Codex CLI, a fresh process for each session and each batch of questions."""

from __future__ import annotations

import functools
import json
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from memarena.records import Endpoint
from memarena_harness import codex_config, programs
from memarena_harness.adapter import HarnessMemory
from memarena_harness.codex_record import kind_of, read_events, read_rollout
from memarena_harness.dialogue import Message
from memarena_harness.failures import OVER, HarnessFailure
from memarena_harness.harness import ProgramOptions, Said
from memarena_harness.jail import PATH, Jail
from memarena_harness.limits import Ended, Limits
from memarena_harness.preflight import choose, system_bwrap
from memarena_harness.roots import Root, remove
from memarena_harness.running import run

PLAIN = "gpt-5.5"
"""The bundled model whose instructions go with plain tools."""
FLAGS = ("--json", "--strict-config", "--skip-git-repo-check")
_PROBLEMS: dict[tuple[tuple[Path, ...], Jail], str] = {}
"""What was found of the sandbox of a program in a jail."""


class CodexOptions(ProgramOptions, frozen=True, kw_only=True):
    """Settings of `codex`."""

    instructions: Literal["stock", "short"] = "stock"
    """The instructions that come with Codex, or one sentence (some 5,000 tokens a call less)."""
    schema: bool = False
    """Hold answers to a JSON schema; the model's server must know `json_schema`."""
    window: int = codex_config.WINDOW
    """Tokens of the model's context; Codex shortens its conversation before it is full."""


class CodexHarness:
    """Runs `codex exec`, and reads what it tells of itself."""

    name = "codex"
    longest = 1_000_000
    needs_model = True

    def __init__(self, options: CodexOptions) -> None:
        self._options = options
        self.schema = options.schema
        self._models: dict[Path, Endpoint] = {}

    def versions(self) -> Mapping[str, str]:
        commands = "its own sandbox" if self._holds_commands else "nothing more"
        return {"codex": self._program.version, "commands_held_by": commands}

    @functools.cached_property
    def _holds_commands(self) -> bool:
        """Whether commands run in the sandbox of Codex: there they do not even see its configuration."""
        return not own_sandbox_problem(self._program, self._jail)

    @functools.cached_property
    def _program(self) -> programs.Program:
        return programs.Codex().find(self._options.program, any_version=self._options.any_version)

    def jail(self) -> Jail:
        return self._jail

    @functools.cached_property
    def _jail(self) -> Jail:
        binary = self._program.command[0]
        bundled = [str(found) for found in (binary.parents[1] / "codex-resources").glob("bwrap")]
        return choose(
            [*system_bwrap(), *bundled],
            own=lambda: own_sandbox_problem(self._program, Jail(kind="own")),
            wanted=self._options.holder,
            allow_unsandboxed=self._options.allow_unsandboxed,
        )

    def seeds(self) -> Mapping[str, str]:
        return {}

    def open(self, root: Root, model: Endpoint | None, seed: int) -> None:
        assert model is not None, "needs_model"
        options, seen = self._options, self._jail.seen(root)
        self._models[root.folder] = model
        stock = options.instructions == "stock"
        instructions = stock_instructions(self._program.command[0]) if stock else codex_config.SHORT
        settings = codex_config.config(
            model.model,
            self._jail.seen_model(model).base_url,
            catalog=seen.state / "catalog.json",
            program=_package(self._program, self._jail),
            held=self._holds_commands,
            temp=(seen.temp, *((Path("/tmp"),) if self._jail.apart else ())),
            window=options.window,
        )
        catalog = codex_config.catalog(model.model, instructions, options.window)
        written = {"config.toml": settings, "catalog.json": catalog}
        for name, text in written.items():
            (root.state / name).write_text(text, encoding="utf-8")

    def say(self, root: Root, message: Message, thread: str) -> Said:
        seen, model = self._jail.seen(root), self._models[root.folder]
        self.open(root, model, 0)  # anew: where nothing holds its commands, an earlier call may have changed it
        if (
            thread and message.asks and not self._jail.apart
        ):  # its index may name the transcripts that these are copies of; it is made anew
            for file in root.state.glob("state_*.sqlite*"):
                remove(file)
        shown = [seen.workspace / file.relative_to(root.workspace) for file in message.pictures]
        flags = [f"--image={file}" for file in shown]
        if message.schema is not None:
            (root.state / "schema.json").write_text(json.dumps(message.schema), encoding="utf-8")
            flags.append(f"--output-schema={seen.state / 'schema.json'}")
        start = [*self._program.words(self._jail), "exec", *FLAGS, "-C", str(seen.workspace)]
        words = [*start, "resume", *flags, thread, "-"] if thread else [*start, *flags, "--", "-"]
        ended = run(
            words,
            root=root,
            jail=self._jail,
            environment=_environment(seen, self._jail.seen_model(model).api_key),
            gateway=model,
            stdin=message.text.encode(),
            tools=self._program.tools,
            limits=self._options.limits(),
        )
        try:
            return _said(root, ended, len(message.pictures))
        finally:
            self._forget(root)

    def _forget(self, root: Root) -> None:
        """Remove transcripts: with them an agent would have a perfect memory beside its notes."""
        if self._options.context:
            return
        if self._holds_commands:
            remove(root.state / "sessions")
        else:
            root.empty("state")

    def close(self, root: Root) -> None:
        """Nothing runs between two calls."""
        self._models.pop(root.folder, None)


class Codex(HarnessMemory):
    """The Codex CLI: it keeps what it likes in the files of its workspace, and answers from them."""

    Options = CodexOptions

    def __init__(self, options: CodexOptions | None = None) -> None:
        options = options or CodexOptions()
        super().__init__(CodexHarness(options), options)


def _environment(seen: Root, key: str) -> dict[str, str]:
    """The environment of Codex, made from nothing."""
    return {
        "PATH": PATH,
        "HOME": str(seen.home),
        "CODEX_HOME": str(seen.state),
        # Not the agent's own folder for temporary files: what Codex keeps there is not for its commands.
        "TMPDIR": str(seen.home),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "NO_PROXY": "*",
        codex_config.KEY_VARIABLE: key,
    }


def _said(root: Root, ended: Ended, pictures: int) -> Said:
    """What came of a call; raises HarnessFailure."""
    events = read_events(ended.output)
    rollout = read_rollout(root.state, events.thread)
    if ended.broke:
        raise HarnessFailure(OVER[ended.broke], f"codex was killed after {ended.seconds:.0f} s: {events.failure}")
    if events.failure or rollout.info is not None:
        message = " ".join((events.failure or str(rollout.info)).split())
        kind = kind_of(message, rollout.info)
        raise HarnessFailure(ended.refused or kind if kind == "failed" else kind, message)
    if not events.done:
        how = f"signal {ended.signal}" if ended.signal else f"exit code {ended.exit}"
        said = " ".join(ended.said.split()) or "it said nothing"
        raise HarnessFailure(
            "wrong configuration" if "config" in said else "failed", f"codex ended with {how}: {said[-500:]}"
        )
    if ended.pictures is not None and ended.pictures < pictures:
        raise HarnessFailure("pictures lost", f"{ended.pictures} of {pictures} pictures reached the model")
    counts = {"commands": events.commands, "failed_commands": events.failed_commands}
    return Said(
        text=events.reply, thread=events.thread, usage={**(rollout.usage or events.usage), **counts}, ended=_bare(ended)
    )


def _bare(ended: Ended) -> Ended:
    """`ended` without what the rollout and the reply hold already."""
    return replace(ended, output=b"", said="")


@functools.cache
def stock_instructions(program: Path) -> str:
    """The instructions that come with Codex for a model with plain tools. Raises HarnessFailure where it has none."""
    with tempfile.TemporaryDirectory(prefix="memarena-codex-") as folder:
        done = subprocess.run(
            [str(program), "debug", "models"],
            env={"HOME": folder, "CODEX_HOME": folder, "PATH": PATH},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
    try:
        models = {model["slug"]: model for model in json.loads(done.stdout)["models"]}
        return str(models[PLAIN]["base_instructions"])
    except (ValueError, KeyError, TypeError):
        raise HarnessFailure(
            "wrong version", f"{program} has no instructions for {PLAIN}; take -o LABEL.instructions=short"
        ) from None


def own_sandbox_problem(program: programs.Program, jail: Jail) -> str:
    """Why the sandbox of Codex cannot hold its commands in `jail`; "" where it can. Tried once in each process of
    memarena: where it cannot run, every command fails, and Codex ends all the same as if it had done well.
    """
    place = (program.command, jail)
    if place not in _PROBLEMS:
        _PROBLEMS[place] = _try_own_sandbox(program, jail)
    return _PROBLEMS[place]


def _try_own_sandbox(program: programs.Program, jail: Jail) -> str:
    with tempfile.TemporaryDirectory(prefix="memarena-codex-") as folder:
        root = Root.below(Path(folder) / "root")
        root.make()
        seen = jail.seen(root)
        text = codex_config.config("none", "http://127.0.0.1:9", program=_package(program, jail))
        (root.state / "config.toml").write_text(text, encoding="utf-8")
        ended = run(
            [*program.words(jail), "sandbox", "-P", codex_config.PROFILE, "-C", str(seen.workspace), "--", "/bin/true"],
            root=root,
            jail=jail,
            environment=_environment(seen, ""),
            tools=program.tools,
            limits=Limits(seconds=60.0),
        )
    return "" if ended.exit == 0 else ended.said or f"it ended with {ended.exit}"


def _package(program: programs.Program, jail: Jail) -> Path:
    """The folder that Codex is installed in, as the agent sees it."""
    ((name, folder),) = program.tools.items()
    return jail.seen_tool(name, folder)
