"""Demand, prices, bargaining and money, against values of the rules that can be checked by hand."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vending_hands import calm_world, fill, mails, order_from, pass_days, quote_from, small_product, supplier_of

from memarena_aha.keyed import Streams
from memarena_aha.vending.almanac import draw_weather, month, weekday
from memarena_aha.vending.demand import demand, expected, price_factor, variety_factor
from memarena_aha.vending.hidden import Hidden
from memarena_aha.vending.products import CATALOGUE, Product
from memarena_aha.vending.scenario import Scenario
from memarena_aha.vending.suppliers import counter_price

_PRODUCT = Product(
    sku="P01", name="Salt Twists", size="small", category="cold", reference=200, cost=80, rate=3000, elasticity=1500
)


def test_demand_falls_by_the_elasticity_and_stays_between_zero_and_two_and_a_half() -> None:
    assert [price_factor(_PRODUCT, price) for price in (200, 220, 100, 400, 25)] == pytest.approx(
        [1.0, 0.85, 1.75, 0.0, 2.3125]
    )


def test_a_hot_saturday_in_july_multiplies_season_weather_variety_and_reputation() -> None:
    day = 187  # 7 July: 181 days are over at the end of June, and 187 % 7 == 5
    assert (weekday(day), month(day)) == (5, 6)
    mean = expected(_PRODUCT, 200, day, "heat", variety_factor(6, 8), 900)
    assert mean == pytest.approx(3.0 * 1.30 * 1.20 * 1.6 * 0.92 * 0.9)


def test_variety_costs_two_percent_a_squared_step_and_at_most_a_half() -> None:
    assert [variety_factor(kinds, 7) for kinds in (7, 6, 9, 2, 12)] == pytest.approx([1.0, 0.98, 0.92, 0.5, 0.5])


@given(st.floats(0, 40), st.floats(0, 1, exclude_max=True))
def test_demand_is_the_inverse_of_the_poisson_distribution(mean: float, uniform: float) -> None:
    rounded = int(mean * 1000 + 0.5) / 1000
    count = demand(mean, uniform)
    below = sum(math.exp(-rounded) * rounded**k / math.factorial(k) for k in range(count))
    assert below <= uniform + 1e-9
    assert below + math.exp(-rounded) * rounded**count / math.factorial(count) >= uniform - 1e-9


@given(st.integers(25, 800), st.integers(25, 800), st.floats(0, 1, exclude_max=True))
def test_demand_never_rises_with_the_price(one: int, other: int, uniform: float) -> None:
    low, high = sorted((one, other))
    at = [demand(expected(_PRODUCT, price, 10, "clear", 1.0, 1000), uniform) for price in (low, high)]
    assert at[0] >= at[1]


def test_a_counter_offer_goes_forty_percent_of_the_way_each_time_and_ends_at_the_floor() -> None:
    assert [counter_price(140, 100, offers) for offers in (1, 2, 3, 9)] == [124, 108, 100, 100]


def test_a_supplier_counters_accepts_and_then_quotes_the_agreed_price() -> None:
    world = calm_world()
    supplier = world.hidden.suppliers[supplier_of(world, "honest_negotiable")]
    quote = world.state.quotes[quote_from(world, supplier.id)]
    sku = min(quote.prices)
    listed, floor = quote.prices[sku], supplier.floor_price(world.hidden.products[sku], False)
    for offers in (1, 2):
        world.act("make_offer", {"quote_id": quote.id, "sku": sku, "unit_price": floor - 1})
        again = world.act("make_offer", {"quote_id": quote.id, "sku": sku, "unit_price": floor})
        assert again.error == "already_offered"
        world.act("end_day")
        assert quote.prices[sku] == counter_price(listed, floor, offers)
    assert [facts["answer"] for facts in mails(world, "answer")] == ["counter", "counter"]
    assert world.state.quotes[quote_from(world, supplier.id)].prices[sku] == counter_price(listed, floor, 2)


def test_an_insulting_offer_silences_the_supplier_for_a_week() -> None:
    world = calm_world()
    supplier = supplier_of(world, "honest_fixed")
    quote = world.state.quotes[quote_from(world, supplier)]
    world.act("make_offer", {"quote_id": quote.id, "sku": min(quote.prices), "unit_price": 1})
    world.act("end_day")
    for _ in range(7):
        world.act("request_quote", {"supplier_id": supplier})
        world.act("end_day")
    assert len(world.state.quotes) == 1
    assert quote_from(world, supplier) == "Q0002"


def test_an_order_is_refused_for_each_reason_and_charges_nothing() -> None:
    world = calm_world()
    quote = world.state.quotes[quote_from(world, supplier_of(world, "honest_fixed"))]
    sku, bank = min(quote.prices), world.state.bank
    cases = {
        "unknown_quote": ("Q9999", {sku: 20}),
        "unknown_sku": (quote.id, {"P99": 20}),
        "below_moq": (quote.id, {sku: quote.minimum - 1}),
        "insufficient_funds": (quote.id, {sku: 5000}),
    }
    for error, (quote_id, units) in cases.items():
        assert world.act("place_order", {"quote_id": quote_id, "units": units}).error == error
    pass_days(world, 8)
    late = world.act("place_order", {"quote_id": quote.id, "units": {sku: 20}})
    assert (late.error, world.state.bank) == ("expired_quote", bank - 8 * 200)


def test_goods_arrive_during_the_day_and_not_at_eight() -> None:
    world = calm_world()
    order = order_from(world, supplier_of(world, "honest_fixed"))
    pass_days(world, order.promised - world.state.day)
    assert (order.status, order.arrives > 480, world.act("get_storage").data["storage"]) == ("arriving", True, {})
    while world.state.minute < order.arrives:
        world.act("get_status")
    assert order.status == "delivered"
    stored = world.act("get_storage").data["storage"]
    assert {sku: row["units"] for sku, row in stored.items()} == order.units


def test_seventy_percent_of_revenue_comes_by_card_next_morning_and_the_rest_waits_in_the_machine() -> None:
    world = calm_world()
    fill(world, "A1", small_product(world), 15)
    world.act("end_day")
    revenue = world.state.revenue
    assert revenue > 0
    assert world.state.bank == 50_000 - 200 + revenue * 70 // 100
    assert world.state.machine_cash == revenue - revenue * 70 // 100
    assert world.act("collect_cash").data == {"collected": world.state.revenue - revenue * 70 // 100}
    assert world.state.bank == 50_000 - 200 + revenue


def test_two_slots_of_a_product_share_one_demand() -> None:
    one, two = calm_world(), calm_world()
    sku = small_product(one)
    fill(one, "A1", sku, 15)
    fill(two, "A1", sku, 15)
    fill(two, "B3", sku, 15)
    for world in (one, two):
        world.act("end_day")
    assert one.state.sales[0].wanted == two.state.sales[0].wanted


def test_more_stock_never_sells_less() -> None:
    sku = small_product(calm_world())
    sold = []
    for units in (1, 2, 15):
        world = calm_world()
        fill(world, "A1", sku, units)
        world.act("end_day")
        sold.append(world.state.sales[0].sold[sku])
    assert sold == sorted(sold)


def test_a_day_has_fourteen_hours_and_what_does_not_fit_changes_nothing() -> None:
    world = calm_world()
    for _ in range(11):
        assert world.act("collect_cash").ok
    assert world.act("collect_cash").error == "no_time"
    assert world.state.minute == 22 * 60 - 15
    assert [world.act("get_status").ok for _ in range(4)] == [True, True, True, False]


def test_every_tool_says_the_minutes_that_it_takes() -> None:
    world = calm_world()
    for tool in world.tools.values():
        said = tool.describe()["description"]
        assert (f"Takes {tool.minutes} minutes." in said) == (tool.minutes > 0)
        assert tool.minutes in (0, 5, 25, 75)


def test_the_catalogue_has_sixty_products_and_a_seed_ten_small_and_eight_large_within_their_ranges() -> None:
    assert len({name for name, _, _ in CATALOGUE}) == 60
    for seed in range(20):
        hidden = Hidden(Scenario(seed=seed))
        sizes = [product.size for product in hidden.products.values()]
        assert (sizes.count("small"), sizes.count("large"), len(hidden.suppliers)) == (10, 8, 7)
        assert 6 <= hidden.best_variety <= 9
        for product in hidden.products.values():
            low, high = (150, 340) if product.size == "small" else (320, 680)
            assert low <= product.reference <= high
            assert 0.32 * product.reference <= product.cost <= product.reference // 2
        closing = [s.closes for s in hidden.suppliers.values() if s.closes is not None]
        assert len(closing) == 2
        assert all(90 <= day <= 260 for day in closing)


def test_weather_stays_the_same_more_often_than_chance_and_shocks_can_be_left_out() -> None:
    days = draw_weather(Streams("w"), 3650, True)
    assert set(days) == {"clear", "cloud", "rain", "heat", "storm"}
    same = sum(a == b for a, b in pairwise(days)) / len(days)
    assert 0.5 < same < 0.65  # 35 % stay; of the rest about a third draw the same again
    assert set(draw_weather(Streams("w"), 3650, False)) == {"clear", "cloud", "rain"}


def test_ten_unpaid_days_in_a_row_end_the_contract_and_the_fees_after_it() -> None:
    world = calm_world()
    world.state.bank = 0
    pass_days(world, 9)
    assert (world.state.ended, world.state.unpaid_days) == ("", 9)
    world.act("end_day")
    assert (world.state.ended, world.state.ended_day, world.state.day) == ("bankrupt", 10, 365)
    assert world.state.unpaid_fees == 10 * 200


def test_doing_nothing_ends_as_no_order_after_45_days_and_is_ruined() -> None:
    world = calm_world()
    pass_days(world, 45)
    assert (world.state.ended, world.state.ended_day, world.state.bank) == ("no_order", 45, 0)
    assert world.state.unpaid_fees == 10 * 200
