"""The fifteen acceptance tests of the specification. None needs a language model.

Where a test stands elsewhere, it is named; all others are here. "bench_vending" runs the thirty seeds of a year.

 1 replay hash equal, three instances a part   here; test_vending_determinism: three_runs_are_frozen_...
 2 an action more shifts no draw               test_vending_determinism: a_harmless_call_changes_no_sale_of_any_day
 3 relations of the scripted agents            test_puzzle_ladder, test_euler_part, test_vending_policies, bench_vending
 4 fast and slow solvers, known values         test_euler_families: the_fast_solver_agrees_..., known_answers_...
 5 degenerate tasks are rejected               here; test_euler_families: no_instance_is_degenerate_...
 6 neighbouring seeds share no instance        here, in all parts
 7 bounds of scores, crash, refusal            here; test_suite_failures through the whole suite
 8 money and goods are conserved               test_vending_hostile: no_sequence_of_actions_loses_a_cent_or_a_unit
 9 hosts agree with people                     test_puzzle_hosts: the_host_of_words_answers_the_bank_...,
                                               no_form_of_any_puzzle_has_two_answers
10 nothing, all, half and a false lesson       test_suite_relations
11 no ratio over a small gain                  test_suite_statistics: a_ratio_over_a_gain_that_is_not_safely_...
12 a report has n, intervals, endings, versions   here
13 simulators reach no network                 here
14 tools say what the rules hold               here; test_vending_economy: every_tool_says_the_minutes_...
15 an evaluation leaves the memory as it was   test_suite_protocol: an_evaluation_is_not_heard_..., and
                                               a_store_that_changes_when_it_is_asked_is_found_out

The properties that it names: demand and stock in test_vending_economy, false claims in test_puzzle_scores, the order of
slots and the budget here. What nobody may see of a solution is looked for in a whole run, at the end.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from importlib import import_module
from itertools import permutations
from pathlib import Path
from typing import Any

import acceptance_spies
import pytest
from agents_model import play
from aha_runs import start, tiny
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from vending_hands import calm_world

import memarena_aha
from memarena import catalog
from memarena.cli import cli
from memarena.meter import estimate_tokens
from memarena.store import RunStore
from memarena_aha.agents.context import PlayContext
from memarena_aha.euler.draws import degenerate, draw
from memarena_aha.euler.register import family, family_ids
from memarena_aha.parts import Episode, Pair
from memarena_aha.suite.blocks import block_of
from memarena_aha.suite.playing import replay
from memarena_aha.suite.runcard import RunCard
from memarena_aha.vending import rules
from memarena_aha.vending.equity import equity
from memarena_aha.vending.state import Lot
from memarena_aha.vending.suppliers import KINDS

PARTS = ("puzzle", "euler", "vending")
MONTH = {"horizon": 30, "practice_days": 30, "practice": 1}
SMALL: dict[str, dict[str, Any]] = {"puzzle": {}, "euler": {}, "vending": MONTH}
"""Options that keep a part small."""
FROZEN: dict[str, list[str]] = {
    "puzzle": ["787a62b1ca6d240b", "35e5c8f0b486e976", "a75ccdb01fa82c1b"],
    "euler": ["e15793071918f142", "2ea95588f1e1ba01", "d380eea8a474acc5"],
    "vending": ["2a709ff5df529e0d", "b8e8c103b6d5713c", "5b0710a0d0b23d73"],
}
"""Hashes of the traces of `careful`, by pair of seed 0; others need another version of the part."""


def pairs_of(part: str, count: int, seed: int = 0) -> list[Pair]:
    return list(import_module(f"memarena_aha.{part}").PART.pairs(seed, count, SMALL[part]))


def played(part: str, pair: Pair, name: str) -> tuple[Episode, list[Any]]:
    """An episode that a scripted agent has played to its end, and its actions."""
    episode = pair.evaluate("")
    agent = catalog.load("agents", name)()
    agent.begin(PlayContext(part=part, seed=1))
    return episode, play(agent, episode)


def traces(part: str) -> list[str]:
    found = []
    for pair in pairs_of(part, 3):
        _, actions = played(part, pair, "careful")
        found.append(replay(pair.evaluate(""), actions, "quit")[:16])
    return found


@pytest.mark.parametrize("part", PARTS)
def test_1_three_instances_of_a_part_are_frozen_byte_for_byte_on_every_platform(part: str) -> None:
    assert traces(part) == FROZEN[part]


def test_1_another_process_with_another_hash_seed_makes_the_same_bytes() -> None:
    code = "import test_acceptance as t; print([x for part in t.PARTS for x in t.traces(part)])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONHASHSEED": "77", "PYTHONPATH": str(Path(__file__).parent), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ast.literal_eval(done.stdout) == [trace for part in PARTS for trace in FROZEN[part]]


@pytest.mark.parametrize("answer", [-1, 0, 1, 999, 1234, 5_000_777])
def test_5_an_answer_that_is_too_plain_or_that_of_the_taught_task_is_rejected(answer: int) -> None:
    # 999 is below the floor, 1234 stands in the statement, 5,000,777 ends as the taught answer does.
    assert degenerate(answer, "How many of 1234 are left?", 1000, taught=777)
    assert not degenerate(5_000_778, "How many of 1234 are left?", 1000, taught=777)


@pytest.mark.parametrize("family_id", family_ids())
def test_5_no_held_out_answer_is_the_taught_one(family_id: str) -> None:
    taught, held = (draw(family(family_id), 4, 2, split) for split in ("teach", "test"))
    assert (held.answer - taught.answer) % 10**6 != 0
    assert not {taught.answer, held.answer} & {-1, 0, 1}


@pytest.mark.parametrize("part", PARTS)
def test_6_neighbouring_seeds_share_no_instance(part: str) -> None:
    ids = [{pair.pair_id for pair in pairs_of(part, 20, seed)} for seed in (0, 1, 2)]
    assert [len(found) for found in ids] == [20, 20, 20]
    assert len(set.union(*ids)) == 60


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("why", ["crash", "timeout", "refusal"])
def test_7_who_fails_scores_nothing_or_what_the_days_left_are_worth(part: str, why: Any) -> None:
    (pair,) = pairs_of(part, 1)
    failed = pair.evaluate("")
    failed.finish(why)
    if part == "vending":
        idle, _ = played(part, pair, "idle")
        assert failed.score().score == idle.score().score > 0
    else:
        assert failed.score().score == 0
    assert failed.score().ended == why


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", ["careful", "naive", "idle", "lesson-reader"])
def test_7_every_score_is_between_0_and_100(part: str, name: str) -> None:
    for pair in pairs_of(part, 2, seed=9):
        episode, _ = played(part, pair, name)
        assert 0 <= episode.score().score <= 100


@pytest.mark.usefixtures("tiny_part")
def test_12_a_report_has_n_intervals_endings_and_versions(tmp_path: Path) -> None:
    store = tiny(tmp_path / "run", "verbatim", pairs=3, options=('aha.controls=["null"]',))
    done = CliRunner().invoke(cli, ["report", str(store.path)], env={"COLUMNS": "300"})
    assert done.exit_code == 0, done.output
    page = (store.path / "report.html").read_text(encoding="utf-8")
    for text in (done.output, page):
        assert "3 of 3" in text
        assert "only 3 blocks" in text
    assert "evaluations ended: answered 6" in done.output  # of both memories
    assert "answered 3" in page
    words = " ".join(re.sub(r"<[^>]*>", " ", page).split())
    assert re.search(r"100\.0 \(100\.0 to 100\.0\)", words)
    for version in ("distribution memarena-aha version 1.0.0", "Parts puzzle 1", "name tiny-reader"):
        assert version in words, version
    counts = RunCard(store).as_object()["arms"][0]["parts"]["puzzle"]["counts"]
    assert (counts["planned"], counts["scored"]) == (3, 3)


NETWORK = {"asyncio", "ftplib", "http", "httpx", "requests", "smtplib", "socket", "ssl", "urllib", "aiohttp"}
CHANCE = {"random", "secrets", "time", "datetime", "uuid"}
APART = {"euler/sandbox.py": {"socket"}}
"""It hears from the keeper of a program over a pair of sockets of its own."""


def imported(file: Path) -> set[str]:
    """The modules that a file imports, by their first names."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return {name.partition(".")[0] for name in names}


