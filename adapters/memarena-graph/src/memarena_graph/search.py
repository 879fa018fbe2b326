"""Finds facts for a question: by entity, by text, by vector, then one hop further."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log
from typing import Any

from memarena.records import Record
from memarena_graph import statements
from memarena_graph.graph import Graph
from memarena_graph.names import STOP, meant, names_in, words_of

RRF = 60
"""Of reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)."""
K1, B = 1.2, 0.75
"""Of BM25 (Robertson and Zaragoza, 2009)."""
MOST_WORDS = 300
"""Words of a question by which facts are looked for; the vector is that of all of it."""
HUB = 25
"""Facts of an entity above which it says nothing about what belongs together."""


class Hit(Record, frozen=True, kw_only=True):
    """A fact that was found."""

    fact_id: str
    score: float
    ways: tuple[str, ...]
    """How: among `entity`, `text`, `vector`, `hop`."""


class Search:
    """Ranks the facts of one graph, with `history` closed ones too; a hop is made from the `hop` best."""

    def __init__(self, graph: Graph, *, history: bool, hop: int) -> None:
        self._graph = graph
        self._history = history
        self._hop = hop

    def find(self, query: str, vector: Sequence[float], top_k: int) -> list[Hit]:
        """At most `top_k` facts, best first; among equals what was said first."""
        most = max(2 * top_k, 20)
        words = words_of(query)[:MOST_WORDS]
        rankings = {
            "entity": self._rows(statements.OF_ENTITIES, entities=self._entities(words), most=most),
            "text": self._texts(words)[:most],
            "vector": self._near(vector, most),
        }
        order = {row["id"]: row["seq"] for rows in rankings.values() for row in rows}
        scores: dict[str, float] = {}
        ways: dict[str, list[str]] = {}
        for way, rows in rankings.items():
            for rank, row in enumerate(rows, 1):
                scores[row["id"]] = scores.get(row["id"], 0.0) + 1 / (RRF + rank)
                ways.setdefault(row["id"], []).append(way)
        seeds = sorted(scores, key=lambda each: (-scores[each], order[each]))[: self._hop]
        for row in self._around(seeds):
            order.setdefault(row["id"], row["seq"])
            if "hop" not in ways.setdefault(row["id"], []):
                ways[row["id"]].append("hop")
                # As much as one more ranking would give, which begins behind its seed.
                scores[row["id"]] = scores.get(row["id"], 0.0) + 1 / (2 * RRF + row["rank"])
        best = sorted(scores, key=lambda each: (-scores[each], order[each]))[:top_k]
        return [Hit(fact_id=each, score=scores[each], ways=tuple(ways[each])) for each in best]

    def _rows(self, statement: str, **parameters: Any) -> list[dict[str, Any]]:
        if not all(parameters.values()):
            return []
        return self._graph.read(statement, history=self._history, **parameters)

    def _entities(self, words: Sequence[str]) -> list[str]:
        names = [key for key in names_in(words) if key not in STOP]
        return meant(self._graph.named(names))

    def _near(self, vector: Sequence[float], most: int) -> list[dict[str, Any]]:
        rows = self._rows(statements.NEAREST, vector=vector, most=most)
        # The server's arithmetic is that of its JIT compiler, whose last digits differ from call to call.
        return sorted(rows, key=lambda row: (-round(row["score"], 5), row["seq"]))

    def _texts(self, words: Sequence[str]) -> list[dict[str, Any]]:
        rows = self._rows(statements.HOLDING, words=[word for word in dict.fromkeys(words) if word not in STOP])
        marks = bm25(rows)
        return sorted(rows, key=lambda row: (-marks[row["id"]], row["seq"]))

    def _around(self, seeds: Sequence[str]) -> list[dict[str, Any]]:
        rank = {seed: place for place, seed in enumerate(seeds, 1)}
        rows = self._rows(statements.AROUND, seeds=seeds, hub=HUB)
        near = sorted(rows, key=lambda row: (rank[row["seed"]], row["crowd"], row["seq"]))
        return [{**row, "rank": place} for place, row in enumerate(near, 1)]


def bm25(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The score of each row, which has the query's words that it holds (`found`) and the number of its words.

    Rare words count more; what is rare is taken from the rows themselves, since others hold none of the words.
    """
    times = Counter(word for row in rows for word in row["found"])
    mean = sum(row["length"] for row in rows) / max(len(rows), 1)
    weight = {word: log(1 + (len(rows) + 0.5) / (count + 0.5)) for word, count in times.items()}
    return {
        row["id"]: sum(weight[word] for word in row["found"]) * (K1 + 1) / (1 + K1 * (1 - B + B * row["length"] / mean))
        for row in rows
    }
