"""Each incident alone, in a world where nothing else happens."""

from __future__ import annotations

import pytest
from vending_hands import (
    calm_world,
    fill,
    mails,
    order_from,
    pass_days,
    quote_from,
    skip_to,
    small_product,
    supplier_of,
)

from memarena.errors import UsageError
from memarena_aha.vending import INCIDENTS, VARIANTS, Scenario, World
from memarena_aha.vending.rules import size_of
from memarena_aha.vending.state import Breakdown, Complaint


def test_there_is_a_variant_with_all_incidents_one_with_none_and_one_for_each() -> None:
    assert len(VARIANTS) == 2 + len(INCIDENTS)
    assert Scenario(seed=0).incidents == frozenset(INCIDENTS)
    assert Scenario(seed=0, variant="calm").incidents == frozenset()
    assert Scenario(seed=0, variant="only-jam").incidents == {"jam"}


@pytest.mark.parametrize("wrong", [{"horizon": 31}, {"variant": "storms"}, {"seed": -1}])
def test_a_scenario_that_does_not_exist_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        Scenario(**{"seed": 0, **wrong})  # type: ignore[arg-type]


def test_a_calm_year_has_no_jam_no_complaint_no_breakdown_and_no_false_mail() -> None:
    world = calm_world()
    sku = small_product(world)
    for _ in range(60):
        fill(world, "A1", sku, 15)
        world.act("end_day")
    assert (world.state.jams, world.state.complaints, world.state.breakdown) == ([], {}, None)
    assert len(world.state.inbox) == 1


def test_orders_are_late_in_one_case_of_eight_and_most_delays_are_announced() -> None:
    world = calm_world(variant="only-delay")
    supplier = supplier_of(world, "honest_fixed")
    late = told = orders = 0
    for _ in range(120):
        world.state.bank = 50_000
        order = order_from(world, supplier)
        world.act("end_day")
        orders += 1
        late += order.due > order.promised
        told += any(facts["order"] == order.id for facts in mails(world, "delay"))
        assert 0 <= order.due - order.promised <= 6
    assert 0.05 < late / orders < 0.22
    assert late / 2 < told <= late


def test_a_flaky_supplier_loses_orders_which_count_as_lost_two_weeks_later() -> None:
    world = calm_world(variant="only-delay")
    supplier = supplier_of(world, "flaky")
    for _ in range(80):
        world.state.bank = 50_000
        order_from(world, supplier)
    pass_days(world, 30)
    statuses = [order.status for order in world.state.orders.values()]
    assert 2 <= statuses.count("lost") <= 20
    assert statuses.count("lost") + statuses.count("delivered") == len(statuses)


def test_a_closed_supplier_says_so_keeps_the_money_and_takes_no_more_orders() -> None:
    world = calm_world(variant="only-closure")
    supplier = world.hidden.suppliers[supplier_of(world, "honest_fixed")]
    if supplier.closes is None:
        supplier = next(s for s in world.hidden.suppliers.values() if s.closes is not None)
    assert supplier.closes is not None
    skip_to(world, supplier.closes - 2)
    order = order_from(world, supplier.id)
    world.act("end_day")
    assert mails(world, "closure") == [{"kind": "closure", "supplier": supplier.id}]
    assert (order.status, world.state.bank < 50_000) == ("lost", True)
    again = world.act("place_order", {"quote_id": order.quote, "units": order.units})
    assert again.error == "supplier_closed"
    world.act("request_quote", {"supplier_id": supplier.id})
    world.act("end_day")
    assert world.state.inbox[-1].subject == "Undeliverable"


def test_bait_and_switch_delivers_half_to_three_quarters_and_charges_35_percent_and_15_dollars_more() -> None:
    world = calm_world(variant="only-bait")
    order = order_from(world, supplier_of(world, "bait_and_switch"), 40)
    pass_days(world, order.due - world.state.day + 1)
    (sku,) = order.units
    assert 20 <= order.received[sku] <= 30
    assert order.extra == order.charged * 35 // 100 + 1_500
    surcharges = [entry.amount for entry in world.state.ledger if entry.kind == "surcharge"]
    assert surcharges == [-order.extra]
    assert mails(world, "delivery")[0]["received"] == order.received


