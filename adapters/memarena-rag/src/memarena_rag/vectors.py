"""Exact search by cosine in one numpy matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Ranking = list[tuple[int, float]]
"""Pairs (place, score), best first."""

_BLOCK = 512
"""Rows that are compared in double precision at once."""
_LEAST = 64
_EPSILON = 2.0**-23
"""Of single precision."""


class VectorStore(Protocol):
    """Keeps vectors, numbered from 0 in the order in which they were added."""

    def add(self, rows: NDArray[np.float32]) -> None:
        """Add the rows of a matrix (vectors, dimensions); all have the dimensions of the first."""
        ...

    def search(self, query: NDArray[np.float32], top_k: int) -> Ranking:
        """At most `top_k` pairs (place, cosine), best first; `query` has the dimensions of the rows."""
        ...

    def close(self) -> None:
        """Forget everything."""
        ...


class Vectors:
    """Vectors of unit length in single precision, in a matrix that doubles when it is full.

    A search is exact: what single precision may confuse is compared again in double precision, row by row, so that
    neither the place of a row nor the number of threads changes a score. Among equals the earlier row comes first. A
    vector of zeros has the cosine 0 with everything.
    """

    def __init__(self) -> None:
        self._rows: Any = None
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, rows: NDArray[np.float32]) -> None:
        """As VectorStore.add; raises ValueError for other dimensions than those kept or a number that is not finite."""
        unit = to_unit(rows)
        count = self._count + len(unit)
        self._reserve(count, unit.shape[1])
        self._rows[self._count : count] = unit
        self._count = count

    def search(self, query: NDArray[np.float32], top_k: int) -> Ranking:
        """As VectorStore.search; raises ValueError where the dimensions differ from those kept."""
        import numpy as np

        if not self._count or top_k < 1:
            return []
        rows, unit = self._rows[: self._count], to_unit(query[None, :])[0]
        _same_dimensions(unit.shape[0], rows.shape[1])
        near = _near(rows, unit, top_k)
        scores = _cosines(rows, near, unit)
        best = np.argsort(-scores, kind="stable")[:top_k]
        return list(zip(near[best].tolist(), scores[best].tolist(), strict=True))

    def close(self) -> None:
        self._rows, self._count = None, 0

    def _reserve(self, count: int, dimensions: int) -> None:
        import numpy as np

        if self._rows is None:
            self._rows = np.empty((max(_LEAST, count), dimensions), dtype=np.float32)
        _same_dimensions(dimensions, self._rows.shape[1])
        if count > len(self._rows):
            wider = np.empty((max(2 * len(self._rows), count), dimensions), dtype=np.float32)
            wider[: self._count] = self._rows[: self._count]
            self._rows = wider


def to_unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """`rows` at unit length; zeros stay zeros. Raises ValueError for a number that is not finite."""
    import numpy as np

    wide = rows.astype(np.float64)
    lengths = np.sqrt((wide * wide).sum(axis=1, keepdims=True))
    if not np.isfinite(lengths).all():
        raise ValueError("a vector holds a number that is not finite")
    unit: NDArray[np.float32] = (wide / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return unit


def _near(rows: NDArray[np.float32], unit: NDArray[np.float32], top_k: int) -> NDArray[np.intp]:
    """The places, in order, that can be among the best `top_k`: nothing is left out that rounding may have hidden."""
    import numpy as np

    count, dimensions = rows.shape
    if top_k >= count:
        return np.arange(count)
    rough = rows @ unit
    # A product of d terms of two unit vectors errs by at most d * eps / 2, on either side of the bound.
    margin = 2 * dimensions * _EPSILON
    bound = np.partition(rough, count - top_k)[count - top_k] - margin
    return np.flatnonzero(rough >= bound)


def _cosines(rows: NDArray[np.float32], places: NDArray[np.intp], unit: NDArray[np.float32]) -> NDArray[np.float64]:
    import numpy as np

    wide = unit.astype(np.float64)
    scores = np.empty(len(places), dtype=np.float64)
    for start in range(0, len(places), _BLOCK):
        block = places[start : start + _BLOCK]
        # A stack of products of two vectors: each is computed as if it were alone.
        stack = np.matmul(rows[block].astype(np.float64)[:, None, :], wide[:, None])
        scores[start : start + len(block)] = stack[:, 0, 0]
    return scores


def _same_dimensions(given: int, kept: int) -> None:
    if given != kept:
        raise ValueError(f"a vector has {given} dimensions, those kept have {kept}")
