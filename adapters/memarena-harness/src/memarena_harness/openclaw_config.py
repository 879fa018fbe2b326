"""What OpenClaw is told before it starts: its configuration, its environment, and the files of a stock workspace."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memarena.records import Endpoint, Record
from memarena_harness.failures import HarnessFailure
from memarena_harness.jail import PATH
from memarena_harness.programs import Program
from memarena_harness.roots import Root

CONFIG = "openclaw.json"
DOOR = 18790
"""Where OpenClaw's own gateway listens, inside; outside of a jail another port is taken."""
PROVIDER = "memarena"
SEEDS = ("AGENTS.md", "SOUL.md", "IDENTITY.md")
"""The files that OpenClaw puts into a new workspace and loads in each session.

BOOTSTRAP.md, a first-run talk about the agent's persona, would take the place of the first session; USER.md and
HEARTBEAT.md hold nothing but examples.
"""
TOOLS = ("read", "write", "edit", "exec", "process", "ls", "memory_search", "memory_get")
_FRONT = re.compile(r"\A---\n.*?\n---\n+", re.DOTALL)


class Setup(Record, frozen=True, kw_only=True):
    """What the configuration depends on."""

    model: Endpoint
    """As it is called from inside."""
    seed: int
    seconds: int
    """For one turn of the agent; OpenClaw's own limit."""
    context_tokens: int
    reply_tokens: int
    pixels: int


def configuration(setup: Setup, seen: Root, door: int, token: str) -> dict[str, Any]:
    """The configuration of OpenClaw: one model, no channels, no updates, no schedules, keyword search in its notes.

    Every key is one that OpenClaw documents; an unknown one would keep it from starting.
    """
    model = f"{PROVIDER}/{setup.model.model}"
    return {
        "agents": {
            "defaults": {
                "model": {"primary": model, "fallbacks": []},
                "models": {model: {"params": {"temperature": 0, "seed": setup.seed}}},
                "workspace": str(seen.workspace),
                "skipBootstrap": True,
                "imageMaxDimensionPx": setup.pixels,
                "userTimezone": "UTC",
                "timeoutSeconds": setup.seconds,
                "heartbeat": {"every": "0m"},
            }
        },
        "models": {
            "mode": "replace",
            "catalogRefresh": {"enabled": False},
            "providers": {PROVIDER: _provider(setup)},
        },
        "update": {"checkOnStart": False},
        "telemetry": {"enabled": False},
        "plugins": {"allow": ["memory-core"], "entries": {"memory-core": {"config": {"dreaming": {"enabled": False}}}}},
        "skills": {"allowBundled": ["none"]},
        "memory": {"search": {"provider": "none", "rememberAcrossConversations": False}},
        "tools": {"profile": "coding", "toolSearch": False, "allow": list(TOOLS), "fs": {"workspaceOnly": True}},
        "logging": {"file": str(seen.temp / "openclaw.log"), "level": "error"},
        "gateway": {
            "mode": "local",
            "bind": "loopback",
            "port": door,
            "auth": {"mode": "token", "token": token},
            "http": {"endpoints": {"chatCompletions": {"enabled": True}}},
            "controlUi": {"enabled": False},
        },
        "cron": {"enabled": False},
        "discovery": {"mdns": {"mode": "off"}},
    }


def _provider(setup: Setup) -> dict[str, Any]:
    return {
        "baseUrl": setup.model.base_url,
        "apiKey": "${OPENAI_API_KEY}",
        "api": "openai-completions",
        "models": [
            {
                "id": setup.model.model,
                "name": setup.model.model,
                "reasoning": False,
                "input": ["text", "image"],
                "contextWindow": setup.context_tokens,
                "maxTokens": setup.reply_tokens,
                "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
            }
        ],
    }


def write_configuration(folder: Path, found: Mapping[str, Any]) -> None:
    """Put the configuration into a folder that the agent can read but not write."""
    folder.mkdir(mode=0o700, exist_ok=True)
    (folder / CONFIG).write_text(json.dumps(found, indent=1, ensure_ascii=False), encoding="utf-8")


def environment(seen: Root, config: Path, node: Path, key: str) -> dict[str, str]:
    """All that OpenClaw has in its environment; it keeps a variable named OPENAI_API_KEY from the agent's shell."""
    return {
        "PATH": f"{node.parent}:{PATH}",
        "HOME": str(seen.home),
        "TMPDIR": str(seen.temp),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "NODE_DISABLE_COMPILE_CACHE": "1",
        "OPENAI_API_KEY": key,
        "OPENCLAW_HOME": str(seen.home),
        "OPENCLAW_STATE_DIR": str(seen.state),
        "OPENCLAW_CONFIG_PATH": str(config),
        "OPENCLAW_DISABLE_BONJOUR": "1",
        "OPENCLAW_NO_AUTO_UPDATE": "1",
        "OPENCLAW_OFFLINE": "1",
    }


def seeds(program: Program) -> dict[str, str]:
    """The stock files of a new workspace, as OpenClaw's own set-up writes them: text by name.

    Raises HarnessFailure (`wrong version`) where its package does not hold them.
    """
    templates = program.command[-1].parent / "docs" / "reference" / "templates"
    try:
        texts = {name: (templates / name).read_text(encoding="utf-8") for name in SEEDS}
    except OSError as error:
        raise HarnessFailure("wrong version", f"{program} has no {error.filename}") from error
    return {name: _FRONT.sub("", text) for name, text in texts.items()}
