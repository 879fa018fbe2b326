"""Pronouns and roles: who is meant can be told from the turn, from the one before, or from what is known."""

from __future__ import annotations

from itertools import islice

import pytest
from builder_orders import order
from builder_worded import worded
from msgspec.structs import replace

from memarena.records import NOT_MENTIONED, AskedQuestion, Shown, ShownItem
from memarena_builder.lifelong import build_sample
from memarena_builder.packs.load import REGISTERS, domains_of, in_register, languages, load
from memarena_builder.packs.overlap import content, question_side
from memarena_builder.reader.answerer import SimReader
from memarena_builder.reader.notebook import Notebook
from memarena_builder.streams import Streams
from memarena_builder.validators import coverage
from memarena_builder.validators.problem import plain, says
from memarena_builder.wording.clauses import sentence
from memarena_builder.wording.standins import StandIn, pronouned
from memarena_builder.world.cast import make_cast, short_name
from memarena_builder.world.values import Values

SPOKEN = [
    (domain, language, register)
    for register in REGISTERS
    for language in languages()
    for domain in domains_of(language)
]
of_packs = pytest.mark.parametrize(("domain", "language", "register"), SPOKEN)
SHE, HE = load("health").writing.she, load("health").writing.he


@pytest.mark.parametrize(
    ("template", "forms", "said"),
    [
        ("{S}'s desk is in bay {V}", SHE, "her desk is in bay {V}"),
        ("{S} lives in {V}", HE, "he lives in {V}"),
        ("to ring {S}, dial extension {V}", HE, "to ring him, dial extension {V}"),
        ("I have {S} down as extension {V}", SHE, "I have her down as extension {V}"),
        ("keep in mind that {S} is allergic to {V}", SHE, "keep in mind that she is allergic to {V}"),
        ("{V} is where {S} lives", HE, "{V} is where he lives"),
        ("the car {S} has is a {V}", HE, "the car he has is a {V}"),
        ("a test found {S} allergic to {V}", HE, "a test found him allergic to {V}"),
        ("bay {V} is where {S} has a desk", SHE, "bay {V} is where she has a desk"),
        ("the locker for {S} is {V}", SHE, "the locker for her is {V}"),
        ("{S}的分机号是{V}", ("她", "她", "她的"), "她的分机号是{V}"),
        ("找{S}就拨分机号{V}", ("他", "他", "他的"), "找他就拨分机号{V}"),
    ],
)
def test_a_pronoun_stands_as_its_place_in_the_sentence_asks_for(template, forms, said):
    assert pronouned(template, forms) == said


def test_nothing_is_of_hers_and_no_role_owns_anything():
    assert not StandIn(forms=SHE).fits("{V} is a hobby of {S}'s") and StandIn(forms=SHE).fits("{S}'s hobby is {V}")
    role = StandIn("S00:E01", role="the one who leads Lantern")
    assert (
        not role.fits("{S}'s hobby is {V}") and role.put("{S} lives in {V}") == "the one who leads Lantern lives in {V}"
    )


@pytest.mark.parametrize(
    ("name", "language", "she"),
    [("Mara Okafor", "en", True), ("Sven Novak", "en", False), ("Mrs. Adair", "en", True), ("Mr. Gadd", "en", False),
     ("林晓梅", "zh", True), ("周志强", "zh", False), ("艾女士", "zh", True), ("卜先生", "zh", False)],
)  # fmt: skip
def test_a_woman_is_she_and_a_man_is_he(name, language, she):
    pack = load("health", language)
    style = pack.writing
    assert style.pronoun(name, short_name(pack, name)) == (style.she if she else style.he)


@pytest.mark.parametrize("name", ["Lantern", "Gannet Server", "Rowan Fridge"])
def test_no_thing_has_a_pronoun(name):
    assert load("health").writing.pronoun(name, name) is None


def stood_in(sample):
    """(session, event, its line, id of the event that tells who is meant) of all that names nobody or by a pronoun."""
    for session in sample.plan.sessions:
        spoken = sample.spoken[session.session_id]
        for event in session.events:
            if event.event_id in spoken.resolved:
                yield session, event, spoken.by_user(event.event_id)[0], spoken.resolved[event.event_id]


