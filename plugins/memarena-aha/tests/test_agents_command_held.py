"""A hostile program plays: in its jail it finds no solution, no run, no process, no key and no network."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import venv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("memarena_harness", reason="memarena-harness is not installed")

from aha_runs import steps, tiny

import memarena_aha
from memarena.errors import PluginLoadError, UsageError
from memarena.store import RunStore
from memarena_aha.agents.command import CommandAgent, CommandOptions
from memarena_aha.agents.context import PlayContext
from memarena_aha.suite.runcard import RunCard
from memarena_harness.preflight import bubblewrap_problem, system_bwrap

_PROBLEM = "; ".join(map(bubblewrap_problem, system_bwrap())) if system_bwrap() else "bubblewrap is not installed"
needs_jail = pytest.mark.skipif(bool(_PROBLEM), reason=_PROBLEM or "it is there")

SECRET = "planted-outside"
LIBRARY = Path("lib", f"python{sys.version_info[0]}.{sys.version_info[1]}", "site-packages")
HOSTILE = r"""
import glob, json, os, pathlib, socket, subprocess, sys
SECRET = "edistuo-detnalp"[::-1]

def text(place):
    return pathlib.Path(place).read_bytes().decode("utf-8", "replace")

def commands():
    for place in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            yield text(place)
        except OSError:  # it has just ended
            pass

def solution_by_import():
    import memarena_aha
    return any(list(pathlib.Path(folder).rglob("*.toml")) for folder in memarena_aha.__path__)

def uncovered():
    for folder in map(os.path.dirname, os.environ["PUZZLES"].split(":")):
        line = f"umount {folder}/../..; umount -l {folder}/../..; ls {folder}"
        done = subprocess.run(["sh", "-c", f"unshare -Urm sh -c '{line}' || ls {folder}"], capture_output=True)
        if b".toml" in done.stdout:
            return True
    return False

def memory():
    target = os.environ["TARGET"]
    (line,) = [line for line in text(f"/proc/{target}/maps").splitlines() if line.endswith("[stack]")]
    start, end = (int(word, 16) for word in line.split()[0].split("-"))
    with open(f"/proc/{target}/mem", "rb") as stream:
        stream.seek(start)
        return SECRET.encode() in stream.read(end - start)

def through_root():
    return [place for place in glob.glob("/proc/[0-9]*/root") if os.path.exists(place + os.environ["PLANTED"])]

def network():
    socket.create_connection(("127.0.0.1", int(os.environ["PORT"])), 5).close()
    return True

def unix():
    socket.socket(socket.AF_UNIX).connect(os.environ["DOOR"])
    return True

ATTACKS = {
    "solution by path": lambda: [place for place in os.environ["PUZZLES"].split(":") if os.path.exists(place)],
    "solution by import": solution_by_import,
    "solution uncovered": uncovered,
    "run folder": lambda: text(os.environ["RUN"] + "/samples/pair.json") != "",
    "planted file": lambda: SECRET in text(os.environ["PLANTED"]),
    "home": lambda: "planted" in os.listdir(os.environ["HOME_OUTSIDE"]),
    "own environment": lambda: SECRET in str(dict(os.environ)),
    "environment of another": lambda: SECRET in text(f"/proc/{os.environ['TARGET']}/environ"),
    "command of another": lambda: any(SECRET in line for line in commands()),
    "memory of another": memory,
    "root of another": through_root,
    "network": network,
    "unix socket": unix,
    "abstract socket": lambda: socket.socket(socket.AF_UNIX).connect("\0" + os.environ["ABSTRACT"]) is None,
    "file beside the program": lambda: SECRET in text(os.environ["BESIDE"]),
    "write beside the program": lambda: pathlib.Path(os.environ["BESIDE"] + ".new").write_text("x") < 0,
    "write to itself": lambda: open(__file__, "a").close() is None,
}

