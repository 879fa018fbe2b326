"""Which validators look at a session, at a question, at a sample. To add one, add it here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memarena_builder.gold import Point
from memarena_builder.packs.schema import Pack
from memarena_builder.plan import Plan, Quota, SessionPlan
from memarena_builder.questions.ask import Asked
from memarena_builder.questions.known import Known
from memarena_builder.validators import answers, balance, chains, coverage, distractors, shape
from memarena_builder.validators.problem import Problem
from memarena_builder.wording import Spoken

if TYPE_CHECKING:
    from memarena_builder.lifelong import Built

__all__ = ["Problem", "check_question", "check_sample", "check_session"]


def check_session(
    pack: Pack, plan: Plan, quota: Quota, session: SessionPlan, spoken: Spoken, points: tuple[Point, ...]
) -> list[Problem]:
    """V1, V3, V9: what other words can mend."""
    return [
        *coverage.points_are_told(pack, plan, session, spoken, points),
        *distractors.have_one_cue(pack, plan, session, spoken),
        *shape.session_fits(quota, session, spoken, points),
    ]


def check_question(question: Asked, known: Known, spoken: Mapping[str, Spoken]) -> list[Problem]:
    """V3 and V5 to V8: what another question can mend."""
    return [
        *answers.answer_is_no_distractor(question, known),
        *answers.evidence_is_minimal(question, known),
        *answers.answer_is_one(question),
        *answers.nothing_is_known_early(question, known),
        *answers.modality_is_true(question, known, spoken),
    ]


def check_sample(built: Built) -> list[Problem]:
    """V2, V4, V10, V11."""
    from memarena_builder.layout import as_json

    return [
        *coverage.captions_are_neutral(built.pack, built.plan),
        *chains.updates_are_consistent(built.plan, built.points),
        *shape.ids_lead_somewhere(as_json(built)),
        *balance.twins_are_there(built.stops),
        *balance.pictures_are_of_any_age(built.plan, built.stops),
    ]
