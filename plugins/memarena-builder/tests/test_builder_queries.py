from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from test_builder_facts import KEY, fact, logs

from memarena_builder.packs.load import writing
from memarena_builder.questions.query import (
    Claim,
    Count,
    Current,
    Found,
    Hop,
    ShownIn,
    Through,
    ValueOn,
    minimal,
    proved,
)
from memarena_builder.questions.several import DaysBetween, Earliest, Members, Nth, Total
from memarena_builder.questions.taught import Apply
from memarena_builder.world.facts import Fact, Key, Told

LEAD = Key("Heron", "lead")
AMOUNT = writing("en").amount


def told(key: Key, value: str | None, order: int = 0, day: date = date(2026, 1, 1), **slots: str) -> Fact:
    return Fact(
        fact_id=f"{key.subject}-{key.attribute}-{order}",
        key=key,
        value=value,
        slots=slots or ({"V": value} if value else {}),
        since=day,
        told=Told(order, 0),
        day=day,
        kind="E1",
    )


def test_a_claim_that_held_once_is_told_from_one_that_never_did():
    log = [fact("a", 1, 0), fact("b", 2, 1)]
    claim = Claim(key=KEY, value="a", yes="Yes", no="No, it is {V}")
    assert claim.evaluate(log) == Found("No, it is b", "told once")
    assert claim.evaluate(log[1:]) == Found("No, it is b", "never told")
    assert minimal(claim, log) == tuple(log)


def test_a_claim_that_holds_needs_what_holds_alone():
    log = [fact("a", 1, 0), fact("b", 2, 1)]
    claim = Claim(key=KEY, value="b", yes="Yes", no="No, it is {V}")
    assert claim.evaluate(log) == Found("Yes") and minimal(claim, log) == (log[1],)


def test_the_days_between_two_days_are_counted():
    one, other = Key("Heron", "deadline"), Key("Lichen", "deadline")
    log = [told(one, "March 1, 2026"), told(other, "February 1, 2026")]
    assert DaysBetween(one=one, other=other, unit="days", amount=AMOUNT).evaluate(log) == Found("28 days")
    assert Earliest(keys=(one, other), names=("Heron", "Lichen")).evaluate(log) == Found("Lichen")


def test_a_sum_keeps_its_unit():
    one, other = Key("Heron", "budget"), Key("Lichen", "budget")
    log = [told(one, "1,200 euros"), told(other, "900 euros")]
    assert Total(keys=(one, other), amount=AMOUNT).evaluate(log) == Found("2,100 euros")


@pytest.mark.parametrize(
    ("language", "values", "found"),
    [
        ("en", ("6,884", "2210"), "9,094"),
        ("zh", ("33800元", "900元"), "34700元"),
        ("zh", ("6884", "2210"), "9094"),
    ],
)
def test_a_sum_is_written_as_the_language_writes_amounts(language, values, found):
    one, other = Key("Heron", "budget"), Key("Lichen", "budget")
    log = [told(one, values[0]), told(other, values[1])]
    assert Total(keys=(one, other), amount=writing(language).amount).evaluate(log) == Found(found)


def test_a_relation_leads_on_after_it_changed():
    log = [
        told(LEAD, "Ida Barros"),
        told(LEAD, "Sven Novak", 1, date(2026, 2, 1)),
        told(Key("Ida Barros", "home"), "Porto", 2),
        told(Key("Sven Novak", "home"), "Leeds", 3),
    ]
    query = Hop(relation=LEAD, attribute="home")
    assert query.evaluate(log) == Found("Leeds") and minimal(query, log) == (log[1], log[3])


def test_a_value_leads_to_whoever_has_it_and_to_nobody_where_two_have_it():
    log = [
        told(Key("Ida Barros", "home"), "Porto"),
        told(Key("Ida Barros", "locker"), "K-417", 1),
        told(Key("Sven Novak", "locker"), "R-225", 2),
    ]
    query = Through(known="home", value="Porto", attribute="locker")
    assert query.evaluate(log) == Found("K-417")
    assert query.evaluate([*log, told(Key("Sven Novak", "home"), "Porto", 3)]) is None


