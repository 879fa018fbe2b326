"""What is told of a run: readable, complete, and nothing that nobody said."""

from __future__ import annotations

import pytest
from vending_hands import calm_world, fill, order_from, small_product, supplier_of

from memarena_aha.parts import found_in
from memarena_aha.vending import Scenario, World
from memarena_aha.vending.episode import VendingEpisode
from memarena_aha.vending.lessons import BY_WORTH, FALSE_LESSON, GOLD, LESSONS
from memarena_aha.vending.losses import Losses
from memarena_aha.vending.policies import policy
from memarena_aha.vending.report import report
from memarena_aha.vending.series import incidents, read_curve, read_incidents, write_curve, write_incidents
from memarena_aha.vending.state import Jam
from memarena_aha.vending.telling import tell_call, tell_digest, tell_outcome
from memarena_aha.vending.world import Outcome


def told_by(name: str, scenario: Scenario) -> tuple[VendingEpisode, list[str]]:
    """All that a memory hears of a policy's run."""
    episode = VendingEpisode(scenario)
    play = policy(name, episode.world)
    call, heard = next(play), []
    while True:
        heard += [said.text for said in episode.act({"tool": call[0], "args": call[1]}).said]
        if episode.ended:
            return episode, heard
        data = episode.observe()["data"]
        call = play.send(Outcome(data=data["result"], error=data["error"], message=data["message"]))


def test_a_call_is_told_as_it_was_made() -> None:
    assert tell_call("place_order", {"quote_id": "Q0003", "units": {"P03": 12}}) == (
        'place_order quote_id="Q0003" units={"P03": 12}'
    )
    assert tell_call(None, {"x": 1}) == "Said something that is no action."
    assert len(tell_call("send_email", {"body": "x" * 50_000})) == 1_000


def test_money_is_told_in_dollars_and_counts_as_they_are() -> None:
    outcome = Outcome(data={"order_id": "O0001", "charged": 1_205, "promised_day": 4})
    assert tell_outcome("place_order", outcome) == "order id: O0001; charged: $12.05; promised day: 4."
    refused = Outcome(error="below_moq", message="3 of P01: the least is 8 of a product")
    assert tell_outcome("place_order", refused) == "Not done (below_moq): 3 of P01: the least is 8 of a product."


def test_a_morning_is_told_in_one_paragraph() -> None:
    morning = {
        "day": 5,
        "weekday": "Sat",
        "weather": "rain",
        "sold_yesterday": 7,
        "revenue_yesterday": 1_430,
        "bank": 20_001,
        "new_mail": 2,
        "complaints": [{"id": "C0001", "slot": "A1", "sku": "P02", "day": 3, "amount": 250}],
        "notices": ["the machine is down"],
    }
    assert tell_digest(morning) == (
        "Morning of day 5, Sat, rain. Sold 7 units for $14.30 yesterday. Bank $200.01. New mail: 2. "
        "Open complaints: C0001 (day 3, slot A1, P02, $2.50). Notices: the machine is down."
    )


def test_an_order_is_told_in_a_line_with_what_was_missing() -> None:
    order = {"id": "O0001", "supplier": "S3", "day": 1, "units": {"P01": 20}, "prices": {"P01": 111}, "charged": 2_220}
    late = {**order, "promised_day": 3, "status": "open", "received": {}, "charged_on_delivery": 0}
    short = {**late, "id": "O0002", "status": "delivered", "received": {"P01": 12}, "charged_on_delivery": 2_277}
    assert tell_outcome("list_orders", Outcome(data={"orders": [late, short]})).splitlines() == [
        "O0001 from S3, day 1: 20 P01 at $1.11; $22.20 paid; promised for day 3, open.",
        "O0002 from S3, day 1: 20 P01 at $1.11; $22.20 paid, $22.77 more on delivery; promised for day 3, delivered: "
        "only 12 P01.",
    ]


def test_a_jam_and_a_price_show_in_the_machine() -> None:
    world = calm_world()
    sku = small_product(world)
    fill(world, "A1", sku, 4)
    world.state.prices[sku] = 190
    world.state.slots["A1"].jammed = True
    lines = tell_outcome("get_machine", world.act("get_machine")).splitlines()
    assert lines[0] == f"A1 (small, holds 15): {sku} x 4 at $1.90, jammed"
    assert lines[1] == "A2 (small, holds 15): nothing"


