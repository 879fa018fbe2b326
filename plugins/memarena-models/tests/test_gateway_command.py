"""`memarena gateway`, as a person uses it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest
from gateway_host import PATIENT
from stand_in_upstream import KEY

from memarena.errors import UsageError
from memarena.records import Endpoint
from memarena_models.client import ModelClient
from memarena_models.settings import load

ASK = [{"role": "user", "content": "hi"}]
COMMAND = [sys.executable, "-m", "memarena", "gateway"]


def start(*words, **environment):
    return subprocess.Popen(
        [*COMMAND, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **environment}
    )


def ask(base_url, key, model):
    client = ModelClient()
    reply = client.chat(Endpoint(base_url=base_url, model=model, api_key=key), ASK)
    client.close()
    return reply.text


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_address_and_key_serves_and_says_at_the_end_what_was_used(upstream, tmp_path, end):
    config = tmp_path / "gateway.toml"
    config.write_text(
        f'[upstreams.mine]\nbase_url = "{upstream.base_url}"\nkey_env = "UPSTREAM_KEY"\n[prices.m]\ninput = 100.0\n',
        encoding="utf-8",
    )
    run = start(config, "--out", tmp_path / "kept", UPSTREAM_KEY=KEY)
    lines = [run.stdout.readline().decode().strip().partition("=") for _ in range(2)]
    assert [name for name, _, _ in lines] == ["OPENAI_BASE_URL", "OPENAI_API_KEY"]
    assert ask(lines[0][2], lines[1][2], "m") == "hello there"
    run.send_signal(end)
    out, err = run.communicate(timeout=PATIENT)
    _, row = out.decode().splitlines()
    assert row.split()[:9] == ["1", "gateway", "write", "m", "1", "0", "0", "10", "2"]
    assert row.split()[9] == "0.0010"
    assert run.returncode == 0
    assert KEY.encode() not in out + err
    assert sorted(file.name for file in (tmp_path / "kept").iterdir()) == ["exchanges.sqlite", "usage.jsonl"]


def test_it_prints_json_for_programs():
    run = start("--json")
    door = json.loads(run.stdout.readline())
    assert ask(door["base_url"], door["key"], "offline")
    run.send_signal(signal.SIGINT)
    (row,) = run.communicate(timeout=PATIENT)[0].decode().splitlines()
    assert (json.loads(row)["model"], json.loads(row)["calls"]) == ("offline", 1)


def test_a_missing_key_is_one_line_that_names_the_variable(tmp_path):
    config = tmp_path / "gateway.toml"
    config.write_text(
        '[upstreams.mine]\nbase_url = "http://127.0.0.1:9/v1"\nkey_env = "NOT_SET_HERE"\n', encoding="utf-8"
    )
    done = subprocess.run([*COMMAND, config], capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stderr.decode() == (
        "memarena: upstream 'mine' needs a key: set the environment variable NOT_SET_HERE\n"
    )


def test_a_replay_without_a_folder_is_refused():
    done = subprocess.run([*COMMAND, "--record", "replay"], capture_output=True, check=False)
    assert done.stderr.decode() == "memarena: --record replay needs a folder: give it with --out\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[upstreams.a]\nbase_url = 5", "Expected `str`, got `int` - at `$.upstreams[...].base_url`"),
        ("[upstream.a]", "unknown field `upstream`"),
        ("[upstreams.a", "Expected ']'"),
        ('[upstreams.a]\nbase_url = "nowhere"', "upstreams.a.base_url: 'nowhere' is no address"),
        ("[faults]\nrate = 2.0", "faults.rate is 2.0; it has to be between 0 and 1"),
    ],
)
def test_a_file_that_is_wrong_is_named_with_the_place(tmp_path, text, message):
    config = tmp_path / "gateway.toml"
    config.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        load(config)
    assert str(config) in str(caught.value)
    assert message in str(caught.value)


def test_a_full_file_is_read(tmp_path):
    config = tmp_path / "gateway.toml"
    config.write_text(
        """
record = "record"
force_decoding = { temperature = 0, seed = 7 }
[upstreams.openai]
base_url = "https://api.openai.com/v1"
key_env = "OPENAI_API_KEY"
models = ["gpt-*", "text-embedding-*"]
rpm = 500
tpm = 200000
concurrency = 10
[prices."gpt-5*"]
input = 1.25
output = 10.0
cached = 0.125
[budgets.run]
money = 5.0
[timeouts]
read = 300
[retries]
attempts = 4
""",
        encoding="utf-8",
    )
    options = load(config)
    assert options.upstreams["openai"].models == ("gpt-*", "text-embedding-*")
    assert options.budgets.run.money == 5.0
    assert (options.retries.attempts, options.force_decoding) == (4, {"temperature": 0, "seed": 7})


def test_the_settings_of_runs_serve_as_well(tmp_path):
    config = tmp_path / "memarena.toml"
    config.write_text(
        'datasets = ["mini"]\n[gateway.upstreams.own]\nbase_url = "http://127.0.0.1:8000/v1"\n', encoding="utf-8"
    )
    assert load(config).upstreams["own"].base_url == "http://127.0.0.1:8000/v1"
