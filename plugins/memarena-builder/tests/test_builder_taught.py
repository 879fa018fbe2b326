"""Rules that are stated, and rules that only cases teach, applied to what never occurred."""

from __future__ import annotations

from datetime import date

import pytest
from builder_orders import QUOTA
from msgspec.structs import replace

from memarena.records import NOT_MENTIONED, AskedQuestion, Shown, ShownItem
from memarena_builder.packs.load import domains_of, languages, load
from memarena_builder.plan import Quota, make_plan
from memarena_builder.questions.known import Known
from memarena_builder.questions.learning import test_time as drafts
from memarena_builder.questions.query import Found, minimal, proved
from memarena_builder.questions.taught import Named, Packed, Rules, Sorted
from memarena_builder.reader.answerer import SimReader
from memarena_builder.reader.notebook import Notebook
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


TAUGHT_IN = [
    ("en", "For Heron, red cards have to be dealt with within 36 hours.",
     "A red sticker about Heron hangs on the board. How many hours may it wait at most?", "36 hours"),
    ("en", "On Heron, all red cards have to be dealt with within thirty-six hours.",
     "How many hours may a red sticker about Heron wait on the board at most?", "36 hours"),
    ("en", "In Heron, cards of any other colour have to be dealt with within 50 hours.",
     "A blue sticker about Heron hangs on the board. How many hours may it wait at most?", "50 hours"),
    ("en", "One exception in Heron: letters to lawyers begin with the word Ahoy.",
     "On behalf of Heron, lawyers are to be contacted. How should they be greeted?", "Ahoy"),
    ("en", "In Heron, letters generally begin with the word Servus.",
     "What is the right greeting when donors are contacted on behalf of Heron?", "Servus"),
    ("zh", "凡是暖汤小组的收据，一律放进黄铜筐。", "一叠收据是暖汤小组的，归置到哪个格子？", "黄铜"),
    ("zh", "暖汤小组其余的东西放进石板筐。", "暖汤小组的一叠协议该归置到哪个格子？", "石板"),
    ("zh", "暖汤小组的文件名以KT4打头，以7B2结尾。", "讲协议的稿子归暖汤小组，怎么叫才合规？", "KT4-协议-7B2"),
    ("zh", "采购说暖汤小组的耗材按每箱24件算。", "替暖汤小组领49个，表上填几？", "3"),
    ("zh", "暖汤小组贴大红标签的，三十六小时以内办完。", "一张大红的条子是暖汤小组的，最多能拖多久？", "36小时"),
    ("zh", "暖汤小组贴其他颜色标签的，50小时以内办完。", "一张天蓝的条子是暖汤小组的，最多能拖多久？", "50小时"),
    ("zh", "凡是暖汤小组给律师的抬头语，一律是“展信佳”。", "替暖汤小组给律师发函件，开场怎么招呼？", "展信佳"),
    ("zh", "暖汤小组平时的抬头语是“幸会”。", "替暖汤小组给记者发函件，开场怎么招呼？", "幸会"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "heard", "question", "answer"), TAUGHT_IN)
def test_the_answerer_applies_what_one_sentence_taught_to_a_case_of_its_own(language, heard, question, answer):
    notebook = Notebook(language)
    notebook.hear(heard)
    assert notebook.answer(question) == answer


def test_what_is_taught_of_one_kind_says_nothing_of_another():
    for heard in (
        "For Heron, red cards have to be dealt with within 36 hours.",
        "In Heron, letters to lawyers begin with the word Ahoy.",
    ):
        for question in (
            "A blue sticker about Heron hangs on the board. How many hours may it wait at most?",
            "What is the right greeting when donors are contacted on behalf of Heron?",
        ):
            assert ask(question, heard) == NOT_MENTIONED


def test_chinese_cases_and_wrong_attempts_tell_who_decides():
    notebook = Notebook("zh")
    for heard in (
        "暖汤小组那笔250元的报销，林志强批过了。",
        "暖汤小组的九百元报销，周雅琴批过了。",
        "真倒霉，暖汤小组那笔620元的报销被林志强打回来了。",
    ):
        notebook.hear(heard)
    assert notebook.answer("暖汤小组有700块钱的账单，买的是文具，该请谁签字？") == "周雅琴"
    assert notebook.answer("暖汤小组有200块钱的账单，买的是文具，该请谁签字？") == "林志强"


FAMILIES = {"rule", "exception", "example", "slip", "case", "rest", "pattern", "unit", "lesson"}
"""Forms of attributes that teach something."""


@pytest.mark.parametrize("language", languages())
def test_every_domain_of_every_language_teaches_by_the_same_families(language):
    for domain in domains_of(language):
        taught = {(each.name, each.form) for each in load(domain, language).attributes if each.form in FAMILIES}
        assert {form for _, form in taught} == FAMILIES
        assert taught == {(each.name, each.form) for each in load("software").attributes if each.form in FAMILIES}


@pytest.mark.parametrize(("domain", "language"), [("software", "en"), ("health", "zh")])
def test_each_kind_of_rule_changes_later_and_stays_one_of_the_same_case(domain, language):
    pack, changed = load(domain, language), set()
    for seed in range(12):
        plan = make_plan(pack, Quota(sessions=18), Streams(seed))
        facts = plan.facts()
        for place, fact in enumerate(facts):
            attribute = pack.attribute(fact.key.attribute)
            before = [each for each in facts[:place] if each.key == fact.key]
            if attribute.form in ("rule", "case", "rest", "pattern", "unit") and before:
                assert fact.slots.get("C", "") == fact.key.element
                if fact.kind == "E2":
                    changed.add(attribute.form)
                    assert fact.value not in {each.value for each in before}
    assert {"rule", "case", "rest", "pattern"} <= changed


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
