"""How the world changes in a plan: nothing sooner than it would in life, facts of every age, none without end."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from memarena_builder.packs.load import domains_of, load
from memarena_builder.packs.schema import Attribute, Slot
from memarena_builder.plan import Quota, make_plan
from memarena_builder.streams import Streams
from memarena_builder.world.facts import chain, current

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
def test_one_change_in_twenty_goes_back_to_an_earlier_value_in_every_domain(domain):
    changes = returns = 0
    for plan in plans(domain):
        facts = plan.facts()
        changes += len(facts) - len({fact.key for fact in facts})
        for fact in (each for each in facts if each.kind == "E16"):
            returns += 1
            *earlier, last = (each.value for each in chain(plan.facts(fact.told.session - 1), fact.key))
            assert fact.value in earlier and fact.value != last
        assert any(fact.kind == "E16" for fact in facts)
    assert returns / changes > 0.05


def test_a_disagreement_ends_for_either_side_or_stays_open():
    ends = Counter()
    for plan in (plan for domain in DOMAINS for plan in plans(domain)):
        facts = {fact.fact_id: fact for fact in plan.facts()}
        begun = {}
        for event in plan.events():
            key = event.fact.key if event.fact else facts[event.mentions].key if event.mentions else None
            if event.kind == "E5":
                begun[key] = current(plan.facts(event.fact.told.session - 1), key), event.fact
            elif event.kind == "E6":
                held, rumour = begun.pop(key)
                right = event.fact or facts[event.mentions]
                assert right.value == (rumour if event.fact else held).value
                assert (event.fact is None) is (right is held)
                ends["rumour" if event.fact else "said"] += 1
            else:
                assert event.kind in ("E7", "E15", "E18") or key not in begun
        ends["open"] += len(begun)
    total = sum(ends.values())
    assert total > 40 and all(ends[end] > 0.15 * total for end in ("open", "said", "rumour"))


def test_nobody_takes_back_what_a_signed_paper_says():
    for plan in (plan for domain in DOMAINS for plan in plans(domain)):
        signed = set()
        for event in plan.events():
            if event.kind in ("E3", "E5", "E13"):
                before = plan.facts(event.fact.told.session - 1)
                assert current(before, event.fact.key).fact_id not in signed
            if event.kind in ("E6", "E13"):
                signed.add(event.fact.fact_id if event.fact else event.mentions)


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("sessions", [8, 18, 30, 100])
def test_there_are_as_many_people_projects_and_things_as_a_life_has(domain, sessions):
    cast = make_plan(load(domain), Quota(sessions=sessions), Streams(1)).cast
    kinds = Counter(each.kind for each in cast.entities)
    assert kinds["self"] == 1 and 6 <= kinds["person"] <= 12 and 1 <= kinds["project"] <= 3
    assert 10 <= sum(kinds.values()) - kinds["self"] - kinds["person"] - kinds["project"] <= 25
