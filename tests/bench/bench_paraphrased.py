"""Recall@10 on questions that share no content word with their evidence, beside all others.

memarena run -d locomo:locomo10.json -a bm25 -a dense -o dense.encoder=minilm --out run
python tests/bench/bench_paraphrased.py run
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

from memarena.records import Question
from memarena.store import RunStore
from memarena_arena.told import Told


def is_paraphrased(question: Question) -> bool:
    """Whether no content word of the question, names apart, stands in its evidence."""
    asked = Told.of(question.text)
    told = [Told.of(point.content or "") for point in question.evidence]
    names = asked.names.union(*(each.names for each in told))
    return bool(told) and asked.keys.isdisjoint(frozenset[str]().union(*(each.keys for each in told)) - names)


def main(folder: Path) -> None:
    store = RunStore.open(folder)
    told = {
        (row["sample_id"], question.question_id): is_paraphrased(question)
        for row in store.header["data"]["samples"]
        for stop in store.sample(row["sample_id"]).checkpoints
        for question in stop.questions
        if question.evidence
    }
    found: dict[tuple[str, bool], list[float]] = defaultdict(list)
    for row in store.stats():
        key = (row.stat.sample_id, row.stat.unit)
        if row.stat.metric == "recall@10" and row.stat.variant in ("", "paper") and key in told and row.stat.d:
            found[row.label, told[key]].append((row.stat.n or 0.0) / row.stat.d)
    print(f"{sum(told.values())} of {len(told)} questions share no content word with their evidence")
    for label in dict.fromkeys(label for label, _ in found):
        there, elsewhere = (_mean(found.get((label, paraphrased), [])) for paraphrased in (True, False))
        print(f"{label:14} Recall@10 {there:5.1f} there, {elsewhere:5.1f} elsewhere")


def _mean(shares: list[float]) -> float:
    """In percent; NaN where there are none."""
    return 100 * sum(shares) / len(shares) if shares else float("nan")


if __name__ == "__main__":
    if len(sys.argv) == 2:
        main(Path(sys.argv[1]))
    else:
        print("give a run folder of a data set with evidence; nothing measured")
