"""Memory systems as one writes them by hand: a dictionary a document, no checks, no locks; the same requests."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from bm25s import BM25
from numpy.typing import NDArray
from stub_models import Client

from memarena.records import Turn

TOP = 10
_WORD = re.compile(r"\w+")
_LONG_WORD = re.compile(r"\w{3,}")


class ByHand:
    """Sends the requests of each step; what is done with the replies differs."""

    def __init__(self, client: Client, requests: Mapping[str, list[tuple[str, Mapping[str, Any]]]]) -> None:
        self._client = client
        self._requests = requests
        self.documents: list[dict[str, Any]] = []
        self.rows = Matrix()

    def ingest_turn(self, turn: Turn) -> None:
        self.keep(turn)
        for reply in self.replies(f"turn {turn.turn_id}"):
            self.use(reply)

    def keep(self, turn: Turn) -> None:
        """A turn and the reply to it are a document."""
        line = f"[{turn.time}] {turn.role}: {turn.text}"
        if turn.role == "user" or not self.documents:
            self.documents.append({"text": line, "session": turn.session_id, "turns": [turn.turn_id]})
        else:
            self.documents[-1]["text"] += f"\n{line}"
            self.documents[-1]["turns"].append(turn.turn_id)
            self.kept(self.documents[-1])

    def kept(self, document: dict[str, Any]) -> None:
        """A document is whole."""

    def shown(self, ranking: list[tuple[int, float]]) -> list[dict[str, Any]]:
        """The documents of a ranking with their scores."""
        return [{"score": score, **self.documents[place % len(self.documents)]} for place, score in ranking]

    def end_session(self, session_id: str) -> None:
        for reply in self.replies(f"end {session_id}"):
            self.use(reply)

    def ask(self, query: str) -> object:
        found: object = None
        for reply in self.replies(f"question {query}"):
            if "data" in reply:
                found = self.shown(self.rows.best(vectors_of(reply)[0]))
        return found

    def use(self, reply: Any) -> None:
        """Take in what a request of a turn gave."""
        if "data" in reply:
            self.rows.add(vectors_of(reply))
            return
        message = reply["choices"][0]["message"]
        for call in message.get("tool_calls") or ():
            json.loads(call["function"]["arguments"])
        if (message.get("content") or "").startswith("{"):
            json.loads(message["content"])

    def replies(self, step: str) -> list[Any]:
        return [self._client.post(path, body) for path, body in self._requests.get(step, ())]


class Matrix:
    """Vectors in a matrix that doubles."""

    def __init__(self) -> None:
        self._rows: Any = None
        self._used = 0

    def add(self, rows: NDArray[np.float32]) -> None:
        rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        if self._rows is None:
            self._rows = np.empty((1024, rows.shape[1]), dtype=np.float32)
        if self._used + len(rows) > len(self._rows):
            self._rows = np.concatenate((self._rows, np.empty_like(self._rows)))
        self._rows[self._used : self._used + len(rows)] = rows
        self._used += len(rows)

    def best(self, query: NDArray[np.float32], count: int = TOP) -> list[tuple[int, float]]:
        if not self._used:
            return []
        scores = self._rows[: self._used] @ (query / np.linalg.norm(query))
        places = np.argsort(-scores)[:count]
        return list(zip(places.tolist(), scores[places].tolist(), strict=True))


def vectors_of(reply: Any) -> NDArray[np.float32]:
    """The vectors of a reply, a row each."""
    given = [row["embedding"] for row in reply["data"]]
    if isinstance(given[0], str):
        return np.stack([np.frombuffer(base64.b64decode(each), dtype="<f4") for each in given])
    return np.array(given, dtype=np.float32)


class Bm25ByHand(ByHand):
    """bm25s over pairs of turns."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.ids: list[list[int]] = []
        self.vocabulary: dict[str, int] = {}
        self.model: Any = None

    def kept(self, document: dict[str, Any]) -> None:
        words = _WORD.findall(document["text"].lower())
        self.ids.append([self.vocabulary.setdefault(word, len(self.vocabulary)) for word in words])
        self.model = None

    def ask(self, query: str) -> object:
        super().ask(query)
        return self.shown(self.by_words(query))

    def by_words(self, query: str, count: int = TOP) -> list[tuple[int, float]]:
        if self.model is None:
            self.model = BM25(method="lucene", backend="numpy")
            self.model.index((self.ids, self.vocabulary), create_empty_token=False, show_progress=False)
        known = [self.vocabulary[word] for word in _WORD.findall(query.lower()) if word in self.vocabulary]
        scores = self.model.get_scores_from_ids(known)
        places = np.argsort(-scores)[:count]
        return list(zip(places.tolist(), scores[places].tolist(), strict=True))


class HybridByHand(Bm25ByHand):
    """The ranks of both, added up."""

    def ask(self, query: str) -> object:
        (reply,) = self.replies(f"question {query}")
        fused: dict[int, float] = {}
        for ranking in (self.by_words(query, 100), self.rows.best(vectors_of(reply)[0], 100)):
            for rank, (place, _) in enumerate(ranking, 1):
                fused[place] = fused.get(place, 0.0) + 1 / (60 + rank)
        best = sorted(fused.items(), key=lambda pair: -pair[1])[:TOP]
        return self.shown(best)


class AMemByHand(ByHand):
    """The nearest notes are looked up for each new one."""

    def use(self, reply: Any) -> None:
        if "data" in reply:
            self.rows.best(vectors_of(reply)[0], 5)
        super().use(reply)


class WordsByHand(ByHand):
    """Texts ranked by the words that they share with the question."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.words: list[frozenset[str]] = []

    def kept(self, document: dict[str, Any]) -> None:
        self.words.append(frozenset(_LONG_WORD.findall(document["text"].lower())))

    def ask(self, query: str) -> object:
        super().ask(query)
        asked = frozenset(_LONG_WORD.findall(query.lower()))
        scores = [len(asked & words) for words in self.words]
        best = sorted(range(len(scores)), key=lambda place: -scores[place])[:TOP]
        return self.shown([(place, scores[place]) for place in best])


Hands: Mapping[str, type[ByHand]] = {
    "bm25": Bm25ByHand,
    "dense": ByHand,
    "hybrid": HybridByHand,
    "universalrag": ByHand,
    "amem": AMemByHand,
    "mgmemory": WordsByHand,
    "memgpt": WordsByHand,
}
