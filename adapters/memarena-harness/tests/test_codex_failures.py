"""Failures of a model, as Codex meets them: each of its kind, within its time, with nothing left running."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from harness_play import PATIENT, ask, codex, context, hear, held_port, killing_jails, needs_codex, processes_with
from msgspec.structs import replace
from responses_server import Model, calls

from memarena_harness import codex_config
from memarena_harness.failures import HarnessFailure

pytestmark = needs_codex

KINDS = {
    "400": "failed",
    "400-context": "context too long",
    "401": "bad key",
    "403": "bad key",
    "404": "model missing",
    "429-quota": "over budget",
    "429-rate": "rate limit",
    "500": "server error",
    "503": "server error",
    "html": "cut stream",
    "empty": "cut stream",
    "malformed": "cut stream",
    "cut": "cut stream",
    "failed": "server error",
    "incomplete": "reply too long",
}


@pytest.mark.parametrize("mode", KINDS)
def test_a_failure_of_the_model_fails_the_session_and_is_told_by_its_kind(
    mode: str, model: Model, tmp_path: Path
) -> None:
    adapter = codex()
    adapter.reset(context(tmp_path / "one", model))
    model.mode = mode
    start = time.monotonic()
    with pytest.raises(HarnessFailure) as failure:
        hear(adapter, "S01", "My boat is called Marlow.")
    assert failure.value.kind == KINDS[mode], str(failure.value)
    assert time.monotonic() - start < PATIENT
    assert len(model.bodies) == 1
    assert "\n" not in str(failure.value)


@pytest.mark.parametrize("mode", ["hang", "stall"])
def test_a_model_that_never_answers_is_given_up_after_the_time_limit(mode: str, model: Model, tmp_path: Path) -> None:
    adapter = codex(seconds=3.0)
    adapter.reset(context(tmp_path / "one", model))
    model.mode = mode
    start = time.monotonic()
    with pytest.raises(HarnessFailure, match="hang"):
        hear(adapter, "S01", "My boat is called Marlow.")
    assert 3 <= time.monotonic() - start < PATIENT


def test_a_refused_connection_fails_at_once(model: Model, tmp_path: Path) -> None:
    told = context(tmp_path / "one", model)
    adapter = codex()
    start = time.monotonic()
    with held_port() as port:
        adapter.reset(replace(told, model=replace(model.endpoint, base_url=f"http://127.0.0.1:{port}/v1")))
        with pytest.raises(HarnessFailure, match="refused connection"):
            hear(adapter, "S01", "My boat is called Marlow.")
    assert time.monotonic() - start < PATIENT


def test_a_reply_without_usage_is_a_reply(model: Model, tmp_path: Path) -> None:
    adapter = codex()
    adapter.reset(context(tmp_path / "one", model))
    model.mode = "no-usage"
    hear(adapter, "S01", "My boat is called Marlow.")
    assert len(model.bodies) == 1


def test_an_endless_loop_of_calls_ends_with_the_time_limit_and_leaves_nothing_running(
    model: Model, tmp_path: Path
) -> None:
    adapter = codex(seconds=5.0)
    adapter.reset(context(tmp_path / "one", model))
    mark = f"sleep 61{os.getpid()}"
    model.says(calls(f"(setsid {mark} & ) ; {mark} & echo again"))
    with pytest.raises(HarnessFailure, match="hang"):
        hear(adapter, "S01", "My boat is called Marlow.")
    assert processes_with(mark.replace(" ", "\0")) == []
    assert processes_with(str(tmp_path)) == []


def test_the_agent_goes_on_in_its_root_after_it_was_killed(model: Model, tmp_path: Path) -> None:
    adapter = codex()
    adapter.reset(context(tmp_path / "one", model))
    model.mode = "hang"
    killer = killing_jails(tmp_path, once=lambda: bool(model.bodies))
    with pytest.raises(HarnessFailure, match="signal 9"):
        hear(adapter, "S01", "My boat is called Marlow.")
    killer.join()
    model.mode = "ok"
    hear(adapter, "S02", "My dog is called Zanetti.")


def test_a_question_that_failed_is_unanswered_with_its_reason(model: Model, tmp_path: Path) -> None:
    adapter = codex()
    adapter.reset(context(tmp_path / "one", model))
    model.mode = "500"
    assert ask(adapter, "Which boat?")[0].startswith("server error: ")


def test_a_bad_key_ends_the_cell_and_not_one_question(model: Model, tmp_path: Path) -> None:
    adapter = codex()
    adapter.reset(context(tmp_path / "one", model))
    model.mode = "401"
    with pytest.raises(HarnessFailure, match="bad key"):
        ask(adapter, "Which boat?")


def test_a_junk_answer_is_asked_for_once_more_and_then_unanswered(model: Model, tmp_path: Path) -> None:
    adapter = codex()
    adapter.reset(context(tmp_path / "one", model))
    model.says("I do not like this.")
    assert ask(adapter, "Which boat?") == [
        "junk answer: the reply has no answer to this question: 'I do not like this.'"
    ]
    assert len(model.bodies) == 2


def test_only_what_is_missing_is_asked_again(model: Model, tmp_path: Path) -> None:
    adapter = codex()
    adapter.reset(context(tmp_path / "one", model))
    model.says('{"answers": [{"id": "Q1", "answer": "teal"}]}', 'Well: {"answers": [{"id": "Q1", "answer": "two"}]}')
    assert ask(adapter, "Which colour?", "How many?") == ["teal", "two"]
    assert "Which colour?" not in str(model.bodies[1])


def test_a_program_that_is_missing_is_told_with_what_installs_it(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("MEMARENA_ENVS", str(tmp_path))
    with pytest.raises(HarnessFailure, match=r"program missing: .*memarena env create codex"):
        codex().get_capabilities()


def test_a_missing_sandbox_is_refused_unless_it_is_allowed() -> None:
    with pytest.raises(HarnessFailure, match=r"sandbox missing: .*--allow-unsandboxed"):
        codex(holder="none").get_capabilities()
    capabilities = codex(holder="none", allow_unsandboxed=True).get_capabilities()
    assert capabilities.versions["held_by"] == "none"
    assert capabilities.remarks[0].startswith("nothing held it")


def test_a_program_that_is_killed_fails_with_its_signal(model: Model, tmp_path: Path) -> None:
    adapter = codex()
    adapter.reset(context(tmp_path / "one", model))
    model.mode = "hang"
    killer = killing_jails(tmp_path, once=lambda: bool(model.bodies))
    with pytest.raises(HarnessFailure, match="failed: codex ended with signal 9"):
        hear(adapter, "S01", "My boat is called Marlow.")
    killer.join()
    assert processes_with(str(tmp_path)) == []


def test_a_setting_that_codex_does_not_know_is_told_as_such(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = codex_config.config
    monkeypatch.setattr(codex_config, "config", lambda *told, **more: "nonsense = 1\n" + written(*told, **more))
    adapter = codex()
    adapter.reset(context(tmp_path / "one", model))
    with pytest.raises(HarnessFailure, match=r"wrong configuration: .*nonsense"):
        hear(adapter, "S01", "My boat is called Marlow.")
    assert model.bodies == []