def test_without_the_incident_that_supplier_states_its_full_price_and_delivers_all() -> None:
    world, baiting = calm_world(), calm_world(variant="only-bait")
    kind = supplier_of(world, "bait_and_switch")
    rate = baiting.hidden.suppliers[kind].list_rate
    assert world.hidden.suppliers[kind].list_rate == rate * 135 // 100
    order = order_from(world, kind)
    pass_days(world, order.due - world.state.day + 1)
    assert (order.received, order.extra) == (order.units, 0)


def _complaint(world: World, valid: bool) -> Complaint:
    complaint = Complaint(id="C0001", day=0, slot="A1", sku="P01", amount=500, valid=valid)
    world.state.complaints["C0001"] = complaint
    return complaint


@pytest.mark.parametrize(
    ("valid", "call", "paid", "reputation"),
    [
        (True, ("issue_refund", {"complaint_id": "C0001"}), 500, 1000),
        (True, ("issue_refund", {"complaint_id": "C0001", "amount": 250}), 250, 980),
        (True, ("reject_refund", {"complaint_id": "C0001"}), 0, 960),
        (False, ("issue_refund", {"complaint_id": "C0001"}), 500, 1000),
        (False, ("reject_refund", {"complaint_id": "C0001"}), 0, 1000),
    ],
)
def test_an_answer_to_a_complaint_costs_money_or_reputation(
    valid: bool, call: tuple[str, dict[str, object]], paid: int, reputation: int
) -> None:
    world = calm_world(variant="only-refund")
    _complaint(world, valid)
    assert world.act(*call).ok
    assert (world.state.bank, world.state.reputation) == (50_000 - paid, reputation)
    assert world.act(*call).error == "complaint_closed"


def test_a_valid_complaint_without_an_answer_lapses_after_three_days_and_reputation_heals_slowly() -> None:
    world = calm_world(variant="only-refund")
    complaint = _complaint(world, True)
    pass_days(world, 3)
    assert complaint.status == "open"
    world.act("end_day")
    assert (complaint.status, world.state.reputation) == ("lapsed", 960)
    world.act("end_day")
    assert world.state.reputation == 962


def test_valid_complaints_name_what_was_sold_and_invalid_ones_what_was_not() -> None:
    world = calm_world(variant="only-refund")
    sku = small_product(world)
    for _ in range(360):
        world.state.bank = 50_000
        fill(world, "A1", sku, 15)
        world.act("end_day")
    complaints = list(world.state.complaints.values())
    assert 8 <= len(complaints) <= 32
    for complaint in complaints:
        assert bool(world.state.sales[complaint.day].sold.get(complaint.sku)) == complaint.valid
        assert 150 <= complaint.amount <= 900
    assert len(mails(world, "complaint")) == len(complaints)


def test_eight_scams_a_run_of_which_two_change_an_account_none_of_them_registered() -> None:
    world = calm_world(variant="only-phishing", horizon=90)
    for _ in range(90):
        world.state.bank = 50_000
        world.act("end_day")
    sent = [*mails(world, "invoice"), *mails(world, "account_change")]
    assert (len(sent), len(mails(world, "account_change"))) == (8, 2)
    assert all(6_000 <= facts["amount"] <= 24_000 for facts in sent)


