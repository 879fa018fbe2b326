from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memarena.records import MemoryItem
from memarena_qwen3vl.space import Space
from memarena_rag.vectors import Vectors

UNITS = np.eye(3, dtype=np.float32)


def items(*names: str) -> list[MemoryItem]:
    return [MemoryItem(memory_id=name, text=name) for name in names]


def space() -> Space:
    """Two texts at cosine 0.8 and 0.6 from (1, 0, 0), and two pictures at 0.6 and 0."""
    found = Space(Vectors(), Vectors())
    found.add(items("near", "far"), np.array([[0.8, 0.6, 0], [0.6, 0.8, 0]], dtype=np.float32), pictures=False)
    found.add(items("seen", "other"), np.array([[0.6, 0, 0.8], [0, 0, 1]], dtype=np.float32), pictures=True)
    return found


def places(found) -> list[int]:
    return [place for place, _ in found]


def test_both_kinds_are_ranked_by_cosine_and_among_equals_by_age():
    assert places(space().search(UNITS[0], 4)) == [0, 1, 2, 3]


def test_at_least_so_many_are_pictures():
    assert places(space().search(UNITS[0], 2, least_pictures=1)) == [0, 2]
    assert places(space().search(UNITS[0], 2, least_pictures=5)) == [2, 3]
    assert places(space().search(UNITS[0], 4, least_pictures=1)) == [0, 1, 2, 3]


def test_an_empty_space_finds_nothing():
    assert Space(Vectors(), Vectors()).search(UNITS[0], 5, least_pictures=1) == []


rows = st.lists(st.tuples(st.booleans(), st.integers(-3, 3), st.integers(-3, 3)), max_size=12)


@given(rows, st.integers(0, 14))
def test_two_kinds_are_found_as_one_store_finds_them(given_rows, top_k):
    apart, together = Space(Vectors(), Vectors()), Vectors()
    for number, (pictures, x, y) in enumerate(given_rows):
        row = np.array([[x, y, 1]], dtype=np.float32)
        apart.add(items(str(number)), row, pictures=pictures)
        together.add(row)
    query = np.array([1, 2, 3], dtype=np.float32)
    assert apart.search(query, top_k) == together.search(query, top_k)
