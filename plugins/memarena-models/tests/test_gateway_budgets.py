"""Budgets stop what is over them, and nothing else."""

from __future__ import annotations

import pytest
from stand_in_upstream import Play, completion

from memarena.errors import ModelError
from memarena_models.client import BudgetSpent, ShareSpent, chat
from memarena_models.settings import Budget, Budgets, Price

ASK = [{"role": "user", "content": "hi"}]


def test_a_spent_budget_of_the_run_stops_every_cell(serve, upstream):
    host = serve(budgets=Budgets(run=Budget(tokens=24)))
    for cell in ("a~s", "b~s"):
        chat(host.endpoint(cell), ASK)
    with pytest.raises(BudgetSpent, match=r"the budget of the run is used up: 24 tokens .* of 24; raise budgets.run"):
        chat(host.endpoint("c~s"), ASK)
    assert len(upstream.requests) == 2


def test_a_spent_budget_of_a_cell_stops_that_cell_alone(serve):
    host = serve(budgets=Budgets(cell=Budget(tokens=12)))
    chat(host.endpoint("a~s"), ASK)
    with pytest.raises(ShareSpent, match="cell a~s"):
        chat(host.endpoint("a~s"), ASK)
    chat(host.endpoint("a~t"), ASK)


def test_a_spent_budget_of_an_adapter_stops_all_its_cells(serve):
    host = serve(budgets=Budgets(adapter=Budget(tokens=24)))
    chat(host.endpoint("a~s"), ASK)
    chat(host.endpoint("a~t"), ASK)
    with pytest.raises(ShareSpent, match="adapter a is used up"):
        chat(host.endpoint("a~u"), ASK)
    chat(host.endpoint("b~s"), ASK)


def test_a_budget_in_money_is_counted_with_the_prices(serve):
    host = serve(budgets=Budgets(run=Budget(money=0.02)), prices={"m": Price(input=1000.0)})
    chat(host.endpoint(), ASK)
    chat(host.endpoint(), ASK)
    with pytest.raises(BudgetSpent, match=r"0\.0200 of 0\.0200 are spent"):
        chat(host.endpoint(), ASK)


def test_a_budget_in_money_refuses_a_model_without_a_price(serve, upstream):
    host = serve(budgets=Budgets(run=Budget(money=1.0)))
    with pytest.raises(ModelError, match="needs a price for 'm' in prices"):
        chat(host.endpoint(), ASK)
    assert upstream.requests == []


def test_a_budget_counts_an_estimate_where_the_usage_is_missing(serve, upstream):
    body = completion("word " * 50)
    body["usage"] = None
    upstream.default = Play(body)
    host = serve(budgets=Budgets(run=Budget(tokens=50)))
    chat(host.endpoint(), ASK)
    with pytest.raises(BudgetSpent):
        chat(host.endpoint(), ASK)


def test_what_earlier_sessions_spent_counts_and_what_is_replayed_does_not(serve, tmp_path, upstream):
    first = serve(tmp_path)
    chat(first.endpoint(), ASK)
    first.stop()
    second = serve(tmp_path, budgets=Budgets(run=Budget(tokens=13)))
    chat(second.endpoint(), ASK)
    chat(second.endpoint(), [{"role": "user", "content": "something new"}])
    with pytest.raises(BudgetSpent, match="24 tokens"):
        chat(second.endpoint(), [{"role": "user", "content": "something else"}])
    assert len(upstream.requests) == 2
