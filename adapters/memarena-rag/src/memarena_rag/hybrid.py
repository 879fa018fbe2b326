"""BM25 and embeddings over rounds, fused."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from memarena.records import Retrieval, RunContext
from memarena_rag.dense import Dense, DenseOptions
from memarena_rag.documents import Document
from memarena_rag.fusion import reciprocal_rank_fusion
from memarena_rag.index import Index
from memarena_rag.tokens import tokenize


class HybridOptions(DenseOptions, frozen=True, kw_only=True):
    """Settings of `hybrid`."""

    k: int = 60
    """Constant of reciprocal rank fusion: the larger, the less the first ranks count."""
    depth: int = 100
    """How many of each ranking are fused; at least as many as are asked for."""
    k1: float = 1.5
    """Of BM25: saturation of term frequency."""
    b: float = 0.75
    """Of BM25: weight of document length, 0 to 1."""


class Hybrid(Dense):
    """Ranks rounds by reciprocal rank fusion of what `bm25` and `dense` find.

    The trace has, for each item, its rank in either ranking; null where that ranking does not hold it.
    """

    name = "hybrid"
    Options: type[HybridOptions] = HybridOptions
    _options: HybridOptions

    def __init__(self, options: HybridOptions | None = None) -> None:
        super().__init__(options)

    def _libraries(self) -> tuple[str, ...]:
        return ("bm25s",)

    def _start(self, context: RunContext) -> None:
        super()._start(context)
        self._index = Index(k1=self._options.k1, b=self._options.b)

    def _keep(self, documents: Sequence[Document]) -> None:
        super()._keep(documents)
        for document in documents:
            self._index.add(tokenize(document.searched))

    def _search(self, query: str, top_k: int) -> Retrieval:
        depth = max(self._options.depth, top_k)
        found = {"bm25": self._index.search(tokenize(query), depth), "dense": self._nearest(query, depth)}
        rankings = {name: [place for place, _ in ranking] for name, ranking in found.items()}
        best = reciprocal_rank_fusion(list(rankings.values()), self._options.k)[:top_k]
        ranks = {name: {place: rank for rank, place in enumerate(ranking, 1)} for name, ranking in rankings.items()}
        of_items = {name: [known.get(place) for place, _ in best] for name, known in ranks.items()}
        retrieval = self._retrieval(query, best)
        return replace(retrieval, trace={**retrieval.trace, "ranks": of_items})
