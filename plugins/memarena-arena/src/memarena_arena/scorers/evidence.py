"""The evidence of a question, as judges read it."""

from __future__ import annotations

from memarena.records import Evidence, QuestionRecord


def resolved(record: QuestionRecord) -> tuple[Evidence, ...]:
    """The evidence points that have a content; only these can be judged."""
    return tuple(point for point in record.question.evidence if point.content and point.content.strip())
