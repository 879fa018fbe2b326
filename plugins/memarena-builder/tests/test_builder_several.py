"""Questions that rest on several facts: computed by hand, each piece needed, read back from their words."""

from __future__ import annotations

import random
from datetime import date
from itertools import product

import pytest
from builder_orders import QUOTA, order
from msgspec.structs import replace
from test_builder_queries import LEAD, told

from memarena_builder.order import LifelongOrder
from memarena_builder.packs.load import domains_of, load, part, writing
from memarena_builder.plan import make_plan
from memarena_builder.plan.quota import Quota
from memarena_builder.questions.decided import OfDecider, SortedAll
from memarena_builder.questions.known import Known
from memarena_builder.questions.query import Found, PictureOf, Query, minimal, proved
from memarena_builder.questions.reasoning import memory_conflict
from memarena_builder.questions.several import Changed, MembersOf, Second, Span
from memarena_builder.questions.taught import Apply, Sorted
from memarena_builder.questions.ways import FORMS
from memarena_builder.reader.notebook import question_grammar
from memarena_builder.streams import Streams
from memarena_builder.world.facts import Fact, Key

DEADLINES = tuple(Key(name, "deadline") for name in ("Heron", "Lichen", "Basalt"))
DAYS = [
    told(key, day, number)
    for number, (key, day) in enumerate(zip(DEADLINES, ("June 12, 2026", "May 15, 2026", "July 1, 2026"), strict=True))
]
HOMES = [
    told(Key("Ida Barros", "home"), "Porto"),
    told(Key("Sven Novak", "home"), "Leeds", 1),
    told(Key("Ida Barros", "home"), "Graz", 2, date(2026, 3, 1)),
]
ALLERGIES = [
    told(Key("Ida Barros", "allergy", "kiwi"), "kiwi", 1),
    told(Key("Ida Barros", "allergy", "sesame"), "sesame", 2),
    told(Key("Sven Novak", "allergy", "lupin"), "lupin", 3),
]
BADGES = [
    replace(told(Key("Ida Barros", "badge_colour"), "teal", 1), image_id="S01_img_1", visual=True),
    replace(told(Key("Ida Barros", "badge_colour"), "rose", 2, date(2026, 2, 1)), image_id="S02_img_1", visual=True),
]
RULES = [
    told(Key("Heron", "approval"), "rule", L="500", A="Ida Barros", B="Sven Novak"),
    told(Key("Heron", "approval_exception", "flowers"), "exception", 1, C="flowers", A="Greta Holm"),
]
TRAYS = [
    told(Key("Heron", "filing", "permits"), "permits", 0, C="permits", V="slate"),
    told(Key("Heron", "filing", "waivers"), "waivers", 1, C="waivers", V="cork"),
    told(Key("Heron", "filing_rest"), "jute", 2, V="jute"),
]


def leads(to: str) -> Fact:
    return told(LEAD, to)


def apply(amount: int, case: str) -> Apply:
    return Apply(subject="Heron", rule="approval", exception="approval_exception", amount=amount, case=case)


def filed(*cases: str) -> SortedAll:
    return SortedAll(
        rules=tuple(Sorted(subject="Heron", rule="filing", rest="filing_rest", case=case) for case in cases)
    )


