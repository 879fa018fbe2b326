"""What an agent's program is to the adapter that drives it, and what all such adapters can be told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Protocol

from msgspec import Meta

from memarena.records import Endpoint, Record
from memarena_harness.dialogue import Message
from memarena_harness.jail import Jail
from memarena_harness.limits import Ended, Limits
from memarena_harness.roots import Root

Positive = Annotated[int, Meta(ge=1)]


class HarnessOptions(Record, frozen=True, kw_only=True):
    """Settings that every agent has."""

    seconds: Annotated[float, Meta(gt=0)] = 300.0
    """For each call of the agent: one session, or one batch of questions."""
    batch: Positive = 10
    """Questions that one process is asked together."""
    notes: bool = True
    """Show the text files of the workspace as what the system keeps, so that writing and maintaining is scored too."""
    keep_pictures: bool = False
    """Leave the pictures of each session in the workspace; else only what the agent itself copied stays."""
    holder: Literal["auto", "bubblewrap", "own", "none"] = "auto"
    """What holds the agent; `auto`: bubblewrap where it can run, else the harness's own sandbox."""
    allow_unsandboxed: bool = False
    """Run the agent also where nothing can hold it."""
    memory_mib: Positive = 4096
    """For all processes of the agent together."""
    disk_mib: Positive = 512
    """For all files of a conversation."""
    processes: Positive = 200
    """At the same time, in one call."""

    @property
    def goes_on(self) -> bool:
        """Whether the conversation with the agent goes on from session to session."""
        return False

    def limits(self) -> Limits:
        """The limits of one call."""
        return Limits(
            seconds=self.seconds,
            memory_bytes=self.memory_mib << 20,
            disk_bytes=self.disk_mib << 20,
            processes=self.processes,
        )


class ProgramOptions(HarnessOptions, frozen=True, kw_only=True):
    """Settings of an agent whose program is known."""

    program: str = ""
    """Where it is; "": in its environment (`memarena env create`), else on the PATH."""
    any_version: bool = False
    """Take it also in a version that was not tested."""
    context: bool = False
    """A baseline of another kind: the conversation with the agent goes on from session to session, so that it is
    answered from its context and not from its notes."""

    @property
    def goes_on(self) -> bool:
        return self.context


class Said(Record, frozen=True, kw_only=True):
    """What an agent said at the end of one call."""

    text: str
    thread: str = ""
    """With what the conversation can be gone on; "" where it cannot."""
    usage: Mapping[str, int] = {}
    """Tokens and calls of tools as the harness itself counts them; empty where it does not."""
    ended: Ended | None = None
    """How its process ended; None where it is still running."""


class Harness(Protocol):
    """The program of an agent. Roots are as the host sees them; `Jail.seen` says how the agent does."""

    name: str
    longest: int
    """Characters of a message that it takes at most."""
    needs_model: bool
    schema: bool
    """Hold its replies to a JSON schema, where a message has one."""

    def versions(self) -> Mapping[str, str]:
        """Name and version of what is run. Raises HarnessFailure where it is missing or has the wrong version."""
        ...

    def jail(self) -> Jail:
        """What holds it on this machine. Raises HarnessFailure where nothing does."""
        ...

    def seeds(self) -> Mapping[str, str]:
        """Files that a new workspace begins with, text by name: no memory of the conversation."""
        ...

    def open(self, root: Root, model: Endpoint | None, seed: int) -> None:
        """Get ready to work in `root`: write its configuration."""
        ...

    def say(self, root: Root, message: Message, thread: str) -> Said:
        """Tell the agent something, in a fresh process (or a fresh session of one), and wait until it has done with it.

        `thread`: go on with that conversation; "": a new one. Raises HarnessFailure where it comes to nothing.
        """
        ...

    def close(self, root: Root) -> None:
        """End whatever still runs for `root`. No harm where nothing does."""
        ...
