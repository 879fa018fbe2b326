"""Vectors in rows that grow, and exact search by cosine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


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

    def search(self, vector: Sequence[float], most: int) -> list[tuple[int, float]]:
        """At most `most` pairs (row, cosine), best first; among equals the earlier row comes first."""
        import numpy as np

        if not self._used:
            return []
        wide = self._unit(vector).astype(np.float64)
        # A product for each row: in one for all, the last digits depend on the place of a row and on threads.
        scores = np.matmul(self._rows[: self._used].astype(np.float64)[:, None, :], wide[:, None])[:, 0, 0]
        best = (-scores).argsort(kind="stable")[:most].tolist()
        return [(place, float(scores[place])) for place in best]

    def _unit(self, vector: Sequence[float]) -> Any:
        import numpy as np

        row = np.asarray(vector, dtype=np.float64)
        if self._rows is not None and row.size != self._rows.shape[1]:
            raise ValueError(f"an embedding has {row.size} numbers, those before had {self._rows.shape[1]}")
        # Not by the norm of numpy, whose last digits depend on where the row lies in memory.
        length = float(np.sqrt((row * row).sum()))
        return (row / length if length else row).astype(np.float32)
