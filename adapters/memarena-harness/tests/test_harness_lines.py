"""A program that is asked lines in its jail, within its limits, and of which nothing is left."""

from __future__ import annotations

import json
import math
import os
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from harness_play import PATIENT, needs_jail, processes_with

from memarena.childprocess import ProcessEnded, TimeLimit
from memarena.records import Endpoint
from memarena_harness.jail import PATH, PORT, Jail
from memarena_harness.limits import Limits
from memarena_harness.lines import LineProgram
from memarena_harness.preflight import choose
from memarena_harness.programs import bubblewraps
from memarena_harness.roots import Root

pytestmark = needs_jail

ECHO = 'while read -r line; do echo "<$line>"; done'


def program(folder: Path, line: str, *, unheld: bool = False, gateway: Any = None, **limits: Any) -> LineProgram:
    root = Root.below(folder / "root")
    root.make()
    return LineProgram(
        ["/bin/sh", "-c", line],
        root=root,
        jail=Jail(kind="none") if unheld else choose(bubblewraps()),
        environment={"PATH": PATH},
        gateway=gateway,
        limits=Limits(**{"seconds": math.inf, **limits}) if limits else None,
    )


@pytest.mark.parametrize("unheld", [False, True])
def test_each_line_is_answered_by_the_next_one(tmp_path: Path, unheld: bool) -> None:
    asked = program(tmp_path, ECHO, unheld=unheld)
    assert [asked.ask(b"one", PATIENT), asked.ask("zwölf".encode(), PATIENT)] == [b"<one>", "<zwölf>".encode()]
    asked.close()
    with pytest.raises(ProcessEnded, match="it was closed"):
        asked.ask(b"three")


def test_without_limits_it_may_run_for_any_time(tmp_path: Path) -> None:
    asked = program(tmp_path, ECHO, unheld=True)
    assert asked._process.limits == Limits(seconds=math.inf)
    asked.close()


def test_a_line_longer_than_any_pipe_goes_both_ways(tmp_path: Path) -> None:
    asked = program(tmp_path, 'exec python3 -uc "import sys; [print(line[:-1] * 2) for line in sys.stdin]"')
    assert asked.ask(b"x" * 1_000_000, PATIENT) == b"x" * 2_000_000
    asked.close()


def test_how_it_ended_is_told_with_its_last_words_in_every_later_call_too(tmp_path: Path) -> None:
    asked = program(tmp_path, "echo I am ill >&2; exit 3")
    for _ in range(2):
        with pytest.raises(ProcessEnded, match="ended with exit code 3; the end of its output: I am ill"):
            asked.ask(b"x", PATIENT)


def test_who_takes_too_long_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    mark = f"{os.getpid()}91"
    asked = program(tmp_path, f"setsid sleep {mark} & read line; sleep {mark}")
    start = time.monotonic()
    with pytest.raises(TimeLimit, match="no answer within 1 s"):
        asked.ask(b"x", 1.0)
    assert time.monotonic() - start < PATIENT
    assert processes_with(f"sleep\0{mark}") == []


def test_who_closes_its_output_and_stays_is_ended(tmp_path: Path) -> None:
    asked = program(tmp_path, "exec >&-; exec sleep 600", unheld=True)  # a jail holds it open
    with pytest.raises(ProcessEnded, match="closed its side"):
        asked.ask(b"x", PATIENT)


@pytest.mark.parametrize(
    ("line", "limits", "why"),
    [
        (
            'python3 -c "x = bytearray(300 << 20); import time; time.sleep(600)"',
            {"memory_bytes": 100 << 20},
            "held more than 100 MiB",
        ),
        ("head -c 30000000 /dev/zero > big; sleep 600", {"disk_bytes": 20 << 20}, "took more than 20 MiB"),
        ("for i in $(seq 60); do sleep 600 & done; wait", {"processes": 30}, "more than 30 processes"),
    ],
)
def test_a_limit_ends_it_while_nobody_asks(tmp_path: Path, line: str, limits: dict[str, int], why: str) -> None:
    asked = program(tmp_path, line, **limits)
    until = time.monotonic() + PATIENT
    while any(thread.name == "memarena-lines" for thread in threading.enumerate()):
        assert time.monotonic() < until
        time.sleep(0.05)
    with pytest.raises(ProcessEnded, match=why):
        asked.ask(b"x", PATIENT)


def test_the_model_is_the_one_place_that_it_reaches(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")

        threading.Thread(target=answer, daemon=True).start()
        other = server.getsockname()[1]
        script = (
            "import json, sys, urllib.request\n"
            "for line in sys.stdin:\n"
            "    try:\n"
            "        print(json.dumps(urllib.request.urlopen(json.loads(line)).read().decode()), flush=True)\n"
            "    except OSError as error:\n"
            "        print(json.dumps(type(error).__name__), flush=True)\n"
        )
        model = Endpoint(base_url=f"http://127.0.0.1:{other}/v1", model="m", api_key="k")
        asked = program(tmp_path, f"exec python3 -c '{script}'", gateway=model)
        said = [asked.ask(json.dumps(f"http://127.0.0.1:{port}/").encode(), PATIENT) for port in (other, PORT)]
        assert said == [b'"URLError"', b'"hello"']
        asked.close()
