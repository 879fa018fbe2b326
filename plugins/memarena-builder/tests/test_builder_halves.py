"""Facts in two turns: the value without its owner, and whose it is some rounds later."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from memarena.errors import DataError
from memarena.records import NOT_MENTIONED, AskedQuestion, JudgementRequest, Shown, ShownItem
from memarena_arena.lexical import LexicalJudge
from memarena_builder.packs import load as loading
from memarena_builder.packs.load import domains_of, languages, load, part
from memarena_builder.packs.overlap import overlaps
from memarena_builder.packs.schema import Halves
from memarena_builder.plan.events import Event
from memarena_builder.probes.finished import finished
from memarena_builder.probes.shortcuts import in_two_turns
from memarena_builder.reader.answerer import SimReader
from memarena_builder.reader.patterns import grammar
from memarena_builder.reader.statements import read
from memarena_builder.streams import Streams
from memarena_builder.validators import coverage
from memarena_builder.validators.problem import plain, says
from memarena_builder.wording import Spoken
from memarena_builder.wording.clauses import of_kind, sentence
from memarena_builder.wording.halves import BETWEEN, Half, spread
from memarena_builder.world.cast import make_cast, short_name
from memarena_builder.world.values import Values

_READ = loading._read
PACKS = [(domain, language) for language in languages() for domain in domains_of(language)]
of_packs = pytest.mark.parametrize(("domain", "language"), PACKS)
TELLABLE = ("plain", "date", "relation", "set", "schedule")
"""Forms of attributes whose facts can be told in two turns."""


def told_in_two(sample):
    """(session, event, places of its turns) of each fact that the user tells in two turns."""
    for session in sample.plan.sessions:
        spoken = sample.spoken[session.session_id]
        for event in session.events:
            places = [place for place in spoken.places(event.event_id) if spoken.lines[place].role == "user"]
            if event.fact and len(places) > 1:
                yield session, event, places


def test_some_15_of_100_facts_are_told_in_two_turns(built):
    told = [len(list(told_in_two(sample))) for sample in built]
    facts = [len(sample.plan.facts()) for sample in built]
    assert 0.15 <= sum(told) / sum(facts) <= 0.18
    assert all(0.12 <= one / many <= 0.2 for one, many in zip(told, facts, strict=True))


def test_the_first_turn_has_the_value_alone_and_the_second_its_owner_alone(built):
    for sample in built:
        for session, event, places in told_in_two(sample):
            lines = sample.spoken[session.session_id].lines
            value, owner = (lines[place].text for place in places)
            subject = event.fact.key.subject
            values = [plain(each) for each in event.fact.slots.values()]
            assert all(says(plain(value), each) and not says(plain(owner), each) for each in values)
            assert short_name(sample.pack, subject) in owner and short_name(sample.pack, subject) not in value


def test_between_the_two_turns_other_things_are_said_and_the_assistant_asks_whose_it_is(built):
    for sample in built:
        asked = sample.pack.wording.owners
        kinds = {each.name: each.kind for each in sample.plan.cast.entities}
        for session, event, (first, last) in told_in_two(sample):
            lines = sample.spoken[session.session_id].lines
            users = [place for place in range(first + 1, last) if lines[place].role == "user"]
            assert len(users) >= 1 and lines[first + 1].role == "assistant"
            assert lines[first + 1].text in of_kind(sample.pack.wording, asked, kinds[event.fact.key.subject])
            assert not any(event.event_id in line.event_ids for line in lines if line.role == "assistant")


def test_most_wait_for_two_rounds_or_more(built):
    waits = []
    for sample in built:
        for session, _, (first, last) in told_in_two(sample):
            lines = sample.spoken[session.session_id].lines[first + 1 : last]
            waits.append(sum(line.role == "user" for line in lines))
    assert sum(wait >= BETWEEN for wait in waits) > 0.7 * len(waits) > 10


def test_no_two_values_of_one_kind_wait_for_their_owners_in_one_session(built):
    for sample in built:
        kinds = [(session.session_id, event.fact.key.attribute) for session, event, _ in told_in_two(sample)]
        assert len(set(kinds)) == len(kinds)


def test_a_point_of_two_turns_is_known_from_the_second_on(built):
    for sample in built:
        points = {point.fact_id: point for each in sample.points.values() for point in each}
        for session, event, (first, last) in told_in_two(sample):
            point, lines = points[event.fact.fact_id], sample.spoken[session.session_id].lines
            assert point.turns == (first, last) and point.time == lines[last].time > lines[first].time


blocks = st.lists(st.integers(1, 5), min_size=1, max_size=9)


@given(blocks, st.integers(0, 4), st.integers(0, 10**6))
def test_halves_stand_between_blocks_with_something_between_them(sizes, count, seed):
    named = [(number, size) for number, size in enumerate(sizes)]
    events = [Event(event_id=f"{number}", kind="E1") for number in range(count)]
    out = spread(named, lambda block: block[1], events, Streams(seed).rng("x"))
    assert [each for each in out if not isinstance(each, Half)] == named
    for event in events:
        first, last = (out.index(Half(event, owner=owner)) for owner in (False, True))
        between = [each for each in out[first:last] if not isinstance(each, Half)]
        behind = [each for each in out[last:] if not isinstance(each, Half)]
        assert first < last and between
        assert sum(size for _, size in between) >= BETWEEN or not behind


def drawn(pack):
    """(attribute, subject, values) of all that can be told in two turns."""
    rng = Streams(2).rng(pack.domain)
    cast = make_cast(pack, rng, 10)
    values = Values(pack.pools, date(2026, 1, 5), pack.language)
    for attribute in pack.attributes:
        if attribute.halves:
            subject = cast.of(attribute.about)[0].name
            persons = [name for name in cast.persons if name != subject]
            yield attribute, subject, {n: values.draw(slot, rng, persons) for n, slot in attribute.slots.items()}


def turns_of(pack, attribute, subject, slots):
    """Every value and every owner of an attribute, as turns."""
    for half in attribute.halves.value:
        for behind in of_kind(pack.wording, pack.wording.unowned, attribute.about)[:2]:
            yield "value", f"{sentence(pack, half.format(**slots))} {behind}"
    for half in attribute.halves.owner:
        for lead in pack.wording.found:
            said = half.format(S=subject)
            yield "owner", sentence(pack, lead + (sentence(pack, said) if not lead.strip() else said))


@of_packs
def test_each_half_is_read_as_what_it_is_and_no_whole_statement_is_taken_for_one(domain, language):
    pack = load(domain, language)
    for attribute, subject, slots in drawn(pack):
        for half, text in turns_of(pack, attribute, subject, slots):
            found = read(text, grammar(language))
            assert [(each.attribute, each.half) for each in found] == [(attribute.name, half)], text
            assert dict(found[0].slots) == (slots if half == "value" else {}), text
            assert found[0].subject == (subject if half == "owner" else ""), text
        for family in attribute.stated:
            whole = read(sentence(pack, family.format(S=subject, **slots)), grammar(language))
            assert {each.half for each in whole} == {""}, family


@of_packs
def test_the_lexical_judge_takes_both_halves_for_a_point_and_not_that_of_the_owner_alone(domain, language):
    pack = load(domain, language)
    for attribute, subject, slots in drawn(pack):
        point = attribute.point.format(S=subject, **slots)
        texts = dict(turns_of(pack, attribute, subject, slots))
        said = [f"[Jan 02, 2026, 09:00:00] user: {texts[half]}" for half in ("value", "owner")]
        for items, verdict in ((said, "yes"), (said[1:], "no")):
            request = JudgementRequest(task="recall", items=tuple(items), points=(point,))
            label = LexicalJudge().label([request])[0]
            assert label is not None and label.verdicts == (verdict,), items


def ask(question, *shown):
    items = tuple(ShownItem(rank=n, memory_id=f"m{n}", text=text) for n, text in enumerate(shown, 1))
    return SimReader().answer(AskedQuestion(question_id="Q", text=question), Shown(items=items)).text


VALUE = "[Jan 02, 2026, 09:00:00] user: One of the extensions is 4417. I'm blanking on who that was."
ROOM = "[Jan 02, 2026, 09:02:00] user: There's a locker B-123 with a key in my hand. I'm blanking on who that was."
OWNER = "[Jan 02, 2026, 09:06:00] user: Found it: that extension is Mara Okafor's."
LATER = "[Jan 09, 2026, 09:06:00] user: Found it: that extension is Mara Okafor's."
ASKED = "Which internal number belongs to Mara Okafor?"


@pytest.mark.parametrize(
    ("shown", "answer"),
    [
        ((VALUE, ROOM, OWNER), "4417"),
        ((VALUE,), NOT_MENTIONED),
        ((OWNER,), NOT_MENTIONED),
        ((ROOM, OWNER), NOT_MENTIONED),
        ((VALUE, LATER), NOT_MENTIONED),
        ((VALUE, OWNER, LATER), "4417"),
    ],
)  # fmt: skip
def test_the_answerer_puts_two_turns_of_a_day_together_and_takes_no_other_value(shown, answer):
    assert ask(ASKED, *shown) == answer


def test_v1_sees_a_fact_in_two_turns_that_one_of_them_tells_alone_or_neither(built):
    sample = built[0]
    session, event, (first, last) = next(told_in_two(sample))
    spoken, points = sample.spoken[session.session_id], sample.points[session.session_id]
    lines = spoken.lines

    def found(*changed):
        texts = dict(changed)
        other = tuple(replace(line, text=texts.get(place, line.text)) for place, line in enumerate(lines))
        made = Spoken(session_id=spoken.session_id, lines=other)
        problems = coverage.points_are_told(sample.pack, sample.plan, session, made, points)
        return [problem.about for problem in problems]

    subject, value = event.fact.key.subject, next(iter(event.fact.slots.values()))
    assert found() == []
    assert found((first, f"{lines[first].text} {subject}.")) == [(event.fact.fact_id,)]
    assert found((last, f"{lines[last].text} {value}.")) == [(event.fact.fact_id,)]
    assert found((last, "Nobody knows.")) == found((first, "Something.")) == [(event.fact.fact_id,)]


@of_packs
def test_most_that_words_can_tell_of_others_can_be_told_in_two_turns_and_the_splits_share_no_half(domain, language):
    pack = load(domain, language)
    wanted = {
        each.name
        for each in pack.attributes
        if "text" in each.carriers and each.form in TELLABLE and each.about != "self"
    }
    halved = {each.name for each in pack.attributes if each.halves}
    assert halved <= wanted and len(halved) > 0.8 * len(wanted)
    for one, other in zip(part(pack, "dev").attributes, part(pack, "test").attributes, strict=True):
        if one.halves and other.halves:
            assert set(one.halves.value).isdisjoint(other.halves.value) and one.halves.value
            assert set(one.halves.owner).isdisjoint(other.halves.owner) and one.halves.owner


@pytest.mark.parametrize("language", languages())
def test_every_entry_of_the_halves_is_of_some_attribute(language):
    known = {each.name for domain in domains_of(language) for each in load(domain, language).attributes}
    assert set(loading._read("halves", language)) - known == set()


@pytest.mark.parametrize(
    ("side", "text", "what"),
    [
        ("value", "{S}'s home is {V}", "nothing fills {S}"),
        ("value", "somewhere else", "lacks {V}"),
        ("owner", "{S} lives in {V}", "nothing fills {V}"),
    ],
)
def test_a_half_with_what_the_other_is_there_for_is_a_person_s_mistake(monkeypatch, side, text, what):
    made = {"value": ["x {V}", "y {V}"], "owner": ["x {S}", "y {S}"]}
    made[side] = [*made[side], text]
    raw = {**_READ("halves", "en"), "home": made}
    monkeypatch.setattr(loading, "_read", lambda name, language: raw if name == "halves" else _READ(name, language))
    with pytest.raises(DataError, match=rf"en/halves.toml: home.{side}\[2\]: .*{re.escape(what)}"):
        load.__wrapped__("health")


def test_halves_are_held_apart_from_questions_as_statements_are():
    pack = load("health")
    halves = Halves(value=("{V} is a town",), owner=("the number is {S}'s",))
    home = replace(pack.attribute("home"), halves=halves)
    assert {each.word for each in overlaps(replace(pack, attributes=(home,)))} == {"town"}


def test_the_probe_counts_facts_of_two_turns(on_disk, built):
    by_hand = sum(len(list(told_in_two(sample))) for sample in built)
    reading = next(iter(in_two_turns(finished(on_disk[0].root))))
    total = sum(len(sample.plan.facts()) for sample in built)
    assert (reading.n, reading.value) == (total, by_hand / total) and reading.verdict == "holds"


def test_a_build_tells_how_many_facts_are_told_in_two_turns(built, tmp_path):
    from memarena_builder.makers import _written

    made = _written(built[0], tmp_path)
    assert made.counts["told in two turns"] == len(list(told_in_two(built[0])))
