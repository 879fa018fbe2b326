"""A BM25 index that grows: documents are added as tokens, and the scores are computed at the next search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Index:
    """Documents are numbered from 0 in the order in which they were added."""

    def __init__(self, *, k1: float, b: float) -> None:
        self._k1 = k1
        self._b = b
        self._vocabulary: dict[str, int] = {}
        self._documents: list[list[int]] = []
        self._model: Any = None

    def add(self, tokens: Sequence[str]) -> None:
        """Add a document."""
        vocabulary = self._vocabulary
        self._documents.append([vocabulary.setdefault(token, len(vocabulary)) for token in tokens])
        self._model = None

    def search(self, tokens: Sequence[str], top_k: int) -> list[tuple[int, float]]:
        """At most `top_k` pairs (document, score), best first; among equals the earlier document comes first.

        Only documents that share a token with the query are returned.
        """
        known = [number for token in tokens if (number := self._vocabulary.get(token)) is not None]
        if not known:
            return []
        if self._model is None:
            self._model = self._build()
        scores = self._model.get_scores_from_ids(known)
        best = (-scores).argsort(kind="stable")[:top_k].tolist()
        return [(place, float(scores[place])) for place in best if scores[place] > 0]

    def _build(self) -> Any:
        from bm25s import BM25

        model = BM25(k1=self._k1, b=self._b, method="lucene", backend="numpy")
        model.index((self._documents, self._vocabulary), create_empty_token=False, show_progress=False)
        return model