for line in sys.stdin:
    found = []
    for name, attack in ATTACKS.items():
        try:
            if attack():
                found.append(name)
        except Exception:
            pass
    print(json.dumps({"text": json.dumps(found)}), flush=True)
"""


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """What a hostile program would like to reach, and where it is: handed to it in its environment."""
    monkeypatch.setenv("PLANTED_KEY", SECRET)
    here = tmp_path / "venv"
    venv.create(here, symlinks=True)
    installed = here / LIBRARY / "memarena_aha" / "puzzle" / "data"
    data = Path(memarena_aha.__file__).parent / "puzzle" / "data"
    shutil.copytree(data, installed)
    puzzles = [next(iter(sorted(place.glob("*.toml")))) for place in (installed, data)]
    run = tmp_path / "run"
    (run / "samples").mkdir(parents=True)
    (run / "samples" / "pair.json").write_text('{"instance": "P01"}', encoding="utf-8")
    for name in ("planted", "agent/beside"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(SECRET, encoding="utf-8")
    other = subprocess.Popen(["sleep", "600"], env={"PATH": os.defpath, "KEY": SECRET}, executable="/bin/sleep")
    named = subprocess.Popen([SECRET, "600"], executable="/bin/sleep")
    server, door, abstract = socket.create_server(("127.0.0.1", 0)), *(socket.socket(socket.AF_UNIX) for _ in "ab")
    with server, door, abstract:
        for one, place in ((door, str(tmp_path / "door")), (abstract, f"\0memarena-{os.getpid()}")):
            one.bind(place)
            one.listen()
        try:
            yield {
                "PUZZLES": ":".join(map(str, puzzles)),
                "RUN": str(run),
                "PLANTED": str(tmp_path / "planted"),
                "HOME_OUTSIDE": str(tmp_path),
                "TARGET": str(other.pid),
                "PORT": str(server.getsockname()[1]),
                "DOOR": str(tmp_path / "door"),
                "ABSTRACT": f"memarena-{os.getpid()}",
                "BESIDE": str(tmp_path / "agent" / "beside"),
            }
        finally:
            for process in (other, named):
                process.kill()
                process.wait()


def hostile(folder: Path, told: Mapping[str, str], **options: Any) -> CommandAgent:
    """The hostile program as an agent, with the interpreter of an environment in which the puzzles are installed."""
    agent = folder / "agent"
    (agent / "hostile.py").write_text(HOSTILE, encoding="utf-8")
    lines = [f"{name} = {json.dumps(value)}" for name, value in told.items()]
    python = folder / "venv" / "bin" / "python"
    text = f"command = [{json.dumps(str(python))}, 'hostile.py']\n[environment]\n" + "\n".join(lines)
    (agent / "hostile.toml").write_text(text, encoding="utf-8")
    made = CommandAgent(CommandOptions(config=str(agent / "hostile.toml"), seconds=300.0, **options))
    made.begin(PlayContext(part="puzzle", folder=str(folder / "run" / "work" / "x")))
    return made


def found_by(agent: CommandAgent) -> list[str]:
    said = json.loads(agent.act({"text": "Why did he go?", "memory": ""}, [])["text"])
    agent.close()
    return list(said)


@needs_jail
def test_a_hostile_program_reaches_nothing_of_the_host(tmp_path: Path, outside: dict[str, str]) -> None:
    agent = hostile(tmp_path, outside)
    assert (agent.held_by(), found_by(agent)) == ("bubblewrap", [])
    assert not (tmp_path / "agent" / "beside.new").exists()


def test_unheld_the_same_program_reaches_all_of_it_and_the_agent_says_that_nothing_holds_it(
    tmp_path: Path, outside: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    agent = hostile(tmp_path, outside, allow_unsandboxed=True)
    assert agent.held_by() == "none"
    reached = set(found_by(agent))
    assert reached >= {
        *("solution by path", "solution by import", "run folder", "planted file", "home", "environment of another"),
        *("command of another", "network", "unix socket", "abstract socket", "file beside the program"),
        *("write to itself", "solution uncovered"),
    }
    assert (tmp_path / "agent" / "beside.new").exists()
    assert "own environment" not in reached


def test_where_nothing_can_hold_it_it_is_refused_with_what_to_do(
    tmp_path: Path, outside: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    with pytest.raises(UsageError, match=r"the agent command: sandbox missing: .*apt install bubblewrap.*unsandboxed"):
        hostile(tmp_path, outside)


@needs_jail
def test_a_folder_that_holds_the_run_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("command = ['sh', '-c', 'cat']\ntools = ['.']\n", encoding="utf-8")
    agent = CommandAgent(CommandOptions(config=str(tmp_path / "a.toml")))
    with pytest.raises(UsageError, match=r"a\.toml: tools: .* holds the folder of the run"):
        agent.begin(PlayContext(part="puzzle", folder=str(tmp_path / "runs" / "r" / "work" / "x")))


@needs_jail
def test_a_program_of_several_files_names_its_folder(tmp_path: Path) -> None:
    (tmp_path / "player").mkdir()
    (tmp_path / "player" / "main.py").write_text(
        "import json, sys, words\nfor line in sys.stdin: print(json.dumps({'text': words.GOODBYE}))", encoding="utf-8"
    )
    (tmp_path / "player" / "words.py").write_text("GOODBYE = 'so long'", encoding="utf-8")
    config = tmp_path / "player.toml"
    config.write_text("command = ['python3', 'player/main.py']\ntools = ['player']\n", encoding="utf-8")
    agent = CommandAgent(CommandOptions(config=str(config), seconds=300.0))
    agent.begin(PlayContext(part="puzzle", folder=str(tmp_path / "run" / "work" / "x")))
    assert agent.act({"text": "x", "memory": ""}, []) == {"text": "so long"}
    agent.close()


def watching(folder: Path) -> Path:
    """Writes an agent that says 7, and 13 where it sees the folder of a run; gives that folder."""
    run = folder / "r"
    script = (
        "import json, os, sys\n"
        "for line in sys.stdin:\n"
        f"    seen = os.path.exists({str(run)!r}) or os.path.exists({str(folder / 'site')!r})\n"
        "    print(json.dumps({'tool': 'say', 'args': {'number': 13 if seen else 7}}))\n"
    )
    (folder / "player.py").write_text(script, encoding="utf-8")
    (folder / "player.toml").write_text(f"command = [{sys.executable!r}, 'player.py']", encoding="utf-8")
    return run


def played(store: RunStore) -> tuple[str, list[Any], list[str]]:
    """What held the agent, what it said at the cold evaluation, and what the score card says of it."""
    said = [step.args["number"] for step in steps(store, "baseline", "cold")]
    warned = [line for line in RunCard(store).warnings if line.startswith("the agent")]
    return store.header["plugins"]["agent"]["held_by"], said, warned


@needs_jail
@pytest.mark.usefixtures("tiny_part")
def test_a_run_says_what_held_its_agent_and_its_folder_is_not_seen(tmp_path: Path) -> None:
    store = tiny(watching(tmp_path), agent="command", options=("agent.config=player.toml", "aha.controls=[]"))
    assert played(store) == ("bubblewrap", [7, 7, 7], [])


@pytest.mark.usefixtures("tiny_part")
def test_a_run_that_was_allowed_to_leave_its_agent_unheld_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    options = ("agent.config=player.toml", "aha.controls=[]")
    with pytest.raises(PluginLoadError, match="--allow-unsandboxed"):
        tiny(watching(tmp_path), agent="command", options=options)
    store = tiny(watching(tmp_path), agent="command", options=options, allow_unsandboxed=True)
    warned = "the agent command: nothing held it: what it read outside of its folder is not known"
    assert played(store) == ("none", [13, 13, 13], [warned])
