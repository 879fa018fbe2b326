"""What holds a program: what it sees, what it may use, and that nothing of it is left."""

from __future__ import annotations

import os
import platform
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from harness_play import PATIENT, jail_problem, needs_jail, processes_with, words_of

from memarena.records import Endpoint
from memarena_harness.failures import HarnessFailure
from memarena_harness.jail import PATH, Jail
from memarena_harness.limits import Ended, Limits
from memarena_harness.preflight import choose
from memarena_harness.programs import bubblewraps
from memarena_harness.pump import Pump
from memarena_harness.roots import Root
from memarena_harness.running import Process, run
from memarena_harness.traffic import Traffic
from memarena_harness.usage import on_disk

pytestmark = needs_jail


@pytest.fixture
def root(tmp_path: Path) -> Root:
    made = Root.below(tmp_path / "agent")
    made.make()
    return made


def shell(root: Root, line: str, *, unheld: bool = False, gateway: Any = None, **limits: Any) -> Ended:
    jail = Jail(kind="none") if unheld else choose(bubblewraps())
    told = Limits(**{"seconds": PATIENT, **limits})
    return run(["/bin/sh", "-c", line], root=root, jail=jail, environment={"PATH": PATH}, gateway=gateway, limits=told)


def sleeping(mark: str) -> list[str]:
    """The processes that are `sleep mark` by now, and not yet on the way to it."""
    return [line for line in processes_with(f"sleep\0{mark}") if line.startswith("sleep ")]


def model_at(server: socket.socket) -> Endpoint:
    return Endpoint(base_url=f"http://127.0.0.1:{server.getsockname()[1]}/v1", model="none", api_key="")


def test_a_program_sees_its_root_at_the_same_place_everywhere(root: Root) -> None:
    ended = shell(root, "pwd; ls /agent; id -u; hostname; echo hi > note")
    assert ended.output.decode().split() == ["/agent/workspace", "home", "state", "temp", "workspace", "1000", "agent"]
    assert (root.workspace / "note").read_text(encoding="utf-8") == "hi\n"


def test_a_program_sees_nothing_else_of_the_host(root: Root, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x", encoding="utf-8")
    ended = shell(root, f"cat {tmp_path}/secret /etc/shadow; ls /root /work /proc/{os.getpid()} 2>&1; env")
    assert b"memarena" not in ended.output
    assert "No such file" in ended.said


def test_nothing_but_the_root_can_be_written(root: Root) -> None:
    places = "/ /etc /usr /dev /agent /sys /proc/sys/kernel"
    ended = shell(root, f"for d in {places}; do touch $d/x && echo $d; done 2>/dev/null")
    assert ended.output == b""


def test_the_gateway_is_the_only_thing_that_can_be_reached(root: Root) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gateway, socket.create_server(("127.0.0.1", 0)) as other:

        def answer() -> None:
            connection, _ = gateway.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"hello")

        threading.Thread(target=answer, daemon=True).start()
        other.settimeout(0.1)
        said = r"b'GET / HTTP/1.1\r\n\r\n'"
        try_ = (
            "import socket; s = socket.create_connection(('127.0.0.1', {}), 99); s.send(" + said + "); print(s.recv(9))"
        )
        lines = [f'python3 -c "{try_.format(port)}"' for port in (8080, other.getsockname()[1])]
        ended = shell(root, "; ".join(lines), gateway=model_at(gateway))
        assert ended.output == b"b'hello'\n"
        with pytest.raises(TimeoutError):
            other.accept()


@pytest.mark.parametrize("unheld", [False, True])
def test_all_processes_are_gone_afterwards(root: Root, unheld: bool) -> None:
    mark = f"{os.getpid()}81{int(unheld)}"
    ended = shell(root, f"(setsid nohup sleep {mark} >/dev/null 2>&1 &) ; sleep {mark} & echo done", unheld=unheld)
    assert (ended.exit, ended.output) == (0, b"done\n")
    assert processes_with(f"sleep\0{mark}") == []


@pytest.mark.parametrize("unheld", [False, True])
def test_the_time_limit_ends_all(root: Root, unheld: bool) -> None:
    mark = f"{os.getpid()}82{int(unheld)}"
    start = time.monotonic()
    ended = shell(root, f"setsid sleep {mark} & trap '' TERM INT; sleep {mark}", unheld=unheld, seconds=1.0)
    assert ended.broke == "time"
    assert time.monotonic() - start < PATIENT
    assert processes_with(f"sleep\0{mark}") == []


