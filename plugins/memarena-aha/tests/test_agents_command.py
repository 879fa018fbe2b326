"""Any program as an agent: lines in, lines out, and nothing left of it."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path

import pytest

pytest.importorskip("memarena_harness", reason="memarena-harness is not installed")

from agents_model import play

from memarena.childprocess import ProcessEnded, TimeLimit
from memarena.errors import ModelError, PluginError, UsageError
from memarena.records import Endpoint
from memarena_aha.agents import command
from memarena_aha.agents.command import CommandAgent, CommandOptions, read_program
from memarena_aha.agents.context import PlayContext
from memarena_aha.vending.episode import VendingEpisode
from memarena_aha.vending.scenario import Scenario

_LOOP = "import json, os, sys, time\nfor number, line in enumerate(sys.stdin):\n    told = json.loads(line)\n"


def agent_of(folder: Path, body: str, more: str = "", *, seconds: float = 300.0, model: bool = False) -> CommandAgent:
    """An agent whose program does `body` for each line; in a jail where this machine has one."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    (folder / "player.py").write_text(_LOOP + lines, encoding="utf-8")
    config = folder / "player.toml"
    config.write_text(f"command = [{json.dumps(sys.executable)}, 'player.py']\n{more}", encoding="utf-8")
    agent = CommandAgent(CommandOptions(config=str(config), seconds=seconds, allow_unsandboxed=True))
    endpoint = Endpoint(base_url="http://127.0.0.1:9/v1", model="m", api_key="mem-key") if model else None
    agent.begin(PlayContext(part="vending", seed=5, folder=str(folder / "run"), model=endpoint))
    return agent


def test_a_program_of_three_lines_plays_a_month(tmp_path: Path) -> None:
    agent = agent_of(tmp_path, "print(json.dumps({'tool': 'end_day', 'args': {}}), flush=True)")
    episode = VendingEpisode(Scenario(seed=1, horizon=30))
    assert len(play(agent, episode)) == 30
    assert episode.ended == "horizon"
    agent.close()


def test_it_is_told_the_observation_the_tools_once_and_how_it_began(tmp_path: Path) -> None:
    body = "print(json.dumps({'text': sorted(told), 'n': len(told.get('tools', []))}), flush=True)"
    agent = agent_of(tmp_path, body)
    tools = [{"name": "a"}, {"name": "b"}]
    first, second, third = (agent.act({"text": "x", "memory": ""}, tools[: 1 + number // 2]) for number in range(1, 4))
    assert first == {"text": ["observation", "part", "seed", "tools"], "n": 1}
    assert second == {"text": ["observation", "tools"], "n": 2}
    assert third == {"text": ["observation"], "n": 0}
    agent.close()


def test_a_line_that_is_no_json_is_an_action_that_cannot_be_read(tmp_path: Path) -> None:
    agent = agent_of(tmp_path, "print('sell everything', flush=True)")
    episode = VendingEpisode(Scenario(seed=1, horizon=30))
    actions = play(agent, episode)
    assert actions[0] == {"unreadable": "sell everything"}
    assert (len(actions), episode.ended) == (25, "malformed")
    agent.close()


def test_a_program_that_ends_says_how_and_with_which_last_words(tmp_path: Path) -> None:
    agent = agent_of(tmp_path, "print('no more money', file=sys.stderr)\nsys.exit(3)")
    with pytest.raises(ProcessEnded, match=r"exit code 3.*no more money"):
        agent.act({"text": "x", "memory": ""}, [])


def test_a_program_that_hangs_is_killed_with_all_that_it_started(tmp_path: Path) -> None:
    mark = f"{os.getpid()}95"
    body = (
        f"import subprocess\nchild = subprocess.Popen(['sleep', '{mark}'], start_new_session=True)\ntime.sleep({mark})"
    )
    agent = agent_of(tmp_path, body, seconds=3.0)
    with pytest.raises(TimeLimit, match="no answer within 3 s"):
        agent.act({"text": "x", "memory": ""}, [])
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # another process has just ended
            assert place.read_bytes() != f"sleep\0{mark}\0".encode()
    agent.close()


def test_what_floods_standard_error_is_cut_and_the_play_goes_on(tmp_path: Path) -> None:
    body = "sys.stderr.write('x' * 3_000_000)\nprint('{\"tool\": \"end_day\"}', flush=True)"
    agent = agent_of(tmp_path, body)
    for _ in range(2):
        assert agent.act({"text": "x", "memory": ""}, []) == {"tool": "end_day"}
    agent.close()


def test_what_it_writes_is_gone_with_the_episode(tmp_path: Path, temporary: Path) -> None:
    body = "open('kept', 'a').write('x'); print(json.dumps({'text': open('kept').read() + os.environ['HERE']}))"
    for _ in range(2):
        agent = agent_of(tmp_path, body, "[environment]\nHERE = '{folder}'\n")
        said = [agent.act({"text": "x", "memory": ""}, [])["text"] for _ in range(2)]
        here = said[0].removeprefix("x")
        assert Path(here).name == "workspace"
        assert said == [f"x{here}", f"xx{here}"]
        assert len(list(temporary.glob("memarena-play-*"))) == 1
        agent.close()
        assert list(temporary.glob("memarena-play-*")) == []


def test_what_is_printed_without_a_flush_is_sent(tmp_path: Path) -> None:
    agent = agent_of(tmp_path, "print(json.dumps({'text': 'x'}))")
    assert agent.act({"text": "x", "memory": ""}, []) == {"text": "x"}
    agent.close()


def test_it_gets_its_model_by_the_environment_that_the_file_says(tmp_path: Path) -> None:
    more = "[environment]\nBASE = '{base_url}'\nKEY = '{api_key}'\nSEED = 's{seed}'\n"
    agent = agent_of(
        tmp_path,
        "print(json.dumps({'text': os.environ['BASE'] + ' ' + os.environ['SEED']}), flush=True)",
        more,
        model=True,
    )
    port = 8080 if agent.held_by() == "bubblewrap" else 9
    assert agent.act({"text": "x", "memory": ""}, []) == {"text": f"http://127.0.0.1:{port}/v1 s5"}
    agent.close()
    with pytest.raises(ModelError, match="--model"):
        agent_of(tmp_path, "pass", more)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("command = []", "command is empty"),
        ("comand = ['x']", "comand"),
        ("command = ['x']\n[environment]\nA = '{secret}'", "environment.A: {secret} stands for nothing"),
        ("command = [", "player.toml"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_what_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "player.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        read_program(str(file))
    assert said in str(raised.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere\.toml"):
        read_program(str(tmp_path / "nowhere.toml"))


def test_without_memarena_harness_it_is_refused_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    with pytest.raises(PluginError, match="pip install memarena-harness"):
        agent_of(tmp_path, "pass")
