"""V9: a sample is as large as it was ordered; V10: it has the layout, and every id leads somewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from memarena_builder.gold import Point
from memarena_builder.plan import Quota, SessionPlan
from memarena_builder.validators.coverage import length
from memarena_builder.validators.problem import Problem
from memarena_builder.wording import Spoken

FEWEST = 0.7
"""Share of the ordered points that a session has at least."""
MOST_ROUNDS = 1.75
"""Times the ordered rounds that a session has at most."""
MOST_PICTURES = 2
"""Times the ordered pictures that a session has at most: what is to be shown comes together by chance."""

FEWEST_WORDS, USUAL, MOST_WORDS = 12, 26, 60
"""Words of a round, of both sides: at least, about, and at most. A letter of a script without blanks is a word."""


def session_fits(quota: Quota, session: SessionPlan, spoken: Spoken, points: tuple[Point, ...]) -> Iterator[Problem]:
    """V9: points, updates, distractors, pictures, turns and words of a session are within the range of its quota."""
    kept = [point for point in points if point.kind != "interference"]
    updates = sum(point.kind == "update" for point in points)
    pictures = sum(bool(line.image_id) for line in spoken.lines)
    rounds = sum(line.role == "user" for line in spoken.lines)
    words = sum(length(line.text) for line in spoken.lines)
    most_rounds = MOST_ROUNDS * max(quota.rounds, quota.points + quota.distractors)
    for name, number, ordered, low, high in (
        ("points", len(kept), quota.points, FEWEST * quota.points, quota.points),
        ("updates", updates, quota.updates, 0, quota.updates + 1),
        ("distractors", len(points) - len(kept), quota.distractors, 0, quota.distractors),
        ("pictures", pictures, quota.pictures, 0, MOST_PICTURES * quota.pictures),
        ("rounds", rounds, quota.rounds, quota.rounds, most_rounds),
        ("words", words, USUAL * rounds, FEWEST_WORDS * rounds, MOST_WORDS * rounds),
    ):
        if not low <= number <= high:
            yield Problem(validator="V9", unit=session.session_id, message=f"{number} {name} for {ordered}")


def ids_lead_somewhere(raw: Mapping[str, Any]) -> Iterator[Problem]:
    """V10: the sample as it is written fits the published fields, and all evidence, checkpoints and pictures are
    there, each id once."""
    import msgspec

    from memarena_arena.wma_raw import RawSample

    try:
        sample = msgspec.convert(raw, RawSample)
    except msgspec.ValidationError as error:
        yield Problem(validator="V10", unit=str(raw.get("sample_id")), message=str(error))
        return
    sessions = [session.name for session in sample.sessions]
    points = [point.memory_id for session in sample.sessions for point in session.memory_points]
    points += [point.memory_id for block in sample.memory_points for point in block.memory_points]
    images = [
        each.image_id for session in sample.sessions for turn in session.dialogue for each in turn.attachments
    ]  # fmt: skip
    for kind, names in (("session", sessions), ("point", points), ("picture", images)):
        if len(set(names)) < len(names):
            yield Problem(validator="V10", unit=sample.sample_id, message=f"a {kind} id is there twice")
    known = {*points, *images}
    for stop in sample.qa_checkpoints:
        if not set(stop.covered_sessions) <= set(sessions):
            yield Problem(validator="V10", unit=stop.checkpoint_id, message="covers what is no session")
        for question in stop.questions:
            for item in chain(question.evidence, *question.evidence_alternatives):
                if (item.memory_id or item.image_id) not in known:
                    yield Problem(validator="V10", unit=stop.checkpoint_id, message=f"evidence {item} is not there")
