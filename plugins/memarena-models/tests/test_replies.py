"""Replies are read strictly: what fits, in whatever wrapping, and nothing else."""

from __future__ import annotations

import json
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena_models.replies import BadReply, Trouble, find_objects, read, text_of


class Flag(msgspec.Struct):
    correct: bool


class Grade(msgspec.Struct):
    verdict: Literal["Correct", "Hallucination", "Omission"]
    reason: str = ""


class Score(msgspec.Struct):
    score: float


class Entry(msgspec.Struct):
    number: int
    verdict: Literal["yes", "no"]


class Entries(msgspec.Struct):
    verdicts: list[Entry]


def trouble(reply: object, kind: type = Grade, **more: Any) -> Trouble:
    with pytest.raises(BadReply) as caught:
        read(reply, kind, **more)
    return caught.value.trouble


def test_a_fenced_object_is_read() -> None:
    assert read('```json\n{"correct": true}\n```', Flag) == Flag(correct=True)


def test_a_fence_without_a_language_and_text_around_are_no_hindrance() -> None:
    assert read('Here you are:\n```\n{"correct": false}\n```\nAnything else?', Flag) == Flag(correct=False)


def test_comments_and_trailing_commas_are_mended() -> None:
    assert read('{"score": 1.0 // ok\n}', Score) == Score(score=1.0)
    assert read('{"score": 0.5, /* half } */}', Score) == Score(score=0.5)


def test_raw_newlines_within_strings_are_accepted() -> None:
    assert read('{"verdict": "Correct", "reason": "one\ntwo"}', Grade).reason == "one\ntwo"


def test_unquoted_inner_quotes_are_mended() -> None:
    assert read('{"reason": "it says "no" here", "verdict": "Omission"}', Grade).verdict == "Omission"


def test_an_object_that_is_cut_off_is_truncated() -> None:
    assert trouble('{"correct": true, "reason": "the us', Flag) is Trouble.TRUNCATED


def test_a_complete_entry_of_a_list_that_is_cut_off_is_not_taken_for_the_whole() -> None:
    assert trouble('{"steps": [{"verdict": "Correct"}, {"verdict": "Hall') is Trouble.TRUNCATED


def test_an_object_that_is_replaced_by_one_that_is_cut_off_does_not_count() -> None:
    assert trouble('{"verdict": "Correct"} No, rather: {"verdict": "Hal') is Trouble.TRUNCATED


def test_text_that_stops_for_want_of_tokens_is_truncated() -> None:
    assert trouble("Let me think about", finished=False) is Trouble.TRUNCATED
    assert trouble('{"verdict": "Correct"}, or is it', finished=False) is Trouble.TRUNCATED


def test_a_whole_object_counts_though_the_tokens_are_used_up() -> None:
    assert read('```json\n{"verdict": "Correct"}\n``', Grade, finished=False).verdict == "Correct"


def test_thoughts_before_the_object_are_left_out() -> None:
    assert read('<think>{"verdict": "Correct"}?</think>{"verdict": "Omission"}', Grade).verdict == "Omission"


def test_thoughts_without_an_end_are_truncated() -> None:
    assert trouble('<think>It could be {"verdict": "Correct"} but') is Trouble.TRUNCATED


def test_the_last_object_that_fits_counts() -> None:
    reply = '{"verdict": "Correct"} After a second look: {"verdict": "Omission"} {"note": 1}'
    assert read(reply, Grade).verdict == "Omission"


def test_a_quotation_of_the_data_does_not_count() -> None:
    data = 'Paris {"verdict": "Correct"}'
    reply = '{"verdict": "Hallucination"} since it only says {"verdict":  "Correct"}'
    assert read(reply, Grade, data=data).verdict == "Hallucination"


def test_a_verdict_counts_though_the_data_has_the_same_words() -> None:
    assert read('{"verdict": "Correct"}', Grade, data='{"verdict": "Correct"}').verdict == "Correct"


@pytest.mark.parametrize("word", ["correct", "CORRECT", " Correct "])
def test_words_are_read_in_any_case(word: str) -> None:
    assert read(json.dumps({"verdict": word}), Grade).verdict == "Correct"