def test_13_no_simulator_imports_what_reaches_a_network_a_clock_or_chance() -> None:
    root = Path(memarena_aha.__file__).parent
    files = [file for part in PARTS for file in (root / part).rglob("*.py")] + [root / "keyed.py", root / "parts.py"]
    assert len(files) > 100
    for file in files:
        allowed = APART.get(file.relative_to(root).as_posix(), set())
        assert not imported(file) & (NETWORK | CHANCE) - allowed, file


def test_14_tools_say_what_the_rules_hold() -> None:
    world = calm_world()
    tools = {tool["name"]: tool for tool in world.describe_tools()}
    price = tools["set_prices"]["parameters"]["properties"]["prices"]["additionalProperties"]
    low, high = rules.PRICE_RANGE
    assert (price["minimum"], price["maximum"]) == (low, high)
    sku = next(iter(world.hidden.products))
    for cents, ok in ((low - 1, False), (low, True), (high, True), (high + 1, False)):
        assert world.act("set_prices", {"prices": {sku: cents}}).ok == ok
    body = tools["send_email"]["parameters"]["properties"]["body"]["maxLength"]
    for length, ok in ((body, True), (body + 1, False)):
        letter = {"to": "a@b.example", "subject": "x", "body": "x" * length}
        assert world.act("send_email", letter).ok == ok
    assert f"${rules.JAM_FEE / 100:.2f}" in tools["service_slot"]["description"]
    assert f"${rules.TECHNICIAN_FEE / 100:.2f}" in tools["call_technician"]["description"]


