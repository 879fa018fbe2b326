"""That a plan makes sense to a person: work on working days, nothing that belies what was said, nobody who jokes about
themselves."""

from __future__ import annotations

import random
import re
from collections import Counter
from datetime import date
from functools import cache
from itertools import pairwise

import pytest
from builder_orders import QUOTA
from builder_worded import worded
from msgspec.structs import replace

from memarena_builder.packs.load import REGISTERS, domains_of, in_register, languages, load
from memarena_builder.packs.schema import Slot
from memarena_builder.plan import make_plan
from memarena_builder.plan.updates import MOST_MEMBERS
from memarena_builder.questions.known import Known
from memarena_builder.questions.query import minimal
from memarena_builder.questions.reasoning import temporal
from memarena_builder.streams import Streams
from memarena_builder.wording.clauses import clause
from memarena_builder.wording.names import Names
from memarena_builder.wording.persona import Hand
from memarena_builder.wording.speak import HOURS
from memarena_builder.world.cast import Cast, Entity, short_name
from memarena_builder.world.facts import Fact
from memarena_builder.world.values import Values, read_day, working_day

SEEDS = range(8)
WEEKEND = (5, 6)
"""Saturday and Sunday, as `date.weekday` counts."""


@cache
def plans(domain, language="en"):
    quota = replace(QUOTA, language=language, sessions=14, updates=4, distractors=4)
    return [make_plan(load(domain, language), quota, Streams(seed)) for seed in SEEDS]


@pytest.mark.parametrize(
    ("day", "working"), [(2, 2), (3, 5), (4, 5), (5, 5)], ids=("friday", "saturday", "sunday", "monday")
)
def test_work_that_falls_on_a_weekend_waits_for_monday(day, working):
    assert working_day(date(2026, 1, day)) == date(2026, 1, working)


@pytest.mark.parametrize("language", languages())
def test_no_appointment_is_on_a_weekend(language):
    for seed in range(40):
        values = Values({}, date(2026, 1, 5), language)
        day = read_day(values.draw(Slot(kind="date", low=1, high=500), random.Random(seed)))
        assert day.weekday() not in WEEKEND


@pytest.mark.parametrize(("language", "weekend"), [("en", ("Saturday", "Sunday")), ("zh", ("周六", "周日"))])
def test_no_weekly_hour_is_on_a_weekend(language, weekend):
    values = Values({}, date(2026, 1, 5), language)
    hours = [values.draw(Slot(kind="clock"), random.Random(seed)) for seed in range(40)]
    assert [hour for hour in hours if any(day in hour for day in weekend)] == []


@pytest.mark.parametrize(
    ("domain", "language"), [(domain, each) for each in languages() for domain in domains_of(each)]
)
def test_work_is_spoken_of_on_working_days_and_life_on_any(domain, language):
    days = [session.day for plan in plans(domain, language) for session in plan.sessions]
    assert any(day.weekday() in WEEKEND for day in days) is (domain == "personal")


@pytest.mark.parametrize("domain", domains_of("en"))
def test_what_is_still_to_come_lies_after_the_day_on_which_it_is_told(domain):
    pack = load(domain)
    told = 0
    for plan in plans(domain):
        for session in plan.sessions:
            for event in session.events:
                key = event.fact.key if event.fact else event.claim
                if key is None or pack.attribute(key.attribute).form != "date":
                    continue
                slots = event.fact.slots if event.fact else event.slots
                if slots and event.distraction not in ("story", "stale"):
                    told += 1
                    assert read_day(slots["V"]) > session.day
    assert told > 20


@pytest.mark.parametrize("domain", domains_of("en"))
def test_what_is_told_late_was_before_all_that_had_been_told(domain):
    late = 0
    for plan in plans(domain):
        known: list[Fact] = []
        for fact in plan.facts():
            if fact.kind == "E17":
                late += 1
                assert fact.since < min(each.since for each in known if each.key == fact.key)
            known.append(fact)
    assert late > 3


@pytest.mark.parametrize("domain", domains_of("en"))
def test_nobody_jokes_about_themselves(domain):
    jokes = [event for plan in plans(domain) for event in plan.events() if event.distraction == "joke"]
    assert len(jokes) > 5
    assert [event for event in jokes if event.other == event.claim.subject] == []


@pytest.mark.parametrize("domain", domains_of("en"))
def test_what_was_said_in_a_session_is_neither_guessed_at_nor_told_as_it_was_once(domain):
    guesses = 0
    for plan in plans(domain):
        keys = {fact.fact_id: fact.key for fact in plan.facts()}
        for session in plan.sessions:
            names = [event.fact.fact_id if event.fact else event.mentions for event in session.events]
            said = {keys[name] for name in names if name}
            guessed = [event.claim for event in session.events if event.distraction in ("guess", "story", "stale")]
            guesses += len(guessed)
            assert said.isdisjoint(guessed)
    assert guesses > 3


CAST = Cast(
    entities=(
        Entity(name="Mara Okafor", kind="self"), Entity(name="Tomas Barros", kind="person"),
        Entity(name="Falcon Microscope", kind="device"), Entity(name="Driftwood", kind="project"),
    ),
    namesakes=(),
)  # fmt: skip


