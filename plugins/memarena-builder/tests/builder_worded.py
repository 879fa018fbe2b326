"""Samples in words, without pictures and questions, which take time."""

from __future__ import annotations

from typing import NamedTuple

from builder_orders import QUOTA, order
from msgspec.structs import replace

from memarena_builder.lifelong import speaker_of, streams_of
from memarena_builder.packs.load import load
from memarena_builder.packs.schema import Pack
from memarena_builder.plan import Plan, make_plan
from memarena_builder.plan.quota import Quota
from memarena_builder.wording import Spoken


class Worded(NamedTuple):
    """A sample in words."""

    pack: Pack
    plan: Plan
    spoken: dict[str, Spoken]


def worded(domain: str, seed: int, language: str = "en", quota: Quota = QUOTA) -> Worded:
    wanted = order(domain, seed, quota=replace(quota, language=language))
    pack = load(domain, language)
    plan = make_plan(pack, wanted.quota, streams_of(wanted).at("plan"))
    speaker = speaker_of(wanted, pack, plan, 0)
    return Worded(pack, plan, {session.session_id: speaker.say(session) for session in plan.sessions})
