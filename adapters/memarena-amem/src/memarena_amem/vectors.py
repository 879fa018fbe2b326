"""Vectors in rows that grow and can be overwritten, and exact search by cosine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_ERROR = 2.0**-22
"""By which a term of a product of unit vectors in single precision may be wrong, on both sides together."""


class Vectors:
    """Rows of unit length, numbered from 0 in the order in which they were added. All have the length of the first."""

    def __init__(self) -> None:
        self._rows: Any = None
        self._used = 0

    def __len__(self) -> int:
        return self._used

    def add(self, vector: Sequence[float]) -> None:
        """Add a row; raises ValueError where it has another length than the first."""
        import numpy as np

        row = self._unit(vector)
        if self._rows is None:
            self._rows = np.zeros((16, row.size), dtype=np.float32)
        elif self._used == len(self._rows):
            self._rows = np.concatenate((self._rows, np.zeros_like(self._rows)))
        self._rows[self._used] = row
        self._used += 1

    def put(self, place: int, vector: Sequence[float]) -> None:
        """Overwrite a row; raises ValueError where `vector` has another length."""
        self._rows[place] = self._unit(vector)

    def scores(self, vector: Sequence[float]) -> list[float]:
        """The cosine of each row with `vector`, in the order of the rows."""
        if not self._used:
            return []
        found: list[float] = _products(self._rows[: self._used], self._unit(vector)).tolist()
        return found

    def nearest(self, vector: Sequence[float], most: int) -> list[int]:
        """The rows with the highest cosine, at most `most`, best first; among equals the earlier row comes first."""
        import numpy as np

        if not self._used or not most:
            return []
        rows, unit = self._rows[: self._used], self._unit(vector)
        near = np.arange(self._used)
        if most < self._used:
            rough = rows @ unit
            near = np.flatnonzero(rough >= np.partition(rough, -most)[-most] - unit.size * _ERROR)
        found: list[int] = near[np.argsort(-_products(rows[near], unit), kind="stable")[:most]].tolist()
        return found

    def _unit(self, vector: Sequence[float]) -> Any:
        import numpy as np

        row = np.asarray(vector, dtype=np.float64)
        if self._rows is not None and row.size != self._rows.shape[1]:
            raise ValueError(f"an embedding has {row.size} numbers, those before had {self._rows.shape[1]}")
        # Not by the norm of numpy, whose last digits depend on where the row lies in memory.
        length = float(np.sqrt((row * row).sum()))
        return (row / length if length else row).astype(np.float32)


def _products(rows: Any, unit: Any) -> Any:
    """The product of each row with `unit`."""
    import numpy as np

    # Each by itself: in one product for all, the last digits depend on the place of a row and on threads.
    return np.matmul(rows.astype(np.float64)[:, None, :], unit.astype(np.float64)[:, None])[:, 0, 0]
