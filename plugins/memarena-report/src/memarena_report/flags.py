"""What a reader must be told before any number: everything that bends or limits them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from memarena_report.intervals import FEW
from memarena_report.judging import judging
from memarena_report.known_wrong import above_ceiling, overlay_table, wrong_items
from memarena_report.scores import Scores

EMPTY_SHARE = 0.5
"""Above this share of empty retrievals a system is flagged."""
NOT_HELD = frozenset({"missing_picture", "broken_picture", "picture_not_released"})
"""Findings about a picture that no system can see: no file, no picture (a Git LFS pointer, say), an address only."""

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Flag:
    """One thing to know."""

    level: Literal["warning", "note"]
    text: str


def flags(scores: Scores) -> list[Flag]:
    """All flags of a run, warnings first."""
    kinds = (_cells, _remarks, _judgements, _retrieval, _models, _data)
    found = [flag for kind in kinds for flag in kind(scores)]
    return sorted(found, key=lambda flag: flag.level != "warning")


def _cells(scores: Scores) -> Iterator[Flag]:
    state = scores.store.status.get("status", "")
    if state != "done":
        yield Flag("warning", f"The run is {state}: what is shown is what was finished so far.")
    planned = Counter(cell.label for cell in scores.cells)
    done = Counter(cell.label for cell in scores.cells if cell.status == "done")
    short = [f"{label} {done[label]} of {count}" for label, count in planned.items() if done[label] < count]
    if short:
        yield Flag("warning", f"Not all cells are done, and scores rest on those that are: {', '.join(short)}.")


def _remarks(scores: Scores) -> Iterator[Flag]:
    """What systems say of themselves."""
    for system in scores.systems:
        for remark in system.capabilities.remarks:
            yield Flag("warning", f"{system.label}: {remark}.")


def _judgements(scores: Scores) -> Iterator[Flag]:
    """Failed judgements, and shares that are none."""
    failed: Counter[str] = Counter()
    strange: Counter[str] = Counter()
    for label in scores.frame.labels:
        for metric, about in scores.metrics.items():
            column = scores.frame.column(label, metric, "paper")
            if column is not None:
                failed[label] += int(column.invalid.sum())
                if about.unit == "share":
                    strange[about.title] += int(((column.n < -_ROUNDING) | (column.n > column.d + _ROUNDING)).sum())
    listed = [f"{label} {count:,}" for label, count in failed.items() if count]
    if listed:
        yield Flag("warning", f"Judgements failed; none counts as 0 or 1. Score rows without one: {', '.join(listed)}.")
    listed = [f"{title} {count:,}" for title, count in strange.items() if count]
    if listed:
        yield Flag("warning", f"Shares below 0 or above 1 came from a scorer; rows: {', '.join(listed)}.")


def _retrieval(scores: Scores) -> Iterator[Flag]:
    ranking = [system.label for system in scores.compared if not system.capabilities.answers]
    shares = {label: _share(scores, label, "empty_retrieval") or 0.0 for label in ranking}
    empty = [f"{label} {100 * share:.0f} %" for label, share in shares.items() if share > EMPTY_SHARE]
    if empty:
        yield Flag("warning", f"Most retrievals are empty: {', '.join(empty)}.")
    whole = {label: _within_k(scores, label) for label in ranking if shares[label] < 1}
    small = [f"{label} {100 * share:.0f} %" for label, share in whole.items() if share]
    if small:
        top_k = scores.settings["top_k"]
        yield Flag(
            "warning",
            f"k = {top_k} takes in all that is kept, so that a ranking cannot lose anything, at a share of the "
            f"questions: {', '.join(small)}.",
        )


def _share(scores: Scores, label: str, metric: str) -> float | None:
    return scores.quantity(label, metric, "paper", "run").value if scores.has(metric) else None


def _within_k(scores: Scores, label: str) -> float:
    """The share of the questions at which no more than k items were kept; 0 where that is not known."""
    import numpy as np

    kept, asked = (scores.frame.column(label, name, "paper") for name in ("items", "qa_c"))
    if kept is None or asked is None or not len(asked):
        return 0.0
    codes, values = scores.frame.facet("session")
    small = kept.n <= scores.settings["top_k"]
    keys = [column.sample.astype(np.int64) * (len(values) + 1) + codes[column.facets] for column in (kept, asked)]
    return float(np.isin(keys[1], keys[0][small]).mean())


def _models(scores: Scores) -> Iterator[Flag]:
    plugins = scores.header["plugins"]
    if plugins["judge"]["name"] == "lexical":
        yield Flag("note", "The judge is lexical: rules over words and values, not a language model.")
    yield Flag("note", judging(scores.header).sentence)
    by_themselves = all(system.capabilities.answers for system in scores.systems)
    if plugins["answerer"]["name"] == "extractive" and not by_themselves:
        yield Flag("note", "The answerer is extractive: it copies from what was retrieved and is no language model.")
    if scores.oracles:
        yield Flag("note", f"Oracle {', '.join(scores.oracles)}: these rows have gold in place of that stage.")


def _data(scores: Scores) -> Iterator[Flag]:
    data = scores.header["data"]
    samples = len(data["samples"])
    if 1 < samples < FEW:
        yield Flag("note", f"Only {samples} samples: intervals over samples tend to be too narrow.")
    counts = data["report"]["counts"]
    missing = sum(count for code, count in counts.items() if code in NOT_HELD)
    if missing:
        yield Flag("note", f"Pictures that the data set names and does not hold: {missing:,}.")
    if counts.get("silver_points"):
        yield Flag("note", "What should be in memory was written by a model and checked by nobody: silver, no gold.")
    if not scores.names_evidence:
        yield Flag("note", "No question of these data has evidence: RC, Recall and NDCG are not measured.")
    table = overlay_table(scores)
    if table is not None:
        wrong = wrong_items(scores)
        yield Flag(
            "note", f"The gold of {wrong:,} questions is known to be wrong: there is a table with and without them."
        )
        for label in above_ceiling(table):
            yield Flag("warning", f"{label} scores above what a right answer key allows.")
    if data["report"]["licence"]:
        yield Flag("note", f"Licence of the data: {data['report']['licence']}")