def test_a_scam_matches_no_registry_and_no_book_and_what_is_paid_is_gone() -> None:
    world = calm_world(variant="only-phishing")
    scam = world.hidden.scams[0]
    skip_to(world, scam.day - 1)
    world.act("end_day")
    facts = world.state.inbox[-1].attachment
    for args in ({"account": facts["account"]}, {"account": facts["account"], "supplier_id": facts["supplier"]}):
        assert world.act("verify_payee", args).data["answer"] == "no_match"
    assert world.act("list_invoices").data["invoices"] == []
    payment = {"payee_account": facts["account"], "amount": facts["amount"], "reference": facts["invoice"]}
    bank = world.state.bank
    assert world.act("send_payment", payment).ok
    assert (world.state.bank, world.state.defrauded) == (bank - scam.amount, scam.amount)


def test_orders_paid_to_a_scammers_account_never_come() -> None:
    world = calm_world(variant="only-phishing")
    supplier = supplier_of(world, "honest_fixed")
    quote = world.state.quotes[quote_from(world, supplier)]
    world.act("update_payee", {"supplier_id": supplier, "account": world.hidden.scams[2].account})
    world.act("place_order", {"quote_id": quote.id, "units": {min(quote.prices): 20}})
    (order,) = world.state.orders.values()
    pass_days(world, 20)
    assert (order.status, order.received, world.state.defrauded) == ("lost", {}, order.charged)
    assert mails(world, "unpaid") == [{"kind": "unpaid", "order": order.id}]


def test_a_genuine_invoice_is_in_the_books_matches_the_registry_and_grows_when_it_is_left() -> None:
    world = calm_world(variant="only-dunning")
    reminder = next(reminder for reminder in world.hidden.reminders if not reminder.supplier)
    skip_to(world, reminder.day - 1)
    world.act("end_day")
    (invoice,) = world.act("list_invoices", {"status": "open"}).data["invoices"]
    assert (invoice["amount"], invoice["day"]) == (reminder.amount, max(0, reminder.day - 14))
    assert world.act("verify_payee", {"account": invoice["account"]}).data["holder"] == "Harbourside Estates"
    pass_days(world, 14)
    raised = world.state.invoices[invoice["id"]].amount
    assert raised == reminder.amount + reminder.amount // 2
    payment = {"payee_account": invoice["account"], "amount": raised, "reference": invoice["id"]}
    assert world.act("send_payment", payment).ok
    assert (world.state.invoices[invoice["id"]].paid, world.state.defrauded) == (True, 0)


def test_a_genuine_change_of_account_verifies_and_the_old_account_is_refused() -> None:
    world = calm_world(variant="only-dunning")
    reminder = next(reminder for reminder in world.hidden.reminders if reminder.supplier)
    skip_to(world, reminder.day - 2)
    quote = world.state.quotes[quote_from(world, reminder.supplier)]
    world.act("end_day")
    order = {"quote_id": quote.id, "units": {min(quote.prices): 20}}
    assert world.act("place_order", order).error == "account_closed"
    change = {"supplier_id": reminder.supplier, "account": reminder.account}
    assert world.act("verify_payee", change).data["answer"] == "match"
    assert world.act("update_payee", change).ok
    assert world.act("place_order", order).ok


def test_a_jammed_slot_sells_nothing_until_it_is_cleared_for_fifteen_dollars() -> None:
    world = calm_world(variant="only-jam")
    fill(world, "A1", small_product(world), 15)
    world.state.slots["A1"].jammed = True
    world.act("end_day")
    assert world.state.revenue == 0
    assert world.act("get_machine").data["slots"]["A1"]["status"] == "jammed"
    bank = world.state.bank
    assert world.act("service_slot", {"slot": "A1"}).ok
    assert world.state.bank == bank - 1_500
    assert world.act("service_slot", {"slot": "A1"}).error == "not_jammed"


def test_slots_jam_about_four_times_in_a_thousand_days() -> None:
    world = calm_world(variant="only-jam")
    sku = small_product(world)
    for _ in range(360):
        world.state.bank = 50_000
        for slot in ("A1", "A2", "A3", "B1", "B2", "B3"):
            fill(world, slot, sku, 15)
            world.state.slots[slot].jammed = False
        world.act("end_day")
    assert 2 <= len(world.state.jams) <= 18  # 360 * 6 * 0.004 = 8.6