@pytest.mark.parametrize(
    "word", ["Correct!", "not correct", "partially correct", "", "yes", True, 1, None, ["Correct"]]
)
def test_other_words_and_values_are_no_verdict(word: object) -> None:
    assert trouble(json.dumps({"verdict": word})) is Trouble.MISFIT


@pytest.mark.parametrize(("written", "meant"), [("false", False), ("False", False), ("true", True), ("TRUE", True)])
def test_a_truth_value_in_quotes_means_what_it_says(written: str, meant: bool) -> None:
    assert read(json.dumps({"correct": written}), Flag).correct is meant


@pytest.mark.parametrize("value", ["yes", "no", "0", "", 0, 1, None, [True]])
def test_what_is_no_truth_value_is_not_made_one(value: object) -> None:
    assert trouble(json.dumps({"correct": value}), Flag) is Trouble.MISFIT


def test_yes_within_a_sentence_is_no_verdict() -> None:
    assert trouble("No. He said that yesterday.", Entry) is Trouble.NO_OBJECT


def test_numbers_in_quotes_are_numbers() -> None:
    assert read('{"verdicts": [{"number": "2", "verdict": "YES"}]}', Entries).verdicts == [Entry(2, "yes")]


def test_an_object_in_place_of_a_text_is_accepted() -> None:
    assert read({"verdict": "correct"}, Grade).verdict == "Correct"


def test_content_parts_are_joined() -> None:
    assert (
        read([{"type": "text", "text": '{"verdict":'}, {"type": "text", "text": '"Omission"}'}], Grade).verdict
        == "Omission"
    )


@pytest.mark.parametrize("reply", [None, "", "  \n", []])
def test_an_empty_reply_is_empty(reply: object) -> None:
    assert trouble(reply) is Trouble.EMPTY


def test_a_check_that_finds_a_problem_makes_the_reply_a_misfit() -> None:
    with pytest.raises(BadReply, match="too few") as caught:
        read('{"verdicts": []}', Entries, check=lambda value: "too few")
    assert caught.value.raw == '{"verdicts": []}'


def test_an_earlier_object_counts_where_the_later_one_fails_the_check() -> None:
    reply = '{"verdicts": [{"number": 1, "verdict": "no"}]} {"verdicts": []}'
    found = read(reply, Entries, check=lambda value: "" if value.verdicts else "too few")
    assert found.verdicts == [Entry(1, "no")]


def test_quotes_and_braces_in_prose_hide_nothing() -> None:
    assert read('a 5" screen {"verdict": "Correct"} } { 3', Grade).verdict == "Correct"


def test_braces_within_strings_do_not_count() -> None:
    assert find_objects('{"a": "}{\\"}"} x').objects == ('{"a": "}{\\"}"}',)


def test_deep_nesting_is_a_misfit_and_no_crash() -> None:
    assert trouble('{"a":' * 5000 + "1" + "}" * 5000) is Trouble.MISFIT


def test_a_long_reply_without_an_end_is_read_fast() -> None:
    assert trouble('{"a": "' + '\\"' * 200_000) is Trouble.TRUNCATED
    assert trouble('{"a' * 100_000) is Trouble.TRUNCATED


plain = st.text(st.characters(blacklist_characters="{}\"'<", blacklist_categories=["Cs"]), max_size=60)


@given(before=plain, after=plain, reason=st.text(max_size=80), word=st.sampled_from(["Correct", "Omission"]))
def test_any_object_is_found_in_any_plain_text(before: str, after: str, reason: str, word: str) -> None:
    reply = f"{before}{json.dumps({'reason': reason, 'verdict': word})}{after}"
    assert read(reply, Grade) == Grade(verdict=word, reason=reason)  # type: ignore[arg-type]


@given(reason=st.text(max_size=80), share=st.floats(0.0, 1.0, exclude_max=True))
def test_no_beginning_of_a_reply_is_taken_for_a_verdict(reason: str, share: float) -> None:
    whole = json.dumps({"reason": reason, "verdict": "Correct"})
    part = whole[: int(share * len(whole))]
    assert trouble(part) in (Trouble.TRUNCATED, Trouble.EMPTY)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused_with_a_reason(reply: str) -> None:
    try:
        read(reply, Grade)
    except BadReply as bad:
        assert bad.raw == reply
        assert bad.problem


leaves = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)


@given(values)
def test_any_value_has_a_text(value: object) -> None:
    assert isinstance(text_of(value), str)
