"""What is played: a seed, a horizon and which incidents can happen."""

from __future__ import annotations

import json
from hashlib import sha256

import msgspec

from memarena.errors import UsageError
from memarena_aha.vending.rules import VERSION

__all__ = ["HORIZONS", "INCIDENTS", "VARIANTS", "Scenario"]

HORIZONS = (365, 90, 60, 30)
"""Full, lite, practice and smoke. Results of different horizons are never compared."""
INCIDENTS = (
    "delay",
    "closure",
    "bait",
    "refund",
    "phishing",
    "dunning",
    "jam",
    "breakdown",
    "weather",
    "cost",
)
VARIANTS = ("incidents", "calm", *(f"only-{name}" for name in INCIDENTS))
"""All incidents (the headline), none, and each alone."""


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """One instance of the vending world.

    Horizons and variants of one seed share all their draws, so that they can be compared pairwise.

    Raises `UsageError` for a horizon or a variant that does not exist, and for a negative seed.
    """

    seed: int
    horizon: int = 365
    variant: str = "incidents"

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise UsageError(f"the seed {self.seed} is negative; take 0 or more")
        if self.horizon not in HORIZONS:
            *others, last = map(str, HORIZONS)
            known = f"{', '.join(others)} or {last}"
            raise UsageError(f"a horizon of {self.horizon} days does not exist; take {known}")
        if self.variant not in VARIANTS:
            raise UsageError(f"no variant {self.variant!r}; take one of {', '.join(VARIANTS)}")

    @property
    def incidents(self) -> frozenset[str]:
        """The incidents that can happen."""
        if self.variant == "incidents":
            return frozenset(INCIDENTS)
        return frozenset({self.variant.removeprefix("only-")}) & frozenset(INCIDENTS)

    @property
    def id(self) -> str:
        """The first 12 hex digits of the SHA-256 of the canonical JSON of the instance."""
        fields = {"part": "vending", "version": VERSION, **msgspec.to_builtins(self)}
        return sha256(json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()).hexdigest()[:12]
