from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from memarena import childprocess, keeper, linepipe, processes
from memarena.errors import AdapterContractError, AdapterFailure, PluginError, PluginLoadError, StoreError, UsageError
from memarena.hosted import HostedAdapter, Limits
from memarena.instruments.boundary import Boundary
from memarena.records import Attachment, RunContext, Turn
from memarena.rig import Rig

HERE = str(Path(__file__).parent)
NAP = f"3600.{os.getpid()}"
"""Seconds that a daemon sleeps, by which those of these tests are told from others on this machine."""
PLACE = {"PYTHONPATH": HERE, "NAP": NAP}
PATIENT = 120.0
"""Seconds that a busy machine may take for what it does at once when it is idle."""


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Callable[..., HostedAdapter]]:
    """`host("Hazard", ...)`: a hazard in a process of its own, closed at the end, its log in `tmp_path/log`."""
    made: list[HostedAdapter] = []

    def make(name: str = "Hazard", **settings: Any) -> HostedAdapter:
        settings = {"environment": PLACE, "log": tmp_path / "log", **settings}
        made.append(HostedAdapter("x", f"hosted_hazards:{name}", **settings))
        return made[-1]

    yield make
    for adapter in made:
        adapter.kill()


def start(adapter: HostedAdapter, folder: Path) -> Rig:
    rig = Rig("x", adapter, (Boundary(),))
    rig.reset(RunContext(folder=str(folder), namespace="x"))
    return rig


def turn(text: str, number: int = 0) -> Turn:
    return Turn(turn_id=f"S01:T{number:03}", session_id="S01", index=number, text=text, body=text)


def fails(rig: Rig, deed: str) -> str:
    with pytest.raises(AdapterFailure) as caught:
        rig.ingest_turn(turn(deed))
    return str(caught.value)


def log_of(folder: Path) -> str:
    return (folder / "log").read_text(encoding="utf-8")


def is_logged(folder: Path, text: str) -> bool:
    """Whether `text` comes to stand in the log, which another process writes."""
    until = time.monotonic() + PATIENT
    while text not in log_of(folder) and time.monotonic() < until:
        time.sleep(0.02)
    return text in log_of(folder)


def is_gone(marker: str) -> bool:
    until = time.monotonic() + PATIENT
    while processes.marked(marker) and time.monotonic() < until:
        time.sleep(0.01)
    return not processes.marked(marker)


# -- what passes through ----------------------------------------------------------------------


def test_what_was_heard_is_kept_and_found(host, tmp_path):
    rig = start(host(), tmp_path)
    rig.ingest_turn(turn("The budget is 51,300."))
    rig.end_session("S01")
    assert [item.text for item in rig.snapshot_memories()] == ["user: The budget is 51,300."]
    assert rig.export_memory_delta("S01")[0].op == "add"
    assert rig.retrieve("budget", 1).items[0].memory_id == "S01:T000"


def test_a_rig_sees_the_arguments_that_the_other_side_takes(host):
    rig = Rig("x", host())
    assert rig.honours["retrieve"] == ["query", "top_k"]
    assert "answer" not in rig.honours


def test_every_argument_arrives_as_it_was_sent(host, tmp_path):
    rig = start(host("TakesAll"), tmp_path)
    found = rig.retrieve("q", 3, time="2026-01-01", attachments=(Attachment(image_id="i"),), budget_tokens=9)
    assert found.trace["came"] == [3, "2026-01-01", ["Attachment"], "tuple", 9]
    assert rig.retrieve("q", 3).trace["came"] == [3, None, [], "tuple", None]
    assert rig.answer([]) == ()


def test_options_reach_the_adapter_and_not_its_command_line(host, tmp_path):
    rig = start(host("WithOptions", options={"size": 9, "key": "sk-secret"}), tmp_path)
    assert rig.get_capabilities().versions == {"size": "9"}
    shown = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in processes.marked(rig.adapter.marker)]
    assert len(shown) == 2
    assert not any(b"sk-secret" in line for line in shown)


