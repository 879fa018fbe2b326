"""Rules that are stated, and rules that only cases teach, applied to what never occurred."""

from __future__ import annotations

from datetime import date

import pytest
from builder_orders import QUOTA
from msgspec.structs import replace

from memarena.records import NOT_MENTIONED, AskedQuestion, Shown, ShownItem
from memarena_builder.packs.load import domains_of, load
from memarena_builder.plan import Quota, make_plan
from memarena_builder.questions.known import Known
from memarena_builder.questions.learning import test_time as drafts
from memarena_builder.questions.query import Found, minimal, proved
from memarena_builder.questions.taught import Named, Packed, Rules, Sorted
from memarena_builder.reader.answerer import SimReader
from memarena_builder.streams import Streams
from memarena_builder.world.facts import Fact, Key, Told

DAY = date(2026, 1, 5)
RULES = Rules(load("software").attributes)


def told(number: int, attribute: str, element: str = "", **slots: str) -> Fact:
    return Fact(
        fact_id=f"F{number}", key=Key("Heron", attribute, element), value=" | ".join(slots.values()), slots=slots,
        since=DAY, told=Told(number, 0), day=DAY, kind="E10",
    )  # fmt: skip


CASES = [
    told(0, "approval_case", "250", X="250", A="Mara Okafor"),
    told(1, "approval_case", "900", X="900", A="Sven Novak"),
    told(2, "approval_slip", "450", X="450", A="Sven Novak"),
    told(3, "approval_slip", "620", X="620", A="Mara Okafor"),
]
"""Mara decides below a limit and Sven above; it lies between 450 and 620."""


@pytest.mark.parametrize(
    ("amount", "who", "evidence"),
    [
        (100, "Mara Okafor", {"F0", "F1"}),
        (250, "Mara Okafor", {"F0", "F1"}),
        (400, "Mara Okafor", {"F0", "F1", "F2"}),
        (700, "Sven Novak", {"F0", "F1", "F3"}),
        (2000, "Sven Novak", {"F0", "F1"}),
    ],
)
def test_cases_and_wrong_attempts_tell_who_decides_and_no_more_of_them_than_it_takes(amount, who, evidence):
    query = RULES.apply("Heron", amount, "taxis")
    assert query.evaluate(CASES) == Found(who, "cases")
    least = minimal(query, CASES)
    assert proved(query, CASES, least) == "" and {fact.fact_id for fact in least} == evidence


def test_between_the_nearest_cases_nobody_can_know():
    assert RULES.apply("Heron", 500, "taxis").evaluate(CASES) is None


def test_cases_of_one_person_teach_nothing():
    assert RULES.apply("Heron", 100, "taxis").evaluate([CASES[0]]) is None
    assert RULES.apply("Heron", 100, "taxis").evaluate([CASES[0], CASES[3]]) is None


def test_cases_that_no_limit_explains_teach_nothing():
    odd = told(9, "approval_case", "260", X="260", A="Sven Novak")
    assert RULES.apply("Heron", 100, "taxis").evaluate([*CASES[:2], odd]).answer == "Mara Okafor"
    odder = told(9, "approval_case", "100", X="100", A="Sven Novak")
    assert RULES.apply("Heron", 50, "taxis").evaluate([*CASES[:2], odder]) is None


def test_a_stated_rule_goes_before_cases():
    rule = told(9, "approval", L="300", A="Ida Barros", B="Hugo Petrov")
    assert RULES.apply("Heron", 400, "taxis").evaluate([*CASES, rule]) == Found("Ida Barros", "rule")


def test_a_kind_that_no_rule_names_goes_where_the_rest_goes():
    log = [told(0, "filing", "invoices", C="invoices", V="copper"), told(1, "filing_rest", V="slate")]
    ruled, rest = (Sorted(subject="Heron", rule="filing", rest="filing_rest", case=c) for c in ("invoices", "permits"))
    assert ruled.evaluate(log) == Found("copper", "rule") and minimal(ruled, log) == (log[0],)
    assert rest.evaluate(log) == Found("slate", "rest") and minimal(rest, log) == (log[1],)
    assert rest.evaluate(log[:1]) is None


