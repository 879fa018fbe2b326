"""Scores, slopes, signs and lessons, on runs small enough to check by hand."""

from __future__ import annotations

import pytest
from vending_hands import calm_world

from memarena_aha.vending import Scenario, World
from memarena_aha.vending.detectors import find_signs, useless_repetitions
from memarena_aha.vending.equity import equity
from memarena_aha.vending.keeping import lesson_use
from memarena_aha.vending.lessons import LESSONS
from memarena_aha.vending.letters import dollars
from memarena_aha.vending.play import play_policy
from memarena_aha.vending.scoring import curve, profit, score, slope, slope_against
from memarena_aha.vending.state import Complaint, Invoice, Lot, State, Step
from memarena_aha.vending.summary import summarize
from memarena_aha.vending.trajectory import tell_trajectory


def test_equity_counts_money_half_the_stock_and_what_is_owed() -> None:
    state = State(bank=10_000, machine_cash=500, unpaid_fees=400)
    state.storage["P01"] = [Lot(units=10, cost=100)]
    state.slots["A1"].lots = [Lot(units=1, cost=101)]
    state.invoices["I0001"] = Invoice(id="I0001", party="x", account="y", amount=3_000, day=0, reminded=0)
    state.complaints["C0001"] = Complaint(id="C0001", day=0, slot="A1", sku="P01", amount=200, valid=True)
    state.complaints["C0002"] = Complaint(id="C0002", day=0, slot="A1", sku="P01", amount=900, valid=False)
    assert equity(state) == 10_000 + 500 + 550 - 400 - 3_000 - 200
    assert profit(state) == equity(state) - 50_000


@pytest.mark.parametrize(
    ("earned", "points"), [(-50_000, 0), (-60_000, 0), (0, 5), (950_000, 100), (2_000_000, 100), (450_000, 50)]
)
def test_the_score_is_zero_when_all_is_lost_and_a_hundred_at_the_oracle(earned: int, points: float) -> None:
    assert score(earned, 950_000) == pytest.approx(points)


def test_a_slope_compares_the_first_and_the_last_third_of_the_calendar() -> None:
    days = [0, 10, 20, 30, 30, 30, 30, 60, 90, 120]
    assert (slope(days).early, slope(days).late, slope(days).change) == (10, 30, 20)
    assert slope_against(days, days) == 0
    assert slope_against(days, [5 * day for day in range(10)]) == pytest.approx(30 / 5 - 10 / 5)
    assert slope_against(days, [0] * 10) is None


def test_the_curve_of_a_bankrupt_run_stands_still() -> None:
    world = calm_world()
    world.state.bank = 0
    while not world.state.ended:
        world.act("end_day")
    days = curve(world.state)
    assert len(days) == 366
    assert set(days[10:]) == {days[10]}


def test_the_careful_policy_is_its_own_reference_and_keeps_most_lessons() -> None:
    scenario = Scenario(seed=3, horizon=90)
    summary = summarize(play_policy("careful", scenario))
    assert (summary.slope_against_careful, summary.against_careful) == (0, 0)
    assert 0 < summary.score <= 100
    assert (summary.ended, summary.survived_days, summary.ruined) == ("horizon", 90, False)
    assert not (summary.signs.looped or summary.signs.late_passivity or summary.signs.early_stop)
    for lesson in ("L1", "L3", "L4", "L6", "L9", "L10", "L12"):
        share = summary.lessons[lesson].share
        assert share is None or share > 0.7, lesson


def test_the_oracle_scores_a_hundred_and_doing_nothing_next_to_nothing() -> None:
    scenario = Scenario(seed=3, horizon=90)
    assert summarize(play_policy("oracle", scenario)).score == 100
    nothing = summarize(play_policy("do-nothing", scenario))
    assert nothing.signs.early_stop
    assert nothing.fill_rate is None
    assert nothing.score < 25


def test_the_same_useless_question_again_and_again_is_found_and_news_is_not() -> None:
    world = World(Scenario(seed=0, horizon=30))
    for _ in range(7):
        world.act("get_machine")
    assert useless_repetitions(world.state.steps) == (6, 6)
    world.act("end_day")
    for _ in range(3):
        world.act("list_emails")
        world.act("read_email", {"id": "M0001"})
    assert useless_repetitions(world.state.steps)[0] == 6 + 3


def test_a_call_after_a_change_is_no_repetition() -> None:
    world = World(Scenario(seed=0, horizon=30))
    for price in (100, 110, 120):
        world.act("get_machine")
        world.act("set_prices", {"prices": {"P01": price}})
    assert useless_repetitions(world.state.steps) == (0, 0)


def test_an_agent_that_falls_asleep_in_the_last_third_is_found() -> None:
    scenario = Scenario(seed=0, horizon=90)
    steps = [Step(day=day, minute=480, tool="set_prices", args={"prices": {}}) for day in range(62)]
    signs = find_signs(scenario, State(steps=steps, ended="horizon", ended_day=90))
    assert signs.late_passivity
    assert (signs.passive_early, signs.passive_late) == (0, pytest.approx(28 / 30))


def test_there_are_twelve_lessons_and_a_habit_left_out_shows_in_its_detector() -> None:
    assert [lesson.lesson_id for lesson in LESSONS] == [f"L{number}" for number in range(1, 13)]
    scenario = Scenario(seed=3, horizon=90)
    uses = {
        name: lesson_use(scenario, play_policy(name, scenario).state)
        for name in (
            "careful",
            "careful-pays-all-mail",
            "careful-never-collects",
            "careful-leaves-jams",
            "careful-ignores-refunds",
            "careful-no-bids",
            "two-products",
            "quoted-price",
            "naive",
        )
    }
    for lesson, bad in (
        ("L1", "careful-pays-all-mail"),
        ("L2", "quoted-price"),
        ("L4", "careful-never-collects"),
        ("L5", "naive"),
        ("L6", "careful-leaves-jams"),
        ("L7", "two-products"),
        ("L8", "careful-no-bids"),
        ("L10", "careful-ignores-refunds"),
        ("L11", "naive"),
    ):
        kept = {name: uses[name][lesson] for name in ("careful", bad)}
        assert kept[bad].chances > 0, lesson
        assert (kept[bad].share or 0) < (kept["careful"].share or 1), (lesson, kept)


def test_a_quiet_run_is_told_in_a_paragraph_with_its_early_stop() -> None:
    scenario = Scenario(seed=0, horizon=30, variant="calm")
    summary = summarize(play_policy("do-nothing", scenario))
    careful = dollars(summary.careful_profit)
    assert tell_trajectory(summary) == (
        f"Played 30 days to the end. Profit -$60.00, {summary.score:.0f} points (a careful keeper: {careful}); "
        "-$2.00 a day in the first third, -$2.00 a day in the last. Sold 0 units. "
        "Lessons kept: L12; hardly ever: L4, L9."
    )


def test_a_loop_and_a_quit_are_told() -> None:
    world = World(Scenario(seed=0, horizon=30, variant="calm"))
    for _ in range(7):
        world.act("get_machine")
    world.act("quit")
    told = tell_trajectory(summarize(world))
    assert told.startswith("Ended as quit on day 0 of 30. ")
    assert "Caught in a loop of 6 useless calls." in told
