"""The embedded answerer and judge on the published dialogues, where they lie beside the checkout."""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from memarena.records import AskedQuestion, JudgementRequest, Question, Shown, ShownItem
from memarena_arena.extractive import ExtractiveAnswerer
from memarena_arena.lexical import LexicalJudge
from memarena_arena.locomo import LoCoMo

SHARED = Path(os.environ.get("MEMARENA_SHARED") or Path(__file__).resolve().parents[3] / ".." / "shared")
FILE = SHARED / "data" / "locomo" / "locomo10.json"
pytestmark = pytest.mark.skipif(not FILE.is_file(), reason=f"{FILE} is not there")


@cache
def gold_cases() -> tuple[tuple[Question, tuple[str, ...]], ...]:
    """Each question with its evidence turns, written `[time] speaker: text`."""
    out = []
    for sample in LoCoMo().open(str(FILE), LoCoMo.Options()):
        turns = {turn.turn_id: turn for session in sample.sessions for turn in session.turns}
        for checkpoint in sample.checkpoints:
            for question in checkpoint.questions:
                ids = dict.fromkeys(each for point in question.evidence for each in point.turn_ids)
                shown = [turns[each] for each in ids if each in turns]
                texts = tuple(f"[{turn.time}] {turn.speaker}: {turn.text}" for turn in shown)
                out.append((question, texts))
    return tuple(out)


def labels(show_evidence: bool) -> dict[bool, Counter[str]]:
    """Labels of the answers, by whether the question has an answer."""
    answerer, judge = ExtractiveAnswerer(), LexicalJudge()
    out: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for question, texts in gold_cases():
        items = tuple(
            ShownItem(rank=at, memory_id=str(at), text=text) for at, text in enumerate(texts if show_evidence else ())
        )
        answer = answerer.answer(AskedQuestion(question_id="q", text=question.text), Shown(items=items))
        request = JudgementRequest(
            task="answer",
            question=question.text,
            reference=question.reference,
            answer=answer.text,
            points=tuple(point.content or "" for point in question.evidence),
        )
        [found] = judge.label([request])
        assert found is not None
        out[question.answerable][str(found.verdicts[0])] += 1
    return out


def test_given_the_evidence_two_in_five_answers_are_right() -> None:
    found = labels(show_evidence=True)
    assert found[True]["Correct"] / found[True].total() > 0.4
    assert found[False]["Correct"] / found[False].total() > 0.6


def test_given_nothing_only_unanswerable_questions_are_right() -> None:
    found = labels(show_evidence=False)
    assert found[True] == Counter(Omission=found[True].total())
    assert found[False] == Counter(Correct=found[False].total())
