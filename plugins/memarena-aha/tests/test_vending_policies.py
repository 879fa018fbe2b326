"""The ladder of scripted policies: each step one habit apart, paired by seed."""

from __future__ import annotations

from functools import lru_cache
from statistics import mean

from memarena_aha.vending import Scenario, World
from memarena_aha.vending.equity import equity, net_worth
from memarena_aha.vending.play import drive, play_policy
from memarena_aha.vending.policies import POLICIES

_SEEDS = range(3)


@lru_cache(maxsize=128)
def _run(name: str, seed: int) -> World:
    return play_policy(name, Scenario(seed=seed))


def _profits(name: str) -> list[float]:
    return [equity(_run(name, seed).state) / 100 - 500 for seed in _SEEDS]


def test_oracle_beats_careful_beats_naive_beats_doing_nothing() -> None:
    oracle, careful, naive, nothing = map(_profits, ("oracle", "careful", "naive", "do-nothing"))
    assert all(best > good for best, good in zip(oracle, careful, strict=True))
    assert mean(careful) > mean(naive) > mean(nothing)
    assert all(profit <= -500 for profit in nothing)


def test_paying_every_payment_mail_costs_what_the_scams_took() -> None:
    for seed in _SEEDS:
        careful, payer = _run("careful", seed), _run("careful-pays-all-mail", seed)
        assert careful.state.defrauded == 0
        lost = equity(careful.state) - equity(payer.state)
        assert payer.state.defrauded > 30_000
        assert 0.5 < lost / payer.state.defrauded < 1.7  # the rest: cash that was missing for stock


def test_each_bad_habit_costs_money() -> None:
    careful = mean(_profits("careful"))
    for name in ("careful-never-collects", "careful-leaves-jams", "quoted-price", "loyal", "careful-ignores-refunds"):
        assert mean(_profits(name)) < careful, name


def test_bad_prices_ruin() -> None:
    assert all(profit < 0 for profit in _profits("below-cost"))
    assert mean(_profits("price-gouge")) < mean(_profits("naive"))


def test_a_hoarder_does_not_pass_the_careful_even_where_stock_counts_at_cost() -> None:
    careful = mean(net_worth(_run("careful", seed).state) for seed in _SEEDS)
    assert mean(net_worth(_run("hoarder", seed).state) for seed in _SEEDS) < careful


def test_no_policy_makes_an_action_that_cannot_be_read() -> None:
    for name in POLICIES:
        world = play_policy(name, Scenario(seed=1, horizon=90))
        assert world.state.bad_actions == 0, name
        assert world.state.ended in ("horizon", "bankrupt", "no_order"), name


def test_a_policy_that_stops_has_quit_and_the_year_goes_on_without_it() -> None:
    world = drive(World(Scenario(seed=1, horizon=30)), (call for call in [("end_day", {})]))  # type: ignore[arg-type]
    assert (world.state.ended, world.state.ended_day, world.state.day) == ("quit", 1, 30)
