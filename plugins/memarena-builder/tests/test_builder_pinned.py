"""What happens in three small worlds is pinned: who changes it means to. Their words are not, they may be mended."""

from __future__ import annotations

from hashlib import blake2b

import msgspec
import pytest

from memarena_builder.lifelong import streams_of
from memarena_builder.packs.load import load, part
from memarena_builder.plan import make_plan
from memarena_builder.presets import Variant, orders

PINNED = {
    ("academic_01", "en"): "41c54a20afed8baf",
    ("startup_01", "en"): "e36d8f05bc50b5d1",
    ("health_01", "zh"): "2fbcae46e2fe3427",
}
"""By sample of `tiny` with the seed 7 and language: a hash of who there is and of all events, in order."""


def happened(sample_id: str, language: str) -> str:
    order = next(each for each in orders("tiny", 7, "lifelong", Variant(language)) if each.sample_id == sample_id)
    plan = make_plan(part(load(order.domain, language), order.split), order.quota, streams_of(order).at("plan"))
    told = msgspec.json.encode([plan.cast, plan.sessions, plan.reserved, plan.announced], order="sorted")
    return blake2b(told, digest_size=8).hexdigest()


@pytest.mark.parametrize(("sample_id", "language"), PINNED)
def test_what_happens_in_a_world_is_pinned(sample_id, language):
    assert happened(sample_id, language) == PINNED[sample_id, language]
