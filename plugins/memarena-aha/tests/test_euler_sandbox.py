"""Programs of agents reach nothing, and leave nothing."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

import memarena_aha
from memarena import keeper
from memarena.errors import UsageError
from memarena_aha.euler import sandbox

needs_bubblewrap = pytest.mark.skipif(bool(sandbox.problem()), reason=sandbox.problem() or "it runs")


@needs_bubblewrap
def test_a_program_runs_and_what_it_prints_comes_back() -> None:
    ran = sandbox.run("import math\nprint(math.comb(60, 30))\nprint(2)")
    assert ran == sandbox.Ran(output="118264581564861424\n2")


@needs_bubblewrap
def test_at_most_two_thousand_characters_come_back() -> None:
    assert sandbox.run("print('x' * 5000)").output == "x" * 2000


@needs_bubblewrap
def test_an_error_is_told_in_its_own_words() -> None:
    ran = sandbox.run("print(1)\n1 / 0")
    assert (ran.output, ran.problem) == ("1", "ZeroDivisionError: division by zero")
    assert ran.text == "1\n(ZeroDivisionError: division by zero)"


@needs_bubblewrap
def test_a_program_that_cannot_be_read_is_an_error_of_its_own() -> None:
    assert sandbox.run("print(").problem.startswith("SyntaxError")
    assert sandbox.run("print('\ud800')").problem == ""


@needs_bubblewrap
def test_hashes_are_the_same_in_every_run() -> None:
    source = "print(hash('orrin'), {'a', 'b', 'c', 'd'})"
    assert sandbox.run(source) == sandbox.run(source)


@needs_bubblewrap
def test_there_is_no_network() -> None:
    listed = "print([name for _, name in socket.if_nameindex()])"
    ran = sandbox.run(f"import socket\n{listed}\nsocket.create_connection(('192.0.2.1', 80), 1)")
    assert ran.output == "['lo']"
    assert "unreachable" in ran.problem


@needs_bubblewrap
def test_neither_the_package_nor_the_solution_nor_the_host_can_be_read() -> None:
    package = Path(memarena_aha.__file__).parent
    places = [str(package), str(Path.home()), "/etc/passwd", "/proc/1/environ", "/root", "/home", "/var"]
    source = f"""
import os
print([place for place in {places!r} if os.path.exists(place)])
print([name for top, names, files in os.walk('/') for name in names + files if 'memarena' in name or name == 'pip'])
print(sorted(os.environ))
import memarena_aha
"""
    ran = sandbox.run(source)
    assert ran.output.splitlines()[:2] == ["[]", "[]"]
    assert "'PATH'" not in ran.output
    assert ran.problem == "ModuleNotFoundError: No module named 'memarena_aha'"


@needs_bubblewrap
def test_nothing_can_be_written_to() -> None:
    source = """
import os
for place, folders, _ in os.walk('/'):
    try:
        open(os.path.join(place, 'new'), 'w').write('x')
        print(place)
    except OSError:
        pass
print('tried')
"""
    assert sandbox.run(source).output == "tried"


@needs_bubblewrap
def test_memory_is_limited_in_one_process_and_in_many() -> None:
    assert sandbox.run("x = bytearray(10 ** 9)").problem == "MemoryError"
    forking = """
import os, time
for _ in range(8):
    if os.fork() == 0:
        held = bytearray(os.urandom(1 << 20)) * 100
        time.sleep(20)
        os._exit(0)
time.sleep(20)
"""
    problem = sandbox.run(forking).problem
    assert problem == "stopped: it used more than 256 MB" or problem.startswith("BlockingIOError")


@needs_bubblewrap
def test_functions_of_the_system_cannot_be_called_nor_namespaces_made() -> None:
    ran = sandbox.run("try:\n    import ctypes\n    print('ctypes')\nexcept ImportError:\n    print('none')")
    assert ran.output == "none" or "_ctypes" in sys.builtin_module_names
    assert {"--unshare-user", "--disable-userns"} <= set(sandbox._inside())


@needs_bubblewrap
def test_time_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "WALL_SECONDS", 1.0)
    begun = time.monotonic()
    assert sandbox.run("while True: pass").problem == "stopped after 1 s"
    assert time.monotonic() - begun < 120


@needs_bubblewrap
def test_nothing_that_a_program_started_is_left() -> None:
    source = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(300)
    os._exit(0)
print('gone')
"""
    before = set(keeper.descendants(os.getpid()))
    assert sandbox.run(source).output in ("gone", "")
    assert set(keeper.descendants(os.getpid())) <= before


def test_where_there_is_no_bubblewrap_a_program_is_refused_in_a_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox.shutil, "which", lambda name: None)
    sandbox.problem.cache_clear()
    try:
        with pytest.raises(UsageError, match="bubblewrap"):
            sandbox.run("print(1)")
    finally:
        sandbox.problem.cache_clear()
