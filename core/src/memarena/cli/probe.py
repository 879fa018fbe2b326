"""Whether a plugin works: it is loaded, and an adapter is made and its methods looked at, in a process of its own.

An adapter that cannot be made without options counts as well. A plugin that hangs, prints, exits or crashes the
interpreter harms nothing but its own row.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

from memarena.errors import AdapterContractError, PluginLoadError, UsageError

if TYPE_CHECKING:
    from memarena.catalog import Entry

CHILD = "import sys; from memarena.cli.probe import child; child(*sys.argv[1:])"


class Probed(NamedTuple):
    """What came of one plugin."""

    state: str
    """`ok`, `broken`, `contract` (it loads, yet it does not keep the contract of its kind) or `timeout`."""
    problem: str
    """One line; "" where it is ok."""


def probe_all(rows: Sequence[Entry], timeout: float) -> list[Probed]:
    """Probe each row with at most `timeout` seconds for each, four at a time."""
    with ThreadPoolExecutor(max_workers=4) as pool:
        return list(pool.map(lambda row: probe(row, timeout), rows))


def probe(row: Entry, timeout: float) -> Probed:
    """Probe one row in a child process; the child and all that it started are gone afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", CHILD, row.group, row.selector],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "utf-8"},
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        return Probed("timeout", f"{row}: not loaded after {timeout:g} s")
    finally:
        _end(process)
    state, tab, problem = said.decode("utf-8", "replace").partition("\t")
    if not tab:
        return Probed("broken", f"{row}: the interpreter ended while it was loaded ({_end_of(process.returncode)})")
    return Probed(state, problem)


def child(group: str, selector: str) -> None:
    """In the child process: load and make the plugin, and write `state<TAB>problem` to the real stdout."""
    report = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace")
    os.dup2(2, 1)
    state, problem = _examine(group, selector)
    report.write(f"{state}\t{problem}")
    report.flush()
    os._exit(0)


def _examine(group: str, selector: str) -> tuple[str, str]:
    from memarena.catalog import find, make

    row = find(group, selector)
    try:
        target = row.load()
        if group == "memarena.adapters":
            from memarena.rig import accepted_arguments

            accepted_arguments(row.name, make(target, {}, who=str(row)))
    except PluginLoadError as error:
        return "broken", str(error)
    except AdapterContractError as error:
        return "contract", f"{row}: {error}"
    except UsageError:
        pass  # it needs options, which only a run can give
    return "ok", ""


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _end_of(code: int) -> str:
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
