"""How many pieces of evidence questions rest on."""

from __future__ import annotations

from collections import Counter

import pytest
from builder_orders import order
from msgspec.structs import replace
from test_builder_queries import LEAD, told

from memarena_builder.lifelong import build_sample
from memarena_builder.plan.quota import Quota
from memarena_builder.questions.mix import OPEN, SIZES, Mix, pieces_of

FEW, SOME, MANY = SIZES


def test_what_only_a_picture_tells_is_a_point_and_a_picture():
    said = told(LEAD, "Ida Barros")
    assert pieces_of([said]) == 1
    assert pieces_of([said, replace(said, visual=True)]) == 3


def test_the_sizes_are_one_to_six_and_their_shares_are_all_there_is():
    assert [sum(pieces in size for size in SIZES) for pieces in range(8)] == [0, 1, 1, 1, 1, 1, 1, 0]
    assert sum(size.share for size in SIZES) == pytest.approx(1)
    assert all(sum(shares) == pytest.approx(1) for shares in OPEN.values())


def test_types_that_can_rest_on_many_make_up_for_those_that_cannot():
    """Of ten questions that can be answered, one a type, the open ones leave at least as many of the large sizes as are
    missing, and not many more."""
    shares = [sum(own[place] for own in OPEN.values()) for place in range(len(SIZES))]
    shares[0] += 10 - len(OPEN)
    over = [own - 10 * size.share for own, size in zip(shares, SIZES, strict=True)]
    assert -0.35 <= over[0] <= 0 <= min(over[1:]) and max(over) <= 0.25


def test_what_is_missing_most_is_wanted_first():
    mix = Mix()
    assert mix.wanted("FR")[0].most == 6
    for _ in range(6):
        mix.add("FR", 1)
    assert mix.wanted("CMR")[0] == SOME
    mix.add("CMR", 3)
    mix.add("CMR", 4)
    mix.add("CMR", 3)
    assert mix.wanted("CMR")[0] == MANY
    mix.add("CMR", 5)
    mix.add("CMR", 6)
    assert mix.wanted("CMR")[0] == SOME
    assert set(mix.wanted("TR")) == set(SIZES)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_of_a_sample_three_in_five_rest_on_one_or_two_and_one_in_ten_on_five_or_six(language):
    built = build_sample(order("health", 7, quota=Quota(sessions=18, language=language)))
    asked = [question for stop in built.stops for question in stop.questions if not question.reason]
    pieces = [pieces_of(question.evidence) for question in asked]
    assert len(pieces) >= 48 and max(pieces) <= 6
    for size in SIZES:
        assert sum(each in size for each in pieces) / len(pieces) == pytest.approx(size.share, abs=0.08)
    types = Counter(question.type for question in asked)
    assert max(types.values()) - min(types.values()) <= 2
