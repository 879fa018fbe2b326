from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from memarena_builder.world.facts import HEARSAY, OFFICIAL, SAID, Fact, Key, Told, chain, current, value_on
from memarena_builder.world.values import read_day, write_day

KEY = Key("Mara Okafor", "extension")
DAY = date(2026, 1, 1)


def fact(value: str | None, since: int, told: int, authority: int = SAID) -> Fact:
    return Fact(
        fact_id=f"F{told}",
        key=KEY,
        value=value,
        slots={"V": value} if value else {},
        since=DAY + timedelta(days=since),
        told=Told(told, 0),
        day=DAY + timedelta(days=told),
        authority=authority,
        kind="E1",
    )


@st.composite
def logs(draw):
    """Facts of one key in the order in which they are told."""
    rows = draw(
        st.lists(
            st.tuples(
                st.sampled_from(["a", "b", "c", None]),
                st.integers(0, 8),
                st.sampled_from([HEARSAY, SAID, OFFICIAL]),
            ),
            max_size=8,
        )
    )
    return [fact(value, since, told, authority) for told, (value, since, authority) in enumerate(rows)]


def replayed(log: list[Fact]) -> dict[date, str | None]:
    """Day by day what holds, by taking in one event after the other: a line of time is painted over.

    From its day on a fact holds until the next later one begins; on the same day the one of more authority holds, of
    two with the same the one told later.
    """
    begins: dict[date, Fact] = {}
    for each in log:
        there = begins.get(each.since)
        if there is None or each.authority >= there.authority:
            begins[each.since] = each
    line: dict[date, str | None] = {}
    held: str | None = None
    for number in range(12):
        day = DAY + timedelta(days=number)
        if day in begins:
            held = begins[day].value
        line[day] = held
    return line


@given(logs())
def test_what_holds_on_each_day_is_what_a_replay_of_the_log_paints(log):
    for day, value in replayed(log).items():
        found = value_on(log, KEY, day)
        assert (found.value if found else None) == value


@given(logs())
def test_what_holds_in_the_end_is_the_last_day_of_the_replay(log):
    found = current(log, KEY)
    assert (found.value if found else None) == list(replayed(log).values())[-1]


@given(logs())
def test_world_times_of_a_chain_increase_strictly(log):
    days = [each.since for each in chain(log, KEY)]
    assert days == sorted(set(days))


@given(logs(), st.randoms())
def test_the_order_in_which_facts_are_kept_does_not_matter(log, random):
    mixed = list(log)
    random.shuffle(mixed)
    assert current(mixed, KEY) == current(log, KEY)


def test_a_late_report_changes_the_past_and_not_the_present():
    log = [fact("4417", 10, 0), fact("3001", 5, 1)]
    assert current(log, KEY) == log[0]
    assert value_on(log, KEY, DAY + timedelta(days=7)) == log[1]


def test_a_correction_makes_the_earlier_value_one_that_never_held():
    log = [fact("4417", 3, 0), fact("5120", 3, 1)]
    assert [each.value for each in chain(log, KEY)] == ["5120"]


def test_hearsay_does_not_outweigh_what_was_said():
    log = [fact("4417", 3, 0), fact("9999", 3, 1, HEARSAY)]
    assert current(log, KEY) == log[0]


def test_a_reversion_ends_with_the_first_value():
    log = [fact("a", 1, 0), fact("b", 2, 1), fact("a", 3, 2)]
    assert [each.value for each in chain(log, KEY)] == ["a", "b", "a"]


@given(st.dates(date(2000, 1, 1), date(2099, 12, 31)))
def test_a_written_day_is_read_back(day):
    assert read_day(write_day(day)) == day
