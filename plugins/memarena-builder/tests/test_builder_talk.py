"""How the two talk: with a reason, in threads, with answers that fit, and with nothing in it that could be a fact."""

from __future__ import annotations

import random
import re
from collections import Counter
from datetime import date
from itertools import groupby, pairwise

import pytest
from builder_worded import worded

from memarena_builder.packs.load import domains_of, languages, load
from memarena_builder.plan.events import Event, SessionPlan
from memarena_builder.plan.threads import subject_of
from memarena_builder.reader.patterns import grammar
from memarena_builder.reader.statements import Cues, read
from memarena_builder.validators.distractors import cues_in
from memarena_builder.validators.problem import plain, says
from memarena_builder.wording.idle import Idle
from memarena_builder.wording.names import ASSISTANT, USER, Names
from memarena_builder.wording.persona import Hand
from memarena_builder.wording.told import told_at_once
from memarena_builder.world.cast import Cast, Entity, make_cast
from memarena_builder.world.facts import Fact, Key, Told

DAY = date(2026, 1, 5)
PACKS = [(domain, language) for language in languages() for domain in domains_of(language)]
of_packs = pytest.mark.parametrize(("domain", "language"), PACKS)
NAMES = {"person": "Mara Okafor", "project": "Lantern", "device": "Gannet Server", "thing": "Mailbird"}


def all_texts(value):
    """Every text in a value of any shape."""
    if isinstance(value, str):
        yield value
    else:
        for each in value.values() if hasattr(value, "values") else value:
            yield from all_texts(each)


def idle_texts(pack):
    return [text for exchange in (*pack.chat, *pack.own_chat) for text in exchange]


def around_texts(pack):
    """All that may be said beside facts."""
    wording = pack.wording
    names = [name for name in wording.__struct_fields__ if name != "kinds"]
    yield from all_texts([getattr(wording, name) for name in names])
    yield from (text for attribute in pack.attributes for text in attribute.around)


@of_packs
def test_nothing_around_the_facts_has_a_number_or_a_value_of_what_only_a_picture_tells(domain, language):
    pack = load(domain, language)
    hidden = [slot.pool for each in pack.attributes if each.visual for slot in each.slots.values() if slot.pool]
    values = [plain(value) for pool in hidden for value in pack.pools[pool]]
    for text in (*idle_texts(pack), *around_texts(pack)):
        bare = plain(re.sub(r"\{\w+\}", "", text))
        assert not re.search(r"\d", bare), text
        assert [value for value in values if says(bare, value)] == [], text


@of_packs
def test_the_reader_takes_nothing_for_a_fact_that_is_said_in_an_exchange(domain, language):
    pack = load(domain, language)
    for text in idle_texts(pack):
        assert read(text.format(**NAMES), grammar(language)) == [], text


@of_packs
def test_exchanges_end_with_the_assistant_and_some_have_one_round(domain, language):
    pack = load(domain, language)
    exchanges = (*pack.chat, *pack.own_chat)
    assert all(exchange and len(exchange) % 2 == 0 for exchange in exchanges)
    assert any(len(exchange) == 2 for exchange in exchanges) and len(set(idle_texts(pack))) == len(idle_texts(pack))


@of_packs
def test_the_frames_of_each_kind_of_distractor_have_its_cue_and_no_other(domain, language):
    pack = load(domain, language)
    for kind, frames in pack.wording.distractors.items():
        for frame in frames:
            text = frame.format(
                clause="Mara's home is in Porto", other="Sven Novak", S="Mara", kind="map", picture="it"
            )
            assert cues_in(pack, text) == {kind}, frame


@of_packs
def test_words_that_decide_what_holds_are_told_from_all_others(domain, language):
    pack = load(domain, language)
    wording, cues = pack.wording, Cues(pack)
    own = {"correction": wording.corrections, "settled": wording.settled, "hearsay": wording.hearsay}
    for cue, leads in own.items():
        assert {cues.of(lead + "X.") for lead in leads} == {cue}
    rest = (wording.openers, wording.further, wording.reminders, wording.changes, wording.reversions, wording.late)
    others = [text for texts in rest for text in texts] + [text for each in pack.attributes for text in each.around]
    assert {cues.of(text) for text in others} == {""} and not any(cues.refuses(text) for text in others)


def test_a_hand_draws_nothing_twice_before_all_was_drawn_and_a_terse_one_leaves_the_long_ones():
    texts = ("a", "bb", "ccc", "dddd")
    hand = Hand(random.Random(1))
    assert sorted(hand.take(texts) for _ in range(8)) == ["a", "a", "bb", "bb", "ccc", "ccc", "dddd", "dddd"]
    terse = Hand(random.Random(1), (0.0, 0.5))
    assert {terse.take(texts) for _ in range(8)} == {"a", "bb"}
    assert {Hand(random.Random(seed), (0.0, 0.5)).take(texts, whole=True) for seed in range(40)} == set(texts)


