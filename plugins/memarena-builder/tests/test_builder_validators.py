"""Each validator on a sample that is right, and on one with the fault that it is for."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from memarena_builder.bywords import ByWords
from memarena_builder.layout import as_json
from memarena_builder.questions.known import Known
from memarena_builder.questions.query import ShownIn
from memarena_builder.validators import answers, balance, chains, coverage, distractors, shape
from memarena_builder.wording import Spoken


def names(problems) -> set[str]:
    return {problem.validator for problem in problems}


def parts(built):
    for session in built.plan.sessions:
        yield session, built.spoken[session.session_id], built.points[session.session_id]


def questions(built):
    for stop in built.stops:
        known = Known(built.pack, built.plan, stop.index)
        for question in stop.questions:
            yield question, known


def test_what_is_built_has_no_problem_left(built):
    for each in built:
        assert [problem for problem in each.problems if not problem.repaired] == []
        assert all(len(stop.questions) >= 9 for stop in each.stops)


def test_v1_misses_a_point_whose_turn_says_something_else(built):
    sample = built[0]
    session, spoken, points = list(parts(sample))[2]
    silent = Spoken(
        session_id=spoken.session_id, lines=tuple(replace(line, text="Nothing.") for line in spoken.lines)
    )  # fmt: skip
    assert list(coverage.points_are_told(sample.pack, sample.plan, session, spoken, points)) == []
    assert names(coverage.points_are_told(sample.pack, sample.plan, session, silent, points)) == {"V1"}


def test_v1_misses_a_point_whose_picture_was_not_sent(built):
    sample = built[0]
    session, spoken, points = next(
        each for each in parts(sample) if any(event.fact and event.fact.visual for event in each[0].events)
    )
    without = Spoken(
        session_id=spoken.session_id, lines=tuple(replace(line, image_id="") for line in spoken.lines)
    )  # fmt: skip
    assert names(coverage.points_are_told(sample.pack, sample.plan, session, without, points)) == {"V1"}


def test_v2_sees_a_caption_that_gives_a_fact_away(built):
    sample = built[0]
    image_id, spec = next(iter(sample.plan.pictures.items()))
    value = spec.fields[0].value
    told = {**sample.plan.pictures, image_id: replace(spec, caption=f"{spec.caption}: {value}")}
    found = list(coverage.captions_are_neutral(sample.pack, replace(sample.plan, pictures=told)))
    assert [problem.unit for problem in found] == [image_id] and "gives a value away" in found[0].message


def test_v3_sees_a_distractor_without_its_cue(built):
    sample = built[0]
    session, spoken, _ = next(
        each for each in parts(sample) if any(event.distraction == "story" for event in each[0].events)
    )
    bare = Spoken(
        session_id=spoken.session_id,
        lines=tuple(replace(line, text=line.text.removesuffix(".") + ", I think.") for line in spoken.lines),
    )
    assert names(distractors.have_one_cue(sample.pack, sample.plan, session, bare)) == {"V3"}


def test_v3_sees_an_answer_that_a_distractor_claims(built):
    sample = built[0]
    question, known = next(each for each in questions(sample) if each[1].until > 3 and each[0].type == "FR")
    told = [event for session in sample.plan.sessions[: known.until + 1] for event in session.events]
    joke = next(event for event in told if event.distraction not in (None, "story", "stale"))
    old = next(event for event in sample.plan.events() if event.distraction in ("story", "stale"))
    assert list(answers.answer_is_no_distractor(question, known)) == []
    found = list(answers.answer_is_no_distractor(replace(question, answer=joke.slots["V"].upper()), known))
    assert names(found) == {"V3"} and joke.event_id in found[0].message
    assert list(answers.answer_is_no_distractor(replace(question, answer=old.slots["V"]), known)) == []


def test_v4_sees_an_update_of_what_was_never_told(built):
    sample = built[0]
    session_id, point = next(
        (name, point) for name, points in sample.points.items() for point in points if point.replaces
    )
    strange = tuple(
        replace(each, replaces=("Nobody said this.",)) if each is point else each for each in sample.points[session_id]
    )
    found = list(chains.updates_are_consistent(sample.plan, {**sample.points, session_id: strange}))
    assert [problem.unit for problem in found] == [point.memory_id]


def test_v5_sees_evidence_that_is_missing(built):
    question, known = next(each for each in questions(built[0]) if len(each[0].evidence) > 1)
    less = replace(question, evidence=question.evidence[:1])
    assert names(answers.evidence_is_minimal(less, known)) == {"V5"}


def test_v6_sees_an_answer_that_the_question_has_in_it(built):
    question, _ = next(each for each in questions(built[0]) if each[0].type == "FR")
    told = replace(question, text=f"{question.text} Is it {question.answer}?")
    assert names(answers.answer_is_one(told)) == {"V6"}


def test_v7_sees_evidence_of_a_later_session(built):
    sample = built[0]
    late = sample.stops[-1]
    question = max(
        (each for each in late.questions if each.evidence), key=lambda each: each.evidence[-1].told.session
    )  # fmt: skip
    early = Known(sample.pack, sample.plan, 0)
    assert names(answers.nothing_is_known_early(question, early)) == {"V7"}


def test_v8_sees_a_visual_answer_in_words(built):
    sample = built[0]
    question, known = next(each for each in questions(sample) if each[0].type == "VFR")
    first = sample.plan.sessions[0].session_id
    line = replace(sample.spoken[first].lines[0], text=f"It is {question.answer}.")
    leaky = {**sample.spoken, first: Spoken(session_id=first, lines=(line,))}
    assert list(answers.modality_is_true(question, known, sample.spoken)) == []
    assert names(answers.modality_is_true(question, known, leaky)) == {"V8"}


def test_v9_sees_a_session_with_too_few_points(built):
    sample = built[0]
    session, spoken, points = list(parts(sample))[1]
    assert names(shape.session_fits(sample.order.quota, session, spoken, points[:2])) == {"V9"}


def test_v10_sees_evidence_that_leads_nowhere(built):
    raw = as_json(built[0])
    raw["qa_checkpoints"][0]["questions"][0]["evidence"] = [{"memory_id": "mp_S99_1"}]
    assert names(shape.ids_lead_somewhere(raw)) == {"V10"}


def test_v11_sees_a_question_without_its_twin(built):
    stop = built[0].stops[0]
    alone = replace(stop, questions=tuple(replace(each, twin="") for each in stop.questions))
    assert list(balance.twins_are_there([stop])) == []
    assert names(balance.twins_are_there([alone])) == {"V11"}


def test_v11_sees_a_sample_that_always_asks_for_the_newest_picture(built):
    plan = built[0].plan
    shown = [fact for fact in plan.facts() if fact.image_id and fact.key.subject == busiest(plan)]
    first, last = (
        replace(built[0].stops[-1].questions[0], query=ShownIn(key=shown[0].key), answer=shown[place].image_id)
        for place in (0, -1)
    )
    assert first.answer != last.answer
    for asked, found in (((last,) * 3, {"V11"}), ((last, last, first), set()), ((last,) * 2, set())):
        stop = replace(built[0].stops[-1], questions=asked)
        assert names(balance.pictures_are_of_any_age(plan, [stop])) == found


def busiest(plan):
    """Whoever has the most pictures."""
    count = Counter(fact.key.subject for fact in plan.facts() if fact.image_id)
    return count.most_common(1)[0][0]


def test_v9_sees_a_session_with_more_than_was_ordered(built):
    sample = built[0]
    session, spoken, points = list(parts(sample))[2]
    fits = shape.session_fits(sample.order.quota, session, spoken, points)
    assert list(fits) == []
    update, refused = (next(each for each in points if each.kind == kind) for kind in ("update", "interference"))
    shown = replace(spoken.lines[0], image_id="S02_img_1")
    crowded = {
        "5 updates for 3": (spoken, (*(replace(update, kind="update"),) * 5, *[refused] * 2)),
        "3 distractors for 2": (spoken, (*[each for each in points if each.kind != "interference"], *[refused] * 3)),
        "9 pictures for 4": (replace(spoken, lines=(shown,) * 9), points),
        "3 points for 8": (spoken, (replace(update, kind="new"),) * 3),
        "40 rounds for 11": (replace(spoken, lines=(replace(shown, role="user", image_id=""),) * 40), points),
    }
    crowded["0 rounds for 11"] = (replace(spoken, lines=()), points)
    crowded["3 words for 26"] = (replace(spoken, lines=(replace(shown, role="user", text="so it is"),)), points)
    crowded["61 words for 26"] = (replace(spoken, lines=(replace(shown, role="user", text="so " * 61),)), points)
    for message, (lines, gold) in crowded.items():
        assert message in [each.message for each in shape.session_fits(sample.order.quota, session, lines, gold)]


def test_few_questions_of_a_type_are_found_by_a_search_for_their_words(built):
    for each in built:
        by_words = ByWords(each.plan, each.spoken)
        taken = [by_words.takes(question, stop.index) for stop in each.stops for question in stop.questions]
        assert all(taken)


def test_a_second_question_that_a_search_finds_is_refused_where_few_were_asked(built):
    sample = built[0]
    told = next(event for event in sample.plan.events() if event.kind == "E1" and event.fact is not None)
    line = sample.spoken[told.event_id[:3]].by_user(told.event_id)[0]
    easy = replace(sample.stops[-1].questions[0], type="FR", text=line.text, evidence=(told.fact,), reason="")
    by_words = ByWords(sample.plan, sample.spoken)
    assert by_words.takes(easy, 9)
    assert not by_words.takes(easy, 9)
    assert by_words.takes(replace(easy, text="?", type="FR"), 9) and not by_words.takes(easy, 9)
    assert by_words.takes(replace(easy, type="DU"), 9)


def test_why_nothing_can_be_answered_differs_from_question_to_question(built):
    for each in built:
        reasons = [question.reason for stop in each.stops for question in stop.questions if question.reason]
        assert len(reasons) == 3 and len(set(reasons)) == 3
