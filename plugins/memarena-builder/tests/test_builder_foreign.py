"""The checks for any data set, on the published LoCoMo: they find what an audit of its file has found."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from memarena.datachecks import check
from memarena.datasets import open_data

SHARED = Path(os.environ.get("MEMARENA_SHARED", Path(__file__).parents[4] / "shared"))
PUBLISHED = SHARED / "data" / "locomo" / "locomo10.json"
pytestmark = pytest.mark.skipif(
    not PUBLISHED.is_file(), reason="locomo10.json is not beside the checkout (MEMARENA_SHARED)"
)


@pytest.fixture(scope="module")
def opened():
    return open_data(f"locomo:{PUBLISHED}")


@pytest.fixture(scope="module")
def found(opened):
    return [finding for sample in opened for finding in check(sample)]


def test_evidence_that_is_not_there_questions_without_evidence_and_questions_asked_twice_are_found(found):
    kinds = Counter(
        "gone" if "is not there" in each.message else "none" if "no evidence" in each.message else "twice"
        for each in found
    )
    assert kinds == {"gone": 2, "none": 4, "twice": 12}
    assert {each.code for each in found} == {"V10"}


def test_what_is_asked_twice_is_where_the_audit_says(found):
    assert Counter(each.file for each in found if "asks the same" in each.message) == {"conv-30": 1, "conv-48": 11}


def test_turns_that_do_not_exist_are_named(found):
    gone = [(each.file, each.path, each.message) for each in found if "is not there" in each.message]
    assert gone == [
        ("conv-42", "end:Q059", "its evidence D10:19 is not there"),
        ("conv-47", "end:Q039", "its evidence D4:36 is not there"),
    ]


@pytest.mark.parametrize(
    ("row", "codes", "count"),
    [
        (1, ("date_without_session",), 16),
        (2, ("caption_without_url",), 316),
        (3, ("picture_not_released",), 910),
        (4, ("picture_without_query",), 22),
        (5, ("redownload_flag",), 206),
        (6, ("several_evidence_ids",), 4),
        (7, ("malformed_evidence_id",), 1),
        (8, ("no_evidence_id",), 1),
        (9, ("padded_evidence_id",), 1),
        (10, ("unresolved_evidence",), 2),
        (11, ("no_evidence",), 4),
        (12, ("duplicate_evidence",), 1),
        (14, ("number_answer",), 6),
        (15, ("blank_around_answer", "blank_around_question", "no_question_mark"), 1 + 1 + 3),
        (16, ("no_answer",), 444),
        (17, ("adversarial_with_answer",), 2),
        (18, ("duplicate_question",), 12),
        (19, ("relative_date_answer",), 91),
        (20, ("list_answer",), 169 + 22),
        (21, ("observation_of_several_turns",), 10 + 5),
        (22, ("odd_white_space",), 39),
        (23, ("no_events",), 81),
        (24, ("evidence_with_picture",), 735),
    ],
)
def test_each_irregularity_is_counted(opened, found, row, codes, count):
    assert sum(opened.report.counts.get(code, 0) for code in codes) == count, row


def test_the_contradiction_among_questions_asked_twice_is_found(opened, found):
    assert opened.report.counts["conflicting_question"] == 1
