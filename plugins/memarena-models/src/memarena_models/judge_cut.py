"""Long lists cut to what is most like the points, never beyond the tokens that a request may have."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memarena.answering import shorten
from memarena.meter import estimate_tokens
from memarena_models.judge_tasks import Entry

LINE_TOKENS = 16
"""Tokens of an entry beside its texts: number, names, quotes."""
K1, B = 1.2, 0.75
"""The usual constants of BM25."""

_WORD = re.compile(r"\w+")


class Cut(NamedTuple):
    """What is left of a list, in its own order."""

    entries: list[Entry]
    note: str
    """What was cut; "" where nothing was."""


def tokens_of(entries: Sequence[Entry]) -> int:
    """Tokens of a list as it stands in a request, estimated."""
    return sum(LINE_TOKENS + estimate_tokens(_text(entry)) for entry in entries)


def batches(entries: Sequence[Entry], most: int, budget: int) -> Iterator[list[Entry]]:
    """`entries` in order, in lists of at most `most` entries and `budget` tokens; a longer entry stands alone, cut."""
    batch: list[Entry] = []
    tokens = 0
    for entry in entries:
        size = tokens_of([entry])
        if batch and (len(batch) == most or tokens + size > budget):
            yield batch
            batch, tokens = [], 0
        batch.append(entry if size <= budget else {**entry, "text": shorten(entry["text"], budget - LINE_TOKENS)})
        tokens += size
    if batch:
        yield batch


def cut(entries: Sequence[Entry], like: Sequence[Entry], budget: int, name: str) -> Cut:
    """The entries most like `like` (BM25) that fit into `budget` tokens together, in their own order."""
    sizes = [tokens_of([entry]) for entry in entries]
    if sum(sizes) <= budget:
        return Cut(list(entries), "")
    scores = bm25(" ".join(_text(entry) for entry in like), [_text(entry) for entry in entries])
    kept: dict[int, Entry] = {}
    left = budget
    for place in sorted(range(len(entries)), key=lambda place: (-scores[place], place)):
        if sizes[place] <= left:
            kept[place] = entries[place]
            left -= sizes[place]
        elif not kept:
            kept[place] = {**entries[place], "text": shorten(entries[place]["text"], max(left - LINE_TOKENS, 0))}
            left = 0
    note = f"read {len(kept)} of {len(entries)} {name}, those most like what was judged, within {budget} tokens"
    return Cut([kept[place] for place in sorted(kept)], note)


def bm25(query: str, texts: Sequence[str]) -> list[float]:
    """The BM25 score of each text for `query` (Robertson and Zaragoza 2009), over lower-case words."""
    counts = [Counter(_words(text)) for text in texts]
    lengths = [sum(count.values()) for count in counts]
    mean = sum(lengths) / len(lengths) if any(lengths) else 1.0
    asked = Counter(_words(query))
    holding = Counter(word for count in counts for word in asked.keys() & count.keys())
    weights = {word: math.log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for word, n in holding.items()}
    return [
        _score(count, K1 * (1 - B + B * length / mean), weights) for count, length in zip(counts, lengths, strict=True)
    ]


def _score(count: Mapping[str, int], saturation: float, weights: Mapping[str, float]) -> float:
    return sum(
        weight * count[word] * (K1 + 1) / (count[word] + saturation)
        for word, weight in weights.items()
        if word in count
    )


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _text(entry: Entry) -> str:
    more = entry.get("replaces", ())
    return "\n".join(filter(None, [entry["text"], *more, entry.get("image", ""), entry.get("caption", "")]))