@pytest.mark.parametrize("place", ["/agent/workspace", "/tmp", "/dev/shm"])
def test_the_disk_limit_counts_files_and_memory(root: Root, place: str) -> None:
    line = f"for i in 1 2 3 4 5 6; do head -c 10000000 /dev/zero > {place}/$i; done; sleep 600"
    assert shell(root, line, disk_bytes=20 << 20).broke == "disk"


def test_many_empty_files_count_as_well(root: Root) -> None:
    (root.workspace / "d").mkdir()
    for place in range(300):
        (root.workspace / "d" / str(place)).touch()
    assert on_disk(str(root.folder), 1 << 30) >= 300 * 4096
    assert on_disk(str(root.folder), 100_000) > 100_000


def test_the_memory_limit_ends_the_call(root: Root) -> None:
    line = 'python3 -c "x = bytearray(300 << 20); import time; time.sleep(600)"'
    assert shell(root, line, memory_bytes=100 << 20).broke == "memory"


def test_the_limit_of_processes_ends_the_call(root: Root) -> None:
    assert shell(root, "for i in $(seq 60); do sleep 600 & done; wait", processes=30).broke == "processes"


def test_a_program_inside_can_be_dialled(root: Root) -> None:
    serve = "import socket; s = socket.create_server(('127.0.0.1', 9000)); c, _ = s.accept(); c.sendall(b'inside')"
    process = Process(
        ["/bin/sh", "-c", f'python3 -c "{serve}"'],
        root=root,
        jail=choose(bubblewraps()),
        environment={"PATH": PATH},
        limits=Limits(seconds=PATIENT),
        dial=9000,
    )
    connection = None
    while connection is None and not process.wait(0.02):
        connection = process.connect(9000)
    assert connection is not None
    with connection:
        assert connection.recv(100) == b"inside"
    assert process.watch().exit == 0


def test_what_stands_still_changes_nothing_and_what_does_not_last_is_ended(root: Root) -> None:
    mark = f"{os.getpid()}84"
    writing = "i=0; while true; do i=$((i+1)); echo $i > count; sleep 0.02; done"
    process = Process(
        ["/bin/sh", "-c", f"({writing}) & {writing.replace('count', 'other')} & setsid sleep {mark} & wait"],
        root=root,
        jail=choose(bubblewraps()),
        environment={"PATH": PATH},
    )
    places = [root.workspace / name for name in ("count", "other")]
    while not all(map(Path.exists, places)) or not sleeping(mark):
        assert not process.wait(0.02)
    lasting = {pid for pid in process.processes() if not words_of(Path("/proc", str(pid))).startswith("sleep")}
    assert process.pause(lasting)
    assert processes_with(f"sleep\0{mark}") == []
    before = [place.read_bytes() for place in places]
    time.sleep(0.3)
    assert [place.read_bytes() for place in places] == before
    process.go_on()
    until = time.monotonic() + PATIENT
    while places[0].read_bytes() == before[0]:
        assert time.monotonic() < until
        time.sleep(0.02)
    process.end()


HIDDEN = {
    "files without a name": "fs = [os.memfd_create(str(i)) for i in range(8)]",
    "deleted files": "fs = [os.open(str(i), 66) for i in range(8)]; [os.unlink(str(i)) for i in range(8)]",
}


@pytest.mark.parametrize("opening", HIDDEN.values(), ids=HIDDEN)
def test_the_disk_limit_counts_what_no_folder_shows(opening: str, root: Root) -> None:
    fill = f"import os, time; {opening}; [os.write(f, bytes(10_000_000)) for f in fs]; time.sleep(600)"
    assert shell(root, f'python3 -c "{fill}"', disk_bytes=40 << 20).broke == "disk"


@pytest.mark.parametrize("kind", ["tmpfs", "ramfs"])
def test_the_disk_limit_counts_what_it_mounts_itself(kind: str, root: Root) -> None:
    fill = f"mount -t {kind} none m && for i in 1 2 3 4 5 6; do head -c 10000000 /dev/zero > m/$i; done; sleep 600"
    ended = shell(root, f"mkdir m; unshare -Urm sh -c '{fill}'", disk_bytes=40 << 20)
    if ended.broke != "disk":
        assert "denied" in ended.said or "not permitted" in ended.said, ended.said


