"""Exact search: worked by hand, against brute force, and against Qdrant."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena.errors import ModelError, UsageError
from memarena.records import RunContext
from memarena_rag.qdrant import QdrantVectors, open_store
from memarena_rag.vectors import Vectors, to_unit

NUMBERS = st.floats(-4, 4, width=32)
SMALL = st.sampled_from([-1.0, 0.0, 1.0, 2.0])


def matrix(*rows: tuple[float, ...]) -> np.ndarray:
    return np.array(rows, dtype=np.float32)


def filled(*rows: tuple[float, ...]) -> Vectors:
    vectors = Vectors()
    vectors.add(matrix(*rows))
    return vectors


def places(found: list[tuple[int, float]]) -> list[int]:
    return [place for place, _ in found]


def brute_force(rows: np.ndarray, query: np.ndarray, top_k: int) -> list[tuple[int, float]]:
    """All cosines in double precision, sorted."""
    unit, asked = to_unit(rows).astype(np.float64), to_unit(query[None, :])[0].astype(np.float64)
    scores = [float((row * asked).sum()) for row in unit]
    return sorted(enumerate(scores), key=lambda pair: (-pair[1], pair[0]))[:top_k]


def test_vectors_are_ranked_by_cosine():
    found = filled((0, 1), (3, 4), (5, 0), (-1, 0)).search(matrix((2, 0))[0], 4)
    assert places(found) == [2, 1, 0, 3]
    assert [score for _, score in found] == pytest.approx([1.0, 0.6, 0.0, -1.0])


def test_among_equals_the_earlier_vector_comes_first():
    found = filled(*[(1, 1), (2, 2), (1, 0)] * 40).search(matrix((1, 1))[0], 5)
    assert places(found) == [0, 1, 3, 4, 6]


def test_a_vector_of_zeros_is_like_nothing_else():
    assert filled((0, 0), (1, 0)).search(matrix((1, 0))[0], 2) == [(1, 1.0), (0, 0.0)]
    assert filled((1, 0)).search(matrix((0, 0))[0], 2) == [(0, 0.0)]


def test_an_empty_store_finds_nothing():
    assert Vectors().search(matrix((1, 0))[0], 3) == []


def test_vectors_that_are_added_later_are_found_too():
    vectors = filled((1, 0))
    for _ in range(100):
        vectors.add(matrix((0, 1), (1, 1)))
    assert len(vectors) == 201
    assert places(vectors.search(matrix((1, 0))[0], 2)) == [0, 2]


def test_a_vector_of_other_dimensions_is_refused():
    with pytest.raises(ValueError, match="a vector has 3 dimensions, those kept have 2"):
        filled((1, 0)).add(matrix((1, 0, 0)))
    with pytest.raises(ValueError, match="a vector has 3 dimensions, those kept have 2"):
        filled((1, 0)).search(matrix((1, 0, 0))[0], 1)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_is_not_finite_is_refused(number):
    with pytest.raises(ValueError, match="not finite"):
        filled((1, number))


@given(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=40), st.tuples(*[NUMBERS] * 3), st.data())
def test_a_search_gives_what_sorting_all_cosines_gives(rows, query, data):
    top_k = data.draw(st.integers(1, len(rows) + 1))
    asked = matrix(query)[0]
    assert filled(*rows).search(asked, top_k) == brute_force(matrix(*rows), asked, top_k)


@given(st.lists(st.tuples(SMALL, SMALL), min_size=1, max_size=60), st.tuples(SMALL, SMALL), st.integers(1, 8))
def test_a_search_with_many_ties_gives_what_sorting_gives(rows, query, top_k):
    asked = matrix(query)[0]
    assert filled(*rows).search(asked, top_k) == brute_force(matrix(*rows), asked, top_k)


def test_equal_vectors_have_equal_scores_wherever_they_stand():
    numbers = np.random.default_rng(0)
    rows = numbers.standard_normal((3001, 383)).astype(np.float32)
    rows[[0, 777, 1500, 3000]] = rows[5]
    vectors = Vectors()
    vectors.add(rows)
    found = vectors.search(rows[5] + rows[9], 5)
    assert places(found) == [0, 5, 777, 1500, 3000]
    assert len({score for _, score in found}) == 1


def context(folder: object, namespace: str = "cell") -> RunContext:
    return RunContext(folder=str(folder), namespace=namespace)


@pytest.mark.parametrize("place", [":memory:", "disk"])
def test_qdrant_and_numpy_find_the_same(place, tmp_path):
    pytest.importorskip("qdrant_client", reason="qdrant-client is not installed")
    rows = np.random.default_rng(1).standard_normal((300, 24)).astype(np.float32)
    exact, other = Vectors(), open_store(place, context(tmp_path), "dense")
    for part in (rows[:7], rows[7:]):
        exact.add(part)
        other.add(part)
    for query in rows[:10] + rows[10:20]:
        here, there = exact.search(query, 12), other.search(query, 12)
        assert places(here) == places(there)
        assert [score for _, score in here] == pytest.approx([score for _, score in there], abs=1e-5)
    other.close()


def test_a_second_cell_does_not_see_the_vectors_of_the_first_in_qdrant(tmp_path):
    pytest.importorskip("qdrant_client", reason="qdrant-client is not installed")
    first = open_store("disk", context(tmp_path), "dense")
    first.add(matrix((1, 0)))
    first.close()
    again = open_store("disk", context(tmp_path), "dense")
    assert again.search(matrix((1, 0))[0], 3) == []
    again.close()


def test_a_place_for_qdrant_of_no_known_form_is_refused(tmp_path):
    with pytest.raises(UsageError, match="qdrant='memory' is not known: give :memory:, disk, or the URL of a server"):
        open_store("memory", context(tmp_path), "dense")


def test_without_the_library_of_qdrant_the_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "qdrant_client", None)
    with pytest.raises(ModelError, match=r"pip install memarena-rag\[qdrant\]"):
        QdrantVectors(":memory:", str(tmp_path), "x")
