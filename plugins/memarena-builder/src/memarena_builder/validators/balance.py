"""V11: what cannot be answered has a twin that can; yes and no, new and old pictures are balanced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memarena_builder.questions.ask import Stop
from memarena_builder.validators.problem import Problem

FEW = 20
"""Questions of yes and no below which their balance says nothing."""
SHARE = (0.45, 0.55)
"""Share of yes among them."""


def twins_are_there(stops: Iterable[Stop]) -> Iterator[Problem]:
    """V11, for one sample: each question that cannot be answered has a twin of its family that can."""
    for stop in stops:
        by_id = {question.question_id: question for question in stop.questions}
        for question in stop.questions:
            if question.reason:
                twin = by_id.get(question.twin)
                if twin is None or twin.reason or twin.template != question.template:
                    yield Problem(validator="V11", unit=question.question_id, message="has no twin")


def answers_are_balanced(stops: Iterable[Stop]) -> Iterator[Problem]:
    """V11, for a data set: yes and no are about as frequent."""
    claims = [question for stop in stops for question in stop.questions if question.type == "MC"]
    yes = sum("," not in question.answer for question in claims)
    if len(claims) >= FEW and not SHARE[0] <= yes / len(claims) <= SHARE[1]:
        yield Problem(validator="V11", unit="data set", message=f"{yes} of {len(claims)} claims are right")
