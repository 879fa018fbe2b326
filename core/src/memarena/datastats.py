"""Counts what a data set holds: a row a sample, and totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from memarena.meter import estimate_tokens
from memarena.records import TYPES, Attachment, Checkpoint, Evidence, Sample

KINDS = ("new", "update", "interference")
"""The kinds of gold points."""


class DataStats:
    """Fills while samples are added."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self._types: Counter[str] = Counter()

    def add(self, sample: Sample) -> None:
        """Count `sample`."""
        self.rows.append(sample_row(sample))
        self._types.update(_types(sample))

    def totals(self) -> dict[str, Any]:
        """The sums over all samples."""
        gold = {kind: sum(len(points[kind]) for row in self.rows for points in row["gold"].values()) for kind in KINDS}
        types = sorted(self._types, key=lambda name: (TYPES.index(name) if name in TYPES else len(TYPES), name))
        return {
            "samples": len(self.rows),
            "regimes": dict(sorted(Counter(row["regime"] for row in self.rows).items())),
            "sessions": sum(len(row["sessions"]) for row in self.rows),
            "turns": self._sum("turns"),
            "attachments": self._sum("attachments"),
            "missing_images": sum(len(row["missing_images"]) for row in self.rows),
            "checkpoints_reachable": self._sum("checkpoints_reachable"),
            "questions_reachable": self._sum("questions_reachable"),
            "questions_by_type": {name: self._types[name] for name in types},
            "unanswerable": self._sum("unanswerable"),
            "gold": gold,
            "tokens": self._sum("tokens"),
        }

    def as_json(self) -> dict[str, Any]:
        """`samples_in_loader_order`, `samples` (a row each, see `sample_row`) and `totals`."""
        return {
            "samples_in_loader_order": [row["sample_id"] for row in self.rows],
            "samples": self.rows,
            "totals": self.totals(),
        }

    def _sum(self, key: str) -> int:
        return sum(row[key] for row in self.rows)


def sample_row(sample: Sample) -> dict[str, Any]:
    """What one sample holds. A checkpoint that cannot be reached counts nowhere but among the unreachable ones."""
    asked = [checkpoint for checkpoint in sample.checkpoints if checkpoint.after_session is not None]
    pictures = list(_pictures(sample))
    return {
        "sample_id": sample.sample_id,
        "regime": sample.regime,
        "domain": sample.domain,
        "sessions": [session.session_id for session in sample.sessions],
        "turns": sum(len(session.turns) for session in sample.sessions),
        "attachments": len(pictures),
        "missing_images": [picture.image_id for picture in pictures if picture.missing],
        "checkpoints_reachable": len(asked),
        "questions_reachable": sum(len(checkpoint.questions) for checkpoint in asked),
        "unanswerable": sum(not question.answerable for checkpoint in asked for question in checkpoint.questions),
        "gold": {
            session.session_id: {kind: [point.memory_id for point in session.gold(kind)] for kind in KINDS}
            for session in sample.sessions
        },
        "triggers": {checkpoint.checkpoint_id: checkpoint.after_session for checkpoint in asked},
        "unresolved_evidence": [item.evidence_id for item in _evidence(asked) if item.content is None],
        "dropped_blocks": list(sample.dropped_blocks),
        "unreachable_checkpoints": [
            checkpoint.checkpoint_id for checkpoint in sample.checkpoints if checkpoint.after_session is None
        ],
        "tokens": sum(estimate_tokens(turn.text) for session in sample.sessions for turn in session.turns),
    }


def _pictures(sample: Sample) -> Iterator[Attachment]:
    for session in sample.sessions:
        for turn in session.turns:
            yield from turn.attachments


def _evidence(checkpoints: Iterable[Checkpoint]) -> Iterator[Evidence]:
    for checkpoint in checkpoints:
        for question in checkpoint.questions:
            yield from chain.from_iterable(question.evidence_sets)


def _types(sample: Sample) -> Iterator[str]:
    for checkpoint in sample.checkpoints:
        if checkpoint.after_session is not None:
            yield from (question.type for question in checkpoint.questions)