def test_keys_of_whoever_started_it_cannot_be_found_and_nothing_be_left_with_them(tmp_path: Path) -> None:
    call = "import ctypes; c = ctypes.CDLL(None).syscall; {}"
    add = "print(c(248, b'user', b'planted', b'x', 1, -3) > 0)"
    find = "print(c(250, 10, -3, b'user', b'planted', 0) > 0)"
    script = (
        "import ctypes, sys\n"
        "from pathlib import Path\n"
        "from memarena_harness.preflight import choose\n"
        "from memarena_harness.programs import bubblewraps\n"
        "from memarena_harness.roots import Root\n"
        "from memarena_harness.running import run\n"
        f"c = ctypes.CDLL(None).syscall; c(250, 1, None); {add}; {find}\n"
        f"root = Root.below(Path({str(tmp_path / 'agent')!r})); root.make()\n"
        f"for what in ({add!r}, {find!r}, {find!r}):\n"
        f"    words = ['/usr/bin/python3', '-c', {call!r}.format(what)]\n"
        "    print(run(words, root=root, jail=choose(bubblewraps()), environment={}).output.decode().strip())\n"
    )
    if platform.machine() != "x86_64":
        pytest.skip("the numbers of the calls are those of x86_64")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == ["True", "True", "True", "False", "False"]


def test_a_bubblewrap_that_cannot_run_is_told_with_its_words(tmp_path: Path) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: Creating new namespace failed' >&2\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    with pytest.raises(HarnessFailure, match=r"sandbox missing: .*Creating new namespace failed.*--allow-unsandboxed"):
        choose([str(broken)])
    jail = choose([str(broken)], allow_unsandboxed=True)
    assert (jail.kind, "Creating new namespace failed" in jail.why) == ("none", True)


def test_the_next_bubblewrap_is_tried_where_one_cannot_run(tmp_path: Path) -> None:
    assert choose([str(tmp_path / "none"), *bubblewraps()]).kind == "bubblewrap"


def test_the_sandbox_of_the_harness_comes_second(tmp_path: Path) -> None:
    assert choose([], own=lambda: "").kind == "own"
    with pytest.raises(HarnessFailure, match="own sandbox: it is ill"):
        choose([], own=lambda: "it is ill")


def test_a_pump_ends_also_while_it_sends_to_somebody_who_does_not_read() -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        door = socket.create_server(("127.0.0.1", 0))
        pump = Pump(door, model_at(deaf))
        with socket.create_connection(door.getsockname()) as sender:
            sender.settimeout(0.5)
            sender.sendall(b"POST / HTTP/1.1\r\nContent-Length: 67108864\r\n\r\n")
            with pytest.raises(TimeoutError):
                sender.sendall(b"x" * (64 << 20))
            start = time.monotonic()
            pump.close()
        assert time.monotonic() - start < PATIENT


def test_the_last_answer_says_what_went_wrong() -> None:
    traffic = Traffic()
    assert traffic.failure() is None
    for head, body, kind in (
        (b"200 OK", b"", None),
        (b"401 Unauthorized", b"", "bad key"),
        (b"429 Too Many Requests", b"", "rate limit"),
        (b"429 Too Many Requests", b'{"error": {"type": "insufficient_quota"}}', "over budget"),
        (b"503 Busy", b"", "server error"),
        (b"200 OK", b"", None),
    ):
        traffic.answered(b"HTTP/1.1 " + head + b"\r\n\r\n")
        traffic.answered(body)
        assert traffic.failure() == kind


def test_this_machine_can_hold_agents() -> None:
    assert jail_problem() == ""


@pytest.mark.parametrize("unheld", [False, True])
def test_an_agent_ends_with_the_process_that_started_it(root: Root, unheld: bool) -> None:
    mark = f"{os.getpid()}83{int(unheld)}"
    script = (
        "from pathlib import Path\n"
        "from memarena_harness.jail import Jail\n"
        "from memarena_harness.preflight import choose\n"
        "from memarena_harness.programs import bubblewraps\n"
        "from memarena_harness.roots import Root\n"
        "from memarena_harness.running import run\n"
        f"jail = Jail(kind='none') if {unheld} else choose(bubblewraps())\n"
        f"root = Root.below(Path({str(root.folder)!r}))\n"
        f"run(['/bin/sh', '-c', 'setsid sleep {mark} & sleep {mark}'], root=root, jail=jail, environment={{}})\n"
    )
    starter = subprocess.Popen([sys.executable, "-c", script])
    until = time.monotonic() + PATIENT
    while len(sleeping(mark)) < 2:
        assert time.monotonic() < until
        time.sleep(0.02)
    starter.kill()
    starter.wait()
    until = time.monotonic() + PATIENT
    while (left := processes_with(f"sleep\0{mark}")) and time.monotonic() < until:
        time.sleep(0.02)
    assert left == []