@pytest.mark.parametrize(
    ("amount", "case", "who"), [(501, "taxis", "Ida"), (500, "taxis", "Sven"), (900, "flowers", "Greta")]
)
def test_a_rule_is_applied_to_a_new_case_and_an_exception_goes_first(amount, case, who):
    log = [
        told(Key("Heron", "approval"), "rule", L="500", A="Ida", B="Sven"),
        told(Key("Heron", "approval_exception", "flowers"), "exception", 1, C="flowers", A="Greta"),
    ]
    query = Apply(subject="Heron", rule="approval", exception="approval_exception", amount=amount, case=case)
    found = query.evaluate(log)
    assert found is not None and found.answer == who
    assert len(minimal(query, log)) == 1


def test_the_third_turn_of_a_schedule_is_two_periods_after_the_first():
    key = Key("Heron", "meeting")
    log = [told(key, "x", V="January 5, 2026", N="two")]
    assert Nth(key=key, number=3).evaluate(log) == Found("February 2, 2026")


def test_who_left_a_set_is_no_member():
    keys = [Key("Ida Barros", "allergy", food) for food in ("sesame", "kiwi")]
    log = [told(keys[0], "sesame"), told(keys[1], "kiwi", 1), told(keys[0], None, 2, date(2026, 3, 1))]
    assert Members(subject="Ida Barros", attribute="allergy").evaluate(log) == Found("kiwi")


def test_the_picture_that_shows_the_newest_value_is_found():
    from msgspec.structs import replace

    log = [replace(fact("a", 1, 0), image_id="S00_img_1"), replace(fact("b", 2, 1), image_id="S04_img_2")]
    assert ShownIn(key=KEY).evaluate(log) == Found("S04_img_2")


OF_ONE_KEY = (
    Current(key=KEY),
    Count(key=KEY),
    ValueOn(key=KEY, day=date(2026, 1, 5)),
    Claim(key=KEY, value="a", yes="Yes", no="No, it is {V}"),
)


@given(logs())
def test_minimal_evidence_is_enough_and_each_piece_of_it_is_needed(log):
    for query in OF_ONE_KEY:
        if query.evaluate(log) is not None:
            evidence = minimal(query, log)
            assert evidence and proved(query, log, evidence) == ""


def test_evidence_with_a_piece_too_many_or_too_few_is_refused():
    log = [fact("a", 1, 0), fact("b", 2, 1)]
    assert "not needed" in proved(Current(key=KEY), log, log)
    assert "another answer" in proved(Current(key=KEY), log, log[:1])


def test_the_earliest_of_several_days_needs_every_one_of_them():
    keys = tuple(Key(name, "deadline") for name in ("Heron", "Lichen", "Basalt"))
    days = ("June 12, 2026", "May 15, 2026", "July 1, 2026")
    log = [told(key, day, number) for number, (key, day) in enumerate(zip(keys, days, strict=True))]
    query = Earliest(keys=keys, names=("Heron", "Lichen", "Basalt"))
    assert query.evaluate(log) == Found("Lichen")
    assert minimal(query, log) == tuple(log)
    assert query.evaluate(log[:2]) is None


def test_two_relations_lead_to_a_value():
    deputy = Key("Mara Okafor", "deputy")
    log = [
        told(LEAD, "Mara Okafor"), told(deputy, "Ida Barros"), told(Key("Ida Barros", "home"), "Porto"),
        told(Key("Mara Okafor", "home"), "Graz"),
    ]  # fmt: skip
    query = Hop(relation=LEAD, further=("deputy",), attribute="home")
    assert query.evaluate(log) == Found("Porto")
    assert minimal(query, log) == tuple(log[:3])
