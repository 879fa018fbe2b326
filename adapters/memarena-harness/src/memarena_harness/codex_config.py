"""The configuration of Codex for one root: one model, one way to it, nothing from outside, nothing to outside."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from memarena_harness.jail import PATH

KEY_VARIABLE = "MODEL_API_KEY"
PROFILE = "workspace"
"""The permission profile: commands may read the system and write to the workspace, and reach no network."""
PROVIDER = "gateway"
WINDOW = 128_000
"""Tokens of the model's context that Codex counts with."""
SHORT = (
    "You are an agent in a terminal. You work with files by running commands with your tools, and end with a message."
)
"""Instructions in place of those that come with Codex."""
_OFF = (
    "plugins",
    "apps",
    "goals",
    "hooks",
    "shell_snapshot",
    "image_generation",
    "tool_suggest",
    "unbounded_connection_retries",
)


def config(
    model: str,
    base_url: str,
    *,
    program: Path,
    catalog: Path | None = None,
    temp: Sequence[Path] = (),
    held: bool = True,
    window: int = WINDOW,
) -> str:
    """The text of `config.toml`; all paths are as the agent sees them.

    `program`: the folder of Codex itself. `catalog`: the file with the text of `catalog` below; None: Codex's own.
    `temp`: folders that commands may write to beside the workspace, the first one for their temporary files.
    `held`: commands run in the sandbox of Codex. `window`: tokens of the model's context.
    """
    tables = {
        f"model_providers.{PROVIDER}": _provider(base_url),
        **_permissions(program, temp),
        "shell_environment_policy": {"inherit": "none"},
        "shell_environment_policy.set": _environment(temp),
        "analytics": {"enabled": False},
        "otel": {"exporter": "none", "trace_exporter": "none", "metrics_exporter": "none"},
        "feedback": {"enabled": False},
        "skills": {"include_instructions": False},
        "skills.bundled": {"enabled": False},
        "agents": {"enabled": False},
        "features": dict.fromkeys(_OFF, False),
    }
    lines = _lines(_top(model, catalog, held, window))
    for name, values in tables.items():
        lines += ["", f"[{name}]", *_lines(values)]
    return "\n".join(lines) + "\n"


def _top(model: str, catalog: Path | None, held: bool, window: int) -> dict[str, Any]:
    """The settings that stand in no table."""
    return {
        "model": model,
        "model_provider": PROVIDER,
        **({} if catalog is None else {"model_catalog_json": str(catalog)}),
        "model_reasoning_summary": "none",
        "model_context_window": window,
        "approval_policy": "never",
        **({"default_permissions": PROFILE} if held else {"sandbox_mode": "danger-full-access"}),
        "web_search": "disabled",
        "check_for_update_on_startup": False,
        "include_environment_context": False,
        "include_apps_instructions": False,
        "include_collaboration_mode_instructions": False,
        "allow_login_shell": False,
        "project_root_markers": [],
    }


def _provider(base_url: str) -> dict[str, Any]:
    """The one way to the model."""
    return {
        "name": PROVIDER,
        "base_url": base_url,
        "env_key": KEY_VARIABLE,
        "wire_api": "responses",
        # The gateway tries again; a second layer would multiply the attempts.
        "request_max_retries": 0,
        "stream_max_retries": 0,
        "stream_idle_timeout_ms": 3_600_000,
    }


def _permissions(program: Path, temp: Sequence[Path]) -> dict[str, dict[str, Any]]:
    """The tables of `PROFILE`."""
    places = {":minimal": "read", str(program): "read", **{str(place): "write" for place in temp}}
    return {
        f"permissions.{PROFILE}.filesystem": places,
        f'permissions.{PROFILE}.filesystem.":workspace_roots"': {".": "write"},
        f"permissions.{PROFILE}.network": {"enabled": False},
    }


def _environment(temp: Sequence[Path]) -> dict[str, str]:
    """The variables of the agent's commands."""
    return {
        "PATH": PATH,
        # Without HOME and SHLVL bash falls back to the home of the user's account, and sources what is there.
        "HOME": "/nonexistent",
        "SHLVL": "1",
        "LANG": "C.UTF-8",
        **({"TMPDIR": str(temp[0])} if temp else {}),
    }


def catalog(model: str, instructions: str, window: int = WINDOW) -> str:
    """The text of the catalogue of models: the one model, with plain tools and with pictures."""
    known = {
        "slug": model,
        "display_name": model,
        "description": "",
        "supported_reasoning_levels": [],
        "shell_type": "unified_exec",
        "visibility": "list",
        "supported_in_api": True,
        "priority": 1,
        "base_instructions": instructions,
        "support_verbosity": False,
        "truncation_policy": {"mode": "tokens", "limit": 10_000},
        "context_window": window,
        "experimental_supported_tools": [],
        "input_modalities": ["text", "image"],
    }
    return json.dumps({"models": [known]})


def _lines(values: Mapping[str, Any]) -> list[str]:
    """Lines of TOML; a text, a truth, a number or an empty list is written as JSON has it."""
    return [f"{_key(name)} = {json.dumps(value, ensure_ascii=False)}" for name, value in values.items()]


def _key(name: str) -> str:
    return name if name.replace("_", "").isalnum() else json.dumps(name, ensure_ascii=False)
