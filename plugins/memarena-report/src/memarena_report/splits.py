"""Which splits of its data set a run saw."""

from __future__ import annotations

from collections import Counter

from memarena_report.scores import Scores


def splits_seen(scores: Scores) -> str:
    """The splits with their numbers of samples, e.g. `dev 1, test 5`; "" where the data set says of no sample to which
    it belongs."""
    samples = (scores.store.sample(row["sample_id"]) for row in scores.header["data"]["samples"])
    found = Counter(str(sample.meta.get("split", "")) for sample in samples)
    if not any(found):
        return ""
    return ", ".join(f"{split or 'no split'} {count}" for split, count in sorted(found.items()))
