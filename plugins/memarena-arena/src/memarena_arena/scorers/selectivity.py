"""What a system keeps of what it is told: how much, how useful, and in whose words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import get_args

from memarena import hookimpl
from memarena.meter import estimate_tokens
from memarena.records import JudgementRequest, Label, Metric, Op, SampleRecord, SessionRecord, Stat
from memarena_arena.metrics import softmatch
from memarena_arena.metrics.softmatch import CONTENT_WORDS, Passage, Point
from memarena_arena.metrics.units import Ratio
from memarena_arena.scorers import facets, kept
from memarena_arena.scorers.rows import AnyRecord, Rows

_OPS: tuple[str, ...] = get_args(Op)
_FEW = 5
"""Tokens below which a turn is copied only by an item that holds nothing else."""


def _count(title: str, about: str, unit: str = "items") -> Metric:
    return Metric(title=title, stage="write", better="neither", unit=unit, about=about)


METRICS: Mapping[str, Metric] = {
    "useful": Metric(
        title="Useful", stage="write", about="Items written that hold a gold point (soft match, rule iii)."
    ),
    "verbatim": Metric(
        title="Verbatim", stage="write", better="neither", about="Items written that copy a turn word for word."
    ),
    "compression": Metric(
        title="Kept / seen", stage="write", better="low", unit="ratio", about="Tokens kept at the end / tokens seen."
    ),
    **{f"op_{op}": _count(f"Op {op}", f"Changes of a session with op {op}.") for op in _OPS},
    "items": _count("Items kept", "Items kept after a session."),
    "item_tokens": _count("Tokens an item", "Mean length of the items kept after a session.", "tokens"),
}


class SelectivityScorer:
    """Usefulness, copies, operations, number and length of items a session; compression a sample.

    A plain log has Recall 1 and Corr near 1; these rows show that it chose nothing. A system whose state cannot be
    seen gets none; of one that rewrites, usefulness is not measured, since it is told by words.
    """

    name = "selectivity"
    revision = 1
    metrics = METRICS

    @hookimpl
    def judgement_requests(self, record: AnyRecord) -> Mapping[str, JudgementRequest]:
        """Nothing: all of this is counted."""
        return {}

    @hookimpl
    def score(self, record: AnyRecord, labels: Mapping[str, Label | None]) -> Sequence[Stat]:
        """The rows of a session, and of a sample."""
        if isinstance(record, SessionRecord) and record.capabilities.state:
            return self._session_rows(record)
        if isinstance(record, SampleRecord) and record.capabilities.state:
            return self._sample_rows(record)
        return ()

    def _session_rows(self, record: SessionRecord) -> Sequence[Stat]:
        rows = Rows(record, self, facets.of_session(record))
        written = [softmatch.passage(text) for text in kept.written(record)]
        if written:
            points = [softmatch.point("", point.content) for point in record.session.gold("new", "update")]
            turns = [softmatch.passage(turn.body or turn.text) for turn in record.session.turns]
            useful = sum(_is_useful(item, points) for item in written)
            copied = sum(_is_copied(item, turns) for item in written)
            if record.capabilities.verbatim is not False:
                rows.add("useful", Ratio(float(useful), float(len(written))))
            rows.add("verbatim", Ratio(float(copied), float(len(written))))
        for op in _OPS:
            rows.add(f"op_{op}", Ratio(float(sum(change.op == op for change in record.changes)), 1.0))
        held = record.snapshot
        rows.add("items", Ratio(float(len(held)), 1.0))
        if held:
            rows.add("item_tokens", Ratio(float(sum(_tokens(item.text) for item in held)), float(len(held))))
        return rows.stats

    def _sample_rows(self, record: SampleRecord) -> Sequence[Stat]:
        rows = Rows(record, self, facets.of_sample(record))
        seen = sum(_tokens(turn.text) for heard in record.sessions for turn in heard.session.turns)
        if seen:
            held = sum(_tokens(item.text) for item in record.sessions[-1].snapshot)
            rows.add("compression", Ratio(float(held), float(seen)))
        return rows.stats


def _is_useful(item: Passage, points: Sequence[Point]) -> bool:
    return any(softmatch.contained(point.content, point.needed, item) & CONTENT_WORDS for point in points)


def _is_copied(item: Passage, turns: Sequence[Passage]) -> bool:
    held = f" {item.joined} "
    for turn in turns:
        if turn.joined == item.joined or (turn.joined.count(" ") >= _FEW - 1 and f" {turn.joined} " in held):
            return True
    return False


_tokens = lru_cache(maxsize=8192)(estimate_tokens)
