"""Runs a program of an agent where it can reach nothing: in bubblewrap, with the interpreter and its library alone.

Inside there is no network, no file of the host but Python's own library, nothing that can be written to, and no process
but the program's. It gets 10 s of processor time and 256 MB; whatever it started is
gone when `run` returns.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from memarena.errors import UsageError
from memarena.records import Record

__all__ = ["CPU_SECONDS", "MEMORY_BYTES", "MOST_CHARACTERS", "Ran", "problem", "run"]

CPU_SECONDS = 10
WALL_SECONDS = 30.0
"""A program that sleeps or waits is ended after this."""
MEMORY_BYTES = 256 << 20
OUTPUT_BYTES = 64 << 10
"""A program that writes more fails at it."""
MOST_CHARACTERS = 2000
"""Of its output that are handed back."""
HOME = "/python"
"""Where the interpreter lies inside, on every machine."""
NEEDED = "the programs of agents are run in bubblewrap (0.8 or newer)"
INSTEAD = "-o euler.track=closed plays without programs"
START = f"""
import resource, sys
limits = {{"CPU": {CPU_SECONDS}, "AS": {MEMORY_BYTES}, "FSIZE": {OUTPUT_BYTES}, "CORE": 0, "NOFILE": 32, "NPROC": 0}}
for name, value in limits.items():
    resource.setrlimit(getattr(resource, "RLIMIT_" + name), (value, value))
