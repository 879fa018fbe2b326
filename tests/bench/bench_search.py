"""Exact search against plain numpy, and Qdrant where it is installed: 384 dimensions, the best 10 of a query.

Plain numpy is what one writes by hand: a product, `argpartition`, and a sort of the few that are left. It ranks equal
vectors in any order, and vectors that single precision confuses as they come. MEMARENA_BENCH_FULL=1: Qdrant at 100,000
vectors too.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from statistics import median
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from memarena_rag.qdrant import QdrantVectors
from memarena_rag.vectors import Ranking, Vectors, VectorStore

FULL = os.environ.get("MEMARENA_BENCH_FULL", "") not in ("", "0")
DIMENSIONS, TOP_K, QUERIES, ROUNDS = 384, 10, 40, 15
TARGET = 1.2

Search = Callable[[NDArray[np.float32]], object]


def plain(unit: NDArray[np.float32]) -> Search:
    """A search as one writes it by hand over rows of unit length."""

    def search(query: NDArray[np.float32]) -> Ranking:
        scores = unit @ (query / np.linalg.norm(query))
        best = np.argpartition(-scores, TOP_K)[:TOP_K]
        best = best[np.argsort(-scores[best])]
        return list(zip(best.tolist(), scores[best].tolist(), strict=True))

    return search


def milliseconds(searches: dict[str, Search], queries: NDArray[np.float32]) -> dict[str, float]:
    """Median of a query, the best of several rounds; the searches take turns, query by query."""
    best = dict.fromkeys(searches, float("inf"))
    for _ in range(ROUNDS):
        times: dict[str, list[float]] = {name: [] for name in searches}
        for query in queries:
            for name, search in searches.items():
                begun = perf_counter()
                search(query)
                times[name].append(perf_counter() - begun)
        best = {name: min(best[name], median(times[name]) * 1e3) for name in searches}
    return best


def ours(vectors: VectorStore, rows: NDArray[np.float32], at_once: int) -> tuple[Search, float]:
    """A search in `vectors` once it holds `rows`, and the microseconds of adding one of them."""
    begun = perf_counter()
    for start in range(0, len(rows), at_once):
        vectors.add(rows[start : start + at_once])
    adding = (perf_counter() - begun) / len(rows) * 1e6
    return lambda query: vectors.search(query, TOP_K), adding


def compare(count: int, numbers: np.random.Generator) -> None:
    """Print the figures for `count` vectors."""
    rows = numbers.standard_normal((count, DIMENSIONS)).astype(np.float32)
    queries = numbers.standard_normal((QUERIES, DIMENSIONS)).astype(np.float32)
    unit = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    search, adding = ours(Vectors(), rows, 20)
    found = milliseconds({"plain": plain(unit), "ours": search}, queries)
    print(
        f"exact search, {count:,} x {DIMENSIONS}: {found['ours']:.2f} ms, plain numpy {found['plain']:.2f} ms: "
        f"{found['ours'] / found['plain']:.2f} times (target {TARGET}); adding 20 at a time: {adding:.1f} us a vector"
    )
    if find_spec("qdrant_client") is not None and (count == 10_000 or FULL):
        qdrant = QdrantVectors(":memory:", "", "bench")
        search, adding = ours(qdrant, rows, len(rows))
        there = milliseconds({"qdrant": search}, queries[:5])["qdrant"]
        print(f"  Qdrant in memory: {there:.1f} ms, adding all at once: {adding:.0f} us a vector")
        qdrant.close()


def main() -> None:
    numbers = np.random.default_rng(0)
    for count in (10_000, 100_000):
        compare(count, numbers)


if __name__ == "__main__":
    main()