@pytest.mark.parametrize("rounds", [1, 2, 5, 40])
def test_exchanges_fill_the_rounds_that_are_left_and_none_comes_twice(rounds):
    pack = load("health")
    idle = Idle(pack, make_cast(pack, random.Random(3), 8), random.Random(4))
    dealt = idle.deal(rounds)
    assert sum(len(exchange) // 2 for exchange in dealt) == rounds
    assert len({exchange[-1] for exchange in dealt}) == len(dealt)
    assert not any("{" in text for exchange in dealt for text in exchange)


CAST = Cast(
    entities=(
        Entity(name="Mara Okafor", kind="self"), Entity(name="Sven Novak", kind="person"),
        Entity(name="Gannet Server", kind="device"),
    ),
    namesakes=(),
)  # fmt: skip


@pytest.mark.parametrize(
    ("template", "subject", "role", "said"),
    [
        ("Here's {S}'s ticket, with {S} on it.", "Mara Okafor", USER, "Here's my ticket, with me on it."),
        ("Got {S}'s ticket. Anything on {S}?", "Mara Okafor", ASSISTANT, "Got your ticket. Anything on you?"),
        ("Notes on {S}.", "Sven Novak", USER, "Notes on Sven Novak."),
        ("Notes on {S}.", "Gannet Server", USER, "Notes on the Gannet Server."),
        ("Notes on the {S}.", "Gannet Server", USER, "Notes on the Gannet Server."),
    ],
)
def test_names_are_filled_as_the_one_who_speaks_would_say_them(template, subject, role, said):
    assert Names(load("software"), CAST).fill(template, subject, random.Random(1), role) == said


def test_somebody_is_called_by_the_first_name_only_after_the_full_one():
    names, rng = Names(load("software"), CAST), random.Random(1)
    said = [names.mention("Sven Novak", rng) for _ in range(30)]
    assert said[0] == "Sven Novak" and {"Sven", "Sven Novak"} == set(said)
    known = Names(load("software"), CAST, {"Sven Novak"})
    assert "Sven" in {known.mention("Sven Novak", random.Random(seed)) for seed in range(10)}


def turns(sample, role):
    return [line.text for each in sample.spoken.values() for line in each.lines if line.role == role]


def test_most_answers_are_unlike_all_others_and_no_text_is_frequent(built):
    for role in (USER, ASSISTANT):
        said = Counter(text for sample in built for text in turns(sample, role))
        assert len(said) > 0.6 * said.total() and max(said.values()) < 0.03 * said.total()


def test_no_exchange_comes_twice_in_a_sample(built):
    for sample in built:
        frames = {
            text for exchange in (*sample.pack.chat, *sample.pack.own_chat) for text in exchange if "{" not in text
        }
        said = Counter(text for role in (USER, ASSISTANT) for text in turns(sample, role) if text in frames)
        assert said and max(said.values()) == 1


def test_each_session_opens_with_who_writes_or_why(built):
    for sample in built:
        reasons = sample.pack.wording.reasons[sample.pack.domain]
        first, *rest = (each.lines[0].text for each in sample.spoken.values())
        assert sample.plan.cast.protagonist in first
        assert rest and all(any(reason in text for reason in reasons) for text in rest)


def test_what_is_about_one_subject_is_told_without_a_break(built):
    for sample in built:
        subjects = {fact.fact_id: fact.key.subject for fact in sample.plan.facts()}
        for session in sample.plan.sessions:
            told = [event for event in session.events if event.kind != "E7"]
            per = Counter(subject_of(event, subjects) for event in told)
            runs = Counter(name for name, _ in groupby(subject_of(event, subjects) for event in told))
            assert all(count == 1 for name, count in runs.items() if per[name] <= 4)


def test_users_speak_of_themselves_in_the_first_person(built):
    for sample in built:
        texts = turns(sample, USER)
        assert [text for text in texts[1:] if sample.plan.cast.protagonist in text] == []
        assert not any(re.search(r"\b(?:me|you)'s\b", text) for text in (*texts, *turns(sample, ASSISTANT)))


def fact_of(subject, kind, thread=0, **more):
    fact = Fact(
        fact_id=subject, key=Key(subject, "home"), value="Porto", slots={"V": "Porto"}, since=DAY, told=Told(0, 0),
        day=DAY, kind=kind, visual=bool(more),
    )  # fmt: skip
    return Event(event_id=subject, kind=kind, fact=fact, thread=thread, **more)


def breaths(*events, joined):
    session = SessionPlan(session_id="S00", index=0, day=DAY, events=events)
    return ["".join(told.ids) for told in told_at_once(session, joined, random.Random(1))]


def test_two_plain_facts_of_a_thread_may_be_told_in_one_breath_and_never_three():
    plain = [fact_of(name, "E1") for name in "abc"]
    assert breaths(*plain, joined=1.0) == ["ab", "c"] and breaths(*plain, joined=0.0) == ["a", "b", "c"]


def test_what_ends_a_thread_or_decides_what_holds_is_told_alone():
    assert breaths(fact_of("a", "E1"), fact_of("b", "E1", thread=1), joined=1.0) == ["a", "b"]
    assert breaths(fact_of("a", "E1"), fact_of("b", "E3"), fact_of("c", "E10"), joined=1.0) == ["a", "b", "c"]


def test_one_picture_tells_all_its_facts_at_once():
    one, other = fact_of("a", "E11", image_id="S00_img_1"), fact_of("b", "E11", image_id="S00_img_1")
    assert breaths(one, other, fact_of("c", "E11", image_id="S00_img_2"), joined=0.0) == ["ab", "c"]


def test_a_turn_that_tells_two_facts_has_the_values_of_both():
    double = []
    for sample in (worded(domain, seed) for domain in ("health", "software") for seed in range(4)):
        events = {event.event_id: event for event in sample.plan.events()}
        lines = [line for each in sample.spoken.values() for line in each.lines]
        double += [(line, [events[name].fact for name in line.event_ids]) for line in lines if len(line.event_ids) > 1]
    spoken = [(line, facts) for line, facts in double if not line.image_id]
    assert spoken
    for line, facts in spoken:
        assert all(says(plain(line.text), plain(value)) for fact in facts for value in fact.slots.values())


def test_no_more_than_one_sentence_stands_around_a_fact(built):
    for sample in built:
        facts = {fact.fact_id: fact for fact in sample.plan.facts()}
        events = {event.event_id: event for event in sample.plan.events()}
        wording = sample.pack.wording
        topics = [text for texts in wording.topics.values() for text in texts]
        for line in (line for each in sample.spoken.values() for line in each.lines if line.role == USER):
            told = [events[name].fact or facts.get(events[name].mentions) for name in line.event_ids]
            attributes = [sample.pack.attribute(fact.key.attribute) for fact in told if fact]
            beside = {text for each in attributes for text in (*each.occasions, *each.asides)} | set(topics)
            frames = [re.escape(text).replace(re.escape("{S}"), ".+") for text in beside]
            assert sum(bool(re.search(rf"(?:^|[.!?] ){frame}(?: |$)", line.text)) for frame in frames) <= 1, line.text


@of_packs
def test_no_lead_can_be_taken_for_the_first_name_of_who_comes_after_it(domain, language):
    pack = load(domain, language)
    wording = pack.wording
    name = pack.writing.name.format(first=pack.pools["first"][0], last=pack.pools["last"][0])
    plain_ones = (each for each in pack.attributes if each.about == "person" and each.form == "plain")
    attribute = next(each for each in plain_ones if each.slots["V"].kind == "pool" and not each.visual)
    value = pack.pools[attribute.slots["V"].pool][0]
    said = next(text for text in attribute.stated if text.startswith("{S}")).format(S=name, V=value)
    for leads in (wording.openers, wording.further, wording.reminders, wording.changes, wording.corrections):
        for lead in leads:
            found = read(lead + said + pack.writing.stop, grammar(language))
            assert [(each.subject, dict(each.slots)) for each in found] == [(name, {"V": value})], lead


def test_a_frame_without_a_word_for_the_picture_calls_its_subject_by_the_full_name_first():
    said = Names(load("software"), CAST).framed("The {kind} of {S}.", "badge", "Sven Novak", random.Random(1))
    assert said == "The badge sheet of Sven Novak."


def test_the_assistant_repeats_no_more_than_three_facts_in_ten_and_each_such_turn_is_evidence(built):
    told = repeated = 0
    for sample in built:
        events = {event.event_id: event.fact for event in sample.plan.events() if event.fact and event.fact.slots}
        for spoken in sample.spoken.values():
            for before, line in pairwise(spoken.lines):
                facts = {name: events[name] for name in before.event_ids if name in events and not events[name].visual}
                told += len(facts)
                for name, fact in facts.items():
                    said = all(says(plain(line.text), plain(value)) for value in fact.slots.values())
                    repeated += said
                    assert said is (name in line.event_ids) or before.role == ASSISTANT, line.text
    assert 0.05 * told < repeated <= 0.3 * told