exec(compile(sys.stdin.read(), "program", "exec"), {{"__name__": "__main__"}})
"""


class Ran(Record, frozen=True, kw_only=True):
    """What came of a program."""

    output: str = ""
    """What it printed, at most 2,000 characters."""
    problem: str = ""
    """Why it did not come to its end, in one line; "" where it did."""

    @property
    def text(self) -> str:
        """Both, as an agent is told them."""
        parts = (self.output, f"({self.problem})" if self.problem else "")
        return "\n".join(part for part in parts if part) or "(no output)"


def run(source: str) -> Ran:
    """Run a Python program to its end; raises UsageError where this machine cannot hold one."""
    refused = problem()
    if refused:
        raise UsageError(refused)
    return _run(source)


@cache
def problem() -> str:
    """Why no program can be run here, and what to do; "" where one can. Tried once a process."""
    if not sys.platform.startswith("linux"):
        return f"{NEEDED}, which needs Linux: {INSTEAD}"
    if shutil.which("bwrap") is None:
        return f"{NEEDED}, and there is none: apt install bubblewrap, or {INSTEAD}"
    tried = _run("print(6 * 7)")
    if tried.output.strip() == "42":
        return ""
    return f"{NEEDED}, and it cannot run here ({tried.problem or 'it says nothing'}): {INSTEAD}"


def _run(source: str) -> Ran:
    from memarena import keeper  # it needs what Linux and macOS have alone

    control, keeping = socket.socketpair()
    kept = msgspec.json.encode({"log": None, "log_bytes": 0, "memory_bytes": MEMORY_BYTES, "scratch": ""}).decode()
    with control, tempfile.TemporaryFile() as told, tempfile.TemporaryFile() as output:
        told.write(source.encode("utf-8", "replace"))
        told.seek(0)
        with keeping:
            held = subprocess.Popen(
                [sys.executable, "-I", "-S", keeper.__file__, str(keeping.fileno()), kept, *_inside()],
                stdin=told,
                stdout=output,
                stderr=subprocess.DEVNULL,
                pass_fds=(keeping.fileno(),),
                start_new_session=True,
                env={},
                cwd="/",
            )
        try:
            status, late = _last_words(control)
        finally:
            if held.poll() is None:
                control.close()
            held.wait()
        output.seek(0)
        printed = output.read(OUTPUT_BYTES).decode("utf-8", "replace")
    return Ran(output=printed.rstrip("\n")[:MOST_CHARACTERS], problem=_why(status, late))


def _last_words(control: socket.socket) -> tuple[dict[str, Any], bool]:
    """How the program ended, and whether it had to be stopped as its time was over."""
    said, late = b"", False
    control.settimeout(WALL_SECONDS)
    while True:
        try:
            data = control.recv(1 << 16)
        except TimeoutError:
            if late:
                return {}, True
            late = True
            control.shutdown(socket.SHUT_WR)
            continue
        if not data:
            break
        said += data
    return (msgspec.json.decode(said) if said.endswith(b"\n") else {}), late


def _why(status: dict[str, Any], late: bool) -> str:
    if late:
        return f"stopped after {WALL_SECONDS:.0f} s"
    if status.get("memory"):
        return f"stopped: it used more than {MEMORY_BYTES >> 20} MB"
    if status.get("exit") == 0:
        return ""
    if status.get("cpu_seconds", 0) >= CPU_SECONDS - 0.5:
        return f"stopped after {CPU_SECONDS} s of processor time"
    lines = str(status.get("problem") or status.get("tail") or "").strip().splitlines()
    return lines[-1][:300] if lines else f"it ended with {status.get('exit', status.get('signal'))}"


@cache
def _inside() -> tuple[str, ...]:
    """The words that start the interpreter in bubblewrap."""
    bwrap = shutil.which("bwrap")
    assert bwrap is not None
    # In a user namespace of its own a program could mount folders in memory that nobody counts.
    words = [bwrap, "--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"]
    words += ["--die-with-parent", "--new-session"]
    words += ["--uid", "1000", "--gid", "1000", "--hostname", "program", "--clearenv"]
    for name in ("/lib", "/lib64"):
        if Path(name).is_symlink():
            words += ["--symlink", str(Path(name).readlink()), name]
    shown = _shown()
    for here, there in shown.items():
        words += ["--ro-bind", str(here), str(there)]
    for place in _hidden(shown):
        words += ["--tmpfs", str(place), "--remount-ro", str(place)]
    for place in _native(shown):
        words += ["--ro-bind", "/dev/null", str(place)]
    words += ["--dev", "/dev", "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"]
    words += ["--setenv", "PYTHONHASHSEED", "0", "--setenv", "LD_LIBRARY_PATH", f"{HOME}/lib"]
    words += ["--setenv", "PYTHONHOME", HOME, "--setenv", "PYTHONIOENCODING", "utf-8"]
    return (*words, "--", f"{HOME}/bin/python", "-s", "-S", "-P", "-B", "-c", START)


def _shown() -> dict[Path, Path]:
    """What can be read inside, and where: the interpreter, its library, and the libraries that both are linked with."""
    library = Path(sysconfig.get_path("stdlib"))
    shown = {
        Path(sys.executable).resolve(): Path(HOME, "bin", "python"),
        library: Path(HOME, sys.platlibdir, library.name),
    }
    linked = Path(str(sysconfig.get_config_var("LIBDIR")), str(sysconfig.get_config_var("INSTSONAME")))
    if linked.is_file():
        shown[linked] = Path(HOME, "lib", linked.name)
    architecture = str(sysconfig.get_config_var("MULTIARCH") or "")
    system = (Path("/usr/lib", architecture), Path("/lib", architecture), Path("/usr/lib64"), Path("/lib64"))
    own = {place: place for place in system if place.is_dir() and not Path("/", place.parts[1]).is_symlink()}
    return shown | own


def _native(shown: dict[Path, Path]) -> list[Path]:
    """The extensions that call any function of the system, as they are called inside: they are empty there."""
    library = Path(sysconfig.get_path("stdlib"))
    return [shown[library] / place.relative_to(library) for place in library.glob("lib-dynload/_ctypes*")]


def _hidden(shown: dict[Path, Path]) -> list[Path]:
    """Folders of installed packages below what is shown, as they are called inside: nothing of them is seen."""
    library = Path(sysconfig.get_path("stdlib"))
    own = {library, library / "lib-dynload"}
    installed = [library / "site-packages", library / "dist-packages", Path("/usr/lib/python3/dist-packages")]
    installed += [Path(entry) for entry in sys.path if entry and Path(entry).is_dir() and Path(entry) not in own]
    installed += [Path(__file__).resolve().parents[1]]
    found: set[Path] = set()
    for here, there in shown.items():
        for place in installed:
            if place.is_dir() and here in place.parents:
                found.add(there / place.relative_to(here))
    return sorted(found)
