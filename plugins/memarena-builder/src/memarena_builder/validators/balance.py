"""V11: what cannot be answered has a twin that can; the picture that is asked for is not always the newest.

The balance of yes and no is a probe: it takes a whole data set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memarena_builder.plan import Plan
from memarena_builder.questions.ask import Stop
from memarena_builder.questions.query import pictured
from memarena_builder.validators.problem import Problem

FEWEST = 3
"""Questions below which it may be chance that each asks for the newest picture."""


def twins_are_there(stops: Iterable[Stop]) -> Iterator[Problem]:
    """V11: each question that cannot be answered has a twin of its family that can."""
    for stop in stops:
        by_id = {question.question_id: question for question in stop.questions}
        for question in stop.questions:
            if question.reason:
                twin = by_id.get(question.twin)
                if twin is None or twin.reason or twin.template != question.template:
                    yield Problem(validator="V11", unit=question.question_id, message="has no twin")


def pictures_are_of_any_age(plan: Plan, stops: Iterable[Stop]) -> Iterator[Problem]:
    """V11: of the questions for one of several pictures of a subject, not all have the newest as their answer."""
    newest: list[bool] = []
    for stop in stops:
        facts = plan.facts(stop.index)
        for question in stop.questions:
            key = pictured(question.query, facts)
            own = [fact.image_id for fact in facts if key and fact.image_id and fact.key.subject == key.subject]
            if len(set(own)) > 1:
                newest.append(own[-1] == question.answer)
    if len(newest) >= FEWEST and all(newest):
        yield Problem(validator="V11", unit="VS", message="the picture that is asked for is always the newest")
