"""The real Codex and OpenClaw play: by themselves, through the tools of a server, in a jail, with the model offline."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("mcp", reason="the package mcp is not installed")
pytest.importorskip("memarena_models", reason="memarena-models is not installed")
pytest.importorskip("memarena_harness", reason="memarena-harness is not installed")

import anyio
from agents_model import Model, play, serving
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

from memarena.childprocess import TimeLimit
from memarena.errors import ModelError
from memarena_aha.agents import relay
from memarena_aha.agents.bridge import Bridge, BridgeDesk
from memarena_aha.agents.context import PlayContext
from memarena_aha.agents.harness import CodexAgent, HarnessFailed, HarnessOptions, OpenClawAgent
from memarena_aha.mcp.desk import OVER
from memarena_aha.puzzle import PART as PUZZLES
from memarena_aha.vending import PART
from memarena_harness.failures import HarnessFailure
from memarena_harness.preflight import bubblewrap_problem
from memarena_harness.programs import Codex, NpmProgram, OpenClaw, bubblewraps


def _problem(program: NpmProgram) -> str:
    try:
        program.find()
    except HarnessFailure as failure:
        return failure.problem
    problems = [bubblewrap_problem(one) for one in bubblewraps()] or ["bubblewrap is not installed"]
    return "" if "" in problems else "; ".join(problems)


needs_codex = pytest.mark.skipif(bool(_problem(Codex())), reason=_problem(Codex()) or "it is there")
needs_openclaw = pytest.mark.skipif(bool(_problem(OpenClaw())), reason=_problem(OpenClaw()) or "it is there")


@pytest.fixture
def model() -> Iterator[Model]:
    with serving() as found:
        yield found


@needs_codex
def test_codex_plays_days_of_vending_by_calls_of_tools_and_leaves_nothing_behind(model: Model, temporary: Path) -> None:
    (pair,) = PART.pairs(0, 1, {"horizon": 30})
    episode, agent = pair.evaluate(""), CodexAgent()
    agent.begin(PlayContext(part="vending", model=model.endpoint))
    try:
        actions = play(agent, episode, "Collect the cash every four days.", most=30)
    finally:
        agent.close()
    assert [action["tool"] for action in actions[:2]] == ["list_emails", "read_email"]
    assert {"search_suppliers", "request_quote", "end_day"} <= {action["tool"] for action in actions}
    assert episode.observe()["data"]["day"] >= 1
    assert list(temporary.glob("memarena-play-*")) == []
    asked = str(model.bodies[-1]["input"])
    assert asked.count("Collect the cash every four days.") == 1
    assert "mem-key" not in asked


@needs_codex
def test_codex_plays_a_puzzle_to_its_end(model: Model) -> None:
    (pair,) = PUZZLES.pairs(0, 1, {})
    episode, agent = pair.evaluate(""), CodexAgent()
    agent.begin(PlayContext(part="puzzle", model=model.endpoint))
    try:
        actions = play(agent, episode, pair.gold)
    finally:
        agent.close()
    assert [action["tool"] for action in actions] == [*["ask"] * 8, "solve"]
    assert episode.ended in ("solved", "wrong")


@needs_openclaw
def test_openclaw_plays_a_puzzle_to_its_end_and_has_no_other_tools(model: Model, temporary: Path) -> None:
    (pair,) = PUZZLES.pairs(0, 1, {})
    episode, agent = pair.evaluate(""), OpenClawAgent()
    agent.begin(PlayContext(part="puzzle", model=model.endpoint))
    try:
        actions = play(agent, episode, pair.gold, most=12)
    finally:
        agent.close()
    assert [action["tool"] for action in actions] == [*["ask"] * 8, "solve"]
    assert episode.ended in ("solved", "wrong")
    offered = {tool["function"]["name"] for tool in model.bodies[0]["tools"]}
    assert offered == {f"world__{name}" for name in ("ask", "ask_short", "note", "solve", "give_up")}
    assert list(temporary.glob("memarena-play-*")) == []


@needs_codex
def test_where_codex_stops_early_it_starts_again_and_one_that_does_nothing_leaves(model: Model) -> None:
    (pair,) = PART.pairs(0, 1, {"horizon": 30})
    episode, agent = pair.evaluate(""), CodexAgent()
    agent.begin(PlayContext(part="vending", model=model.endpoint))
    offline, left = model.reply, [1, 0, 1, 0, 0]

    def lazy(path: str, body: dict[str, object]) -> object:
        if left.pop(0):
            return offline(path, body)
        content = [{"type": "output_text", "text": "Done for today.", "annotations": []}]
        message = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": content}
        return {**offline(path, body), "output": [message]}

    model.reply = lazy  # type: ignore[method-assign, assignment]
    try:
        actions = play(agent, episode)
    finally:
        agent.close()
    assert [action["tool"] for action in actions] == ["list_emails", "list_emails", "quit"]
    assert episode.ended == "quit"


@needs_codex
def test_a_codex_that_does_not_act_in_time_is_killed(model: Model) -> None:
    (pair,) = PART.pairs(0, 1, {"horizon": 30})
    agent = CodexAgent(HarnessOptions(seconds=4.0))
    agent.begin(PlayContext(part="vending", model=model.endpoint))
    over = threading.Event()
    model.reply = lambda path, body: {"output": [], "late": over.wait(60)}  # type: ignore[method-assign]
    with pytest.raises(TimeLimit, match="no action within 4 s"):
        play(agent, pair.evaluate(""))
    over.set()
    assert agent.close() is None


@needs_codex
def test_a_codex_whose_model_is_gone_has_failed() -> None:
    (pair,) = PART.pairs(0, 1, {"horizon": 30})
    agent = CodexAgent(HarnessOptions(session_seconds=60))
    with serving() as gone:
        agent.begin(PlayContext(part="vending", model=gone.endpoint))
    with pytest.raises(HarnessFailed, match="codex ended with"):
        play(agent, pair.evaluate(""))
    agent.close()


@pytest.mark.parametrize("cls", [CodexAgent, OpenClawAgent])
def test_without_a_model_it_says_which_flag_is_missing(cls: type[CodexAgent]) -> None:
    with pytest.raises(ModelError, match=f"the agent {cls.name} needs a model: name one with --model"):
        cls().begin(PlayContext(part="vending"))


def test_a_client_that_comes_while_the_bridge_is_closed_is_hung_up_on(tmp_path: Path) -> None:
    bridge = Bridge(BridgeDesk("You see a door.", []), tmp_path)

    class ClosedMeanwhile(list[socket.socket]):
        """Links, the first of which comes when `close` has just looked at all of them."""

        def append(self, link: socket.socket) -> None:
            bridge.close()
            super().append(link)

    bridge._links = ClosedMeanwhile()
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(60.0)
        client.connect(str(Bridge.place(tmp_path)))
        assert client.recv(1) == b""


def test_a_call_over_the_relay_waits_for_its_answer(tmp_path: Path) -> None:
    tool = {"name": "knock", "description": "Knock.", "parameters": {"type": "object", "properties": {}}}
    desk = BridgeDesk("You see a door.", [tool])
    bridge = Bridge(desk, tmp_path)
    said: list[str] = []

    async def client() -> None:
        words = ["-I", "-S", relay.__file__, str(Bridge.place(tmp_path))]
        server = StdioServerParameters(command="python3", args=words)
        async with stdio_client(server) as (reader, writer), ClientSession(reader, writer) as session:
            hello = await session.initialize()
            said.append(str(hello.instructions))
            for _ in range(2):
                result = await session.call_tool("knock", {})
                said.append(result.content[0].text)  # type: ignore[union-attr]

    async def both() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(client)
            assert await anyio.to_thread.run_sync(desk.taken) == {"tool": "knock", "args": {}}
            desk.answer("Nobody is there.", [tool])
            await anyio.to_thread.run_sync(desk.taken)
            desk.end()

    anyio.run(both)
    bridge.close()
    assert said == ["You see a door.", "Nobody is there.", OVER]
    with socket.socket(socket.AF_UNIX) as late, pytest.raises(OSError, match=r"refused|No such"):
        late.connect(str(Bridge.place(tmp_path)))
