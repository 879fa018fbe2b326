"""Makes one sample of the lifelong part, from its order alone."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from memarena.records import Record
from memarena_builder.gold import Point, gold
from memarena_builder.order import LifelongOrder
from memarena_builder.packs.load import load, part
from memarena_builder.packs.schema import Pack
from memarena_builder.plan import Plan, make_plan
from memarena_builder.questions.ask import Asked, Stop, ask
from memarena_builder.questions.known import Known
from memarena_builder.streams import Streams
from memarena_builder.validators.checks import Problem, check_question, check_sample, check_session
from memarena_builder.wording import Speaker, Spoken

TRIES = 3
"""How often a unit that fails is made again."""


class Built(Record, frozen=True, kw_only=True):
    """One sample, not yet written."""

    order: LifelongOrder
    pack: Pack
    plan: Plan
    spoken: Mapping[str, Spoken]
    """By session id."""
    points: Mapping[str, tuple[Point, ...]]
    """By session id."""
    stops: tuple[Stop, ...]
    problems: tuple[Problem, ...]
    """What validators found; what was made again and is right now has `repaired`."""


def build_sample(order: LifelongOrder) -> Built:
    """The sample of `order`; the same order gives the same sample, in whatever process."""
    pack = part(load(order.domain, order.quota.language), order.split)
    streams = Streams(order.seed, (order.sample_id,))
    plan = make_plan(pack, order.quota, streams.at("plan"))
    spoken, points, problems = worded(pack, plan, speaker_of(order, pack, plan))
    refused: list[Problem] = []

    def refuse(question: Asked, known: Known) -> str:
        found = check_question(question, known, spoken)
        refused.extend(found)
        return found[0].message if found else ""

    stops = tuple(ask(pack, plan, order.quota.checkpoints, streams.at("questions"), refuse))
    built = Built(
        order=order, pack=pack, plan=plan, spoken=spoken, points=points, stops=stops, problems=tuple(problems)
    )
    repaired = tuple(problem.mended() for problem in refused)
    return replace(built, problems=(*problems, *repaired, *check_sample(built)))


def speaker_of(order: LifelongOrder, pack: Pack, plan: Plan) -> Speaker:
    """Who puts the sample of `order` into words."""
    return Speaker(pack, plan, order.quota.rounds, Streams(order.seed, (order.sample_id,)).at("wording"))


def worded(
    pack: Pack, plan: Plan, speaker: Speaker
) -> tuple[dict[str, Spoken], dict[str, tuple[Point, ...]], list[Problem]]:
    """All sessions in words; one that a validator refuses is said anew, up to `TRIES` times."""
    spoken = {session.session_id: speaker.say(session) for session in plan.sessions}
    problems: list[Problem] = []
    for attempt in range(1, TRIES + 1):
        points = gold(pack, plan, spoken)
        found = {
            session.session_id: check_session(
                pack, plan, session, spoken[session.session_id], points[session.session_id]
            )
            for session in plan.sessions
        }
        bad = [session for session in plan.sessions if found[session.session_id]]
        if not bad:
            return spoken, points, problems
        for session in bad:
            problems += [problem.mended() for problem in found[session.session_id]]
            spoken[session.session_id] = speaker.say(session, attempt)
    points = gold(pack, plan, spoken)
    for session in plan.sessions:
        problems += check_session(pack, plan, session, spoken[session.session_id], points[session.session_id])
    return spoken, points, problems
