"""Any agent that takes a prompt and gives a text, told in a few lines of TOML."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from harness_model import KEY
from harness_play import PATIENT, ask, context, hear, needs_jail
from msgspec.structs import replace
from PIL import Image
from responses_server import Model

from memarena.errors import ModelError, UsageError
from memarena.option_flags import options_of
from memarena_harness.codex import Codex
from memarena_harness.command import Command, CommandOptions
from memarena_harness.command_config import load
from memarena_harness.failures import HarnessFailure
from memarena_harness.openclaw import OpenClaw

TALK = """
import json, os, sys, urllib.request
prompt = sys.stdin.read()
body = {"model": os.environ["MODEL"], "messages": [{"role": "user", "content": prompt}]}
headers = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["MODEL_KEY"]}
request = urllib.request.Request(os.environ["MODEL_URL"] + "/chat/completions", json.dumps(body).encode(), headers)
print(json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"])
"""
MODEL_LINES = '[environment]\nMODEL = "{model}"\nMODEL_URL = "{base_url}"\nMODEL_KEY = "{api_key}"\n'


def agent(folder: Path, script: str, more: str = "", **options: Any) -> Command:
    folder.mkdir(exist_ok=True)
    (folder / "agent.py").write_text(script, encoding="utf-8")
    (folder / "agent.toml").write_text(f'command = ["python3", "agent.py"]\nname = "mine"\n{more}', encoding="utf-8")
    return Command(CommandOptions(config=str(folder / "agent.toml"), **{"seconds": PATIENT, **options}))


@needs_jail
def test_the_prompt_comes_on_standard_input_and_the_answer_on_standard_output(model: Model, tmp_path: Path) -> None:
    script = """
import sys
from pathlib import Path
prompt = sys.stdin.read()
assert len(sys.argv) == 1, sys.argv
if '"answers"' in prompt:
    print('{"answers": [{"id": "Q1", "answer": "' + Path("kept.md").read_text().strip() + '"}]}')
else:
    Path("kept.md").write_text(prompt.splitlines()[-2].partition("user: ")[2])
"""
    adapter = agent(tmp_path / "mine", script)
    adapter.reset(context(tmp_path / "run", model))
    hear(adapter, "S01", "My boat is teal.")
    assert [item.text for item in adapter.snapshot_memories()] == ["My boat is teal."]
    assert ask(adapter, "Which boat?") == ["My boat is teal."]


@needs_jail
def test_the_model_is_reached_by_the_way_that_the_file_says(model: Model, tmp_path: Path) -> None:
    adapter = agent(tmp_path / "mine", TALK, MODEL_LINES)
    adapter.reset(context(tmp_path / "run", model))
    model.says('{"answers": [{"id": "Q1", "answer": "teal"}]}')
    assert ask(adapter, "Which colour?") == ["teal"]
    assert model.keys == [f"Bearer {KEY}"]


@needs_jail
@pytest.mark.parametrize(
    ("mode", "kind"),
    [("401", "bad key"), ("429-rate", "rate limit"), ("429-quota", "over budget"), ("500", "server error")],
)
def test_a_failure_of_the_model_is_told_by_its_kind(mode: str, kind: str, model: Model, tmp_path: Path) -> None:
    adapter = agent(tmp_path / "mine", TALK, MODEL_LINES)
    adapter.reset(context(tmp_path / "run", model))
    model.mode = mode
    with pytest.raises(HarnessFailure) as failure:
        hear(adapter, "S01", "Hello.")
    assert failure.value.kind == kind


@needs_jail
def test_a_refused_connection_is_told(model: Model, tmp_path: Path) -> None:
    adapter = agent(tmp_path / "mine", TALK, MODEL_LINES)
    told = context(tmp_path / "run", model)
    adapter.reset(replace(told, model=replace(model.endpoint, base_url="http://127.0.0.1:9/v1")))
    with pytest.raises(HarnessFailure, match="refused connection"):
        hear(adapter, "S01", "Hello.")


@needs_jail
def test_an_agent_that_crashes_fails_with_its_last_words(model: Model, tmp_path: Path) -> None:
    adapter = agent(tmp_path / "mine", "raise SystemExit('I am ill')")
    adapter.reset(context(tmp_path / "run", model))
    with pytest.raises(HarnessFailure, match="failed: mine ended with exit code 1: I am ill"):
        hear(adapter, "S01", "Hello.")


@needs_jail
def test_the_answer_may_stand_in_a_file(model: Model, tmp_path: Path) -> None:
    script = "open('out.json', 'w').write('{\"Q1\": \"teal\"}'); print('talk')"
    adapter = agent(tmp_path / "mine", script, 'output = "workspace/out.json"\n')
    adapter.reset(context(tmp_path / "run", model))
    assert ask(adapter, "Which colour?") == ["teal"]


@needs_jail
def test_an_answer_that_is_a_link_to_elsewhere_is_junk(model: Model, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text('{"Q1": "secret"}', encoding="utf-8")
    script = f"import os; os.symlink('{tmp_path}/secret', 'out.json')"
    adapter = agent(tmp_path / "mine", script, 'output = "workspace/out.json"\n')
    adapter.reset(context(tmp_path / "run", model))
    assert ask(adapter, "Which colour?") == ["junk answer: workspace/out.json leads out of the root"]


@needs_jail
def test_files_and_environment_are_filled_in(model: Model, tmp_path: Path) -> None:
    script = "import os, json; print(json.dumps({'Q1': open(os.environ['CONFIG']).read()}))"
    more = (
        '[environment]\nCONFIG = "{state}/config.json"\n'
        '[files]\n"state/config.json" = \'{"model": "{model}", "other": {"a": 1}}\'\n'
    )
    adapter = agent(tmp_path / "mine", script, more)
    adapter.reset(context(tmp_path / "run", model))
    assert json.loads(ask(adapter, "Which?")[0]) == {"model": "offline", "other": {"a": 1}}


@needs_jail
def test_pictures_are_named_on_the_command_line_where_the_file_says_so(model: Model, tmp_path: Path) -> None:
    Image.new("RGB", (4, 4), "teal").save(tmp_path / "boat.png")
    script = "import sys; open('seen.md', 'w').write(' '.join(sys.argv[1:]))"
    adapter = agent(tmp_path / "mine", script, 'pictures = ["--image", "{picture}"]\n')
    adapter.reset(context(tmp_path / "run", model))
    hear(adapter, "S01", "Look.", pictures=[tmp_path / "boat.png"])
    assert [item.text for item in adapter.snapshot_memories()] == ["--image /agent/workspace/media/s01_1.png"]


@needs_jail
def test_only_the_workspace_lasts(model: Model, tmp_path: Path) -> None:
    script = """
import os, pathlib
places = [pathlib.Path(p) for p in ("/agent/home/x", "/agent/state/x", "/tmp/x", "x.md")]
seen = [str(p) for p in places if p.exists()]
for p in places:
    p.write_text("kept")
pathlib.Path("seen.md").write_text(" ".join(seen))
"""
    adapter = agent(tmp_path / "mine", script)
    adapter.reset(context(tmp_path / "run", model))
    hear(adapter, "S01", "One.")
    hear(adapter, "S02", "Two.")
    assert [item.text for item in adapter.snapshot_memories()] == ["x.md", "kept"]


def test_an_agent_that_needs_a_model_says_so_where_there_is_none(model: Model, tmp_path: Path) -> None:
    adapter = agent(tmp_path / "mine", TALK, MODEL_LINES)
    with pytest.raises(ModelError, match="--model inner=NAME"):
        adapter.reset(replace(context(tmp_path / "run", model), model=None))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("command = []", "command is empty"),
        ('command = "sh"', "Expected `array`"),
        ("comand = ['sh']", "unknown field `comand`|missing required field `command`"),
        ("command = ['no-such-program-here']", "there is no program 'no-such-program-here'"),
        ("command = ['sh', '--key={api_key}']", "no key on a command line"),
        ("command = ['sh']\noutput = '/etc/passwd'", "below home, state, workspace or temp"),
        ("command = ['sh']\noutput = 'workspace/../../x'", "below home, state, workspace or temp"),
        ("command = ['sh']\n[environment]\nX = '{nonsense}'", "{nonsense} stands for nothing"),
        ("command = ['sh']\ntools = ['nowhere']", "tools: nowhere is not there"),
        ("command = [", "agent.toml: "),
    ],
)
def test_a_mistake_in_the_file_is_told_in_one_line(text: str, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "agent.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=problem) as error:
        load(str(file))
    assert "agent.toml" in str(error.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        load(str(tmp_path / "none.toml"))


def test_a_conversation_cannot_go_on_with_a_command() -> None:
    assert "context" not in options_of(Command)
    assert "context" in options_of(Codex) & options_of(OpenClaw)
