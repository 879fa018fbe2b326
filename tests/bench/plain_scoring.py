"""The definitions of F1, BLEU-1, Recall and NDCG, written down without a thought for speed.

The independent second opinion of the property tests, and what `bench_scoring.py` is compared with.
"""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from memarena.records import QuestionRecord

KS = (1, 5, 10)
VARIANTS: tuple[Literal["paper", "release", "strict"], ...] = ("paper", "release", "strict")
WORD = r"\w+"


def plain_tokens(text: str) -> list[str]:
    """Lower case; keep `.` between digits and `_`; drop a, an, the, and; other ASCII punctuation is a blank."""
    text = text.lower()
    text = re.sub(r"(?<=\d)\.(?=\d)", "\ue000", text)
    text = re.sub(r"\b(a|an|the|and)\b", " ", text)
    for mark in string.punctuation.replace("_", ""):
        text = text.replace(mark, " ")
    return text.replace("\ue000", ".").split()


@cache
def stemmer() -> Any:
    """NLTK's stemmer in its default mode."""
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()


def plain_f1(prediction: str, reference: str) -> float:
    """Equation 8."""
    stem = stemmer().stem
    left = Counter(stem(token) for token in plain_tokens(prediction))
    right = Counter(stem(token) for token in plain_tokens(reference))
    overlap = (left & right).total()
    if overlap == 0:
        return 0.0
    precision, recall = overlap / left.total(), overlap / right.total()
    return 2 * precision * recall / (precision + recall)


def plain_bleu1(prediction: str, reference: str) -> float:
    """Unigram BLEU with brevity penalty."""
    left, right = plain_tokens(prediction), plain_tokens(reference)
    overlap = (Counter(left) & Counter(right)).total()
    if overlap == 0:
        return 0.0
    penalty = 1.0 if len(left) > len(right) else math.exp(1 - len(right) / len(left))
    return penalty * overlap / len(left)


def as_words(text: str) -> str:
    """The word tokens of a text between single blanks, so that whole tokens can be looked for."""
    return f" {' '.join(re.findall(WORD, text.lower()))} "


def plain_match(item: Mapping[str, Any], point: Mapping[str, Any], sessions: Sequence[str], variant: str) -> bool:
    """The soft match of an item and an evidence point."""
    wanted = point["id"].lower()
    names = [item["memory_id"].lower(), item["backend_id"].lower()]
    if variant != "paper":
        names += [item["image_path"].lower(), item["text"].lower()]
    if variant == "strict":
        if set(item.get("turn_ids", ())) & set(point.get("turn_ids", ())):
            return True
        names.append(item.get("image_id", "").lower())
        if re.findall(WORD, wanted) and any(as_words(wanted) in as_words(name) for name in names):
            return True
    elif wanted and any(wanted in name for name in names):
        return True
    session = re.search(r"\bmp_(s\d+)_", wanted)
    if variant != "strict" and session and session.group(1) in [each.lower() for each in sessions]:
        return True
    content = re.findall(WORD, point["content"].lower())
    text = re.findall(WORD, item["text"].lower())
    if not content:
        return False
    if variant == "strict" and as_words(point["content"]) in as_words(item["text"]):
        return True
    if variant != "strict" and " ".join(content) in " ".join(text):
        return True
    return len(set(content) & set(text)) / len(set(content)) >= 0.75


@dataclass(frozen=True)
class Case:
    """One question: what the rewrite reads and, below it, the record that the scorers read."""

    items: Sequence[Mapping[str, Any]]
    evidence: Sequence[Mapping[str, Any]]
    sources: Mapping[str, Sequence[str]]
    prediction: str = ""
    reference: str = ""


def plain_recall(case: Case, k: int, variant: str) -> float | None:
    """Equation 10."""
    if not case.evidence:
        return None if variant == "strict" else 0.0
    found = 0
    for point in case.evidence:
        if any(plain_match(item, point, case.sources.get(str(item["rank"]), ()), variant) for item in case.items[:k]):
            found += 1
    return found / len(case.evidence)


def plain_ndcg(case: Case, k: int, variant: str) -> float | None:
    """Equations 11-14, or the released code's."""
    if not case.evidence:
        return None if variant == "strict" else 0.0

    def discount(rank: int) -> float:
        if variant == "release":
            return 1.0 if rank == 1 else 1 / math.log2(rank)
        return 1 / math.log2(rank + 1)

    taken: set[int] = set()
    listed: list[tuple[object, ...]] = []
    gain = 0.0
    for rank, item in enumerate(case.items[:k], 1):
        shown = [item.get(field) or "" for field in ("memory_id", "backend_id", "image_path", "image_id")]
        name = (*shown, " ".join(re.findall(WORD, item["text"].lower())), sorted(item.get("turn_ids") or ()))
        repeated = variant == "strict" and item["memory_id"] != "" and name in listed
        listed.append(name)
        fresh = [
            number
            for number, point in enumerate(case.evidence)
            if number not in taken and plain_match(item, point, case.sources.get(str(item["rank"]), ()), variant)
        ]
        if fresh and not repeated:
            taken.update(fresh if variant == "release" else fresh[:1])
            gain += discount(rank)
    return gain / sum(discount(rank) for rank in range(1, min(len(case.evidence), k) + 1))


def plain_scores(case: Case) -> dict[str, float | None]:
    """Everything at once, by name."""
    found: dict[str, float | None] = {
        "f1": plain_f1(case.prediction, case.reference),
        "bleu1": plain_bleu1(case.prediction, case.reference),
    }
    for variant in VARIANTS:
        for k in KS:
            found[f"{variant} recall@{k}"] = plain_recall(case, k, variant)
            found[f"{variant} ndcg@{k}"] = plain_ndcg(case, k, variant)
    return found


def plain_case(record: QuestionRecord) -> Case:
    """The record as plain mappings; its sources are those of `paper`."""
    return Case(
        items=[
            {
                "rank": rank,
                "memory_id": item.memory_id,
                "backend_id": item.backend_id,
                "image_path": item.image_path,
                "image_id": item.image_id,
                "text": item.text,
                "turn_ids": item.turn_ids,
            }
            for rank, item in enumerate(record.retrieval.items, 1)
        ],
        evidence=[
            {"id": point.evidence_id, "content": point.content or "", "turn_ids": point.turn_ids}
            for point in record.question.evidence
        ],
        sources={str(rank): sessions for rank, sessions in enumerate(record.sources, 1)},
        prediction=record.answer.text,
        reference=record.reference,
    )