def test_an_installed_adapter_is_known_by_name_with_distribution_and_version():
    adapter = HostedAdapter("x", "verbatim")
    assert (adapter.plugin.name, adapter.plugin.distribution) == ("verbatim", "memarena")
    assert "Python 3." in adapter.runtime
    adapter.close()


def test_broken_unicode_and_a_long_turn_pass(host, tmp_path):
    rig = start(host(), tmp_path)
    rig.ingest_turn(turn("lone \ud800 surrogate, NUL \x00, emoji 👩‍🚀\n", 0))
    rig.ingest_turn(turn("y" * 3_000_000, 1))
    first, second = rig.snapshot_memories()
    assert first.text == "user: lone \ufffd surrogate, NUL \x00, emoji 👩‍🚀\n"
    assert len(second.text) == 3_000_006


def test_after_a_hard_reset_another_process_opens_the_folder_again(host, tmp_path):
    rig = start(host("Persistent"), tmp_path)
    rig.ingest_turn(turn("The budget is 51,300."))
    rig.end_session("S01")
    rig.adapter.kill()
    other = Rig("x", host("Persistent"), (Boundary(),))
    other.reopen(RunContext(folder=str(tmp_path), namespace="x"))
    assert [item.text for item in other.snapshot_memories()] == ["user: The budget is 51,300."]


# -- the world of the process -----------------------------------------------------------------


def test_no_key_and_no_setting_of_ours_is_in_its_environment(host, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("MEMARENA_OUT", "here")
    monkeypatch.setenv("TZ", "UTC")
    seen = start(host("SaysItsPlace"), tmp_path).retrieve("", 1).trace["environment"]
    assert not [name for name, value in seen.items() if "secret" in value or name == "MEMARENA_OUT"]
    assert seen["TZ"] == "UTC"


def test_its_home_and_working_directory_are_private_and_vanish_with_it(host, tmp_path):
    adapter = host("SaysItsPlace")
    seen = start(adapter, tmp_path).retrieve("", 1).trace
    place = Path(seen["cwd"])
    assert seen["environment"]["HOME"] == seen["environment"]["TMPDIR"] == str(place)
    assert place != Path.cwd()
    adapter.close()
    assert not place.exists()


def test_its_options_name_files_from_where_the_run_is_started(host, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "settings.txt").write_text("blue", encoding="utf-8")
    found = Rig("x", host("ReadsItsFile", options={"file": "settings.txt"})).get_capabilities().versions
    assert found["said"] == "blue"
    assert found["cwd"] != str(tmp_path)


def test_what_it_prints_is_its_log_and_no_answer(host, tmp_path):
    rig = start(host(), tmp_path)
    rig.ingest_turn(turn("print"))
    assert [item.text for item in rig.snapshot_memories()] == ["user: print"]
    rig.adapter.close()
    for words in ("printed to stdout", "printed to stderr", "written to descriptor 1", "echoed by a child", "forged"):
        assert words in log_of(tmp_path)


def test_standard_input_is_empty(host, tmp_path):
    rig = start(host(), tmp_path)
    rig.ingest_turn(turn("read stdin"))
    assert len(rig.snapshot_memories()) == 1


def test_a_log_has_a_bounded_size_and_holds_the_newest_output(host, tmp_path):
    rig = start(host(), tmp_path)
    rig.ingest_turn(turn("print a lot"))
    rig.adapter.close()
    assert (tmp_path / "log").stat().st_size < 1_100_000
    assert "line 0 " in log_of(tmp_path)
    assert "bytes are left out here" in log_of(tmp_path)
    assert "line 39999 " in log_of(tmp_path)


# -- failures ---------------------------------------------------------------------------------


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


# -- what cannot be mounted -------------------------------------------------------------------


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


# -- other programs ---------------------------------------------------------------------------


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
