"""One start of a command-line agent that plays: in a jail, with one server of tools and one way to its model."""

from __future__ import annotations

import shutil
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from memarena.records import Endpoint
from memarena_aha.agents.bridge import Bridge, BridgeDesk
from memarena_aha.agents.prompts import prompts
from memarena_harness.jail import Jail
from memarena_harness.limits import Ended, Limits
from memarena_harness.programs import Program
from memarena_harness.roots import Root
from memarena_harness.running import TICK, Process

__all__ = ["Session"]


class Session(ABC):
    """Runs from its making to `close`. `desk` gives the calls that it makes; `calls` counts those that were taken.

    Subclasses say how their program is configured and started.
    """

    def __init__(
        self,
        program: Program,
        jail: Jail,
        model: Endpoint,
        briefing: str,
        tools: Sequence[Mapping[str, Any]],
        *,
        seed: int,
        seconds: float,
        window: int,
    ) -> None:
        self.calls = 0
        self.desk = BridgeDesk(briefing, tools)
        self.program = program
        self.jail = jail
        self.model = model
        self.seed = seed
        self.seconds = seconds
        self.window = window
        self._folder = Path(tempfile.mkdtemp(prefix="memarena-play-"))
        self.root = Root.below(self._folder / "root")
        self.root.make()
        self._bridge = Bridge(self.desk, self.root.temp)
        self._ended: Ended | None = None
        self._stop = threading.Event()
        self.configure()
        self._process = self._start(prompts().session.strip().replace("{briefing}", briefing))
        self._watcher = threading.Thread(target=self._watch, name=f"memarena-{program.name}", daemon=True)
        self._watcher.start()

    @abstractmethod
    def configure(self) -> None:
        """Write what the program reads when it starts."""

    @abstractmethod
    def words(self) -> list[str]:
        """The command, as the program is called in its jail; the prompt comes on its standard input."""

    @abstractmethod
    def environment(self) -> Mapping[str, str]:
        """All that it has in its environment."""

    @abstractmethod
    def shown(self) -> Mapping[str, Path]:
        """The folders that it sees beside its root, each under a name."""

    @property
    def socket(self) -> Path:
        """Where its server is reached, as it sees it."""
        return Bridge.place(self.jail.seen(self.root).temp)

    def failure(self) -> str:
        """Why it ended; "" where it ended as it should."""
        ended = self._ended
        if ended is None or (ended.exit == 0 and not ended.broke):
            return ""
        said = " ".join((ended.said or ended.output.decode("utf-8", "replace")).split())[-500:]
        how = ended.broke or f"exit code {ended.exit}"
        return f"{self.program.name} ended with {how}: {said or 'it said nothing'}"

    def close(self) -> None:
        """End it, and leave nothing of it."""
        self.desk.end()
        self._stop.set()
        self._watcher.join()
        self._bridge.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _start(self, prompt: str) -> Process:
        return Process(
            self.words(),
            root=self.root,
            jail=self.jail,
            environment=self.environment(),
            gateway=self.model,
            stdin=prompt.encode(),
            tools=self.shown(),
            limits=Limits(seconds=self.seconds),
        )

    def _watch(self) -> None:
        """Wait until it ends, goes over a limit, or is to stop; then tell whoever waits for its next call."""
        process, broke = self._process, ""
        while not process.wait(TICK) and not self._stop.is_set():
            found = process.broken_limit()
            if found:
                broke = found
                self._ended = process.end(found)
                break
        if not broke:
            self._ended = process.end()
        self.desk.leave()
