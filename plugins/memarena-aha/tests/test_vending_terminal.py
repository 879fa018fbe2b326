"""A week of vending at a terminal: what a person types, and what is seen of it."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from memarena.errors import DataError, UsageError
from memarena_aha.vending.commands import COMMANDS, stocking
from memarena_aha.vending.saying import said
from memarena_aha.vending.scenario import Scenario
from memarena_aha.vending.sheets import bars
from memarena_aha.vending.state import Lot
from memarena_aha.vending.terminal import play_terminal, save_file_of
from memarena_aha.vending.wording import Unclear, as_told, command_of, counts, money, product, slot, supplier
from memarena_aha.vending.world import World

_WEEK = (
    "find snack\nquote s1 s2 s3\nend\nread\nprices\norder s3 p1=17 p2=17 p4=17 p5=17 p11=17 p12=17 p14=17\n"
    "end\nend\nend\nread\nfill\nprice p1 2.4 p2=2 p4=2.3 p5=1.5 p11=6.5 p12=3.4 p14=5\nmachine\nend\nend\nsales\nend\n"
)


def seen(lines: str, folder: Path, *, days: int = 7, seed: int = 3, variant: str = "incidents") -> tuple[World, str]:
    """The world after these lines, and what stood on the screen."""
    screen = io.StringIO()
    console = Console(file=screen, width=140, highlight=False)
    file = folder / "game.json"
    world = play_terminal(console, io.StringIO(lines), days=days, seed=seed, variant=variant, save=file)
    return world, screen.getvalue()


def test_a_week_is_played_with_profit_and_compared_at_the_end(tmp_path: Path) -> None:
    world, text = seen(_WEEK, tmp_path)
    assert world.state.day == 7
    assert sum(sum(day.sold.values()) for day in world.state.sales) > 30
    assert "The 7 days are over." in text
    assert "a careful keeper" in text
    assert "one who knows all" in text
    assert "Worth remembering:" in text
    assert "Gable Depot (S3) was honest and kept its prices." in text
    assert not (tmp_path / "game.json").exists()


def test_the_same_lines_lead_to_the_same_play(tmp_path: Path) -> None:
    first, second = seen(_WEEK, tmp_path), seen(_WEEK, tmp_path)
    assert first[0].save() == second[0].save()
    assert first[1] == second[1]


def test_a_beginner_is_told_each_next_step_once(tmp_path: Path) -> None:
    _, text = seen(_WEEK, tmp_path)
    hints = [line for line in text.splitlines() if line.startswith("Hint: ")]
    assert [hint.split()[1] for hint in hints[:6]] == ["find", "end", "read", "goods", "fill", "without"]
    assert len(hints) == len(set(hints))


def test_a_day_has_one_number_everywhere(tmp_path: Path) -> None:
    lines = (
        "status\nfind snack\nquote s3\nend\nstatus\nread\nprices\norder s3 p1=17 p2=17\norders\nmail\nledger\nquit\n"
    )
    world, text = seen(lines, tmp_path)
    days = {word: int(number) for word, number in re.findall(r"(?i)(day|valid to day|Promised for day) +(\d+)", text)}
    (order,) = world.state.orders.values()
    (quote,) = world.state.quotes.values()
    assert (world.state.day, order.promised, quote.until) == (1, 3, 8)
    assert {"Day 1 of 7", "Day 2 of 7"} == set(re.findall(r"Day \d+ of \d+", text))
    assert set(re.findall(r"valid to day +(\d+)", text)) == {"9"}
    assert "Promised for day 4, some time of that day." in text
    assert re.search(r"O0001 .*day 4 +open", text)
    assert re.search(r"1 +day 1 .*Welcome", text)
    assert re.search(r"^ +2 +order ", text, re.MULTILINE)
    assert 0 not in days.values()


def test_what_the_world_says_of_days_and_cents_is_told_as_a_person_counts() -> None:
    assert as_told("quote Q0001 was valid to day 8; the bank holds 49800 cents; delivery in 2 days.") == (
        "quote Q0001 was valid to day 9; the bank holds $498.00; delivery in 2 days."
    )


def test_waiting_lets_hours_pass_until_goods_come_and_never_beyond_the_day(tmp_path: Path) -> None:
    begin = "find snack\nquote s3\nend\nread\norder s3 p1=17\nend 2\n"
    world, text = seen(f"{begin}wait\nquit\n", tmp_path)
    (order,) = world.state.orders.values()
    assert (world.state.day, order.status, world.state.minute) == (3, "arriving", 9 * 60)
    (tmp_path / "game.json").unlink()
    world, text = seen(f"{begin}wait 20\nread\nquit\n", tmp_path)
    (order,) = world.state.orders.values()
    assert order.status == "delivered"
    assert 0 <= world.state.minute - 5 - order.arrives < 5  # the watch is looked at every five minutes
    assert text.count("A delivery has come: O0001.") == 1
    (tmp_path / "game.json").unlink()
    world, text = seen("wait 99\nmachine\nquit\n", tmp_path)
    assert (world.state.day, world.state.minute) == (0, 22 * 60)
    assert "That takes 25 min, and 0 are left today: end closes the day." in text


@pytest.mark.parametrize("last", ["quit\n", "bye\n", ""])
def test_a_game_that_is_left_goes_on_where_it_was(tmp_path: Path, last: str) -> None:
    whole, _ = seen(_WEEK, tmp_path)
    lines = _WEEK.splitlines(keepends=True)
    _, text = seen("".join(lines[:8]) + last, tmp_path)
    assert "the same command goes on. Good-bye!" in text
    assert (tmp_path / "game.json").exists()
    again, text = seen("".join(lines[8:]), tmp_path)
    assert "The game goes on from" in text
    assert again.save() == whole.save()
    assert not (tmp_path / "game.json").exists()


def test_what_cannot_be_read_is_explained_and_costs_nothing(tmp_path: Path) -> None:
    lines = "dance\nfind\nprice p1 cheap\norder s1 p1=3\nfill a9 p1 3\nfix\nread x\nend soon\nquote\nfi\nf\n\n   \n"
    world, text = seen(lines, tmp_path)
    assert (world.state.day, world.state.minute, world.state.steps) == (0, 480, [])
    for told in (
        "dance: there is no such command. help lists them all.",
        "cheap is no price; type dollars, e.g. 2.40",
        "you have read no prices of S1 yet",
        "a9 is no slot; there are A1 to D3",
        "soon is no number of days",
        "fi: do you mean find, fill or fix?",
    ):
        assert told in text


def test_what_the_prices_say_already_is_known_before_the_order(tmp_path: Path) -> None:
    lines = "find snack\nquote s3\nend\nread\norder s3 p3=2\norder s3 p10=20\n"
    world, text = seen(lines, tmp_path)
    assert "S3 sells at least 17 of a product, not 2 of P03" in text
    assert "S3 does not sell P10; prices shows who does" in text
    assert [step.tool for step in world.state.steps if step.tool == "place_order"] == []


def test_every_command_is_done_or_explained_and_none_breaks(tmp_path: Path) -> None:
    for command in COMMANDS:
        for words in ("", " 1", " a1", " s1 p1 0.9", ' "', " AC-12345678 1", " x y z w"):
            _, text = seen(f"{command.name}{words}\n", tmp_path, days=30)
            assert "Traceback" not in text
            (tmp_path / "game.json").unlink(missing_ok=True)


def test_help_lists_every_command_with_what_it_takes(tmp_path: Path) -> None:
    _, text = seen("help\nhelp fill\n", tmp_path)
    for command in COMMANDS:
        assert command.usage in text
    assert text.count("75 min") == 4 + 1  # fill, empty, collect and fix; and fill again


@pytest.mark.parametrize("seed", [0, 3, 11])
def test_who_does_nothing_for_a_week_has_no_points_and_a_careful_keeper_has_some(seed: int, tmp_path: Path) -> None:
    _, text = seen("end\n" * 7, tmp_path, seed=seed)
    points = {line.split("  ")[0].strip(): line.split()[-1] for line in text.splitlines() if line.count("$") == 1}
    assert (points["you"], points["who does nothing"], points["one who knows all"]) == ("0", "0", "100")
    assert int(points["a careful keeper"]) > 0


def test_a_whole_month_has_a_score_against_those_who_played_it_too(tmp_path: Path) -> None:
    world, text = seen("end 30\n", tmp_path, days=30, variant="calm")
    assert world.state.ended == "horizon"
    assert "$440.00 at the end" in text
    row = next(line for line in text.splitlines() if line.startswith("one who knows all"))
    assert row.split()[-1] == "100"


def test_money_and_prices_are_what_the_calls_return(tmp_path: Path) -> None:
    world, text = seen("ledger\nend\nledger 5\nstatus\n", tmp_path)
    assert "No movements yet." in text
    assert "-$2.00" in text
    assert "$498.00" in text
    assert [step.tool for step in world.state.steps] == ["get_ledger", "end_day", "get_ledger", "get_status"]


@pytest.mark.parametrize("days", [0, 366])
def test_days_that_cannot_be_played_are_refused(tmp_path: Path, days: int) -> None:
    with pytest.raises(UsageError, match="days cannot be played; take 1 to 365"):
        seen("", tmp_path, days=days)


def test_a_file_that_is_no_game_or_another_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text("junk", encoding="utf-8")
    with pytest.raises(DataError, match="not a saved vending run"):
        seen("", tmp_path)
    (tmp_path / "game.json").write_bytes(World(Scenario(seed=8, horizon=30)).save())
    with pytest.raises(UsageError, match=r"another game \(seed 8, incidents\)"):
        seen("", tmp_path)
    assert save_file_of("calm", 7, 2).name == "vending-calm-7-days-seed-2.json"


def test_words_are_read_as_a_person_means_them() -> None:
    names = {"P01": "Salt Twists", "P02": "Salt Bar", "P03": "Noodle Bowl"}
    assert [money(word) for word in ("2", "2.4", "$2.40", "0,85")] == [200, 240, 240, 85]
    assert [product(word, names) for word in ("p3", "03", "noodle", "SaltT")] == ["P03", "P03", "P03", "P01"]
    assert counts(["p1=24", "noodle", "12"], names) == {"P01": 24, "P03": 12}
    assert (slot("b2"), supplier("2", {}), supplier("gab", {"S3": "Gable Depot"})) == ("B2", "S2", "S3")
    assert [command_of(word, COMMANDS).name for word in ("e", "tech", "mach", "O")] == [
        "end",
        "technician",
        "machine",
        "order",
    ]
    for word in ("salt", "2.405", "-1"):
        with pytest.raises(Unclear):
            product(word, names) if word == "salt" else money(word)


def test_filling_up_goes_to_its_own_slots_first_and_then_starts_new_ones() -> None:
    world = World(Scenario(seed=3, horizon=30))
    small, large = [next(s for s, p in world.hidden.products.items() if p.size == size) for size in ("small", "large")]
    other = [sku for sku, found in world.hidden.products.items() if found.size == "small"][1]
    world.state.slots["B1"].sku = small
    world.state.slots["B1"].lots = [Lot(units=10, cost=100)]
    for sku, units in ((small, 20), (other, 3), (large, 9)):
        world.state.storage[sku] = [Lot(units=units, cost=100)]
    assert stocking(world) == {
        "A1": {"sku": other, "qty": 3},
        "B1": {"sku": small, "qty": 5},
        "C1": {"sku": large, "qty": 8},
    }


@pytest.mark.parametrize(
    ("tool", "data", "sentence"),
    [
        ("service_slot", {"slot": "A1", "status": "ok"}, "A1 works again."),
        ("call_technician", {"comes": "tomorrow morning"}, "The technician comes tomorrow morning."),
        ("issue_refund", {"refunded": 310}, "$3.10 went back to the customer."),
        ("reject_refund", {"rejected": "C0001"}, "C0001 is rejected."),
        ("send_payment", {"paid": 3237, "to": "AC-1"}, "$32.37 went to AC-1, for good."),
        ("update_payee", {"supplier": "S1", "account_on_file": "AC-1"}, "Orders at S1 are paid to AC-1 from now on."),
        ("verify_payee", {"answer": "unknown"}, "The registry does not know."),
        ("verify_payee", {"answer": "no_match"}, "The registry: that account belongs to nobody."),
        ("verify_payee", {"answer": "match", "holder": "Acme"}, "The registry: that account belongs to Acme."),
        (
            "verify_payee",
            {"answer": "no_match", "account": "AC-1"},
            "The registry: AC-1 is not the account of that supplier.",
        ),
    ],
)
def test_what_a_call_did_is_told_in_a_sentence(tool: str, data: dict[str, object], sentence: str) -> None:
    assert said(tool, data) == sentence


def test_prices_of_many_suppliers_stand_side_by_side_in_eighty_columns(tmp_path: Path) -> None:
    screen = io.StringIO()
    lines = io.StringIO("find snack\nfind cold\nquote s1 s2 s3 s4 s5\nend\nread\nprices\nquit\n")
    play_terminal(Console(file=screen, width=80), lines, days=7, seed=2, save=tmp_path / "game.json")
    listed = screen.getvalue().partition("> prices\n")[2].splitlines()
    assert listed[0].split() == ["id", "product", "size", "kind", "S1", "S2", "S3", "S4", "S5"]
    assert listed[1].split()[:6] == ["P01", "Brook", "Water", "small", "cold", "$1.41"]
    assert listed[1 + 18 + 3].startswith("S1 Pinder Logistics, S2 Dunmore Goods")  # a line each of 18 products, 3 feet


def test_bars_are_as_high_as_what_they_show() -> None:
    assert bars([0, 7, 14]) == "▁▄█"
    assert len(bars(list(range(366)))) == 60
    assert bars([5, 5]) == "▁▁"