@pytest.mark.parametrize(
    ("subject", "point", "said"),
    [
        ("Falcon Microscope", "Falcon Microscope is in the attic.", "the Falcon Microscope is in the attic."),
        ("Falcon Microscope", "The Falcon Microscope is in the attic.", "the Falcon Microscope is in the attic."),
        ("Driftwood", "In Driftwood, expenses go to Tomas Barros.", "in Driftwood, expenses go to Tomas Barros."),
        ("Driftwood", "Driftwood's lead is Tomas Barros.", "Driftwood's lead is Tomas Barros."),
        ("Tomas Barros", "Tomas Barros's hobby is judo.", "Tomas Barros's hobby is judo."),
        ("Mara Okafor", "From May 1, 2026 to May 9, 2026, Mara Okafor's usual drink was chai.",
         "from May 1, 2026 to May 9, 2026, your usual drink was chai."),
    ],
)  # fmt: skip
def test_what_is_read_back_stands_within_a_sentence(subject, point, said):
    assert Names(load("academic"), CAST).to_user(point, subject) == said


@pytest.mark.parametrize("many", range(7, 15))
def test_no_frame_comes_again_in_the_next_session_and_none_before_all_have_come(many):
    texts = [f"{number:02}" for number in range(many)]
    sessions = [Hand(random.Random(1), sample=Streams(3), turn=turn) for turn in range(many)]
    drawn = [(hand.take(texts), hand.take(texts)) for hand in sessions]
    assert sorted(first for first, _ in drawn) == texts
    assert all(set(one).isdisjoint(other) for one, other in pairwise(drawn))


def test_another_try_at_a_session_begins_with_other_words():
    texts = ["a", "b", "c", "d", "e"]
    first, second = (Hand(random.Random(1), sample=Streams(3), turn=turn).take(texts) for turn in (4, 5))
    assert first != second


@pytest.mark.parametrize("domain", domains_of("en"))
def test_what_held_on_a_day_is_asked_only_where_the_words_say_since_when(domain):
    asked = 0
    for plan in plans(domain):
        told = {event.fact.fact_id: event for event in plan.events() if event.fact}
        known = Known(load(domain), plan, len(plan.sessions) - 1)
        for draft in temporal(known, random.Random(1), "value_on"):
            (fact,) = minimal(draft.query, known.facts)
            asked += 1
            assert told[fact.fact_id].dated or fact.since == fact.day
    assert asked > 20


@pytest.mark.parametrize(
    ("domain", "language"), [(domain, each) for each in languages() for domain in domains_of(each)]
)
def test_a_namesake_is_mentioned_in_place_of_the_one_whose_first_name_it_has(domain, language):
    pack, seen = load(domain, language), 0
    for plan in plans(domain, language):
        for event in plan.events():
            if event.distraction == "namesake":
                seen += 1
                assert event.other != event.claim.subject
                assert short_name(pack, event.other) == short_name(pack, event.claim.subject)
    assert seen > 3


@pytest.mark.parametrize(
    ("domain", "language"), [(domain, each) for each in languages() for domain in domains_of(each)]
)
def test_no_set_grows_beyond_what_a_person_would_believe(domain, language):
    largest = 0
    for plan in plans(domain, language):
        members = Counter()
        for event in plan.events():
            if event.kind == "E18":
                members[event.fact.key._replace(element="")] += 1 if event.fact.value else -1
                largest = max(largest, *members.values())
    assert 2 <= largest <= MOST_MEMBERS


@pytest.mark.parametrize("domain", domains_of("en"))
def test_what_has_an_article_has_it_in_gold_and_in_questions(domain):
    pack = load(domain)
    for attribute in pack.attributes:
        if attribute.about in pack.writing.articles:
            for text in (attribute.point, attribute.what, attribute.one, attribute.role, *attribute.asked):
                assert text.lower().replace("the {s}", "").find("{s}") < 0, text


def test_what_stands_within_a_sentence_has_no_capital_of_its_own():
    point, pack = "In {S}, expenses go to {A}.", load("academic")
    rule = replace(next(each for each in pack.attributes if each.form == "rule"), point=point)
    slots = {"A": "Tomas Barros"}
    assert clause(pack, rule, "Driftwood", slots) == "in Driftwood, expenses go to Tomas Barros"
    named = replace(rule, point="{S}'s expenses go to {A}.")
    assert clause(pack, named, "Driftwood", slots) == "Driftwood's expenses go to Tomas Barros"


@pytest.mark.parametrize("language", languages())
def test_what_somebody_else_wrote_is_not_told_in_the_first_person(language):
    rumours, quota = 0, replace(QUOTA, sessions=14, updates=5)
    for sample in (worded(domain, seed, language, quota) for domain in domains_of(language) for seed in range(4)):
        for session in sample.plan.sessions:
            for event in (each for each in session.events if each.kind == "E5"):
                rumours += 1
                (line,) = sample.spoken[session.session_id].by_user(event.event_id)
                leads = sample.pack.wording.hearsay
                quoted = max((line.text.partition(lead.strip())[2] for lead in leads), key=len)
                assert not re.search(r"\b(I|I've|we|we've|my|our)\b|[我咱]", quoted), line.text
    assert rumours > 5


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("register", REGISTERS)
def test_nobody_takes_leave_or_greets_by_an_hour_that_it_is_not(language, register):
    for domain in domains_of(language):
        wording = in_register(domain, language, register=register).wording
        said = " ".join((*wording.partings, *wording.parted, *wording.greetings, *wording.greeted, *wording.welcome))
        assert not re.search(r"\b(morning|evening|night)\b|早上好|晚上好|晚安", said)
    assert max(HOURS) < 18
