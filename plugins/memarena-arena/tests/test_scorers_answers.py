from __future__ import annotations

import pytest

from memarena.records import (
    NOT_MENTIONED,
    Answer,
    Capabilities,
    Evidence,
    Label,
    Question,
    QuestionRecord,
    Retrieval,
    Stat,
)
from memarena_arena.scorers import facets
from memarena_arena.scorers.answers import AnswerScorer

LYON = Evidence(evidence_id="mp_S02_1", content="moved to Lyon in May", session_id="S02")
LOST = Evidence(evidence_id="mp_S09_1", content=None)


def record(
    *evidence: Evidence,
    answer: str = "Lyon",
    reference: str = "Lyon",
    answerable: bool = True,
    known_wrong: str = "",
    aliases: tuple[str, ...] = (),
) -> QuestionRecord:
    return QuestionRecord(
        label="x",
        sample_id="s1",
        regime="agentic",
        domain="agent/gui",
        checkpoint_id="QA00",
        session_index=2,
        question=Question(
            question_id="QA00:Q001",
            text="Where to?",
            reference=reference,
            aliases=aliases,
            type="TR",
            evidence=evidence,
            answerable=answerable,
            known_wrong=known_wrong,
        ),
        retrieval=Retrieval(query="Where to?"),
        answer=Answer(question_id="QA00:Q001", text=answer),
        capabilities=Capabilities(),
    )


def answered(of: QuestionRecord, label: str | None = "Correct") -> dict[tuple[str, str], Stat]:
    labels = {"answer": None if label is None else Label(verdicts=(label,))}
    return {(stat.metric, stat.variant): stat for stat in AnswerScorer().score(record=of, labels=labels)}


def share(stat: Stat) -> tuple[float | None, float | None, int]:
    return stat.n, stat.d, stat.invalid


def test_the_label_of_an_answer_becomes_three_rows() -> None:
    found = answered(record(LYON), "Hallucination")
    assert [found[metric, ""].n for metric in ("qa_c", "qa_h", "qa_o")] == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("blank", ["", " \n"])
def test_an_empty_answer_is_an_omission_and_is_not_judged(blank: str) -> None:
    of = record(LYON, answer=blank)
    assert AnswerScorer().judgement_requests(record=of) == {}
    found = {(stat.metric, stat.variant): stat for stat in AnswerScorer().score(record=of, labels={})}
    assert share(found["qa_o", ""]) == (1.0, 1.0, 0)
    assert share(found["f1", ""]) == (0.0, 1.0, 0)
    assert share(found["abstain_wrong", ""]) == (1.0, 1.0, 0)


@pytest.mark.parametrize("label", [None, "correct", "C"])
def test_a_failed_label_is_invalid_in_all_three(label: str | None) -> None:
    found = answered(record(LYON), label)
    assert [share(found[metric, ""]) for metric in ("qa_c", "qa_h", "qa_o")] == [(None, None, 1)] * 3


def test_the_judge_reads_the_resolved_evidence_alone() -> None:
    request = AnswerScorer().judgement_requests(record=record(LYON, LOST))["answer"]
    assert (request.question, request.reference, request.answer) == ("Where to?", "Lyon", "Lyon")
    assert request.points == (LYON.content,)


def test_abstaining_is_right_where_nothing_is_known_and_wrong_elsewhere() -> None:
    right = answered(record(answer="not mentioned in memory", reference=NOT_MENTIONED, answerable=False))
    wrong = answered(record(LYON, answer=NOT_MENTIONED))
    assert right["abstain_right", ""].n == wrong["abstain_wrong", ""].n == 1.0
    assert ("abstain_wrong", "") not in right and ("abstain_right", "") not in wrong


def test_strict_reads_scripts_without_blanks() -> None:
    found = answered(record(answer="北京。", reference="北京"))
    assert (found["f1", "paper"].n, found["f1", "release"].n, found["f1", "strict"].n) == (0.0, 0.0, 1.0)
    assert found["exact", ""].n == 1.0


def test_rows_of_questions_carry_what_they_are_grouped_by() -> None:
    seen = Evidence(evidence_id="S02_img_1", content="image_id: S02_img_1", kind="image")
    said = Evidence(evidence_id="mp_S02_1", content="x", modality="text")
    of = record(seen, said, known_wrong="the key is wrong")
    assert answered(of)["qa_c", ""].facets == {
        "type": "TR",
        "axis": "reasoning",
        "modality": "mixed",
        "evidence": 2,
        "session": 2,
        "answerable": True,
        "known_wrong": True,
        "regime": "agentic",
        "domain": "agent/gui",
    }


def test_equal_facets_are_one_mapping() -> None:
    assert facets.of_question(record(LYON)) is facets.of_question(record(LYON, answer="other"))


@pytest.mark.parametrize(
    ("answer", "f1", "exact"),
    [("Lyon", 1.0, 1.0), ("Lugdunum", 1.0, 1.0), ("old Lugdunum", 2 / 3, 0.0), ("Oslo", 0, 0)],
)
def test_of_several_right_answers_that_counts_which_is_closest(answer: str, f1: float, exact: float) -> None:
    rows = answered(record(answer=answer, aliases=("Lugdunum",)))
    assert rows["f1", ""].n == pytest.approx(f1)
    assert rows["exact", ""].n == exact


def test_a_judge_is_told_all_right_answers_in_one_request() -> None:
    asked = AnswerScorer().judgement_requests(record=record(aliases=("Lugdunum", "Lugo")))
    assert [(request.reference, request.aliases) for request in asked.values()] == [("Lyon", ("Lugdunum", "Lugo"))]
