from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena_amem.vectors import Vectors


def test_scores_are_cosines_in_the_order_of_the_rows() -> None:
    rows = Vectors()
    for vector in ([2.0, 0.0], [0.0, 1.0], *[[1.0, 1.0]] * 20):
        rows.add(vector)
    assert rows.scores([3.0, 0.0])[:3] == pytest.approx([1.0, 0.0, 0.5**0.5])
    assert len(rows) == 22


def test_a_row_can_be_overwritten() -> None:
    rows = Vectors()
    rows.add([1.0, 0.0])
    rows.put(0, [0.0, 5.0])
    assert rows.scores([0.0, 1.0]) == pytest.approx([1.0])


def test_a_zero_vector_is_near_to_nothing() -> None:
    rows = Vectors()
    rows.add([0.0, 0.0])
    assert rows.scores([1.0, 0.0]) == [0.0]


def test_a_vector_of_another_length_is_refused() -> None:
    rows = Vectors()
    rows.add([1.0, 0.0])
    with pytest.raises(ValueError, match="has 3 numbers, those before had 2"):
        rows.put(0, [1.0, 0.0, 0.0])


def test_without_rows_there_are_no_scores() -> None:
    assert Vectors().scores([1.0]) == []


@given(st.lists(st.sampled_from([(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.0, 0.0)]), max_size=12), st.integers(0, 14))
def test_the_nearest_rows_are_those_of_a_whole_stable_sort(vectors: list[tuple[float, float]], most: int) -> None:
    rows = Vectors()
    for vector in vectors:
        rows.add(vector)
    scores = rows.scores([1.0, 0.0])
    assert rows.nearest([1.0, 0.0], most) == sorted(range(len(vectors)), key=lambda row: -scores[row])[:most]


def test_equal_rows_stand_in_their_order_wherever_they_are() -> None:
    rows = Vectors()
    equal = [(number * 0.37) % 1 - 0.5 for number in range(99)]
    for number in range(400):
        rows.add(equal if number % 7 == 0 else [(number * place * 0.6180339) % 1 - 0.5 for place in range(99)])
    assert rows.nearest(equal, 40) == list(range(0, 280, 7))
    assert len({rows.scores(equal)[place] for place in range(0, 400, 7)}) == 1
