"""Answerer and judge through a real gateway with the model offline, faults included."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from memarena import meter
from memarena.errors import ModelError
from memarena.records import AskedQuestion, JudgementRequest, Shown, ShownItem
from memarena_models.answerer import LlmAnswerer
from memarena_models.gateway import LocalGateway
from memarena_models.judge import LlmJudge
from memarena_models.settings import Faults, Options, Retries

QUICK = Retries(base=0.001, longest=0.01, longest_asked=0.05)
REQUESTS = [
    JudgementRequest(task="answer", question="Name?", reference=f"Bruno {number}", answer=f"Bruno {number % 3}")
    for number in range(24)
]
ASKED = AskedQuestion(question_id="Q1", text="What is Ana's dog called?")
SHOWN = Shown(items=(ShownItem(rank=1, memory_id="m", text="Ana has a dog called Bruno."),))

Serving = Callable[..., LocalGateway]


@pytest.fixture
def serving() -> Iterator[Serving]:
    """Opens gateways to the model offline; all are closed at the end."""
    with ExitStack() as stack:
        yield lambda folder=None, **options: stack.enter_context(_open(folder, Options(retries=QUICK, **options)))


@contextmanager
def _open(folder: Path | None, options: Options) -> Iterator[LocalGateway]:
    gateway = LocalGateway(options)
    gateway.start(folder, {"": "offline"})
    undo = meter.register(gateway.usage, gateway.stage, gateway.endpoint)
    try:
        yield gateway
    finally:
        undo()
        gateway.stop()


def test_calls_are_booked_to_the_cell_that_answers_and_to_the_judge(serving: Serving) -> None:
    gateway = serving()
    with meter.stage("cell-1", "answer"):
        assert "Bruno" in LlmAnswerer().answer(ASKED, SHOWN).text
    labels = LlmJudge().label(REQUESTS[:3])
    assert [label.verdicts for label in labels if label is not None] == [("Correct",)] * 3
    assert gateway.usage("cell-1")["answer"].calls == 1
    assert gateway.usage("judge")["judge"].calls == 3


def test_with_faults_of_every_passing_kind_valid_labels_are_those_of_a_run_without(
    serving: Serving, tmp_path: Path
) -> None:
    serving()
    calm = LlmJudge().label(REQUESTS)
    serving(faults=Faults(rate=0.2, seed=3))
    judge = LlmJudge()
    judge.keep_failures(tmp_path)
    stormy = judge.label(REQUESTS)
    assert None not in calm
    assert all(label in (None, known) for label, known in zip(stormy, calm, strict=True))
    assert sum(label is not None for label in stormy) > len(REQUESTS) // 2
    failures = tmp_path / "judge_failures.jsonl"
    lines = failures.read_text(encoding="utf-8").splitlines() if failures.exists() else []
    assert len(lines) == stormy.count(None)


def test_a_key_that_is_refused_ends_answering_and_judging(serving: Serving) -> None:
    serving(faults=Faults(first=("401",) * 8))
    with pytest.raises(ModelError), meter.stage("cell-1", "answer"):
        LlmAnswerer().answer(ASKED, SHOWN)
    with pytest.raises(ModelError):
        LlmJudge().label(REQUESTS[:1])
