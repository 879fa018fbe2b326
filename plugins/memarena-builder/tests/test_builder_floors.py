"""Reference systems: each is worth more than the next, and each is what its name says."""

from __future__ import annotations

import pytest

from memarena_arena.lexical import LexicalJudge
from memarena_builder.probes.finished import finished
from memarena_builder.probes.floors import ENOUGH, ORDER, REJECTED, Floor, floors, in_order, rejected


@pytest.fixture(scope="module")
def samples(on_disk):
    return finished(on_disk[0].root)


@pytest.fixture(scope="module")
def found(samples):
    return floors(samples, LexicalJudge())


def test_the_reference_systems_are_in_their_order(found):
    assert tuple(row.name for row in found) == ORDER
    gold, reader, search, *guesses = (row.right for row in found)
    assert gold > reader > search > 2 * max(guesses), "which guess is better, so few questions do not tell"
    assert found[0].share > 0.98


def test_who_is_shown_nothing_is_right_where_nothing_is_known(found, samples):
    unanswerable = sum(
        question.type == "MB" and bool(question.reason) for each in samples for question in each.questions
    )
    assert found[-1].right == unanswerable


def test_who_reads_all_words_is_right_where_no_picture_is_needed(found, samples):
    textual = sum(
        question.type not in ("VFR", "VS", "VU", "CMR") for each in samples for question in each.questions
    )  # fmt: skip
    assert found[1].right == textual


def test_a_store_of_everything_rejects_next_to_nothing(samples):
    kept = rejected(samples, LexicalJudge())
    assert kept.n > 20 and kept.share < REJECTED


def test_an_order_that_is_broken_is_seen_where_there_is_enough_to_tell():
    broken = [Floor("a", 50, ENOUGH), Floor("b", 50, ENOUGH)]
    assert not in_order(broken) and in_order([Floor("a", 51, ENOUGH), Floor("b", 50, ENOUGH)])
    assert in_order([Floor("a", 1, ENOUGH - 1), Floor("b", 1, ENOUGH - 1)])
