"""An adapter in a process of its own that ends, however it ends: nothing of it is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from textwrap import dedent

from hosted_rig import NAP, PATIENT, PLACE, fails, is_gone, start, turn

from memarena import keeper, processes
from memarena.hosted import HostedAdapter


def keeper_of(marker: str) -> int:
    """The one of an adapter's processes that this process started."""
    (found,) = [pid for pid in processes.marked(marker) if keeper.stat_of(pid)[1:2] == [str(os.getpid())]]
    return found


def sleepers() -> set[int]:
    """The processes that `leave a daemon` leaves."""
    found = set()
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and (folder / "cmdline").read_bytes() == f"sleep\0{NAP}\0".encode():
                found.add(int(folder.name))
        except OSError:
            continue
    return found


def test_a_daemon_that_hides_ends_with_the_adapter(host, tmp_path):
    rig = start(host(), tmp_path)
    rig.ingest_turn(turn("leave a daemon"))
    until = time.monotonic() + PATIENT
    while not (left := sleepers()) and time.monotonic() < until:
        time.sleep(0.01)
    assert len(left) == 1
    rig.adapter.close()
    assert not left & sleepers()


def test_nothing_is_left_where_the_keeper_itself_was_killed(host, tmp_path):
    rig = start(host(), tmp_path)
    assert "the process that keeps it was killed" in fails(rig, "kill the keeper")
    assert is_gone(rig.adapter.marker)


def test_a_keeper_that_is_told_to_end_ends_everything(host, tmp_path):
    rig = start(host(), tmp_path)
    timer = threading.Timer(0.2, os.kill, (keeper_of(rig.adapter.marker), signal.SIGTERM))
    timer.start()
    assert "its process was killed by signal 9" in fails(rig, "hang")
    assert is_gone(rig.adapter.marker)
    timer.join()


def test_a_call_that_waits_fails_when_another_thread_kills(host, tmp_path):
    rig = start(host(), tmp_path)
    timer = threading.Timer(0.3, rig.adapter.kill)
    timer.start()
    assert "its processes were killed" in fails(rig, "hang")
    timer.join()


def test_closing_twice_is_fine_and_a_closed_adapter_says_so(host, tmp_path):
    rig = start(host(), tmp_path)
    rig.adapter.close()
    rig.adapter.close()
    assert fails(rig, "be nice") == "x.ingest_turn: ProcessEnded: it was closed"


def test_an_adapter_that_is_dropped_ends():
    adapter = HostedAdapter("x", "verbatim")
    marker = adapter.marker
    assert len(processes.marked(marker)) == 2
    del adapter
    assert processes.marked(marker) == []


def test_a_parent_that_is_killed_leaves_nothing(tmp_path):
    script = """
    import os, sys
    from memarena.hosted import HostedAdapter
    from memarena.records import RunContext, Turn
    adapter = HostedAdapter("x", "hosted_hazards:Hazard", environment={"NAP": os.environ["NAP"]})
    adapter.reset(RunContext(folder=sys.argv[1], namespace="x"))
    adapter.ingest_turn(Turn(turn_id="t", session_id="S01", index=0, text="leave a daemon"))
    print(adapter.marker, flush=True)
    adapter.ingest_turn(Turn(turn_id="u", session_id="S01", index=1, text="hang"))
    """
    words = [sys.executable, "-c", dedent(script), str(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, encoding="utf-8", env={**os.environ, **PLACE}) as parent:
        marker = parent.stdout.readline().strip()
        assert processes.marked(marker)
        os.kill(parent.pid, signal.SIGKILL)
    assert is_gone(marker)
    assert not sleepers()
