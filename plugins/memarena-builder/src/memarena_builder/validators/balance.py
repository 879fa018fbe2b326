"""V11: what cannot be answered has a twin that can. The balance of yes and no is a probe: it takes a whole data set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memarena_builder.questions.ask import Stop
from memarena_builder.validators.problem import Problem


def twins_are_there(stops: Iterable[Stop]) -> Iterator[Problem]:
    """V11: each question that cannot be answered has a twin of its family that can."""
    for stop in stops:
        by_id = {question.question_id: question for question in stop.questions}
        for question in stop.questions:
            if question.reason:
                twin = by_id.get(question.twin)
                if twin is None or twin.reason or twin.template != question.template:
                    yield Problem(validator="V11", unit=question.question_id, message="has no twin")
