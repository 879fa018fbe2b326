"""What OpenClaw is told before it starts; these need no OpenClaw."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memarena.records import Endpoint
from memarena_harness import openclaw_config as config
from memarena_harness.failures import HarnessFailure
from memarena_harness.jail import INSIDE, NO_KEY, Jail
from memarena_harness.programs import Program
from memarena_harness.pump import address_of

MODEL = Endpoint(base_url="http://127.0.0.1:4242/v1", model="gpt-x", api_key="mem-key")
SETUP = config.Setup(model=MODEL, seed=7, seconds=60, context_tokens=9000, reply_tokens=500, pixels=2048)


def found() -> dict[str, object]:
    return config.configuration(SETUP, INSIDE, 18790, "token")


def test_the_model_is_the_only_one_and_its_key_is_in_no_file():
    text = json.dumps(found())
    assert "mem-key" not in text
    assert found()["models"]["providers"]["memarena"]["apiKey"] == "${OPENAI_API_KEY}"
    assert found()["agents"]["defaults"]["model"] == {"primary": "memarena/gpt-x", "fallbacks": []}
    assert found()["agents"]["defaults"]["models"]["memarena/gpt-x"]["params"] == {"temperature": 0, "seed": 7}


def test_in_a_jail_the_model_is_behind_the_door_and_else_where_it_is():
    inside = Jail(kind="bubblewrap").seen_model(MODEL)
    assert (inside.base_url, inside.api_key) == ("http://127.0.0.1:8080/v1", NO_KEY)
    assert Jail(kind="none").seen_model(MODEL) == MODEL
    assert address_of(MODEL.base_url) == ("127.0.0.1", 4242)


def test_the_environment_is_made_from_nothing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SECRET", "planted")
    made = config.environment(INSIDE, Path("/agent/config/openclaw.json"), Path("/agent/node/node"), "mem-key")
    assert "SECRET" not in made
    assert made["PATH"] == "/agent/node:/usr/local/bin:/usr/bin:/bin"
    assert [name for name, value in made.items() if value == "mem-key"] == ["OPENAI_API_KEY"]


def package(folder: Path) -> Program:
    script = folder / "openclaw" / "openclaw.mjs"
    return Program(name="openclaw", version="2026.9.6", command=(folder / "node", script), tools={})


def test_a_new_workspace_begins_with_the_templates_of_the_package_without_their_front_matter(tmp_path: Path):
    templates = tmp_path / "openclaw" / "docs" / "reference" / "templates"
    templates.mkdir(parents=True)
    for name in ("AGENTS.md", "SOUL.md", "IDENTITY.md", "BOOTSTRAP.md"):
        (templates / name).write_text(f"---\ntitle: x\n---\n\n# {name}\n\n---\nrest\n", encoding="utf-8")
    assert config.seeds(package(tmp_path)) == {
        name: f"# {name}\n\n---\nrest\n" for name in ("AGENTS.md", "SOUL.md", "IDENTITY.md")
    }


def test_a_package_without_templates_is_a_wrong_version(tmp_path: Path):
    with pytest.raises(HarnessFailure, match=r"wrong version: openclaw 2026.9.6 at .* has no .*AGENTS.md"):
        config.seeds(package(tmp_path))