def test_a_name_is_made_by_the_rule_for_a_topic_that_was_never_named():
    log = [told(0, "naming", P="KT4", Q="7B2")]
    assert Named(key=Key("Heron", "naming"), topic="permits").evaluate(log) == Found("KT4-permits-7B2")


@pytest.mark.parametrize(("amount", "packs"), [(24, "1"), (25, "2"), (48, "2"), (239, "10")])
def test_a_pack_that_is_begun_counts(amount, packs):
    log = [told(0, "packing", N="24")]
    assert Packed(key=Key("Heron", "packing"), amount=amount).evaluate(log) == Found(packs)


def ask(text: str, *heard: str) -> str:
    items = tuple(ShownItem(rank=n, memory_id=f"m{n}", text=f"user: {each}") for n, each in enumerate(heard, 1))
    return SimReader().answer(AskedQuestion(question_id="Q", text=text), Shown(items=items)).text


def test_the_answerer_learns_from_cases_and_wrong_attempts():
    heard = (
        "In Heron, expenses of 250 euros were settled by Mara Okafor.",
        "On Heron, Sven Novak settled expenses of 900 euros.",
        "Expenses of 620 euros for Heron were sent back by Mara Okafor.",
    )
    question = "Under Heron there is a bill of 700 about taxis. Who is to approve?"
    assert ask(question, *heard) == "Sven Novak"
    assert ask(question, *heard[:2]) == ask(question, *heard[1:]) == NOT_MENTIONED


def test_the_answerer_applies_each_stated_rule():
    assert (
        ask(
            "Under Heron, permits are waiting. Which container is right for them?",
            "For Heron, invoices go into the copper tray.",
            "In Heron, the rest goes into the slate tray.",
        )
        == "slate"
    )
    assert (
        ask(
            "Somebody saves a document on permits under Heron. What should one call it?",
            "In Heron, file names begin with KT4 and end with 7B2.",
        )
        == "KT4-permits-7B2"
    )
    assert (
        ask(
            "The form under Heron is for 25 pieces. Which figure belongs there?",
            "For Heron, supplies are counted in packs of 24.",
        )
        == "2"
    )


@pytest.mark.parametrize("domain", domains_of("en"))
def test_a_rule_is_taught_by_three_cases_and_two_wrong_attempts_or_stated_and_never_both(domain):
    pack = load(domain)
    for seed in range(4):
        plan = make_plan(pack, replace(QUOTA, sessions=18), Streams(seed))
        by_subject: dict[str, list[str]] = {}
        for fact in plan.facts():
            by_subject.setdefault(fact.key.subject, []).append(fact.key.attribute)
        projects = {each.name: by_subject.get(each.name, []) for each in plan.cast.of("project")}
        taught = [names for names in projects.values() if "approval_case" in names]
        assert len(taught) == 2
        for names in taught:
            assert names.count("approval_case") == 3 and names.count("approval_slip") == 2
            assert "approval" not in names and "approval_exception" not in names


def test_every_way_to_teach_is_asked_for_and_a_changed_rule_leaves_its_old_answer_behind():
    pack, seen, stale = load("software"), set(), 0
    for seed in range(6):
        plan = make_plan(pack, Quota(sessions=18), Streams(seed))
        known = Known(pack, plan, 17)
        for form in ("stated", "cases", "kinds", "names", "packs", "lesson"):
            for draft in drafts(known, Streams(seed).rng(form), form):
                found = draft.query.evaluate(known.facts)
                seen |= {(form, found.detail)} if found else set()
                stale += bool(draft.stale)
                assert found is None or found.answer not in draft.stale
    assert {
        ("stated", "rule"),
        ("stated", "exception"),
        ("cases", "cases"),
        ("kinds", "rule"),
        ("kinds", "rest"),
    } <= seen
    assert {form for form, _ in seen} == {"stated", "cases", "kinds", "names", "packs", "lesson"} and stale > 3
