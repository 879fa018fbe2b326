"""The orders that these tests place."""

from __future__ import annotations

from memarena_builder.order import LifelongOrder
from memarena_builder.plan.quota import Quota

QUOTA = Quota(sessions=10, points=8, updates=3, rounds=11, checkpoints=3)


def order(domain: str, seed: int = 3, split: str = "test", quota: Quota = QUOTA) -> LifelongOrder:
    place = "lifelong/personal" if domain == "personal" else f"lifelong/project/{domain}"
    return LifelongOrder(
        sample_id=f"{domain}_01", place=place, domain=domain, seed=seed, split=split, quota=quota
    )  # fmt: skip
