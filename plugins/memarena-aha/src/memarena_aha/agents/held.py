"""The program of a `command` agent in its jail, with a root of its own that is gone afterwards."""

from __future__ import annotations

import tempfile
from pathlib import Path

from memarena.errors import UsageError
from memarena_aha.agents.command import MODEL_PLACES, Program, fill
from memarena_aha.agents.context import PlayContext
from memarena_harness.command_config import locate
from memarena_harness.jail import PATH, Jail
from memarena_harness.limits import Limits
from memarena_harness.lines import LineProgram
from memarena_harness.roots import Root, remove

__all__ = ["HeldProgram"]

_SETTINGS = {"LANG": "C.UTF-8", "NO_PROXY": "*", "PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"}
"""So that what a Python prints is sent at once, and its sets iterate alike in every run."""


class HeldProgram:
    """Runs from its making to `close`: it sees the system's programs, what it was started from, and its root."""

    def __init__(self, program: Program, config: str, jail: Jail, context: PlayContext) -> None:
        located = locate(config, program.command, program.tools)
        for tool in located.tools if jail.apart and context.folder else ():
            if Path(context.folder).is_relative_to(tool.resolve()):
                raise UsageError(f"{config}: tools: {tool} holds the folder of the run: name less of it")
        self._folder = Path(tempfile.mkdtemp(prefix="memarena-play-"))
        root = Root.below(self._folder / "root")
        root.make()
        seen = jail.seen(root)
        values = {"seed": str(context.seed), "part": context.part, "folder": str(seen.workspace)}
        if context.model is not None:
            model = jail.seen_model(context.model)
            values |= {name: getattr(model, name) for name in MODEL_PLACES}
        own = {"PATH": PATH, "HOME": str(seen.home), "TMPDIR": str(seen.temp), **_SETTINGS}
        try:
            self._lines = LineProgram(
                located.words,
                root=root,
                jail=jail,
                environment={**own, **{name: fill(text, values) for name, text in program.environment.items()}},
                gateway=context.model if program.needs_model else None,
                tools={str(place): place for place in located.tools},
                limits=Limits(seconds=float("inf"), memory_bytes=program.memory_mib << 20),
            )
        except BaseException:
            remove(self._folder)
            raise

    def ask(self, line: bytes, seconds: float) -> bytes:
        """The next line of the program. Raises ProcessEnded where it is gone, TimeLimit after `seconds` (0: never)."""
        return self._lines.ask(line, seconds)

    def close(self) -> None:
        """End the program and all that it started, and remove what it wrote."""
        self._lines.close()
        remove(self._folder)