def test_equity_does_not_depend_on_the_order_of_slots() -> None:
    found = set()
    for order in permutations((3, 7, 12)):
        world = calm_world()
        for slot, units in zip(("A1", "A2", "B3"), order, strict=True):
            world.state.slots[slot].sku = "P01"
            world.state.slots[slot].lots = [Lot(units=units, cost=90)]
        found.add(equity(world.state))
    assert found == {50_000 + 22 * 90 // 2}


@given(st.lists(st.text(max_size=400), max_size=12), st.integers(0, 300))
def test_a_block_of_memory_never_exceeds_its_budget(items: list[str], budget: int) -> None:
    block = block_of(items, budget)
    assert block.tokens <= budget
    assert sum(estimate_tokens(piece) for piece in block.items) == block.tokens
    assert block.text == "\n\n".join(block.items)
    assert block.cut is (sum(map(estimate_tokens, items)) > budget)
    assert block_of(items, None).items == tuple(filter(None, items))


def told_of(pair: Pair) -> str:
    """What the plan of a pair reveals: the truth of its first unit, or the taught answer."""
    unit = next(iter(pair.plans.values()))[0]
    episode: Any = unit.play() if unit.play is not None else None
    if pair.part == "puzzle":
        return str(episode.puzzle.solution)
    if pair.part == "euler":
        evaluated: Any = pair.evaluate("")
        return f"Its result is {evaluated.task.teaching.answer}."
    return str(next(s.name for s in episode.world.hidden.suppliers.values() if s.kind == "gouger"))


def secrets_of(pair: Pair) -> list[str]:
    """What nobody may read anywhere before the evaluation of a pair is over."""
    episode: Any = pair.evaluate("")
    if pair.part == "puzzle":
        puzzle = episode.puzzle
        return [puzzle.solution, puzzle.summary, *(fact.text for fact in puzzle.key)]
    if pair.part == "euler":
        return [str(value) for value in (episode.task.answer, *episode.task.nodes) if value >= 10_000]
    return []


Told = dict[str, dict[str, str]]
"""By pair, then by who: lines of JSON."""


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunStore, Told]:
    """A run of all parts, with what its agent was shown and its memory heard."""
    root = tmp_path_factory.mktemp("watched")
    acceptance_spies.install(root / "site")
    (root / "log").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(root / "site"))
        patch.setenv(acceptance_spies.LOG, str(root / "log"))
        options = (
            "aha.pairs=2",
            'aha.controls=["null"]',
            'euler.conditions="full,partial"',
            *(f"vending.{name}={value}" for name, value in MONTH.items()),
        )
        start(root / "run", "spying", agent="spying", options=options)
    told = {
        folder.name: {file.stem: file.read_text(encoding="utf-8") for file in folder.iterdir()}
        for folder in (root / "log").iterdir()
    }
    return RunStore.open(root / "run"), told


def test_no_agent_and_no_memory_ever_sees_a_solution(watched: tuple[RunStore, Told]) -> None:
    store, told = watched
    assert {cell.status for cell in store.cells()} == {"done"}
    made = [pair for part in PARTS for pair in import_module(f"memarena_aha.{part}").PART.pairs(0, 2, SMALL[part])]
    assert {pair.pair_id for pair in made} == {spec.sample_id for spec in store.specs()} == set(told)
    looked_for = 0
    for pair in made:
        heard = told[pair.pair_id]
        assert min(heard[name].count("\n") for name in ("begun", "seen", "memory", "heard")) > 5
        assert json.dumps(told_of(pair))[1:-1] in heard["heard"], "a text that is told is found"
        for secret in secrets_of(pair):
            quoted = re.escape(json.dumps(secret)[1:-1])
            for name, text in heard.items():
                assert not re.search(rf"(?<!\d){quoted}(?!\d)", text), (pair.pair_id, name, secret)
            looked_for += 1
    assert looked_for > 10


def test_what_an_agent_sees_of_a_shop_names_no_kind_of_supplier(watched: tuple[RunStore, Told]) -> None:
    shops = [heard["seen"] for pair, heard in watched[1].items() if pair.startswith("vending")]
    assert sum(shop.count("\n") for shop in shops) > 500
    for word in (*KINDS, "elasticity", "reference price", "fraud", "phish", "oracle"):
        assert not any(word in shop.casefold() for shop in shops), word


def test_nothing_says_which_instance_is_played_for_which_memory_or_that_it_is_a_test(
    watched: tuple[RunStore, Told],
) -> None:
    run = str(watched[0].path.resolve())
    for pair, heard in watched[1].items():
        begun = [row[2].removeprefix(run) for row in map(json.loads, heard["begun"].splitlines())]
        shown = (heard["seen"] + repr(begun)).casefold()
        for word in (pair, "spying", "baseline", "benchmark", "evaluation", "memarena"):
            assert word not in shown, (pair, word)
    seeds = {json.loads(row)[1] for heard in watched[1].values() for row in heard["begun"].splitlines()}
    assert not seeds & {pair.instance["seed"] for part in PARTS for pair in pairs_of(part, 2)}
