"""Runs Python programs in forks of one process that has imported everything already.

A program starts in milliseconds and is as fresh as in a new process: what is imported is all that it inherits.
One JSON object a line comes on stdin: `words` (`-c CODE`, or a module with its arguments), `folder`, `environment`, and
the files `output` and `errors`; the exit code goes back on stdout. A script, for the tests of the docs only.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import runpy
import sys
import threading
import traceback
from types import ModuleType
from typing import Any, NoReturn

PRELOADED = (
    *("memarena", "memarena.cli.run", "memarena.cli.executing", "memarena.cli.score", "memarena.cli.check"),
    *("memarena.runner", "memarena.planning", "memarena.store", "memarena.testing.checks"),
    *("memarena_arena.lexical", "memarena_arena.extractive", "memarena_report.tables", "memarena_report.html"),
    *("nltk.stem.porter", "numpy", "scipy.stats", "rich.console", "rich.progress", "pytest", "hypothesis"),
    *("pip._internal.commands.install", "hatchling.build"),
)


def main() -> None:
    """Serve until stdin ends."""
    for name in PRELOADED:
        importlib.import_module(name)
    # Collections in a child would touch, and so copy, the memory of all that is imported.
    gc.freeze()
    for line in sys.stdin:
        child = os.fork()
        if not child:
            leave(ending(json.loads(line)))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def ending(asked: dict[str, Any]) -> int:
    """Run a program to its end; its exit code."""
    try:
        become(asked)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def leave(code: int) -> NoReturn:
    """End as Python does, but for taking apart what was imported, which takes longer than most programs."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


def become(asked: dict[str, Any]) -> None:
    """Set everything up as for a new process, and run its program."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for name, number in (("output", 1), ("errors", 2)):
        os.dup2(os.open(asked[name], os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    program, *words = asked["words"]
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    first = "" if program == "-c" else os.path.dirname(sys.executable)  # noqa: PTH120 (as Python itself has it)
    sys.path[:] = [first, *paths, *sys.path[1:]]
    importlib.invalidate_caches()
    if program == "-c":
        sys.argv[:] = ["-c"]
        sys.modules["__main__"] = ModuleType("__main__")
        exec(compile(words[0], "<string>", "exec"), vars(sys.modules["__main__"]))
    else:
        sys.argv[:] = [program, *words]
        runpy.run_module(program, run_name="__main__", alter_sys=True)


main()
