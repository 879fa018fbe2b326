"""Providers' quirks and forced decoding."""

from __future__ import annotations

import pytest

from memarena_models.quirks import adapted, rules


@pytest.mark.parametrize(
    ("model", "endpoint", "body", "expected"),
    [
        ("gpt-5-mini", "chat", {"max_tokens": 9, "temperature": 0}, {"max_completion_tokens": 9}),
        ("openai/gpt-5-mini", "chat", {"max_tokens": 9}, {"max_completion_tokens": 9}),
        ("gpt-5-mini", "chat", {"max_tokens": 9, "max_completion_tokens": 8}, {"max_completion_tokens": 8}),
        ("o3", "responses", {"temperature": 0, "seed": 7, "max_output_tokens": 9}, {"max_output_tokens": 9}),
        ("llama", "responses", {"temperature": 0, "seed": 7}, {"temperature": 0}),
        ("mistral-small", "chat", {"seed": 7, "max_completion_tokens": 9}, {"random_seed": 7, "max_tokens": 9}),
        ("deepseek-reasoner", "chat", {"temperature": 0, "seed": 7}, {"seed": 7}),
    ],
)
def test_a_request_is_changed_for_the_model(model, endpoint, body, expected):
    assert adapted(body, endpoint, model, {}) == expected


@pytest.mark.parametrize("model", ["gpt-4o", "qwen", "llama-3", "m"])
def test_a_model_without_quirks_gets_the_request_as_it_is(model):
    body = {"max_tokens": 9, "temperature": 0.3, "seed": 7}
    assert adapted(body, "chat", model, {}) is None


def test_forced_fields_are_set_and_a_quirk_still_holds():
    assert adapted({"temperature": 1}, "chat", "gpt-4o", {"temperature": 0, "seed": 7}) == {"temperature": 0, "seed": 7}
    assert adapted({}, "chat", "gpt-5", {"temperature": 0, "seed": 7}) == {"seed": 7}


def test_forced_fields_that_stand_there_already_change_nothing():
    assert adapted({"temperature": 0}, "chat", "gpt-4o", {"temperature": 0}) is None


def test_embeddings_are_never_forced():
    assert adapted({"input": "a"}, "embeddings", "gpt-4o", {"temperature": 0}) is None


def test_the_request_itself_is_left_alone():
    body = {"max_tokens": 9}
    adapted(body, "chat", "gpt-5", {"seed": 7})
    assert body == {"max_tokens": 9}


def test_every_rule_says_something():
    for rule in (*rules("chat", "gpt-5"), *rules("responses", "m")):
        assert rule.rename or rule.drop or rule.set
