"""Failures of a model, as OpenClaw meets them: each of its kind, within its time, with nothing left running."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from chat_server import ChatModel
from harness_play import ask, context, hear, held_port, killing_jails, processes_with
from msgspec.structs import replace
from openclaw_play import needs_openclaw, openclaw

from memarena_harness import openclaw_config
from memarena_harness.failures import HarnessFailure

pytestmark = needs_openclaw

AT_ONCE = {
    "400": "failed",
    "400-context": "context too long",
    "401": "bad key",
    "403": "bad key",
    "404": "model missing",
    "429-quota": "over budget",
    "429-rate": "rate limit",
    "500": "server error",
    "503": "server error",
    "malformed": "cut stream",
    "length": "reply too long",
}
TRIED_AGAIN = {"html": "cut stream", "empty": "cut stream", "cut": "cut stream"}
"""What OpenClaw tries again for up to 90 seconds, and what no status of an answer tells of."""


@pytest.mark.parametrize("mode", AT_ONCE)
@pytest.mark.parametrize("start", ["exec", "gateway"])
def test_a_failure_of_the_model_fails_the_session_and_is_told_by_its_kind(
    start: str, mode: str, chat: ChatModel, tmp_path: Path
) -> None:
    adapter = openclaw(start=start)
    adapter.reset(context(tmp_path / "one", chat))
    chat.mode = mode
    began = time.monotonic()
    with pytest.raises(HarnessFailure) as failure:
        hear(adapter, "S01", "My boat is called Marlow.")
    assert failure.value.kind == AT_ONCE[mode], str(failure.value)
    assert time.monotonic() - began < 120
    assert len(chat.bodies) <= 4
    assert "\n" not in str(failure.value)
    assert processes_with(str(tmp_path)) == []


@pytest.mark.parametrize("mode", TRIED_AGAIN)
def test_what_is_tried_again_is_given_up_after_the_time_limit(mode: str, chat: ChatModel, tmp_path: Path) -> None:
    adapter = openclaw(seconds=20.0)
    adapter.reset(context(tmp_path / "one", chat))
    chat.mode = mode
    with pytest.raises(HarnessFailure) as failure:
        hear(adapter, "S01", "My boat is called Marlow.")
    assert failure.value.kind == TRIED_AGAIN[mode], str(failure.value)
    assert processes_with(str(tmp_path)) == []


@pytest.mark.parametrize("start", ["exec", "gateway"])
@pytest.mark.parametrize("mode", ["hang", "stall"])
def test_a_model_that_never_answers_is_given_up_after_the_time_limit(
    mode: str, start: str, chat: ChatModel, tmp_path: Path
) -> None:
    adapter = openclaw(seconds=10.0, start=start)
    adapter.reset(context(tmp_path / "one", chat))
    chat.mode = mode
    began = time.monotonic()
    with pytest.raises(HarnessFailure, match="hang: "):
        hear(adapter, "S01", "My boat is called Marlow.")
    assert 10 <= time.monotonic() - began < 180
    assert processes_with(str(tmp_path)) == []


def test_a_refused_connection_is_told_as_such(chat: ChatModel, tmp_path: Path) -> None:
    told = context(tmp_path / "one", chat)
    adapter = openclaw()
    with held_port() as port:
        adapter.reset(replace(told, model=replace(chat.endpoint, base_url=f"http://127.0.0.1:{port}/v1")))
        with pytest.raises(HarnessFailure, match="refused connection: "):
            hear(adapter, "S01", "My boat is called Marlow.")


@pytest.mark.parametrize("said", ["", "NO_REPLY"])
def test_an_agent_that_says_nothing_gives_a_junk_answer(said: str, chat: ChatModel, tmp_path: Path) -> None:
    adapter = openclaw()
    adapter.reset(context(tmp_path / "one", chat))
    chat.says(said)
    (answer,) = ask(adapter, "Which boat?")
    assert answer.startswith("junk answer: ")


def test_an_endless_loop_of_calls_ends_with_the_time_limit_and_leaves_nothing_running(
    chat: ChatModel, tmp_path: Path
) -> None:
    adapter = openclaw(seconds=15.0)
    adapter.reset(context(tmp_path / "one", chat))
    mark = f"sleep 61{os.getpid()}"
    chat.says([f"(setsid nohup {mark} >/dev/null 2>&1 &) ; {mark} & echo again"])
    with pytest.raises(HarnessFailure, match="hang: "):
        hear(adapter, "S01", "My boat is called Marlow.")
    assert processes_with(mark.replace(" ", "\0")) == []
    assert processes_with(str(tmp_path)) == []


def test_a_gateway_that_failed_begins_anew(chat: ChatModel, tmp_path: Path) -> None:
    adapter = openclaw(start="gateway")
    adapter.reset(context(tmp_path / "one", chat))
    chat.mode = "401"
    with pytest.raises(HarnessFailure, match="bad key: "):
        hear(adapter, "S01", "My boat is called Marlow.")
    assert processes_with(str(tmp_path)) == []
    chat.mode = "ok"
    hear(adapter, "S02", "My dog is called Zanetti.")
    adapter.close()
    assert processes_with(str(tmp_path)) == []


def test_a_question_that_failed_is_unanswered_with_its_reason(chat: ChatModel, tmp_path: Path) -> None:
    adapter = openclaw()
    adapter.reset(context(tmp_path / "one", chat))
    chat.mode = "500"
    assert ask(adapter, "Which boat?")[0].startswith("server error: ")


def test_a_program_that_is_missing_is_told_with_what_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("MEMARENA_ENVS", str(tmp_path))
    with pytest.raises(HarnessFailure, match=r"program missing: openclaw is not here: memarena env create openclaw"):
        openclaw().get_capabilities()


def test_a_missing_sandbox_is_refused_unless_it_is_allowed() -> None:
    with pytest.raises(HarnessFailure, match=r"sandbox missing: .*--allow-unsandboxed"):
        openclaw(holder="none").get_capabilities()
    assert openclaw(holder="none", allow_unsandboxed=True).get_capabilities().versions["held_by"] == "none"


@pytest.mark.parametrize("start", ["exec", "gateway"])
def test_a_program_that_is_killed_fails_and_leaves_nothing_running(start: str, chat: ChatModel, tmp_path: Path) -> None:
    adapter = openclaw(start=start, seconds=45.0)
    adapter.reset(context(tmp_path / "one", chat))
    chat.mode = "hang"
    killer = killing_jails(tmp_path, once=lambda: bool(chat.bodies))
    with pytest.raises(HarnessFailure, match="failed: openclaw ended with signal 9"):
        hear(adapter, "S01", "My boat is called Marlow.")
    killer.join()
    assert processes_with(str(tmp_path)) == []


@pytest.mark.parametrize("start", ["exec", "gateway"])
def test_a_setting_that_openclaw_does_not_know_is_told_as_such(
    start: str, chat: ChatModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = openclaw_config.configuration
    monkeypatch.setattr(openclaw_config, "configuration", lambda *told: {"nonsense": 1, **written(*told)})
    adapter = openclaw(start=start)
    adapter.reset(context(tmp_path / "one", chat))
    with pytest.raises(HarnessFailure, match=r"wrong configuration: .*nonsense"):
        hear(adapter, "S01", "My boat is called Marlow.")
    assert chat.bodies == []
    assert processes_with(str(tmp_path)) == []