@pytest.mark.parametrize("name", ["careful", "naive-pays-all-mail"])
def test_no_line_of_a_run_teaches_a_lesson_by_chance(name: str) -> None:
    _, heard = told_by(name, Scenario(seed=6, horizon=90))
    assert len(heard) > 500
    for text in heard:
        assert [lesson.lesson_id for lesson in LESSONS if found_in(lesson, text) is not None] == [], text


def test_each_lesson_is_found_in_its_own_text_alone_and_all_of_them_in_the_gold() -> None:
    for lesson in LESSONS:
        assert [other.lesson_id for other in LESSONS if found_in(other, lesson.text)] == [lesson.lesson_id]
        assert found_in(lesson, GOLD) is True
    assert [lesson.lesson_id for lesson in LESSONS if found_in(lesson, FALSE_LESSON) is False] == ["L1"]
    assert sorted(BY_WORTH) == sorted(lesson.lesson_id for lesson in LESSONS)


def test_nothing_told_names_what_is_hidden() -> None:
    episode, heard = told_by("careful", Scenario(seed=6, horizon=90))
    everything = "\n".join(heard)
    for supplier in episode.world.hidden.suppliers.values():
        assert supplier.kind not in everything
    for word in (
        "elasticity",
        "reference price",
        "honest",
        "fraud",
        "phish",
        "scam",
        "valid refund",
        "oracle",
        "benchmark",
    ):
        assert word not in everything.lower()


def test_a_lost_sale_is_put_down_to_its_cause() -> None:
    world, losses = calm_world(), Losses()
    sku = small_product(world)
    fill(world, "A1", sku, 1)
    world.state.prices[sku] = 25
    losses.before_night(world)
    world.act("end_day")
    losses.after_night(world)
    wanted = world.state.sales[0].wanted[sku]
    assert wanted > 1
    assert losses.units["sold out"] == wanted - 1
    assert losses.units["jam"] == 0
    fill(world, "A1", sku, 10)
    world.state.slots["A1"].jammed = True
    losses.before_night(world)
    world.act("end_day")
    losses.after_night(world)
    assert losses.units["jam"] == world.state.sales[1].wanted[sku] > 0


def test_a_report_tells_who_was_who_and_what_to_do_and_at_most_six_things() -> None:
    episode, _ = told_by("naive", Scenario(seed=6, horizon=60))
    facts, *lessons = [said.text for said in report(episode.world, episode.losses)]
    for supplier in episode.world.hidden.suppliers.values():
        assert f"{supplier.name} ({supplier.id}) " in facts
    for scam in episode.world.hidden.scams:
        assert scam.account in facts
    assert "Units not sold, by cause: " in facts
    assert 0 < len(lessons) <= 6
    texts = [lesson.text for lesson in LESSONS]
    assert all(text.removeprefix("Lesson: ") in texts for text in lessons)
    assert all(found_in(lesson, facts) is None for lesson in LESSONS)


def test_one_who_kept_a_lesson_is_not_told_it() -> None:
    episode, _ = told_by("careful", Scenario(seed=6, horizon=90))
    told = " ".join(said.text for said in report(episode.world, episode.losses))
    assert "Collect the cash" not in told
    assert "Clear a jam" not in told


def test_the_series_of_a_run_can_be_read_back() -> None:
    world = World(Scenario(seed=1, horizon=30))
    while not world.state.ended:
        world.act("end_day")
    curve = read_curve(write_curve(world))
    assert (len(curve), curve[0], curve[1]) == (31, 50_000, 49_800)
    assert read_incidents(write_incidents(world)) == incidents(world)


def test_incidents_are_listed_with_their_days() -> None:
    world = calm_world(variant="only-bait", horizon=30)
    order = order_from(world, supplier_of(world, "bait_and_switch"))
    world.state.jams.append(Jam(slot="A2", day=3, cleared=5))
    world.finish("quit")
    found = {(entry.day, entry.kind) for entry in incidents(world)}
    assert found == {(order.due, "bait"), (3, "jam"), (1, "quit")}
