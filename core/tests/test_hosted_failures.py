"""An adapter in a process of its own that fails, hangs, dies or cannot be mounted."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hosted_rig import PATIENT, fails, is_gone, log_of, start, turn

from memarena import childprocess, linepipe
from memarena.errors import AdapterContractError, AdapterFailure, PluginError, PluginLoadError, StoreError, UsageError
from memarena.hosted import HostedAdapter, Limits
from memarena.rig import Rig


def is_logged(folder: Path, text: str) -> bool:
    """Whether `text` comes to stand in the log, which another process writes."""
    until = time.monotonic() + PATIENT
    while text not in log_of(folder) and time.monotonic() < until:
        time.sleep(0.02)
    return text in log_of(folder)


def test_an_error_has_the_name_and_the_message_that_it_has_in_process(host, tmp_path):
    rig = start(host(), tmp_path)
    assert fails(rig, "raise") == "x.ingest_turn: ValueError: no such index"
    rig.ingest_turn(turn("be nice"))
    assert is_logged(tmp_path, "raise_value_error")


def test_the_traceback_of_the_other_side_is_the_cause(host, tmp_path):
    rig = start(host(), tmp_path)
    with pytest.raises(AdapterFailure) as caught:
        rig.ingest_turn(turn("raise"))
    assert "in raise_value_error" in str(caught.value.__cause__.__cause__)


def test_system_exit_is_an_error_and_not_the_end(host, tmp_path):
    rig = start(host(), tmp_path)
    assert fails(rig, "sys.exit") == "x.ingest_turn: SystemExit: no more"
    rig.ingest_turn(turn("be nice"))


def test_an_error_in_a_thread_is_in_the_log(host, tmp_path):
    rig = start(host(), tmp_path)
    rig.ingest_turn(turn("raise in a thread"))
    rig.adapter.close()
    assert "ZeroDivisionError" in log_of(tmp_path)


def test_a_segfault_is_named_and_the_log_shows_where(host, tmp_path):
    rig = start(host(), tmp_path)
    assert "its process was killed by signal 11 (SIGSEGV)" in fails(rig, "segfault")
    assert "in segfault" in log_of(tmp_path)


def test_an_exit_is_named_with_its_code(host, tmp_path):
    assert "its process ended with exit code 3" in fails(start(host(), tmp_path), "exit")


def test_every_later_call_fails_with_the_same_reason(host, tmp_path):
    rig = start(host(), tmp_path)
    fails(rig, "exit")
    assert "its process ended with exit code 3" in fails(rig, "be nice")


@pytest.mark.parametrize("deed", ["hang", "refuse to end"])
def test_a_hang_ends_at_the_time_limit(host, tmp_path, deed):
    rig = start(host(limits=Limits(seconds=10 * PATIENT, by_method={"ingest_turn": 0.3})), tmp_path)
    begin = time.monotonic()
    assert "TimeLimit: no answer within 0.3 s" in fails(rig, deed)
    assert time.monotonic() - begin < PATIENT
    assert is_gone(rig.adapter.marker)


def test_without_a_limit_a_call_may_take_its_time(host, tmp_path):
    rig = start(host(limits=Limits(seconds=0)), tmp_path)
    rig.ingest_turn(turn("be nice"))


@pytest.mark.parametrize("deed", ["eat memory", "let a child eat memory"])
def test_too_much_memory_ends_it(host, tmp_path, deed):
    rig = start(host(limits=Limits(memory_mib=150)), tmp_path)
    assert "over the limit of 150 MiB" in fails(rig, deed)
    assert is_gone(rig.adapter.marker)


def test_a_fork_that_holds_the_pipe_does_not_hide_that_the_adapter_is_gone(host, tmp_path):
    rig = start(host(), tmp_path)
    begin = time.monotonic()
    assert "its process ended with exit code 0" in fails(rig, "fork and die")
    assert time.monotonic() - begin < PATIENT
    assert is_gone(rig.adapter.marker)


def test_a_copy_of_the_adapter_that_goes_on_answers_nothing(host, tmp_path):
    rig = start(host(), tmp_path)
    for number in range(3):
        rig.ingest_turn(turn("fork and both go on", number))
    assert len(rig.snapshot_memories()) == 3


@pytest.mark.parametrize(
    ("name", "options", "error", "words"),
    [
        ("WithOptions", {"siez": 1}, UsageError, "has no option 'siez'; did you mean 'size'"),
        ("WithDefault", {}, AdapterContractError, r"x\.retrieve\(top_k=3\): give no default"),
        ("CannotBeMade", {}, PluginLoadError, "its constructor raised OSError: no libfoo"),
        ("NotThere", {}, PluginLoadError, "has no attribute 'NotThere'"),
    ],
)
def test_what_cannot_be_mounted_is_the_same_error_as_in_process(host, name, options, error, words):
    with pytest.raises(error, match=words):
        host(name, options=options)


def test_an_adapter_that_is_not_installed_there_says_what_to_install():
    with pytest.raises(PluginError, match="unknown adapter 'nosuch'"):
        HostedAdapter("x", "nosuch")


def test_an_interpreter_may_be_named_from_where_we_are(host, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert Rig("x", host(python=os.path.relpath(sys.executable))).get_capabilities().verbatim


def test_an_interpreter_that_is_not_there_is_named(tmp_path):
    with pytest.raises(PluginLoadError, match=r"cannot be started: .*No such file or directory"):
        HostedAdapter("x", "verbatim", python=tmp_path / "python")


def test_an_interpreter_without_memarena_says_how_to_make_one(tmp_path):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")], check=True)
    with pytest.raises(
        PluginLoadError, match="has no memarena; make an environment with: memarena env create verbatim"
    ):
        HostedAdapter("x", "verbatim", python=tmp_path / "bare" / "bin" / "python")


def test_what_does_not_fit_a_record_is_refused_as_in_process(host, tmp_path):
    with pytest.raises(AdapterFailure, match="two items share an id"):
        start(host("Doubles"), tmp_path).snapshot_memories()
    with pytest.raises(AdapterFailure, match=r"Expected `str`, got `int` - at `\$.*text`"):
        start(host("Untyped"), tmp_path).snapshot_memories()


def test_what_its_processes_used_is_measured(host, tmp_path):
    rig = start(host(), tmp_path)
    rig.ingest_turn(turn("be nice"))
    live = rig.adapter.used()
    rig.adapter.close()
    assert 0 < live.cpu_seconds <= rig.adapter.used().cpu_seconds + 0.02
    assert 5_000_000 < live.peak_bytes < 500_000_000


def test_a_dropped_and_a_closed_adapter_leave_no_descriptor_open():
    gc.collect()  # what other tests dropped is closed before it is counted
    before = sorted(Path("/proc/self/fd").iterdir())
    HostedAdapter("x", "verbatim").close()
    HostedAdapter("x", "verbatim")
    assert sorted(Path("/proc/self/fd").iterdir()) == before


@pytest.mark.parametrize(
    ("code", "seconds", "grace", "words"),
    [
        ("import os, time; os.close(1); time.sleep(3600)", PATIENT, 0.2, "it closed its side of the protocol; its "),
        ("while True: print('{}')", 0.5, 0.2, r"no answer within 0\.5 s"),
        ("import time; time.sleep(3600)", 0.5, 0.2, r"no answer within 0\.5 s"),
        ("raise SystemExit(4)", PATIENT, PATIENT, "its process ended with exit code 4"),
        ("print('x' * 3000000)", PATIENT, 0.2, "it wrote a line of more than 1 MiB; its processes were killed"),
    ],
)
def test_a_program_that_does_not_keep_to_the_protocol_ends_with_the_reason(monkeypatch, code, seconds, grace, words):
    monkeypatch.setattr(childprocess, "GRACE", grace)
    monkeypatch.setattr(linepipe, "LINE_BYTES", 1 << 20)
    monkeypatch.setattr(childprocess, "LINE_BYTES", 1 << 20)
    with pytest.raises(PluginLoadError, match=words):
        HostedAdapter("x", command=[sys.executable, "-c", code], limits=Limits(start_seconds=seconds))


def test_a_log_that_cannot_be_written_is_a_store_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="file"):
        HostedAdapter("x", "verbatim", log=tmp_path / "file" / "log")
