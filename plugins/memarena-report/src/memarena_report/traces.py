"""What happened to each question, packed small enough to travel inside the report.

One blob a sample (JSON, gzip, base64), which the page inflates when a question of that sample is opened. Each text
stands once a sample and is cut at `CLIP` characters. Where all samples do not fit, a seeded draw of samples is kept.
"""

from __future__ import annotations

import gzip
import random
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memarena import codec
from memarena.explanations import Explainer, Explanation
from memarena.records import Evidence, Label, QuestionRecord, RetrievedItem, Sample, SampleRecord
from memarena_report.explaining import explained, explainer_of
from memarena_report.matching import Words, text_of
from memarena_report.scores import Scores
from memarena_report.tracestories import lost_marks, stories, tellings

BUDGET = 7_500_000
"""Characters that all traces together may take: the report stays below 10 MB."""
CLIP = 1_200
"""Characters of a text that are kept; a longer one says how long it was."""
SEED = 20_260_529

CORRECT, HALLUCINATION, OMISSION, INVALID, ABSENT = "C", "H", "O", "!", "."
"""How the label of an answer is written in the index, one character a system."""

_WRITES = frozenset({"add", "update", "merge", "keep"})
_SHOWN_WRITES = 3


@dataclass(slots=True)
class Packed:
    """The traces of a run."""

    index: list[dict[str, Any]] = field(default_factory=list)
    """One row a sample: its id, and its questions as [id, type, text, labels, where they were lost]."""
    blobs: dict[str, str] = field(default_factory=dict)
    """By sample id: base64 of gzip of JSON."""
    samples: int = 0
    """Samples of the run; more than `blobs` where not all fit."""
    size: int = 0
    """Characters that the traces take, or a little less."""


def pack(scores: Scores, budget: int = BUDGET) -> Packed:
    """The traces of as many samples as fit into `budget` characters; the first repeat of each cell."""
    order = [row["sample_id"] for row in scores.header["data"]["samples"]]
    packed = Packed(samples=len(order))
    marks = [_labels(scores), lost_marks(scores)]
    explainer = explainer_of(scores.metrics)
    for sample_id in random.Random(SEED).sample(order, len(order)):
        rows, blob = _sample(scores, sample_id, marks, explainer)
        size = len(blob) + len(codec.encode(rows)) if rows else 0
        if packed.size + size > budget:
            break
        if rows:
            packed.size += size
            packed.index.append({"id": sample_id, "q": rows})
            packed.blobs[sample_id] = blob
    places = {sample_id: place for place, sample_id in enumerate(order)}
    packed.index.sort(key=lambda row: places[row["id"]])
    return packed


def squeeze(value: Any) -> str:
    """`value` as base64 of gzip of JSON, the same bytes each time."""
    return b64encode(gzip.compress(codec.encode(value), compresslevel=9, mtime=0)).decode("ascii")


def _labels(scores: Scores) -> Sequence[Mapping[tuple[str, str], str]]:
    """For each system: (sample, unit) -> the label that its answer was counted with."""
    units = list(scores.frame.units)
    found = []
    for system in scores.systems:
        marks: dict[tuple[str, str], str] = {}
        for metric, mark in (("qa_o", OMISSION), ("qa_h", HALLUCINATION), ("qa_c", CORRECT)):
            column = scores.frame.column(system.label, metric, "paper")
            if column is None:
                continue
            for unit, repeat, n in zip(column.unit.tolist(), column.repeat.tolist(), column.n.tolist(), strict=True):
                if repeat == 0 and n != 0:
                    marks[units[unit]] = mark if n == 1 else INVALID
        found.append(marks)
    return found


def _sample(
    scores: Scores,
    sample_id: str,
    marks: Sequence[Sequence[Mapping[tuple[str, str], str]]],
    explainer: Explainer | None,
) -> tuple[list[list[Any]], str]:
    """The index rows and the blob of one sample."""
    histories = list(_histories(scores, sample_id))
    if not any(history for history, _ in histories):
        return [], ""
    sample = scores.store.sample(sample_id)
    texts = _Texts()
    asked: dict[str, dict[str, Any]] = {}
    for place, (history, judged) in enumerate(histories):
        if history is not None:
            writes = _Writes(history, texts)
            told = explained(explainer, history, judged)
            for record in history.questions:
                trace = asked.setdefault(record.unit, _question(record, sample, texts, told.get(record.unit)))
                label = judged.get(record.unit, {}).get("answer")
                trace["y"][place] = _system(record, writes, texts, label, told.get(record.unit))
    rows = [
        [
            unit,
            trace["k"],
            trace["x"],
            *("".join(each.get((sample_id, unit), ABSENT) for each in of_systems) for of_systems in marks),
        ]
        for unit, trace in asked.items()
    ]
    traces = {unit: {key: value for key, value in trace.items() if key not in "kx"} for unit, trace in asked.items()}
    return rows, squeeze({"t": texts.listed, "q": traces})