def pronouns_in_one_turn(sample):
    """The lines in which somebody is brought up and a pronoun tells more."""
    frames = [text for texts in sample.pack.wording.met.values() for text in texts]
    ends = [text.partition("{S}") for text in frames]
    for spoken in sample.spoken.values():
        for line in spoken.lines:
            if line.role == "user" and any(a in line.text and c in line.text for a, _, c in ends if len(a + c) > 8):
                yield line


@pytest.fixture(scope="module")
def standing():
    """Two whole samples in which somebody is told of without a name."""
    wanted = ((domain, seed) for seed in range(20) for domain in ("software", "health"))
    fitting = (each for each in wanted if any(True for _ in stood_in(worded(*each))))
    return [build_sample(order(*each)) for each in islice(fitting, 2)]


def test_some_facts_of_people_are_told_with_a_pronoun_or_a_role():
    samples = [worded(domain, seed) for domain in ("health", "software") for seed in range(12)]
    by_role = sum(len(list(stood_in(sample))) for sample in samples)
    by_pronoun = sum(len(list(pronouns_in_one_turn(sample))) for sample in samples)
    facts = sum(len(sample.plan.facts()) for sample in samples)
    assert by_role > 0.002 * facts and by_pronoun > 0.015 * facts > 20


def test_who_is_meant_is_told_before_and_is_the_subject(standing):
    for sample in standing:
        events = {event.event_id: (number, event) for number, event in enumerate(sample.plan.events())}
        for _, event, line, by in stood_in(sample):
            number, known = events[by]
            subject = event.fact.key.subject
            assert number < events[event.event_id][0] and subject in (known.fact.key.subject, known.fact.value)
            if known.fact.key.subject != subject:
                role = sample.pack.attribute(known.fact.key.attribute).role.format(S=known.fact.key.subject)
                assert role.lower() in line.text.lower() and known.fact.told.session < event.fact.told.session


def test_the_turn_that_names_whom_a_pronoun_stands_for_is_evidence(standing):
    for sample in standing:
        points = {point.fact_id: point for each in sample.points.values() for point in each}
        for session, event, _, by in stood_in(sample):
            spoken = sample.spoken[session.session_id]
            places = [place for place in spoken.places(by) if spoken.lines[place].role == "user"]
            assert set(places) <= set(points[event.fact.fact_id].turns)


def test_the_assistant_names_nobody_in_answer_to_a_role(standing):
    for sample in standing:
        for session, event, line, by in stood_in(sample):
            lines = sample.spoken[session.session_id].lines
            answer = lines[lines.index(line) + 1].text
            if event.event_id in line.event_ids[-1:] and by.partition(":")[0] != session.session_id:
                assert short_name(sample.pack, event.fact.key.subject) not in answer


def drawn(pack):
    """(attribute, subject, values) of all that is told of people."""
    rng = Streams(4).rng(pack.domain)
    cast = make_cast(pack, rng, 10)
    values = Values(pack.pools, cast_day(), pack.language)
    for attribute in pack.attributes:
        entities = cast.of(attribute.about)
        forms = entities and pack.writing.pronoun(entities[0].name, short_name(pack, entities[0].name))
        if forms and attribute.about != "self" and attribute.form in ("plain", "set"):
            yield attribute, entities[0].name, forms, {n: values.draw(s, rng) for n, s in attribute.slots.items()}


def cast_day():
    from datetime import date

    return date(2026, 1, 5)


@of_packs
def test_every_statement_is_read_with_a_pronoun_and_only_for_who_was_brought_up(domain, language, register):
    pack = in_register(domain, language, register=register)
    for attribute, subject, forms, slots in drawn(pack):
        stand_in = StandIn(forms=forms)
        other = pack.writing.he if forms == pack.writing.she else pack.writing.she
        for number, family in enumerate(filter(stand_in.fits, attribute.stated)):
            met = pack.wording.met[attribute.about]
            brought_up = met[number % len(met)].format(S=subject)
            said = sentence(pack, stand_in.put(family).format(**slots))
            notebook = Notebook(language)
            notebook.hear(f"{brought_up} {said}", cast_day())
            assert [(fact.key.subject, fact.slots) for fact in notebook.facts] == [(subject, slots)], said
            for text in (said, f"{brought_up} {sentence(pack, pronouned(family, other).format(**slots))}"):
                alone = Notebook(language)
                alone.hear(text, cast_day())
                assert alone.facts == [], text


