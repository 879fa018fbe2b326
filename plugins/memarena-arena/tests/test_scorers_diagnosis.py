"""Where an answer was lost, on a world by hand."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from told_memory import (
    DOG,
    HOME,
    JOKE,
    MOVED,
    PHONE,
    SAMPLE,
    evidence,
    history,
    label,
    question,
    rows_of,
    session,
    sessions,
)

from memarena.datasets import open_data
from memarena.records import (
    Capabilities,
    Checkpoint,
    Evidence,
    MemoryChange,
    MemoryItem,
    QuestionRecord,
    Retrieval,
    RetrievedItem,
    SessionRecord,
    Shown,
    ShownItem,
)
from memarena_arena.language.documents import document
from memarena_arena.lexical import LexicalJudge
from memarena_arena.scorers.diagnosis import LOST, DiagnosisScorer
from memarena_arena.scorers.reasons import CONTRADICTS, RULE, _may_have, groundedness
from memarena_arena.told import values_of

ALL = {"a": HOME, "b": DOG}
GOOD = sessions(ALL, {"a": MOVED, "b": DOG}, {"a": MOVED, "b": DOG, "c": PHONE}, {"a": MOVED, "b": DOG, "c": PHONE})
NEVER = sessions({"b": DOG}, {"b": DOG}, {"b": DOG}, {"b": DOG})
FORGOT = sessions(ALL, {"a": MOVED, "b": DOG}, {"b": DOG}, {"b": DOG})
STALE = sessions(ALL, {**ALL, "n": MOVED}, ALL, ALL)
ONLY_OLD = sessions(ALL, ALL, ALL, ALL)
ARCHIVED = sessions(ALL, {"a": f"~{HOME}", "n": MOVED}, {"n": f"~{MOVED}"}, {"n": f"~{MOVED}"})
PAST = sessions(ALL, *[{"a": f"~{HOME}", "n": MOVED}] * 3)
STORED = sessions({}, {"n": f"~{MOVED}"}, {"n": f"~{MOVED}"}, {"n": f"~{MOVED}"})
"""It keeps nothing as active, and searches what is archived."""

RIGHT = question(MOVED, answer="In Leeds.", retrieved=[MOVED])
WRONG = "Not mentioned in memory."


def diagnosed(heard: tuple[SessionRecord, ...], asked: QuestionRecord, fail: str = "") -> tuple[str, str]:
    """The stage that lost the question and the reason; the first is the only one that has a 1."""
    rows = {row.metric: row for row in rows_of(DiagnosisScorer(), history(heard, asked), fail)}
    lost = [stage for stage, metric in LOST.items() if metric in rows and rows[metric].n]
    assert len(lost) <= 1
    facets = rows["correct_by_age"].facets
    assert lost == ([facets["lost_at"]] if "lost_at" in facets else [])
    return (lost[0] if lost else ""), str(facets.get("reason", ""))


@pytest.mark.parametrize(
    ("heard", "asked", "stage", "reason"),
    [
        (GOOD, RIGHT, "", ""),
        (NEVER, question(MOVED, answer=WRONG), "write", ""),
        (ONLY_OLD, question(MOVED, answer="In Boston.", retrieved=[HOME]), "write", ""),
        (FORGOT, question(MOVED, answer=WRONG, retrieved=[DOG]), "maintain", "gone"),
        (STALE, question(MOVED, answer="In Boston.", retrieved=[HOME]), "maintain", "stale version"),
        (ARCHIVED, question(MOVED, answer=WRONG), "maintain", "set aside"),
        (PAST, question(HOME, answer=WRONG), "retrieve", ""),
        (STORED, question(MOVED, answer=WRONG), "retrieve", ""),
        (ARCHIVED, question(MOVED, answer=WRONG, retrieved=[MOVED]), "use", "evidence ignored"),
        (GOOD, question(MOVED, answer=WRONG, retrieved=[DOG, PHONE]), "retrieve", ""),
        (GOOD, question(MOVED, answer=WRONG, retrieved=[DOG, MOVED], shown=[DOG]), "show", ""),
        (GOOD, question(MOVED, answer=WRONG, retrieved=[DOG, MOVED]), "use", "evidence ignored"),
        (GOOD, question(MOVED, answer="In Boston.", retrieved=[MOVED, HOME]), "use", "stale value"),
        (GOOD, question(DOG, answer="Smaug", reference="Bruno", retrieved=[DOG]), "use", "interference value"),
        (GOOD, question(PHONE, answer="9982", reference="4471", retrieved=[PHONE]), "use", CONTRADICTS),
        (GOOD, question(DOG, answer="A cat", reference="Bruno", retrieved=[DOG]), "use", "evidence ignored"),
        (GOOD, question(DOG, answer="A cat", reference="Bruno", retrieved=[DOG], type="TTL"), "use", RULE),
        (GOOD, question(DOG, answer="9982", reference="May 1", retrieved=[DOG]), "use", CONTRADICTS),
        (GOOD, question(MOVED, DOG, answer=WRONG, retrieved=[MOVED]), "retrieve", ""),
        (FORGOT, question(MOVED, PHONE, answer=WRONG, retrieved=[]), "write", ""),
    ],
)  # fmt: skip
def test_a_wrong_answer_is_put_at_the_first_stage_that_lost_it(heard, asked, stage, reason) -> None:
    assert diagnosed(heard, asked) == (stage, reason)


def test_what_was_retrieved_was_kept_and_written_whatever_else_is_said() -> None:
    asked = question(MOVED, answer=WRONG, retrieved=[MOVED])
    assert diagnosed(NEVER, asked) == ("use", "evidence ignored")


def test_a_picture_that_was_not_handed_over_is_not_shown() -> None:
    picture = Evidence(evidence_id="i1", content="image_id: i1", image_id="i1", caption="A red door.", kind="image")
    asked = question(answer=WRONG)
    kept = RetrievedItem(memory_id="p", text="image_id: i1", image_id="i1", image_path="/i1.png")
    for path, cut, stage in (("/i1.png", 0, "use"), ("", 1, "show")):
        shown = ShownItem(rank=1, memory_id="p", text="image_id: i1", image_id="i1", image_path=path)
        record = replace(
            asked,
            question=replace(asked.question, evidence=(picture,)),
            retrieval=Retrieval(query="?", items=(kept,)),
            shown=Shown(items=(shown,), cut_pictures=cut),
        )
        stop = Checkpoint(checkpoint_id="QA", covered=(), after_session="S03", questions=(record.question,))
        whole = replace(history(GOOD, record), sample=replace(SAMPLE, checkpoints=(stop,)))
        requests = DiagnosisScorer().judgement_requests(whole)
        labels = dict(zip(requests, LexicalJudge().label(list(requests.values())), strict=True))
        (lost,) = {row.facets["lost_at"] for row in DiagnosisScorer().score(whole, labels) if "lost_at" in row.facets}
        assert lost == stage


def either(one: str, other: str, **given) -> QuestionRecord:
    """A question for which one of two facts is enough."""
    asked = question(one, **given)
    return replace(asked, question=replace(asked.question, evidence_alternatives=(evidence(other),)))


@pytest.mark.parametrize(
    ("heard", "given", "alone", "stage"),
    [
        (NEVER, {}, "write", "retrieve"),
        (FORGOT, {}, "maintain", "retrieve"),
        (GOOD, {"retrieved": [DOG]}, "retrieve", "use"),
        (NEVER, {"retrieved": [PHONE, DOG]}, "write", "use"),
        (GOOD, {"retrieved": [MOVED, DOG], "shown": [DOG]}, "show", "use"),
        (GOOD, {"retrieved": [MOVED, DOG], "shown": [JOKE]}, "show", "show"),
    ],
)  # fmt: skip
def test_of_two_sets_of_evidence_the_one_that_came_farthest_is_followed(heard, given, alone, stage) -> None:
    assert diagnosed(heard, question(MOVED, answer=WRONG, **given))[0] == alone
    for pair in ((MOVED, DOG), (DOG, MOVED)):
        asked = either(*pair, answer=WRONG, **given)
        assert diagnosed(heard, asked)[0] == stage
        whole = history(heard, asked)
        labels = {name: label(each) for name, each in DiagnosisScorer().judgement_requests(whole).items()}
        (told,) = DiagnosisScorer().explain(whole, labels)
        assert told.lost_at == stage
        assert [story.content for story in told.evidence] == [DOG if alone != stage else pair[0]]
        assert [story.shown for story in told.evidence] == [stage == "use"]


def test_where_nothing_of_a_list_was_shown_its_story_says_so() -> None:
    whole = history(GOOD, question(MOVED, answer=WRONG, retrieved=[MOVED], shown=[]))
    labels = {name: label(each) for name, each in DiagnosisScorer().judgement_requests(whole).items()}
    (told,) = DiagnosisScorer().explain(whole, labels)
    assert (told.lost_at, [(story.retrieved, story.shown) for story in told.evidence]) == ("show", [(True, False)])


def test_a_state_that_nobody_sees_loses_unseen() -> None:
    blind = Capabilities(state=False)
    heard = sessions({}, {}, {}, {}, capabilities=blind)
    assert diagnosed(heard, question(MOVED, answer=WRONG, capabilities=blind)) == ("unseen", "")
    seen = question(MOVED, answer=WRONG, retrieved=[MOVED], capabilities=blind)
    assert diagnosed(heard, seen) == ("use", "evidence ignored")


def test_an_agent_that_answers_by_itself_is_followed_as_far_as_its_state_is_seen() -> None:
    agent = Capabilities(answers=True)
    asked = question(MOVED, answer=WRONG, capabilities=agent)
    kept = sessions(ALL, {"a": MOVED}, {"a": MOVED}, {"a": MOVED}, capabilities=agent)
    assert diagnosed(kept, asked) == ("use", "evidence ignored")
    lost = sessions(ALL, {"a": MOVED}, {}, {}, capabilities=agent)
    assert diagnosed(lost, asked) == ("maintain", "gone")


def test_the_losses_and_the_correct_answers_add_up_to_one() -> None:
    for heard, asked in ((GOOD, RIGHT), (NEVER, question(MOVED, answer=WRONG)), (GOOD, question(MOVED, answer="Rome"))):
        rows = {row.metric: row.n for row in rows_of(DiagnosisScorer(), history(heard, asked))}
        assert sum(rows.get(metric) or 0 for metric in LOST.values()) + (rows["correct_by_age"] or 0) == 1


def test_a_correct_answer_whose_evidence_was_not_shown_is_luck() -> None:
    for retrieved, n in (([MOVED], 0), ([DOG], 1)):
        asked = question(MOVED, answer="In Leeds.", retrieved=retrieved)
        (lucky,) = [row.n for row in rows_of(DiagnosisScorer(), history(GOOD, asked)) if row.metric == "lucky"]
        assert lucky == n


def test_the_chain_counts_only_what_reached_the_stage_before() -> None:
    asked = question(MOVED, answer=WRONG, retrieved=[DOG])
    rows = {row.metric: row.n for row in rows_of(DiagnosisScorer(), history(GOOD, asked))}
    assert (rows["reach_written"], rows["reach_kept"], rows["reach_retrieved"], rows["reach_used"]) == (1, 1, 0, 0)
    assert rows["kept_if_written"] == 1
    assert rows["retrieved_if_kept"] == 0
    assert "correct_if_retrieved" not in rows


def test_the_age_of_evidence_is_counted_from_the_oldest_piece() -> None:
    asked = question(MOVED, DOG, answer=WRONG)
    (row,) = [row for row in rows_of(DiagnosisScorer(), history(GOOD, asked)) if row.metric == "correct_by_age"]
    assert row.facets["age"] == 3


def test_answering_what_nobody_knows_is_made_up() -> None:
    for answer, n in ((WRONG, 0), ("In Rome.", 1)):
        asked = question(answer=answer, reference="Not mentioned", answerable=False)
        (row,) = rows_of(DiagnosisScorer(), history(GOOD, asked))
        assert (row.metric, row.n) == ("made_up", n)


@pytest.mark.parametrize(
    ("fail", "heard", "asked", "invalid"),
    [
        ("answer", GOOD, RIGHT, True),
        ("support", NEVER, question(MOVED, answer=WRONG), True),
        ("support", GOOD, question(MOVED, answer=WRONG, retrieved=[MOVED]), False),
        ("retrieved", GOOD, question(MOVED, answer=WRONG, retrieved=[DOG]), True),
    ],
)
def test_a_judgement_that_failed_is_invalid_where_the_stage_hangs_on_it(fail, heard, asked, invalid) -> None:
    rows = {row.metric: row for row in rows_of(DiagnosisScorer(), history(heard, asked), fail)}
    assert (rows["lost_write"].n is None) is invalid
    assert rows["lost_write"].invalid == invalid


def test_groundedness_counts_the_values_that_stand_in_what_was_shown() -> None:
    asked = question(PHONE, answer="4471, or 9982", reference="4471", retrieved=[PHONE])
    (row,) = [row for row in rows_of(DiagnosisScorer(), history(GOOD, asked)) if row.metric == "grounded"]
    assert (row.n, row.d) == (1, 2)


@pytest.mark.parametrize(
    ("answer", "shown", "grounded"),
    [
        ("It cost 12,000.", "Ana paid €12k for it.", 1),
        ("There are 12 eggs.", "Ana bought a dozen eggs.", 1),
        ("There are 23 eggs.", "Ana bought twenty-three eggs.", 1),
        ("At 18:00.", "Ana comes at 6 pm.", 1),
        ("The code is PT5-87.", "Ana wrote down pt5-87 on it.", 1),
        ("The code is PT5-87.", "Ana wrote down 587 on it.", 0),
        ("There are 23 eggs.", "Ana bought 24 eggs.", 0),
        ("There are 3 eggs.", "Ana bought many.", 0),
    ],
)
def test_a_value_is_grounded_however_it_is_written(answer, shown, grounded) -> None:
    assert groundedness(question(PHONE, answer=answer, text="What?", retrieved=[shown])) == (grounded, 1)


def test_the_quick_look_at_a_text_overlooks_no_value_of_mini() -> None:
    seen = 0
    for sample in open_data("mini"):
        for text in [turn.text for each in sample.sessions for turn in each.turns]:
            for value in values_of(document(text).keys):
                seen += 1
                assert _may_have(text, frozenset((value,))), (text, value)
    assert seen > 100


def test_the_story_of_a_question_says_session_by_session_how_its_evidence_stood() -> None:
    asked = question(MOVED, answer="In Boston.", retrieved=[HOME])
    record = history(STALE, asked)
    scorer = DiagnosisScorer()
    labels = {name: label(request) for name, request in scorer.judgement_requests(record).items()}
    (told,) = scorer.explain(record, labels)
    assert (told.verdict, told.lost_at, told.reason) == ("Hallucination", "maintain", "stale version")
    (point,) = told.evidence
    assert [(each.session_id, each.held) for each in point.sessions] == [
        ("S01", "active"),
        ("S02", "stale"),
        ("S03", "stale"),
    ]
    assert [change.op for change in point.sessions[0].changes] == ["add"]
    assert [change.op for change in point.sessions[1].changes] == ["delete"]
    assert (point.retrieved, point.shown, point.ranks) == (False, False, ())
    assert [item.evidence for item in told.items] == [()]
    assert JOKE not in str(told)


def test_the_change_of_an_item_with_a_picture_is_told_too() -> None:
    item = MemoryItem(memory_id="a", text=MOVED, image_id="S01_img_1")
    heard = (*sessions(ALL), session(1, [item], [MemoryChange(op="update", memory_id="a", text=MOVED)]))
    record = history(heard, question(MOVED, answer=WRONG, at=1))
    scorer = DiagnosisScorer()
    labels = {name: label(request) for name, request in scorer.judgement_requests(record).items()}
    (told,) = scorer.explain(record, labels)
    assert [(each.held, len(each.changes)) for each in told.evidence[0].sessions] == [("active", 1)]


def test_the_trial_that_is_shipped_adds_up_and_passes_its_bars() -> None:
    trial = DiagnosisScorer.trial()
    counts = {(one["planted"], one["diagnosed"]): one["count"] for one in trial["stages"]}
    lost = {pair: count for pair, count in counts.items() if pair[0] != "nothing"}
    assert sum(lost.values()) == trial["losses"]
    assert (
        sum(count for (planted, found), count in lost.items() if planted == found) / trial["losses"] == trial["right"]
    )
    assert trial["right"] >= 0.95
    assert trial["blamed"] <= 0.01
