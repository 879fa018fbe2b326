"""The evidence of a question, as judges read it."""

from __future__ import annotations

from collections.abc import Iterable

from memarena.records import Evidence, QuestionRecord


def resolved(record: QuestionRecord) -> tuple[Evidence, ...]:
    """The evidence points that have a content; only these can be judged."""
    return with_content(record.question.evidence)


def with_content(points: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Those of some points that have a content."""
    return tuple(point for point in points if point.content and point.content.strip())
