"""How the world changes in a plan: nothing sooner than it would in life, facts of every age, none without end."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from memarena_builder.packs.load import domains_of, load
from memarena_builder.packs.schema import Attribute, Slot
from memarena_builder.plan import Quota, make_plan
from memarena_builder.streams import Streams

NATURAL = frozenset({"E2", "E4", "E12", "E16"})
DOMAINS = domains_of("en")


@cache
def plans(domain):
    return [make_plan(load(domain), Quota(sessions=18), Streams(seed)) for seed in range(4)]


@pytest.mark.parametrize(("volatility", "days"), [(0.25, 80), (1.0, 20), (4.0, 5), (50.0, 2), (0.0, 0)])
def test_what_seldom_changes_holds_for_a_fifth_of_its_time_at_least(volatility, days):
    attribute = Attribute(
        name="home", about="person", label="Home", slots={"V": Slot(kind="pool", pool="towns")}, importance=0.5,
        volatility=volatility, point="", stated=(), asked=(), what="",
    )  # fmt: skip
    assert attribute.steady == days


@pytest.mark.parametrize("domain", DOMAINS)
def test_no_value_gives_way_to_another_sooner_than_it_would_in_life(domain):
    pack, seen = load(domain), 0
    for plan in plans(domain):
        known = {}
        for fact in plan.facts():
            attribute = pack.attribute(fact.key.attribute)
            if fact.kind in NATURAL:
                seen += 1
                assert attribute.volatility > 0
                assert (fact.since - known[fact.key]).days >= attribute.steady
            known[fact.key] = max(fact.since, known.get(fact.key, fact.since))
    assert seen > 60


def test_nobody_moves_house_twice_in_half_a_year():
    for plan in (plan for domain in DOMAINS for plan in plans(domain)):
        changes = [fact for fact in plan.facts() if fact.kind in NATURAL]
        moves = Counter(fact.key for fact in changes if fact.key.attribute in ("home", "own_street"))
        assert max(moves.values(), default=0) <= 1


def test_updates_are_of_facts_of_every_age_by_the_shares_that_are_wanted():
    ages = Counter()
    for plan in (plan for domain in DOMAINS for plan in plans(domain)):
        told = {}
        for fact in plan.facts():
            if fact.key in told:
                age = fact.told.session - told[fact.key]
                ages["1" if age == 1 else "2-4" if age <= 4 else "5 and more"] += 1
            told[fact.key] = fact.told.session
    assert sum(ages.values()) > 800
    for age, share in (("1", 0.3), ("2-4", 0.4), ("5 and more", 0.3)):
        assert ages[age] / sum(ages.values()) == pytest.approx(share, abs=0.04)


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_chain_has_five_versions_at_most_and_some_have(domain):
    lengths = Counter(count for plan in plans(domain) for count in Counter(f.key for f in plan.facts()).values())
    assert set(lengths) == {1, 2, 3, 4, 5}


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("sessions", [8, 18, 30, 100])
def test_there_are_as_many_people_projects_and_things_as_a_life_has(domain, sessions):
    cast = make_plan(load(domain), Quota(sessions=sessions), Streams(1)).cast
    kinds = Counter(each.kind for each in cast.entities)
    assert kinds["self"] == 1 and 6 <= kinds["person"] <= 12 and 1 <= kinds["project"] <= 3
    assert 10 <= sum(kinds.values()) - kinds["self"] - kinds["person"] - kinds["project"] <= 25
