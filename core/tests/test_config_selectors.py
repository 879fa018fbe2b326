"""The small languages of the flags."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena.errors import UsageError
from memarena.selectors import (
    AdapterChoice,
    check_label,
    merge_options,
    parse_adapter,
    parse_adapters,
    parse_models,
    parse_options,
    parse_value,
)

LABELS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,20}", fullmatch=True)


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("bm25", AdapterChoice("bm25", "bm25", "")),
        ("mine=bm25", AdapterChoice("mine", "bm25", "")),
        ("bm25@memarena-rag", AdapterChoice("bm25", "bm25", "memarena-rag")),
        ("mine=bm25@memarena-rag", AdapterChoice("mine", "bm25", "memarena-rag")),
    ],
)
def test_an_adapter_is_a_name_with_an_optional_label_and_distribution(text: str, choice: AdapterChoice) -> None:
    assert parse_adapter(text) == choice


@given(label=LABELS, name=LABELS, dist=LABELS)
def test_a_written_choice_is_read_back(label: str, name: str, dist: str) -> None:
    choice = parse_adapter(f"{label}={name}@{dist}")
    assert (choice.label, choice.selector) == (label, f"{name}@{dist}")


@pytest.mark.parametrize("text", ["", "=", "=bm25", "mine=", "bm25@", "@dist", "mine=@dist"])
def test_an_incomplete_adapter_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"write \[LABEL=\]NAME\[@DISTRIBUTION\]"):
        parse_adapter(text)


@pytest.mark.parametrize("label", ["a b", "a/b", "..", ".hidden", "-x", "ü", "x" * 65, ""])
def test_a_label_that_is_no_plain_name_is_refused(label: str) -> None:
    with pytest.raises(UsageError, match="a label has letters"):
        check_label(label, "-a x")


def test_two_equal_labels_are_refused_with_the_way_out() -> None:
    with pytest.raises(UsageError) as caught:
        parse_adapters(["bm25", "bm25@memarena-rag"])
    assert str(caught.value) == (
        "two adapters are labelled 'bm25': give one a label of its own, e.g. -a bm25-2=bm25@memarena-rag"
    )


def test_labels_that_differ_in_case_alone_are_refused() -> None:
    with pytest.raises(UsageError, match="two adapters are labelled 'BM25'"):
        parse_adapters(["bm25", "BM25=bm25"])


def test_options_are_read_by_label_and_key() -> None:
    assert parse_options(["a.k=5", "a.name=x=y", "b.k=on"], ["a", "b"]) == {
        "a": {"k": 5, "name": "x=y"},
        "b": {"k": "on"},
    }


def test_the_longest_label_that_fits_counts() -> None:
    assert parse_options(["gpt-4.1.k=1"], ["gpt-4", "gpt-4.1"]) == {"gpt-4.1": {"k": 1}}


def test_an_option_for_an_unknown_label_is_refused_with_the_closest_one() -> None:
    with pytest.raises(UsageError) as caught:
        parse_options(["bm52.k=1"], ["bm25", "longcontext"])
    assert str(caught.value) == "-o bm52.k=1: nothing in this run is labelled 'bm52'; did you mean 'bm25'?"


@pytest.mark.parametrize("text", ["", "k=1", "bm25.k", "bm25.=1", ".k=1", "="])
def test_an_incomplete_option_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"^-o "):
        parse_options([text], ["bm25"])


def test_an_option_that_is_given_twice_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^-o a.k=2: a.k is given twice$"):
        parse_options(["a.k=1", "a.k=2"], ["a"])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("0.50", 0.5),
        ("true", True),
        ("null", None),
        ('["a", 1]', ["a", 1]),
        ('"5"', "5"),
        ("True", "True"),
        ("oldest", "oldest"),
        ("007", "007"),
        ("NaN", "NaN"),
        ("Infinity", "Infinity"),
        ("", ""),
        ("[" * 100_000, "[" * 100_000),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_a_value_is_json_where_it_can_be_and_a_text_elsewhere(text: str, value: object) -> None:
    assert parse_value(text) == value


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=5))
def test_every_json_value_is_read_back(value: object) -> None:
    assert parse_value(json.dumps(value)) == value


@given(st.text())
def test_any_text_is_a_value(text: str) -> None:
    parse_value(text)


def test_models_are_read_by_role() -> None:
    assert parse_models(["offline", "judge=gpt-4.1"]) == {"": "offline", "judge": "gpt-4.1"}


@pytest.mark.parametrize("texts", [["a", "b"], ["judge=a", "judge=b"]])
def test_a_role_that_is_given_twice_is_refused(texts: list[str]) -> None:
    with pytest.raises(UsageError, match="is given twice"):
        parse_models(texts)


@pytest.mark.parametrize("text", ["", "judge=", "=x", "a b=x"])
def test_an_incomplete_model_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"write \[ROLE=\]NAME"):
        parse_models([text])


def test_options_are_merged_key_by_key() -> None:
    assert merge_options({"a": {"x": 1, "y": 1}}, {"a": {"y": 2}, "b": {"z": 3}}) == {
        "a": {"x": 1, "y": 2},
        "b": {"z": 3},
    }
