"""The command-line agent `@openai/codex` (npm), unchanged, with the gateway as its provider.

Runs where `codex` is on PATH, or where CODEX names its binary.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest

from memarena_models.gateway import LocalGateway
from memarena_models.settings import Budget, Budgets, Options

CODEX = os.environ.get("CODEX") or shutil.which("codex")
pytestmark = pytest.mark.skipif(not CODEX, reason="codex is not installed (npm install @openai/codex)")
CONFIG = """
model = "offline"
model_provider = "memarena"
approval_policy = "never"
check_for_update_on_startup = false
web_search = "disabled"
[model_providers.memarena]
name = "memarena"
base_url = "{base_url}"
env_key = "CELL_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
[features]
plugins = false
unbounded_connection_retries = false
"""


def run_codex(folder, endpoint, prompt):
    """Run one turn in a home of its own; the process and the events that it printed."""
    for name in ("home", "codex", "ws", "tmp"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "codex" / "config.toml").write_text(CONFIG.format(base_url=endpoint.base_url), encoding="utf-8")
    done = subprocess.run(
        [CODEX, "exec", "--json", "--skip-git-repo-check", "-C", str(folder / "ws"), "--", "-"],
        input=prompt.encode(),
        env={
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": str(folder / "home"),
            "CODEX_HOME": str(folder / "codex"),
            "TMPDIR": str(folder / "tmp"),
            "CELL_KEY": endpoint.api_key,
        },
        capture_output=True,
        timeout=300,
        check=False,
    )
    return done, [json.loads(line) for line in done.stdout.splitlines() if line.startswith(b"{")]


def test_codex_gets_an_answer_and_is_counted_as_it_counts_itself(tmp_path):
    gateway = LocalGateway()
    gateway.start(tmp_path, {"": "offline"})
    done, events = run_codex(
        tmp_path, gateway.endpoint("codex~s", "inner"), "The tower is red. What colour is the tower?"
    )
    usage = gateway.usage("codex~s")["write"]
    gateway.stop()
    assert done.returncode == 0, done.stderr
    assert any(event.get("item", {}).get("type") == "agent_message" for event in events)
    (said,) = [event["usage"] for event in events if event["type"] == "turn.completed"]
    assert (usage.tokens_in, usage.tokens_out) == (said["input_tokens"], said["output_tokens"])


def test_a_spent_budget_stops_codex_at_once(tmp_path):
    gateway = LocalGateway(Options(budgets=Budgets(run=Budget(tokens=1))))
    gateway.start(None, {"": "offline"})
    endpoint = gateway.endpoint("codex~s", "inner")
    run_codex(tmp_path, endpoint, "hello")
    done, events = run_codex(tmp_path, endpoint, "hello")
    calls = gateway.usage("codex~s")["write"].calls
    gateway.stop()
    assert done.returncode == 1
    assert "budget" in json.dumps(events)
    assert calls == 1