NAMES = ("Heron", "Lichen", "Basalt")
CASES: list[tuple[str, Query, list[Fact], str, int]] = [
    ("the second of three days", Second(keys=DEADLINES, names=NAMES), DAYS, "Heron", 3),
    (
        "from May 15 to July 1", Span(keys=DEADLINES, unit="days", amount=writing("en").amount), DAYS, "47 days", 3,
    ),
    (
        "who lives elsewhere than in February",
        Changed(keys=(HOMES[0].key, HOMES[1].key), names=("Ida", "Sven"), day=date(2026, 2, 1)), HOMES, "Ida", 3,
    ),
    (
        "what somebody must avoid to whom a relation leads", MembersOf(relation=LEAD, attribute="allergy"),
        [leads("Ida Barros"), *ALLERGIES], "kiwi, sesame", 3,
    ),
    (
        "the newest picture of somebody to whom a relation leads", PictureOf(relation=LEAD, attribute="badge_colour"),
        [leads("Ida Barros"), *BADGES], "S02_img_1", 2,
    ),
    (
        "the home of whoever decides above the limit", OfDecider(rule=apply(501, "taxis"), attribute="home"),
        [*RULES, *HOMES], "Graz", 2,
    ),
    (
        "the home of whoever decides below it", OfDecider(rule=apply(499, "taxis"), attribute="home"),
        [*RULES, *HOMES], "Leeds", 2,
    ),
    ("two kinds that rules name", filed("waivers", "permits"), TRAYS, "cork, slate", 2),
    ("one that none names besides", filed("permits", "manuals"), TRAYS, "jute, slate", 2),
    ("all of them", filed("permits", "manuals", "waivers"), TRAYS, "cork, jute, slate", 3),
]  # fmt: skip


@pytest.mark.parametrize(("query", "log", "answer", "pieces"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_several_facts_give_an_answer_and_every_piece_is_needed(query, log, answer, pieces):
    found = query.evaluate(log)
    assert found is not None and found.answer == answer
    evidence = minimal(query, log)
    assert len(evidence) == pieces and proved(query, log, evidence) == ""


def test_where_two_days_are_the_same_neither_is_second():
    log = [*DAYS[:2], told(DEADLINES[2], "June 12, 2026", 2)]
    assert Second(keys=DEADLINES, names=NAMES).evaluate(log) is None
    assert Span(keys=DEADLINES, unit="days", amount=writing("en").amount).evaluate(log) == Found("28 days")


def test_where_two_facts_changed_or_none_did_no_single_one_can_be_named():
    changed = Changed(keys=(HOMES[0].key, HOMES[1].key), names=("Ida", "Sven"), day=date(2026, 2, 1))
    assert changed.evaluate(HOMES[:2]) is None
    moved = told(Key("Sven Novak", "home"), "Turin", 3, date(2026, 3, 2))
    assert changed.evaluate([*HOMES, moved]) is None


def test_a_relation_that_leads_nowhere_answers_nothing():
    assert MembersOf(relation=LEAD, attribute="allergy").evaluate(ALLERGIES) is None
    assert PictureOf(relation=LEAD, attribute="badge_colour").evaluate([leads("Sven Novak"), *BADGES]) is None
    assert OfDecider(rule=apply(900, "flowers"), attribute="home").evaluate([*RULES, *HOMES]) is None


def known_of(placed: LifelongOrder) -> Known:
    pack = part(load(placed.domain, placed.quota.language), placed.split)
    plan = make_plan(pack, placed.quota, Streams(placed.seed, (placed.sample_id,)).at("plan"))
    return Known(pack, plan, len(plan.sessions) - 1)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_question_stands_for_its_query_and_for_no_other(language):
    grammar, read = question_grammar(language), set()
    ways = [(maker, form, {}) for maker, shares in FORMS.values() for form in shares]
    ways += [(memory_conflict, form, {"agrees": False}) for form in ("changed", "unchanged", "claim")]
    for domain, seed in product(domains_of(language), (1, 2)):
        known = known_of(order(domain, seed, quota=Quota(sessions=18, language=language)))
        for maker, form, more in ways:
            for draft in maker(known, random.Random(form), form, **more):
                query = grammar.read(draft.text)
                assert query is not None, draft.text
                assert query.evaluate(known.facts) == draft.query.evaluate(known.facts), draft.text
                read.add(type(query))
    assert {Second, Span, Changed, MembersOf, PictureOf, OfDecider, SortedAll} <= read


def test_nobody_is_found_by_the_same_relation_twice():
    known = known_of(order("software", quota=replace(QUOTA, sessions=18)))
    for kind in ("KR", "CMR", "VS"):
        for draft in FORMS[kind][0](known, random.Random(1), "path"):
            assert draft.query.relation.attribute not in draft.query.further