def _histories(
    scores: Scores, sample_id: str
) -> Iterator[tuple[SampleRecord | None, dict[str, dict[str, Label | None]]]]:
    """For each system its history of a sample (None: not done) and the labels of its cell."""
    cells = {cell.label: cell for cell in scores.cells if cell.sample_id == sample_id and cell.repeat == 0}
    for system in scores.systems:
        cell = cells[system.label]
        done = cell.status == "done"
        yield (scores.store.history(cell.cell_id), scores.store.labels(cell.cell_id)) if done else (None, {})


class _Texts:
    """Texts by number, each once."""

    def __init__(self) -> None:
        self.listed: list[str] = []
        self.words = Words()
        self._places: dict[str, int] = {}

    def put(self, text: str) -> int:
        kept = text if len(text) <= CLIP else f"{text[:CLIP]} … ({len(text):,} characters)"
        place = self._places.get(kept)
        if place is None:
            place = self._places[kept] = len(self.listed)
            self.listed.append(kept)
        return place


class _Writes:
    """What a system wrote, by session."""

    def __init__(self, history: SampleRecord, texts: _Texts) -> None:
        self._texts = texts
        self.places = {record.unit: record.index + 1 for record in history.sessions}
        """Session id -> its place, from 1."""
        self._changes = {record.unit: record.changes for record in history.sessions}

    def nearest(self, evidence: Evidence) -> list[list[Any]]:
        """The changes of the evidence's session that share most of its words: [op, text, share in percent]."""
        words = self._texts.words
        ranked = sorted(
            (
                (words.share(text_of(evidence), change.text), place, change)
                for place, change in enumerate(self._changes.get(evidence.session_id or "", ()))
                if change.op in _WRITES
            ),
            key=lambda row: (-row[0], row[1]),
        )
        return [
            [change.op, self._texts.put(change.text), round(100 * share)]
            for share, _, change in ranked[:_SHOWN_WRITES]
            if share > 0
        ]


def _question(record: QuestionRecord, sample: Sample, texts: _Texts, told: Explanation | None) -> dict[str, Any]:
    question = record.question
    turns = tellings(told, texts.put) if told else {}
    return {
        "k": question.type if question.type != "UNKNOWN" else question.raw_type or question.type,
        "x": question.text,
        "c": record.checkpoint_id,
        "s": record.session_index + 1,
        "n": len(sample.sessions),
        "r": question.right,
        "u": not question.answerable,
        "w": question.known_wrong,
        "e": [
            [
                point.evidence_id,
                point.session_id or "",
                point.kind,
                texts.put(text_of(point) or "(not resolved)"),
                turns.get(point.evidence_id, []),
            ]
            for point in question.evidence
        ],
        "y": {},
    }


def _system(
    record: QuestionRecord, writes: _Writes, texts: _Texts, judged: Label | None, told: Explanation | None
) -> dict[str, Any]:
    """One system's way: written (by evidence point), retrieved, shown, answer and what the judge said of it; with an
    explanation where the question was lost and the stories of its evidence."""
    evidence = record.question.evidence
    shown = {item.rank for item in record.shown.items}
    stated = {item.rank: item.evidence for item in told.items} if told and record.capabilities.state else {}

    def hits(rank: int, item: RetrievedItem) -> list[int]:
        if stated:
            return [place for place, point in enumerate(evidence) if point.evidence_id in stated.get(rank, ())]
        return [place for place, point in enumerate(evidence) if texts.words.matches(point, item)]

    seen: dict[str, Any] = {
        "g": [
            [texts.put(item.text), item.score, hits(rank, item), rank in shown]
            for rank, item in enumerate(record.retrieval.items, 1)
        ],
        "a": record.answer.text[:CLIP],
        "f": record.answer.error,
        "j": judged.reason if judged else "",
        "z": record.capabilities.answers,
        "v": record.capabilities.state,
    }
    if told is None:
        return seen | {"d": [writes.nearest(point) for point in evidence]}
    return seen | {
        "l": told.lost_at,
        "w": told.reason,
        "b": told.cut,
        "h": stories(told, evidence, writes.places, texts.put),
    }
