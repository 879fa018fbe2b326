"""The gateway as a run uses it: in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from gateway_host import PATIENT
from stand_in_upstream import KEY, Play

from memarena import keeper
from memarena.errors import ModelError, UsageError
from memarena_models.account import read_account
from memarena_models.client import chat
from memarena_models.gateway import LocalGateway
from memarena_models.settings import Options, Upstream

ASK = [{"role": "user", "content": "Paris is the capital of France. What is the capital of France?"}]


def options(upstream, **more):
    server = Upstream(base_url=upstream.base_url, key_env="UPSTREAM_KEY", models=("m",))
    return Options(upstreams={"up": server}, **more)


@pytest.fixture
def gateway(upstream, tmp_path, monkeypatch):
    monkeypatch.setenv("UPSTREAM_KEY", KEY)
    local = LocalGateway(options(upstream))
    local.start(tmp_path, {"": "m", "judge": "offline"})
    yield local
    local.stop()


def test_it_counts_by_cell_and_stage_what_its_owners_ask(gateway, tmp_path):
    chat(gateway.endpoint("a~s", "inner"), ASK)
    gateway.stage("a~s", "retrieve")
    chat(gateway.endpoint("a~s", "inner"), ASK)
    chat(gateway.endpoint("a~s", "answer"), ASK)
    usage = gateway.usage("a~s")
    assert {stage: (one.calls, one.tokens_in) for stage, one in usage.items()} == {
        "write": (1, 10),
        "retrieve": (1, 10),
        "answer": (1, 10),
    }
    gateway.stop()
    assert len(list(read_account(tmp_path / "usage.jsonl"))) == 3


def test_each_role_gets_its_model_and_each_cell_its_key(gateway):
    inner, judge = gateway.endpoint("a~s", "inner"), gateway.endpoint("a~s", "judge")
    assert (inner.model, judge.model) == ("m", "offline")
    assert inner == gateway.endpoint("a~s", "embed")
    assert len({inner.api_key, judge.api_key, gateway.endpoint("b~s", "inner").api_key}) == 3
    assert chat(judge, ASK).text


def test_a_stage_is_known_before_any_call_that_comes_after_it(gateway):
    endpoint = gateway.endpoint("a~s", "inner")
    for number in range(60):
        gateway.stage("a~s", f"stage {number}")
        chat(endpoint, ASK)
    assert {one.calls for one in gateway.usage("a~s").values()} == {1}
    assert len(gateway.usage("a~s")) == 60


def test_several_threads_may_use_it_at_once(gateway):
    def work(number):
        cell = f"a~{number}"
        for stage in ("write", "retrieve"):
            gateway.stage(cell, stage)
            chat(gateway.endpoint(cell, "inner"), ASK)
        return {stage: one.calls for stage, one in gateway.usage(cell).items()}

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(16))) == [{"write": 1, "retrieve": 1}] * 16


def test_a_refused_key_is_told_to_the_run(gateway, upstream):
    assert gateway.fatal() is None
    upstream.default = Play(status=401)
    with pytest.raises(ModelError):
        chat(gateway.endpoint("a~s", "inner"), ASK)
    assert "UPSTREAM_KEY" in str(gateway.fatal())
    assert gateway.waiting() == []


def test_it_outlives_a_ctrl_c_that_is_meant_for_the_run(gateway):
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(gateway._process.pid, number)
    assert chat(gateway.endpoint("a~s", "inner"), ASK).text == "hello there"


def test_a_gateway_that_died_is_said_and_not_waited_for(gateway):
    os.kill(gateway._process.pid, signal.SIGKILL)
    with pytest.raises(ModelError, match="the gateway ended unexpectedly"):
        gateway.usage("a~s")
    gateway.stop()


RUN = """
import os, sys, time
from pathlib import Path
from memarena_models.client import chat
from memarena_models.gateway import LocalGateway
gateway = LocalGateway()
gateway.start(Path(sys.argv[1]), {"": "offline"})
chat(gateway.endpoint("a~s", "inner"), [{"role": "user", "content": "hi"}])
print(gateway._process.pid, flush=True)
time.sleep(600)
"""


def test_it_ends_with_a_run_that_is_killed_and_keeps_what_was_recorded(tmp_path):
    run = subprocess.Popen([sys.executable, "-c", RUN, str(tmp_path)], stdout=subprocess.PIPE)
    child = int(run.stdout.readline())
    run.kill()
    run.communicate()
    until = time.monotonic() + PATIENT
    while keeper.stat_of(child)[:1] not in ([], ["Z"]):
        assert time.monotonic() < until
        time.sleep(0.05)
    (row,) = read_account(tmp_path / "usage.jsonl")
    assert (row.calls, row.stage) == (1, "write")


def test_a_missing_key_is_an_error_before_anything_starts_that_names_the_variable(upstream, tmp_path, monkeypatch):
    monkeypatch.delenv("UPSTREAM_KEY", raising=False)
    with pytest.raises(ModelError, match="upstream 'up' needs a key: set the environment variable UPSTREAM_KEY"):
        LocalGateway(options(upstream)).start(tmp_path, {"": "m"})
    assert list(tmp_path.iterdir()) == []


def test_an_upstream_that_no_role_needs_may_lack_its_key(upstream, tmp_path, monkeypatch):
    monkeypatch.delenv("UPSTREAM_KEY", raising=False)
    local = LocalGateway(options(upstream))
    local.start(tmp_path, {"": "offline"})
    assert chat(local.endpoint("a~s", "inner"), ASK).text
    local.stop()


def test_a_replay_needs_no_key_and_no_server(tmp_path, monkeypatch):
    monkeypatch.delenv("UPSTREAM_KEY", raising=False)
    gone = Upstream(base_url="http://127.0.0.1:9/v1", key_env="UPSTREAM_KEY")
    local = LocalGateway(Options(upstreams={"up": gone}, record="replay"))
    local.start(tmp_path, {"": "m"})
    with pytest.raises(ModelError, match="no chat request was recorded at all"):
        chat(local.endpoint("a~s", "inner"), ASK)
    local.stop()


def test_an_unknown_model_is_an_error_before_anything_starts(upstream, tmp_path):
    with pytest.raises(ModelError, match="no upstream has the model 'gpt'; known: offline, m; add an upstream"):
        LocalGateway(options(upstream)).start(tmp_path, {"": "gpt"})


def test_an_address_where_nobody_answers_is_an_error_before_anything_starts(tmp_path):
    nobody = Upstream(base_url="http://127.0.0.1:9/v1")
    with pytest.raises(ModelError, match=r"upstream 'up': nothing answers at http://127\.0\.0\.1:9/v1"):
        LocalGateway(Options(upstreams={"up": nobody})).start(tmp_path, {"": "m"})


def test_a_folder_that_cannot_be_written_is_an_error_at_the_start(tmp_path):
    with pytest.raises(ModelError, match=r"usage\.jsonl"):
        LocalGateway().start(tmp_path / "missing", {"": "offline"})


@pytest.mark.parametrize("mode", ["record", "replay"])
def test_a_mode_that_needs_a_folder_says_so(mode):
    with pytest.raises(UsageError, match="needs a folder"):
        LocalGateway(Options(record=mode)).start(None, {})


def test_a_role_without_a_model_says_how_to_choose_one(tmp_path):
    local = LocalGateway()
    local.start(None, {"judge": "offline"})
    with pytest.raises(ModelError, match="--model inner=NAME"):
        local.endpoint("a~s", "inner")
    local.stop()


def test_stopping_twice_is_no_harm_and_a_stopped_gateway_says_so(tmp_path):
    local = LocalGateway()
    local.start(None, {"": "offline"})
    local.stop()
    local.stop()
    with pytest.raises(ModelError, match="not running"):
        local.stage("a~s", "write")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"base_url": "localhost:8000"}, "is no address such as"),
        ({"base_url": "http://user:secret@host/v1"}, "put no secret in it"),
        ({"base_url": "http://host/v1", "key_env": "sk-12345"}, "no name of an environment variable"),
        ({"base_url": "http://host/v1", "rpm": 0}, "upstreams.up.rpm is 0; it has to be 1 or more"),
        ({"base_url": "http://host/v1", "models": ()}, "upstreams.up.models is empty"),
    ],
)
def test_an_option_that_cannot_work_is_refused_without_showing_a_secret(wrong, message):
    with pytest.raises(UsageError, match=message) as caught:
        LocalGateway(Options(upstreams={"up": Upstream(**wrong)}))
    assert "secret@" not in str(caught.value)
    assert "sk-12345" not in str(caught.value)
