"""Vending as a part: pairs, practice, what a memory hears, and what an agent without a model makes of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from statistics import mean

import pytest

from memarena.errors import UsageError
from memarena_aha.parts import ENDINGS, Pair
from memarena_aha.vending import PART
from memarena_aha.vending.episode import VendingEpisode
from memarena_aha.vending.policies.habits import Habits
from memarena_aha.vending.policies.learner import Learner
from memarena_aha.vending.policies.reader import NOVICE
from memarena_aha.vending.reader import LessonReader, read
from memarena_aha.vending.scenario import Scenario
from memarena_aha.vending.world import Outcome

_SMALL = {"horizon": 90, "practice_days": 30}
Memory = Callable[[Sequence[list[str]]], str]


def everything(sessions: Sequence[list[str]]) -> str:
    """A store that shows all reports it heard."""
    return "\n".join(text for session in sessions for text in session if text.startswith("Lesson: "))


def every_second(sessions: Sequence[list[str]]) -> str:
    """A store that loses every second session."""
    return everything(sessions[::2])


def nothing(sessions: Sequence[list[str]]) -> str:
    """No memory."""
    return ""


def play(episode: VendingEpisode, memory: Memory, sessions: list[list[str]], shown: str = "") -> None:
    """Play an episode with the reader; what it says is heard, a session a week."""
    agent = LessonReader()
    while not episode.ended:
        text = shown or memory(sessions)
        step = episode.act(agent.act({**episode.observe(), "memory": text}, episode.tools()))
        sessions[-1] += [said.text for said in step.said]
        if step.session_over:
            sessions.append([])


def points(pair: Pair, memory: Memory, shown: str = "") -> float:
    """The score after the plan."""
    sessions: list[list[str]] = [[]]
    for unit in pair.plans["practice"] if not shown else ():
        assert unit.play is not None
        assert unit.after is not None
        practice = unit.play()
        assert isinstance(practice, VendingEpisode)
        play(practice, memory, sessions)
        sessions[-1] += [said.text for said in unit.after(practice)]
        sessions.append([])
    evaluation = pair.evaluate("")
    assert isinstance(evaluation, VendingEpisode)
    play(evaluation, memory, [list(session) for session in sessions], shown)
    return evaluation.score().score


def test_a_pair_is_named_by_its_instance_and_the_same_for_any_count() -> None:
    few, many = PART.pairs(3, 2, {}), PART.pairs(3, 4, {})
    assert [pair.pair_id for pair in few] == [pair.pair_id for pair in many[:2]]
    text = json.dumps(few[0].instance, sort_keys=True, separators=(",", ":"))
    assert few[0].pair_id == f"vending-{sha256(text.encode()).hexdigest()[:12]}"
    assert set(few[0].instance) == {"part", "id", "params", "seed", "version"}


def test_neighbouring_seeds_share_no_instance_and_no_practice() -> None:
    seeds = {pair.instance["seed"] for seed in range(5) for pair in PART.pairs(seed, 20, {})}
    assert len(seeds) == 100


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"horizont": 90}, "no option 'horizont'"),
        ({"horizon": 91}, r"^vending\.horizon: 91 is not one of 365, 90, 60, 30$"),
        ({"practice": 4}, r"vending\.practice: "),
        ({"practice_days": 365}, r"^vending\.practice_days: 365 is not one of 90, 60, 30$"),
        ({"variant": "easy"}, r"^vending\.variant: 'easy' is not one of incidents, calm, only-delay, "),
        ({"in_run": "perhaps"}, "in_run"),
    ],
)
def test_an_option_that_is_wrong_is_refused_by_its_name(options: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        PART.pairs(0, 1, options)


def test_options_may_come_as_text() -> None:
    (pair,) = PART.pairs(0, 1, {"horizon": "30", "practice": "3"})
    assert pair.facets["horizon"] == 30
    assert len(pair.plans["practice"]) == 3


def test_the_gouger_bears_the_name_of_an_honest_supplier_of_the_first_practice() -> None:
    for pair in PART.pairs(11, 5, {}):
        evaluation, first = pair.evaluate(""), pair.plans["practice"][0].play
        assert first is not None
        (gouger,) = (s.name for s in evaluation.world.hidden.suppliers.values() if s.kind == "gouger")  # type: ignore[attr-defined]
        known = {s.name: s.kind for s in first().world.hidden.suppliers.values()}  # type: ignore[attr-defined]
        assert known[gouger].startswith("honest")


def test_trust_in_an_old_name_is_counted_with_what_it_cost() -> None:
    (pair,) = PART.pairs(11, 1, {"horizon": 30})
    raws = []
    for trusted in (True, False):
        episode = pair.evaluate("")
        assert isinstance(episode, VendingEpisode)
        suppliers = episode.world.hidden.suppliers.values()
        (gouger,) = (s.name for s in suppliers if s.kind == "gouger")
        names = [gouger] if trusted else [s.name for s in suppliers if s.kind == "honest_fixed"]
        keeper = Learner(NOVICE, 30, trusted=names)
        plan = keeper.play()
        tool, args = next(plan)
        while True:
            episode.act({"tool": tool, "args": args})
            if episode.ended:
                break
            data = episode.observe()["data"]
            tool, args = plan.send(Outcome(data=data["result"], error=data["error"], message=data["message"]))
        raws.append(episode.score().raw)
    fooled, wary = raws
    assert fooled["stale_orders"] > 0  # type: ignore[operator]
    assert fooled["stale_overpaid"] > 1_000  # type: ignore[operator]
    assert (wary["stale_orders"], wary["stale_overpaid"]) == (0, 0)


def test_more_memory_helps_more_and_a_false_lesson_harms() -> None:
    pairs = PART.pairs(0, 4, {})
    cold, wiped = ([points(pair, nothing, shown) for pair in pairs] for shown in ("", "nothing is known"))
    assert cold == wiped
    lossy, full = (mean(points(pair, memory) for pair in pairs) for memory in (every_second, everything))
    gold = mean(points(pair, nothing, pair.gold) for pair in pairs)
    poisoned = mean(points(pair, nothing, pair.poison) for pair in pairs)
    assert poisoned < mean(cold) < lossy < full
    assert gold > mean(cold) + 20


def test_the_supported_run_shows_all_lessons_all_the_time() -> None:
    (pair,) = PART.pairs(2, 1, {"horizon": 30})
    supported, plain = pair.evaluate("supported"), pair.evaluate("")
    for episode in (supported, plain):
        episode.act({"tool": "get_status", "args": {}})
    assert read(str(supported.observe()["data"]["support"])) == Habits()
    assert all(lesson.text in supported.observe()["text"] for lesson in pair.lessons)
    assert not any(lesson.text in plain.observe()["text"] for lesson in pair.lessons)
    with pytest.raises(UsageError, match="support"):
        pair.evaluate("half")


def test_in_the_in_run_variant_the_agent_begins_anew_each_week_and_the_memory_hears_the_run() -> None:
    (pair,) = PART.pairs(2, 1, {"horizon": 30, "in_run": True})
    assert pair.listens
    assert pair.plans == {"in_run": ()}
    episode = pair.evaluate("")
    stretches, overs = [], []
    while not episode.ended:
        overs.append(episode.act({"tool": "end_day"}).session_over)
        stretches.append(episode.observe()["data"]["stretch"])
        if episode.observe()["data"]["day"] == 14:
            assert "You run a vending machine" in episode.observe()["text"]
    assert stretches == [0] * 6 + [1] * 7 + [2] * 7 + [3] * 7 + [4] * 3
    assert [day for day, over in enumerate(overs, 1) if over] == [7, 14, 21, 28, 30]


def test_a_reader_that_forgets_takes_its_open_shop_over_and_stays_in_business() -> None:
    (pair,) = PART.pairs(2, 1, {"in_run": True})
    episodes = []
    for text in ("", pair.gold):
        episode = pair.evaluate("")
        assert isinstance(episode, VendingEpisode)
        play(episode, nothing, [[]], text or "-")
        episodes.append(episode)
    forgetful, reminded = episodes
    refused = [step.error for step in reminded.world.state.steps if step.tool == "stock_machine" and step.error]
    assert refused == []
    assert reminded.score().score > forgetful.score().score


def test_an_episode_ends_from_outside_once_and_is_scored_with_every_figure() -> None:
    episode = VendingEpisode(Scenario(seed=1, horizon=30))
    episode.act({"tool": "end_day"})
    episode.finish("timeout", "no answer within 5 s")
    episode.finish("crash")
    score = episode.score()
    assert score.ended == "timeout"
    assert score.ended in ENDINGS
    assert score.raw["failure"] == "no answer within 5 s"
    assert score.raw["survived_days"] == 1
    assert score.used["L4"] == (0, 0)
    assert all(value is None or isinstance(value, int | float | str) for value in score.raw.values())
    assert json.loads(json.dumps(dict(score.raw))) == dict(score.raw)


def test_the_foreign_log_is_about_as_long_as_the_practice_and_teaches_the_reader_nothing() -> None:
    (pair,) = PART.pairs(0, 1, _SMALL)
    sessions: list[list[str]] = [[]]
    for unit in pair.plans["practice"]:
        assert unit.play is not None
        play(unit.play(), nothing, sessions)  # type: ignore[arg-type]
    heard = sum(len(session) for session in sessions)
    assert 0.5 < len(pair.foreign) / heard < 2
    assert read("\n".join(said.text for said in pair.foreign)) == NOVICE
