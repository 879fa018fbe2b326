"""Which jail can hold an agent here: bubblewrap, else the sandbox of the harness, else none, if that is allowed."""

from __future__ import annotations

import functools
import shutil
import sys
from collections.abc import Callable, Sequence
from typing import Literal

from memarena_harness.failures import HarnessFailure
from memarena_harness.jail import PATH, Jail, identity_folder
from memarena_harness.limits import Limits
from memarena_harness.roots import Root
from memarena_harness.running import run


def choose(
    candidates: Sequence[str],
    *,
    own: Callable[[], str] | None = None,
    wanted: Literal["auto", "bubblewrap", "own", "none"] = "auto",
    allow_unsandboxed: bool = False,
) -> Jail:
    """How an agent is held here. `candidates`: programs that may be bubblewrap; `own` says why the harness's own
    sandbox cannot run, "" where it can; None: it has none.

    Raises HarnessFailure (`sandbox missing`) where nothing can hold it and `allow_unsandboxed` does not say otherwise.
    """
    reasons: list[str] = []
    if wanted in ("auto", "bubblewrap"):
        for candidate in dict.fromkeys(candidates):
            problem = bubblewrap_problem(candidate)
            if not problem:
                return Jail(kind="bubblewrap", bwrap=candidate)
            reasons.append(f"{candidate}: {problem}")
        if not candidates:
            reasons.append("bubblewrap (bwrap) is not installed: apt install bubblewrap")
    if wanted in ("auto", "own"):
        problem = own() if own is not None else "it has no sandbox of its own"
        if not problem:
            return Jail(kind="own", why="; ".join(reasons))
        reasons.append(f"own sandbox: {problem}")
    why = "; ".join(reasons) or "it was asked to run without"
    if allow_unsandboxed:
        return Jail(kind="none", why=why)
    raise HarnessFailure("sandbox missing", f"{why}. To run it unheld all the same: --allow-unsandboxed")


def system_bwrap() -> tuple[str, ...]:
    """The bubblewrap of this machine, where there is one."""
    found = shutil.which("bwrap")
    return (found,) if found else ()


@functools.cache
def bubblewrap_problem(bwrap: str) -> str:
    """Why this bubblewrap cannot hold an agent here; "" where it can. Tried once for each process of memarena."""
    if not sys.platform.startswith("linux"):
        return "it needs Linux"
    jail = Jail(kind="bubblewrap", bwrap=bwrap)
    root = Root.below(identity_folder() / "preflight")
    root.make()
    ended = run(
        ["/bin/sh", "-c", "test ! -e /etc/shadow && ! touch /usr/memarena-preflight 2>/dev/null"],
        root=root,
        jail=jail,
        environment={"PATH": PATH},
        limits=Limits(seconds=60.0),
    )
    if ended.exit == 0:
        return ""
    return ended.said or f"it ended with {ended.exit if ended.exit is not None else ended.broke}"