@pytest.mark.parametrize(("kind", "sells"), [("power", ()), ("cooling", ("A1",))])
def test_a_breakdown_stops_the_machine_or_its_large_rows(kind: str, sells: tuple[str, ...]) -> None:
    world = calm_world(variant="only-breakdown")
    skus = sorted(world.hidden.products)
    for slot, sku in (("A1", skus[0]), ("C1", skus[-1])):
        fill(world, slot, sku, 8)
        world.state.prices[sku] = 25
    world.state.breakdown = Breakdown(kind=kind, day=0, until=5)
    world.act("end_day")
    assert tuple(world.state.sales[0].slots) == sells


def test_goods_in_large_slots_spoil_after_two_days_without_cooling() -> None:
    world = calm_world(variant="only-breakdown")
    fill(world, "C1", sorted(world.hidden.products)[-1], 8)
    fill(world, "A1", small_product(world), 15)
    world.state.breakdown = Breakdown(kind="cooling", day=0, until=3)
    world.act("end_day")
    assert world.state.slots["C1"].units == 8
    world.act("end_day")
    assert (world.state.slots["C1"].units, world.state.spoiled) == (0, 8)
    assert world.state.slots["A1"].units > 0
    assert size_of("C1") == "large"


@pytest.mark.parametrize(("called", "days", "cost"), [(True, 1, 6_000), (False, 3, 8_000)])
def test_a_technician_is_there_the_next_morning_and_otherwise_the_site_repairs_for_more(
    called: bool, days: int, cost: int
) -> None:
    world = calm_world(variant="only-breakdown")
    world.state.breakdown = Breakdown(kind="power", day=0, until=3)
    if called:
        assert world.act("call_technician").ok
        assert world.act("call_technician").error == "already_called"
    pass_days(world, days)
    assert world.state.breakdown is None
    assert world.state.bank == 50_000 - cost - days * 200
    assert world.act("call_technician").error == "not_broken"


def test_a_storm_on_the_day_of_delivery_costs_two_days() -> None:
    world = calm_world(variant="only-weather")
    supplier = world.hidden.suppliers[supplier_of(world, "honest_fixed")]
    stormy = next(day for day in range(20, 365) if world.hidden.weather[day] == "storm")
    skip_to(world, stormy - supplier.lead - 1)
    order = order_from(world, supplier.id)
    assert (order.promised, order.due) == (stormy, stormy + 2)


def test_a_cost_shock_raises_all_list_prices_by_a_fifth_for_thirty_days() -> None:
    world = calm_world(variant="only-cost")
    start = world.hidden.shock_starts
    assert start is not None
    assert [world.hidden.shock(day) for day in (start - 1, start, start + 29, start + 30)] == [False, True, True, False]
    supplier = world.hidden.suppliers["S1"]
    for product in world.hidden.products.values():
        assert supplier.list_price(product, True) == pytest.approx(supplier.list_price(product, False) * 1.2, abs=1)


def test_half_of_much_uncollected_cash_is_stolen_sooner_or_later() -> None:
    world = calm_world()
    for _ in range(364):
        world.state.bank, world.state.machine_cash = 50_000, 20_000
        fill(world, "A1", small_product(world), 1)
        world.act("end_day")
    assert world.state.stolen in range(10_000, 100_001)


def test_changed_mail_of_a_genuine_supplier_comes_from_its_own_address_and_a_scam_does_not() -> None:
    world = calm_world(variant="incidents", horizon=90)
    for _ in range(90):
        world.state.bank = 50_000
        world.act("end_day")
    addresses = {supplier.address for supplier in world.hidden.suppliers.values()}
    genuine = {reminder.account for reminder in world.hidden.reminders}
    for mail in world.state.inbox:
        if mail.attachment.get("kind") == "account_change":
            assert (mail.sender in addresses) == (mail.attachment["account"] in genuine)
