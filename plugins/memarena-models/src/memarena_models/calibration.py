"""How far a judge can be trusted: its labels on answers whose labels are known.

The pairs are in `calibration_data/answers.jsonl`, written by hand, of six kinds: right, right in other words
(`paraphrase`), wrong but on topic, partial, abstaining (where something is known and where nothing is), and answers
that give orders to the judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from memarena.protocols import Judge
from memarena.records import JudgementRequest, Record
from memarena_models.kappa import cohen_kappa

Kind = Literal["right", "paraphrase", "wrong", "partial", "abstaining", "orders"]
RIGHT = "Correct"
BATCH = 16


class LabelledAnswer(Record, frozen=True, kw_only=True):
    """An answer whose label is known."""

    kind: Kind
    label: Literal["Correct", "Hallucination", "Omission"]
    question: str
    reference: str
    points: tuple[str, ...]
    answer: str

    @property
    def request(self) -> JudgementRequest:
        """What a judge is asked."""
        return JudgementRequest(
            task="answer", question=self.question, reference=self.reference, answer=self.answer, points=self.points
        )


class KindRow(Record, frozen=True, kw_only=True, omit_defaults=False):
    """What became of the answers of one kind; invalid ones are in `n` and are not right."""

    kind: str
    n: int
    right: int
    invalid: int

    @property
    def accuracy(self) -> float:
        """Share of the kind that got its label."""
        return self.right / self.n


class Calibration(Record, frozen=True, kw_only=True, omit_defaults=False):
    """A judge's labels against the known ones."""

    judge: str
    revision: int
    n: int
    invalid: int
    """Judgements that failed; they count in no other number but those of the kinds."""
    right: int
    accepted_wrongly: int
    """Judged Correct though they are not."""
    not_correct: int
    """Valid judgements of answers that are not Correct: what `accepted_wrongly` is a share of."""
    rejected_wrongly: int
    """Judged not Correct though they are."""
    correct: int
    """Valid judgements of answers that are Correct: what `rejected_wrongly` is a share of."""
    kappa: float | None
    """Cohen's kappa of the three labels with the known ones."""
    kinds: tuple[KindRow, ...]


@cache
def labelled_answers() -> tuple[LabelledAnswer, ...]:
    """The calibration set, in its order."""
    text = files(__package__).joinpath("calibration_data", "answers.jsonl").read_text(encoding="utf-8")
    return tuple(msgspec.json.decode(line, type=LabelledAnswer) for line in text.splitlines())


def calibrate(judge: Judge, answers: Sequence[LabelledAnswer] | None = None, *, jobs: int = 1) -> Calibration:
    """Let `judge` label `answers` (by default the calibration set), `jobs` batches at a time."""
    answers = labelled_answers() if answers is None else answers
    batches = [answers[start : start + BATCH] for start in range(0, len(answers), BATCH)]
    with ThreadPoolExecutor(jobs) as pool:
        labels = [label for found in pool.map(lambda one: judge.label([each.request for each in one]), batches)
                  for label in found]  # fmt: skip
    words = [None if label is None else label.verdicts[0] for label in labels]
    both = [(one.label, word) for one, word in zip(answers, words, strict=True) if word is not None]
    return Calibration(
        judge=judge.name,
        revision=judge.revision,
        n=len(answers),
        invalid=words.count(None),
        right=sum(known == word for known, word in both),
        accepted_wrongly=sum(word == RIGHT != known for known, word in both),
        not_correct=sum(known != RIGHT for known, _ in both),
        rejected_wrongly=sum(known == RIGHT != word for known, word in both),
        correct=sum(known == RIGHT for known, _ in both),
        kappa=cohen_kappa(both),
        kinds=tuple(_by_kind(zip(answers, words, strict=True))),
    )


def _by_kind(judged: Iterable[tuple[LabelledAnswer, str | None]]) -> list[KindRow]:
    rows: dict[str, list[tuple[LabelledAnswer, str | None]]] = {}
    for one, word in judged:
        rows.setdefault(one.kind, []).append((one, word))
    return [
        KindRow(
            kind=kind,
            n=len(row),
            right=sum(one.label == word for one, word in row),
            invalid=sum(word is None for _, word in row),
        )
        for kind, row in sorted(rows.items())
    ]
