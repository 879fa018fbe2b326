"""An adapter in a process of its own: what passes through, the world of the process, what it prints."""

from __future__ import annotations

from pathlib import Path

from hosted_rig import log_of, start, turn

from memarena import processes
from memarena.hosted import HostedAdapter
from memarena.instruments.boundary import Boundary
from memarena.records import Attachment, RunContext
from memarena.rig import Rig


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
