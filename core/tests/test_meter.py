"""The stage at work, usage, and estimated tokens."""

from __future__ import annotations

import contextvars
import threading

import pytest

from memarena import meter
from memarena.errors import ModelError
from memarena.records import Endpoint


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("tea", 1),
        ("coffee", 2),
        ("I moved to Leeds.", 7),
        ("北京。", 3),
        ("今天 tea", 3),
        ("a-b", 3),
        ("naïveté", 2),
    ],
)
def test_tokens_are_estimated_by_words_marks_and_characters(text: str, tokens: int) -> None:
    assert meter.estimate_tokens(text) == tokens


def test_what_nobody_measures_is_none_and_never_zero() -> None:
    assert meter.usage("cell") is None


def test_a_source_answers_until_it_is_taken_back_and_hears_each_stage() -> None:
    heard: list[tuple[str, str]] = []
    undo = meter.register(lambda cell: {"write": meter.Usage(calls=3)}, lambda cell, stage: heard.append((cell, stage)))
    with meter.stage("cell", "retrieve"):
        pass
    assert meter.usage("cell") == {"write": meter.Usage(calls=3)}
    undo()
    assert heard == [("cell", "retrieve")]
    assert meter.usage("cell") is None


def test_a_thread_with_a_copied_context_is_at_the_same_stage() -> None:
    seen: list[object] = []
    with meter.stage("cell", "write"):
        context = contextvars.copy_context()
        thread = threading.Thread(target=context.run, args=(lambda: seen.append(meter.current()),))
        thread.start()
        thread.join()
    assert seen == [("cell", "write")]


def test_an_endpoint_is_that_of_the_cell_at_work() -> None:
    undo = meter.register(
        lambda cell: {}, endpoints=lambda cell, role: Endpoint(base_url="http://localhost", model=role, api_key=cell)
    )
    with meter.stage("cell", "answer"):
        assert meter.endpoint("answer") == Endpoint(base_url="http://localhost", model="answer", api_key="cell")
    with pytest.raises(ModelError):
        meter.endpoint("answer")
    undo()


def test_without_a_gateway_a_model_is_an_error_that_says_what_to_do() -> None:
    with meter.stage("cell", "answer"), pytest.raises(ModelError, match="--model answer=NAME"):
        meter.endpoint("answer")


def row(**more: object) -> meter.UsageRow:
    fields = {"session": 1, "cell_id": "a~s", "stage": "write", "model": "m", "calls": 1, "tokens_in": 10, "cost": 0.5}
    return meter.UsageRow(**{**fields, **more})  # type: ignore[arg-type]


def test_usage_adds_up_over_sessions_and_models_and_takes_the_last_row_of_a_place() -> None:
    rows = [row(calls=1), row(calls=3, tokens_in=30, cost=1.5), row(session=2), row(model="n", stage="retrieve")]
    assert meter.add_up(rows) == {
        "a~s": {
            "write": meter.Usage(calls=4, tokens_in=40, tokens_out=0, cost=2.0),
            "retrieve": meter.Usage(calls=1, tokens_in=10, tokens_out=0, cost=0.5),
        }
    }


def test_a_cost_that_is_partly_unknown_is_unknown_and_not_zero() -> None:
    used = meter.add_up([row(), row(model="n", cost=None)])
    assert used["a~s"]["write"].cost is None


def test_replayed_calls_count_only_where_nothing_else_does() -> None:
    mixed = meter.add_up([row(session=2, replayed=True, calls=9), row(calls=3)])
    assert mixed["a~s"]["write"].calls == 3
    assert meter.add_up([row(replayed=True, calls=9)])["a~s"]["write"].calls == 9