@of_packs
def test_no_statement_of_a_relation_has_its_role_and_no_question_on_people_a_word_of_one(domain, language, register):
    pack = in_register(domain, language, register=register)
    roles = [(each, each.role) for each in pack.attributes if each.form == "relation"]
    assert all(role for _, role in roles)
    for attribute, role in roles:
        own = max(role.split("{S}"), key=len)
        assert not any(own in family for family in attribute.stated)
        for other in (each for each in pack.attributes if each.about == "person"):
            assert not any(content(role) & content(text) for text in question_side(other)), (role, other.name)


def ask(question, *shown):
    items = tuple(ShownItem(rank=n, memory_id=f"m{n}", text=text) for n, text in enumerate(shown, 1))
    return SimReader().answer(AskedQuestion(question_id="Q", text=question), Shown(items=items)).text


LEAD = "[Jan 02, 2026, 09:00:00] user: The lead on Warm Soup is Mara Okafor."
OLD = "[Jan 01, 2026, 09:00:00] user: The lead on Warm Soup is Sven Novak."
ROLE = "[Feb 02, 2026, 09:00:00] user: The one who leads Warm Soup has locker B-123."
DEPUTY = "[Feb 02, 2026, 09:00:00] user: The one who is deputy to Mara Okafor has locker B-123."
MET = "[Jan 02, 2026, 09:00:00] user: A word about Mara Okafor. She has locker B-123."
SAID = "[Jan 02, 2026, 09:00:00] user: Mara Okafor lives in Porto."
SHE_HAS = "[Jan 02, 2026, 09:04:00] user: Also, she has locker B-123."
HE_HAS = "[Jan 02, 2026, 09:04:00] user: Also, he has locker B-123."
LATER = "[Jan 09, 2026, 09:04:00] user: Also, she has locker B-123."


@pytest.mark.parametrize(
    ("shown", "answer"),
    [
        ((MET,), "B-123"),
        ((SAID, SHE_HAS), "B-123"),
        ((SAID, HE_HAS), NOT_MENTIONED),
        ((SAID, LATER), NOT_MENTIONED),
        ((SHE_HAS,), NOT_MENTIONED),
        ((OLD, LEAD, ROLE), "B-123"),
        ((OLD, ROLE), NOT_MENTIONED),
        ((ROLE,), NOT_MENTIONED),
        ((DEPUTY,), NOT_MENTIONED),
    ],
)  # fmt: skip
def test_the_answerer_knows_who_is_meant_where_it_can_be_known_and_else_takes_nobody(shown, answer):
    assert ask("What is the mark on the compartment of Mara Okafor?", *shown) == answer


def test_v1_sees_a_role_that_nobody_has_and_a_pronoun_for_nobody(standing):
    seen = 0
    for sample in standing:
        for session, event, _, _ in stood_in(sample):
            spoken, points = sample.spoken[session.session_id], sample.points[session.session_id]

            def found(changed, session=session, points=points, sample=sample):
                problems = coverage.points_are_told(sample.pack, sample.plan, session, changed, points)
                return {name for problem in problems for name in problem.about}

            assert event.fact.fact_id not in found(spoken)
            silent = tuple(
                replace(each, text="Nobody.") if event.event_id in each.event_ids else each for each in spoken.lines
            )
            assert event.fact.fact_id in found(replace(spoken, lines=silent))
            other = next(
                each
                for each in sample.plan.events()
                if each.fact
                and each.fact.key.subject not in (event.fact.key.subject, *filter(None, [each.fact.value]))
                and each.fact.value != event.fact.key.subject
            )
            assert event.fact.fact_id in found(
                replace(spoken, resolved={**spoken.resolved, event.event_id: other.event_id})
            )
            seen += 1
    assert seen


def test_values_stand_in_the_turn_that_leaves_their_owner_unnamed(standing):
    for sample in standing:
        for _, event, line, _ in stood_in(sample):
            assert all(says(plain(line.text), plain(value)) for value in event.fact.slots.values())
