"""The contract of adapters, kept by an agent of a few lines, and by Codex."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from harness_play import PATIENT, codex, needs_codex, needs_jail
from responses_server import Model

from memarena.testing import AdapterContract
from memarena_harness.command import Command, CommandOptions

VERBATIM = """\
import json, re, sys
from pathlib import Path

prompt, notes = sys.stdin.read(), Path("notes.md")
if '"answers"' in prompt:
    ids = re.findall(r"^(Q\\d+)[ :]", prompt, re.MULTILINE)
    known = notes.read_text() if notes.exists() else ""
    print(json.dumps({"answers": [{"id": name, "answer": known[-200:] or "nothing"} for name in ids]}))
else:
    with notes.open("a") as stream:
        for line in re.findall(r"^\\[.*|^user: .*|^assistant: .*", prompt, re.MULTILINE):
            stream.write(f"- {line}\\n")
"""


@pytest.fixture
def agent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An agent that writes down all that it hears."""
    folder = tmp_path_factory.mktemp("agent")
    (folder / "agent.py").write_text(VERBATIM, encoding="utf-8")
    (folder / "agent.toml").write_text('command = ["python3", "agent.py"]\nname = "writer"\n', encoding="utf-8")
    return folder / "agent.toml"


@needs_jail
class TestCommandContract(AdapterContract):
    @pytest.fixture(autouse=True)
    def _agent(self, agent: Path) -> None:
        self.agent = agent

    def make(self) -> Any:
        return Command(CommandOptions(config=str(self.agent), seconds=PATIENT))


@needs_codex
class TestCodexContract(AdapterContract):
    def make(self) -> Any:
        return codex()

    @pytest.fixture(autouse=True)
    def _model(self, offline: Model) -> None:
        self.model = offline.endpoint
