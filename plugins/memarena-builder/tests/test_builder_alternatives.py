"""Sets of evidence that would each do: which there are, and which only seem to be."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from msgspec.structs import replace
from test_builder_facts import KEY, fact, logs
from test_builder_queries import OF_ONE_KEY, told
from test_builder_several import CASES as SEVERAL
from test_builder_several import DAYS, DEADLINES, NAMES
from test_builder_taught import CASES, RULES

from memarena_builder.questions.alternatives import MOST_SETS, alternatives
from memarena_builder.questions.query import Claim, Count, Current, Found, ValueOn, minimal, proved
from memarena_builder.questions.several import Earliest
from memarena_builder.world.facts import HEARSAY, current


def sets(query, log):
    """The ids of the first set of evidence and of the further ones."""
    first = minimal(query, log)
    return [{each.fact_id for each in some} for some in (first, *alternatives(query, log, first))]


def test_a_rule_that_cases_teach_follows_from_either_case_above_the_limit():
    """Mara decides 250, Sven 900 and 2,000; who decides 100 is known from the first and any of the others."""
    more = told(replace_element("2000"), "2000 | Sven Novak", 4, X="2000", A="Sven Novak")
    found = sets(RULES.apply("Heron", 100, "taxis"), [*CASES, more])
    assert sorted(map(sorted, found)) == [["F0", "F1"], ["F0", more.fact_id]]


def replace_element(size):
    return CASES[1].key._replace(element=size)


def test_where_every_case_is_needed_there_is_one_set():
    assert sets(RULES.apply("Heron", 400, "taxis"), CASES) == [{"F0", "F1", "F2"}]


def test_what_held_before_does_not_stand_for_what_holds_though_the_answer_is_the_same():
    """The first date of Heron is earlier than all others, as the one that holds is: it proves nothing any more."""
    moved = told(DEADLINES[1], "May 20, 2026", 4, date(2026, 2, 1))
    log = [*DAYS, moved]
    query = Earliest(keys=DEADLINES, names=NAMES)
    assert query.evaluate(log) == Found("Lichen") == query.evaluate(DAYS)
    assert sets(query, log) == [{DAYS[0].fact_id, moved.fact_id, DAYS[2].fact_id}]


def test_a_rumour_does_not_stand_for_what_holds_though_it_was_told_later():
    rumour = replace(told(DEADLINES[1], "May 1, 2026", 5), authority=HEARSAY)
    assert sets(Earliest(keys=DEADLINES, names=NAMES), [*DAYS, rumour]) == [{each.fact_id for each in DAYS}]


def test_a_value_that_held_twice_before_is_known_from_either_time():
    log = [fact("a", 1, 0), fact("b", 2, 1), fact("a", 3, 2), fact("b", 4, 3)]
    claim = Claim(key=KEY, value="a", yes="Yes", no="No, it is {V}")
    first, second, third, last = (each.fact_id for each in log)
    assert sets(claim, log) == [{third, last}, {first, last}]
    assert sets(Count(key=KEY), log) == [{third, last}, {first, last}]
    assert second not in set().union(*sets(claim, log))


def test_what_holds_again_is_not_known_from_the_time_before():
    log = [fact("a", 1, 0), fact("b", 2, 1), fact("a", 3, 2)]
    assert sets(Current(key=KEY), log) == [{log[2].fact_id}]


def test_what_held_on_a_day_is_not_known_from_an_earlier_time_with_another_value_between():
    log = [fact("a", 1, 0), fact("b", 5, 1), fact("a", 9, 2), fact("c", 20, 3)]
    assert sets(ValueOn(key=KEY, day=date(2026, 1, 10)), log) == [{log[2].fact_id}]


@pytest.mark.parametrize(("query", "log"), [case[1:3] for case in SEVERAL], ids=[case[0] for case in SEVERAL])
def test_what_was_told_once_has_one_set_of_evidence(query, log):
    assert len(sets(query, log)) == 1


@given(logs())
def test_every_set_is_enough_and_none_has_a_piece_too_many_or_holds_another(log):
    for query in OF_ONE_KEY:
        if query.evaluate(log) is not None:
            first = minimal(query, log)
            found = [first, *alternatives(query, log, first)]
            assert len(found) <= MOST_SETS + 1
            assert [proved(query, log, some) for some in found] == [""] * len(found)
            named = [frozenset(each.fact_id for each in some) for some in found]
            assert not [one for one in named for other in named if one < other] and len(set(named)) == len(named)


def test_no_question_has_two_sets_that_share_nothing(built):
    """A mention of a known fact makes no point: one point has all turns that tell it, so that what is told again does
    not make a second set. Without the first set what holds yields no answer, or another."""
    for sample in built:
        for stop in sample.stops:
            facts = sample.plan.facts(stop.index)
            holding = {key: current(facts, key) for key in {each.key for each in facts}}
            for question in (each for each in stop.questions if each.evidence):
                rest = [each for each in facts if each is holding[each.key] and each not in question.evidence]
                assert question.query.evaluate(rest) != question.query.evaluate(facts)
                first = {each.fact_id for each in question.evidence}
                assert all(first & {each.fact_id for each in some} for some in question.alternatives)


def test_a_file_lists_the_further_sets_and_the_points_are_there(built, on_disk):
    found = 0
    for sample, disk in zip(built, on_disk, strict=True):
        asked = [question for stop in sample.stops for question in stop.questions]
        written = [each for stop in disk.raw["qa_checkpoints"] for each in stop["questions"]]
        facts = {point.fact_id: point.memory_id for points in sample.points.values() for point in points}
        for question, raw in zip(asked, written, strict=True):
            further = [
                [name for each in some for name in (facts[each.fact_id], *([each.image_id] if each.visual else []))]
                for some in question.alternatives
            ]
            named = [next(iter(each.values())) for some in raw.get("evidence_alternatives", ()) for each in some]
            assert named == [name for some in further for name in some]
            assert ("evidence_alternatives" in raw) is bool(further)
            found += bool(further)
    assert found
