"""Makes one sample of the lifelong part, from its order alone."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from memarena.records import Record
from memarena_builder.bywords import ByWords
from memarena_builder.gold import Point, gold
from memarena_builder.order import LifelongOrder
from memarena_builder.packs.load import in_register
from memarena_builder.packs.schema import Pack
from memarena_builder.pictured import pictured
from memarena_builder.pictures.spec import Drawing
from memarena_builder.plan import Plan, Quota, make_plan
from memarena_builder.plan.without import Away, away_with, without
from memarena_builder.questions.ask import Asked, Stop, ask
from memarena_builder.questions.known import Known
from memarena_builder.streams import Streams
from memarena_builder.validators.checks import Problem, check_question, check_sample, check_session
from memarena_builder.validators.problem import plain
from memarena_builder.wording import Speaker, Spoken
from memarena_builder.wording.persona import persona_of

TRIES = 3
"""How often a unit that fails is made again; and how often a sample is in which one fails all the same."""


class Built(Record, frozen=True, kw_only=True):
    """One sample, not yet written."""

    order: LifelongOrder
    attempt: int = 0
    """How often the sample was planned anew."""
    pack: Pack
    plan: Plan
    spoken: Mapping[str, Spoken]
    """By session id."""
    points: Mapping[str, tuple[Point, ...]]
    """By session id."""
    drawings: Mapping[str, Drawing]
    """By picture id."""
    stops: tuple[Stop, ...]
    problems: tuple[Problem, ...]
    """What validators found: what was made again and is right now has `repaired`, what had to go has `dropped`."""

    @property
    def left(self) -> tuple[Problem, ...]:
        """What is still wrong."""
        return tuple(problem for problem in self.problems if problem.left)


def build_sample(order: LifelongOrder) -> Built:
    """The sample of `order`; the same order gives the same sample, in whatever process.

    One in which something stays wrong is planned anew, up to `TRIES` times; what is wrong in the last of them is left
    out.
    """
    built = _attempt(order, 0)
    earlier: list[Problem] = []
    while built.left and built.attempt < TRIES:
        earlier += [problem.mended() if problem.left else problem for problem in built.problems]
        built = _attempt(order, built.attempt + 1)
    built = _without_what_is_wrong(built)
    return replace(built, problems=(*earlier, *built.problems))


def _without_what_is_wrong(built: Built) -> Built:
    """The sample of the same attempt without what validators refuse there, as far as it can be left out."""
    away = Away()
    dropped: list[Problem] = []
    while built.left:
        more = away_with(built.pack, built.plan, {name for problem in built.left for name in problem.about})
        if not any(more):
            break
        dropped += [problem.gone() for problem in built.left if problem.about]
        away = Away(away.keys | more.keys, away.events | more.events)
        built = _attempt(built.order, built.attempt, away)
    return replace(built, problems=(*dropped, *built.problems))


def _attempt(order: LifelongOrder, attempt: int, away: Away = Away()) -> Built:  # noqa: B008
    """The sample of `order` as its `attempt`-th plan has it, without what is `away`."""
    streams = streams_of(order, attempt)
    register = persona_of(streams.at("wording")).register
    pack = in_register(order.domain, order.quota.language, order.split, register)
    plan = without(make_plan(pack, order.quota, streams.at("plan")), away)
    spoken, points, problems = worded(pack, plan, order.quota, speaker_of(order, pack, plan, attempt))
    shown = pictured(plan.pictures, folder_of(order), told(spoken))
    refused: list[Problem] = []
    by_words = ByWords(plan, spoken)

    def refuse(question: Asked, known: Known) -> str:
        found = check_question(question, known, spoken)
        refused.extend(found)
        if found:
            return found[0].message
        return "" if by_words.takes(question, known.until) else "a search for its words finds it"

    stops = tuple(ask(pack, plan, order.quota.checkpoints, streams.at("questions"), refuse))
    built = Built(
        order=order, attempt=attempt, pack=pack, plan=plan, spoken=spoken, points=points, drawings=shown.drawings,
        stops=stops, problems=(),
    )  # fmt: skip
    repaired = (problem.mended() for problem in refused)
    return replace(built, problems=(*problems, *repaired, *shown.problems, *check_sample(built)))


def streams_of(order: LifelongOrder, attempt: int = 0) -> Streams:
    """Where the random numbers of a plan of `order` come from."""
    streams = Streams(order.seed, (order.sample_id,))
    return streams.at("anew", attempt) if attempt else streams


def folder_of(order: LifelongOrder) -> str:
    """The folder of the sample's pictures in the data set."""
    return f"{order.place}/images/{order.sample_id}"


def told(spoken: Mapping[str, Spoken]) -> str:
    """All that a system reads, as it is searched."""
    return plain("\n".join(line.text for each in spoken.values() for line in each.lines))


def speaker_of(order: LifelongOrder, pack: Pack, plan: Plan, attempt: int) -> Speaker:
    """Who puts a plan of `order` into words."""
    return Speaker(pack, plan, order.quota.rounds, streams_of(order, attempt).at("wording"))


def worded(
    pack: Pack, plan: Plan, quota: Quota, speaker: Speaker
) -> tuple[dict[str, Spoken], dict[str, tuple[Point, ...]], list[Problem]]:
    """All sessions in words; one that a validator refuses is said anew, up to `TRIES` times."""
    spoken = {session.session_id: speaker.say(session) for session in plan.sessions}
    problems: list[Problem] = []
    for attempt in range(TRIES + 1):
        points = gold(pack, plan, spoken)
        found = {
            session.session_id: check_session(
                pack, plan, quota, session, spoken[session.session_id], points[session.session_id]
            )
            for session in plan.sessions
        }
        bad = [session for session in plan.sessions if found[session.session_id]]
        if not bad or attempt == TRIES:
            break
        for session in bad:
            problems += [problem.mended() for problem in found[session.session_id]]
            spoken[session.session_id] = speaker.say(session, attempt + 1)
    return spoken, points, [*problems, *(problem for each in found.values() for problem in each)]
