"""The parts as servers: played by the official client, over standard input and output."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the package mcp is not installed")

import anyio
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

from memarena.errors import DataError, UsageError
from memarena_aha.mcp.desk import OVER, EpisodeDesk, Log
from memarena_aha.mcp.serve import score_file, serve
from memarena_aha.puzzle import PART as PUZZLES
from memarena_aha.vending import PART
from memarena_aha.vending.episode import VendingEpisode
from memarena_aha.vending.scenario import Scenario

_SERVE = (
    "import sys; from pathlib import Path; from memarena_aha.mcp.serve import serve;"
    "serve('vending', seed=3, options={'horizon': 30}, log=Path(sys.argv[1]))"
)


def played(log: Path, work: Callable[[ClientSession, Any], Awaitable[Any]]) -> Any:
    """What `work` gives, done by a client of a server that writes `log`."""

    async def main() -> Any:
        parameters = StdioServerParameters(command=sys.executable, args=["-c", _SERVE, str(log)])
        async with stdio_client(parameters) as (reader, writer), ClientSession(reader, writer) as session:
            return await work(session, await session.initialize())

    return anyio.run(main)


async def _call(session: ClientSession, name: str, **arguments: Any) -> str:
    result = await session.call_tool(name, arguments)
    return str(result.content[0].text)  # type: ignore[union-attr]


def test_a_month_is_played_by_the_official_client_and_scored_from_what_was_written(tmp_path: Path) -> None:
    log = tmp_path / "played.jsonl"

    async def work(session: ClientSession, hello: Any) -> tuple[str, list[str], list[str]]:
        tools = [tool.name for tool in (await session.list_tools()).tools]
        told = [await _call(session, "search_suppliers", query="snack")]
        told += [await _call(session, "end_day") for _ in range(31)]
        return hello.instructions, tools, told

    instructions, tools, told = played(log, work)
    assert "You run a vending machine" in instructions
    assert {"end_day", "place_order", "verify_payee"} <= set(tools)
    assert "write_note" not in tools
    assert "sales@" in told[0]
    assert "Day 1 of 30" in told[1]
    assert "The run has ended: horizon." in told[30]
    assert told[31] == OVER
    (pair,) = PART.pairs(3, 1, {"horizon": 30})
    direct = pair.evaluate("")
    direct.act({"tool": "search_suppliers", "args": {"query": "snack"}})
    while not direct.ended:
        direct.act({"tool": "end_day", "args": {}})
    assert score_file(log) == direct.score()
    assert "score" not in "\n".join([*told, instructions, log.read_text(encoding="utf-8")]).lower()


def test_junk_is_answered_and_costs_time_and_a_run_that_is_left_counts_as_quit(tmp_path: Path) -> None:
    log = tmp_path / "played.jsonl"

    async def work(session: ClientSession, hello: Any) -> list[str]:
        return [
            await _call(session, "sell_everything"),
            await _call(session, "set_prices", prices="high"),
            await _call(session, "get_status"),
        ]

    unknown, wrong, status = played(log, work)
    assert "there is no tool 'sell_everything'" in unknown
    assert "bad_args" in wrong
    assert "08:15" in status
    score = score_file(log)
    assert (score.ended, score.raw["bad_actions"], score.raw["survived_days"]) == ("quit", 2, 0)


def test_a_desk_tells_no_score_and_nothing_after_the_end() -> None:
    desk = EpisodeDesk(VendingEpisode(Scenario(seed=1, horizon=30)))
    last = desk.call("quit", {})
    assert last == f"The run has ended: quit.\n\n{OVER}"
    assert desk.call("end_day", {}) == OVER


def test_a_puzzle_is_served_too_and_its_truth_stays_hidden(tmp_path: Path) -> None:
    (pair,) = PUZZLES.pairs(4, 1, {})
    log = tmp_path / "played.jsonl"
    instance = {"part": "puzzle", "seed": 4, "number": 0, "options": {}, "pair_id": pair.pair_id}
    episode = pair.evaluate("")
    desk = EpisodeDesk(episode, Log(log, instance))
    story = episode.puzzle.solution  # type: ignore[attr-defined]
    told = [desk.briefing(), desk.call("ask", {"template": "nature", "subject": "story", "value": "check"})]
    told.append(desk.call("solve", {"text": "Nobody knows."}))
    assert told[-1].endswith(OVER)
    assert not any(story in text for text in told)
    assert score_file(log) == episode.score()


def test_a_part_without_tools_cannot_be_served(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="euler cannot be served; there are puzzle and vending"):
        serve("euler", log=tmp_path / "log")


@pytest.mark.parametrize("text", ["", "junk", "{}", '{"instance": {"part": "vending"}}'])
def test_a_file_that_is_no_log_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "log"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="not a log of what was served"):
        score_file(file)


def test_a_log_of_other_rules_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "log"
    instance = {"part": "vending", "seed": 0, "number": 0, "options": {}, "pair_id": "vending-000000000000"}
    file.write_text(json.dumps({"instance": instance}) + "\n", encoding="utf-8")
    with pytest.raises(DataError, match="rules have changed"):
        score_file(file)
